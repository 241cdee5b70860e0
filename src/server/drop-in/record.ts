/** One shape for what our endpoints answer, from which the forms of other projects are made. */
import type { osmTypes } from '../../core/osm-object.ts';
import type { Layer } from '../../geocoding/layers.ts';

export type DropInRecord = {
  /** Identifier that `/place/{id}` takes. */
  id: number;
  layer: Layer;
  /** `city`, `town`, `village`, `suburb`, `hamlet`; null for what is not a place. */
  type: string | null;
  name: string;
  lat: number;
  lng: number;
  houseNumber?: string;
  street?: string;
  suburb?: string;
  city?: string;
  county?: string;
  state?: string;
  postcode?: string;
  country?: string;
  /** ISO 3166-1 alpha-2, upper case; empty in no country. */
  countryCode: string;
  population: number;
  /** 0–100. */
  confidence: number;
  timezone?: string;
  distanceKm?: number;
  /** The object of OpenStreetMap that it is, if its source is that. */
  osm?: { type: (typeof osmTypes)[number]; id: number };
  /** The tag of OpenStreetMap that makes it this record. */
  tag?: [key: string, value: string];
  /** Kind of a point of interest, where the answer has it. */
  category?: string;
  /** Type of the place that a street or suburb is in. */
  settlement?: string;
  /** South, north, west, east of what it covers, known or estimated. */
  box?: [number, number, number, number];
};

// biome-ignore lint/suspicious/noExplicitAny: a record of an answer; its endpoint's schema says what it has.
type AnswerRecord = Record<string, any>;

/** A record of `/search`, `/reverse`, `/address` or `/place/{id}` in the one shape. */
export function dropInRecord(answer: AnswerRecord): DropInRecord {
  const { house_number, street, layer = street ? 'address' : 'place' } = answer;
  const isPlace = layer === 'place';
  // A postal code is called by itself; its place is the city that it is in.
  const isCode = layer === 'postal' && answer.postal_code;
  const record = {
    id: answer.id,
    layer,
    type: isCode ? null : (answer.type ?? null),
    name: (isCode ? answer.postal_code : answer.name) ?? answer.street ?? '',
    lat: answer.lat,
    lng: answer.lng,
    houseNumber: house_number,
    street,
    suburb: answer.suburb ?? (isPlace && answer.type === 'suburb' ? answer.name : undefined),
    city: answer.city ?? (isCode || (isPlace && answer.type !== 'suburb') ? answer.name : undefined),
    county: answer.admin2,
    state: answer.admin1,
    postcode: answer.postal_code,
    country: answer.country_name,
    countryCode: answer.country ?? '',
    population: answer.population ?? 0,
    confidence: answer.confidence ?? 100,
    timezone: answer.timezone,
    distanceKm: answer.distance_km,
    category: answer.category,
    osm: answer.osm_id && { type: answer.osm_type, id: answer.osm_id },
    tag: answer.osm_tag?.split('=', 2),
    box: answer.bbox && boxOf(layer, answer.bbox),
  };
  return Object.fromEntries(
    Object.entries(record).filter(([name, value]) => name === 'type' || (value !== null && value !== undefined)),
  ) as DropInRecord;
}

/**
 * South, north, west, east. Across the antimeridian, a country or region is as wide as the world, as Nominatim has it: maps take west
 * for the smaller number.
 */
function boxOf(layer: Layer, [west, south, east, north]: readonly number[]): DropInRecord['box'] {
  const isWorld = west > east && (layer === 'country' || layer === 'region');
  return isWorld ? [south, north, -180, 180] : [south, north, west, east];
}

/** Records without those that an earlier one is too: the place of a point is also among the nearest. */
export function distinct(records: readonly DropInRecord[]): DropInRecord[] {
  const seen = new Set<string>();
  return records.filter(({ layer, id }) => {
    const key = `${layer} ${id}`;
    return !seen.has(key) && seen.add(key);
  });
}

/** Half the height in degrees of the box that is shown around what has none of its own. */
const reachDegrees: Record<string, number> = {
  country: 4,
  region: 1,
  subregion: 0.3,
  island: 0.2,
  postal: 0.05,
  airport: 0.03,
  water: 0.1,
  peak: 0.02,
  landmark: 0.005,
  park: 0.03,
  street: 0.005,
};

/** A box around a record as south, north, west, east: of what it covers, else by its kind around its position. */
export function boxAround({ layer, lat, lng, box }: DropInRecord): [number, number, number, number] {
  if (box) return box;
  const reach = reachDegrees[layer] ?? 0.001;
  const wide = reach / Math.max(0.1, Math.cos((lat * Math.PI) / 180));
  const round = (degrees: number) => Math.round(degrees * 1e7) / 1e7;
  return [
    round(Math.max(-90, lat - reach)),
    round(Math.min(90, lat + reach)),
    round(Math.max(-180, lng - wide)),
    round(Math.min(180, lng + wide)),
  ];
}

/** The parts of a record from the most local to the country, without repetition, as a label lists them. */
export function labelParts(record: DropInRecord): string[] {
  const { name, houseNumber, street, suburb, city, county, state, postcode, country } = record;
  const first = street && houseNumber ? `${houseNumber}, ${street}` : name;
  const parts = [first, suburb, city, county, state, record.layer === 'postal' ? undefined : postcode, country];
  return parts.filter((part, at): part is string => part !== undefined && part !== '' && parts.indexOf(part) === at);
}

/** OpenStreetMap's key and value for the categories of points of interest. */
export const poiTags: Readonly<Record<string, readonly [key: string, value: string]>> = {
  restaurant: ['amenity', 'restaurant'],
  hotel: ['tourism', 'hotel'],
  hospital: ['amenity', 'hospital'],
  school: ['amenity', 'school'],
  bank: ['amenity', 'bank'],
  shop: ['shop', 'yes'],
  transport: ['public_transport', 'station'],
  tourism: ['tourism', 'attraction'],
  sport: ['leisure', 'sports_centre'],
  parking: ['amenity', 'parking'],
  fuel: ['amenity', 'fuel'],
};

type Kind = readonly [key: string, value: string, rank: number, addressType: string, photonType: string];

/**
 * OpenStreetMap's key and value by layer or type of place, Nominatim's rank and its name in an address, and Photon's type.
 */
const kinds: Readonly<Record<string, Kind>> = {
  country: ['boundary', 'administrative', 4, 'country', 'country'],
  region: ['boundary', 'administrative', 8, 'state', 'state'],
  subregion: ['boundary', 'administrative', 12, 'county', 'county'],
  city: ['place', 'city', 16, 'city', 'city'],
  town: ['place', 'town', 18, 'town', 'city'],
  village: ['place', 'village', 19, 'village', 'city'],
  suburb: ['place', 'suburb', 20, 'suburb', 'district'],
  hamlet: ['place', 'hamlet', 20, 'hamlet', 'locality'],
  place: ['place', 'city', 16, 'city', 'city'],
  postal: ['place', 'postcode', 21, 'postcode', 'locality'],
  island: ['place', 'island', 17, 'island', 'other'],
  airport: ['aeroway', 'aerodrome', 30, 'aeroway', 'house'],
  water: ['natural', 'water', 22, 'natural', 'other'],
  peak: ['natural', 'peak', 18, 'natural', 'other'],
  landmark: ['tourism', 'attraction', 30, 'tourism', 'house'],
  park: ['leisure', 'park', 24, 'leisure', 'other'],
  natural: ['natural', 'region', 18, 'natural', 'other'],
  continent: ['place', 'continent', 2, 'continent', 'other'],
  street: ['highway', 'residential', 26, 'road', 'street'],
  address: ['place', 'house', 30, 'place', 'house'],
  poi: ['amenity', 'yes', 30, 'amenity', 'house'],
};

/** The kind of a record: by its own tag, its category, or its layer and type. */
export function kindOf({ type, layer, category, tag }: DropInRecord): Kind {
  if (tag) return layer === 'street' ? [...tag, 26, 'road', 'street'] : [...tag, 30, tag[0], 'house'];
  const tags = category === undefined ? undefined : poiTags[category];
  return tags ? [...tags, 30, tags[0], 'house'] : (kinds[type ?? layer] ?? kinds.place);
}

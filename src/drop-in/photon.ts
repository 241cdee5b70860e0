/**
 * Photon's interface (github.com/komoot/photon): `api` and `reverse`, GeoJSON features with OpenStreetMap's keys and
 * values for kinds. Identifiers are those of our gazetteer, given as nodes.
 */
import { invalidParameter } from '../errors.ts';
import type { Layer } from '../geocoding/layers.ts';
import {
  clampedInteger,
  type DropIn,
  type DropInAnswer,
  type DropInRequest,
  json,
  preferredLanguage,
} from './drop-in.ts';
import { boxAround, type DropInRecord, recordOf } from './record.ts';

const byDefault = { search: 15, reverse: 1 };
const maxResults = 50;
/** Answers looked at where a filter of ours leaves some out. */
const lookedAt = 100;

/** Our layers for Photon's. */
const layersOf: Record<string, string> = {
  house: 'address,poi,airport',
  street: 'street',
  locality: 'postal',
  district: 'place',
  city: 'place',
  county: 'subregion',
  state: 'region',
  country: 'country',
  other: 'island,water,peak',
};

/** OpenStreetMap's key and value, and Photon's type, by layer or type of place. */
const kinds: Record<string, readonly [key: string, value: string, type: string]> = {
  country: ['place', 'country', 'country'],
  region: ['place', 'state', 'state'],
  subregion: ['place', 'county', 'county'],
  city: ['place', 'city', 'city'],
  town: ['place', 'town', 'city'],
  village: ['place', 'village', 'city'],
  hamlet: ['place', 'hamlet', 'locality'],
  suburb: ['place', 'suburb', 'district'],
  place: ['place', 'city', 'city'],
  postal: ['place', 'postcode', 'locality'],
  island: ['place', 'island', 'other'],
  airport: ['aeroway', 'aerodrome', 'house'],
  water: ['natural', 'water', 'other'],
  peak: ['natural', 'peak', 'other'],
  street: ['highway', 'residential', 'street'],
  address: ['place', 'house', 'house'],
  poi: ['amenity', 'yes', 'house'],
};
const kindOf = ({ type, layer }: { type: string | null; layer: Layer }) => kinds[type ?? layer] ?? kinds.place;

export const photon: DropIn = {
  routes: {
    '/photon/api': search,
    '/photon/structured': structured,
    '/photon/reverse': reverse,
    '/photon/status': ({ dataset }) => ({ type: json, body: { status: 'Ok', import_date: dataset.builtAt } }),
  },
  problem: ({ status, message }) => ({ status, type: json, body: { message } }),
};

function search(request: DropInRequest): DropInAnswer {
  const q = request.query.get('q')?.trim();
  if (!q) throw invalidParameter('q', "missing search term 'q': /?q=berlin");
  return find(request, q);
}

function structured(request: DropInRequest): DropInAnswer {
  const { query } = request;
  const named = (names: string[]) => names.map((name) => query.get(name)?.trim()).filter(Boolean);
  const house = named(['housenumber', 'street']).join(' ');
  const parts = [house, ...named(['district', 'city', 'postcode', 'county', 'state'])].filter(Boolean);
  if (parts.length === 0)
    throw invalidParameter('city', 'at least one of street, district, city, postcode, county, state');
  return find(request, parts.join(', '));
}

function find(request: DropInRequest, q: string): DropInAnswer {
  const { query, ask } = request;
  const limit = clampedInteger(query.get('limit'), byDefault.search, maxResults);
  const parameters = {
    q,
    lang: languageOf(request),
    lat: query.get('lat') ?? undefined,
    lng: query.get('lon') ?? undefined,
    bbox: query.get('bbox') ?? undefined,
    country: query.get('countrycode')?.split(',')[0],
    layers: layersIn(query),
  };
  return collection(ask('search', { ...parameters, limit: lookedAt }).results.map(recordOf), query, limit);
}

function reverse(request: DropInRequest): DropInAnswer {
  const { query, ask } = request;
  const limit = clampedInteger(query.get('limit'), byDefault.reverse, 10);
  const position = { lat: query.get('lat') ?? undefined, lng: query.get('lon') ?? undefined };
  const { results } = ask('reverse', { ...position, limit, lang: languageOf(request) });
  const radius = query.get('radius') === null ? Number.POSITIVE_INFINITY : Number(query.get('radius'));
  const records = (results.map(recordOf) as DropInRecord[]).filter(({ distanceKm = 0 }) => distanceKm <= radius);
  return collection(records, query, limit);
}

const languageOf = ({ query, acceptLanguage }: DropInRequest) => {
  const lang = query.get('lang');
  return lang === 'default' ? undefined : preferredLanguage(lang ?? acceptLanguage);
};

function layersIn(query: URLSearchParams): string | undefined {
  const wanted = query.getAll('layer').flatMap((list) => list.split(','));
  if (wanted.length === 0) return undefined;
  const unknown = wanted.find((name) => !Object.hasOwn(layersOf, name));
  if (unknown !== undefined) {
    throw invalidParameter(
      'layer',
      `Invalid layer '${unknown}'. Allowed layers are: ${Object.keys(layersOf).join(',')}`,
    );
  }
  return [...new Set(wanted.flatMap((name) => layersOf[name].split(',')))].join(',');
}

function collection(records: readonly DropInRecord[], query: URLSearchParams, limit: number): DropInAnswer {
  const types = query.getAll('layer').flatMap((list) => list.split(','));
  const tags = query.getAll('osm_tag').map(tagFilter);
  const features = records
    .filter((record) => {
      const [key, value, type] = kindOf(record);
      return (types.length === 0 || types.includes(type)) && passes(tags, key, value);
    })
    .slice(0, limit)
    .map(featureOf);
  return { type: json, body: { type: 'FeatureCollection', features } };
}

function featureOf(record: DropInRecord): object {
  const [osm_key, osm_value, type] = kindOf(record);
  const { id, name, houseNumber, street, suburb, city, county, state, postcode, country, countryCode, lat, lng } =
    record;
  const [south, north, west, east] = boxAround(record);
  const isNamedAfter = (part: string | undefined) => (part === name ? undefined : part);
  const properties = {
    osm_type: 'N',
    osm_id: id,
    osm_key,
    osm_value,
    type,
    name: houseNumber ? undefined : name,
    housenumber: houseNumber,
    street: type === 'street' ? undefined : street,
    district: isNamedAfter(suburb),
    city: isNamedAfter(city),
    county: isNamedAfter(county),
    state: type === 'state' ? undefined : state,
    postcode,
    country: type === 'country' ? undefined : country,
    countrycode: countryCode,
    ...(type === 'house' ? {} : { extent: [west, north, east, south] }),
  };
  return { type: 'Feature', properties, geometry: { type: 'Point', coordinates: [lng, lat] } };
}

type TagFilter = { isExcluded: boolean; key?: string; value?: string; isValueExcluded: boolean };

/** `place:city`, `place`, `:city`, and with `!` what is to be left out: `!place`, `place:!city`, `!place:city`. */
function tagFilter(text: string): TagFilter {
  const isExcluded = text.startsWith('!');
  const [key, value = ''] = (isExcluded ? text.slice(1) : text).split(':');
  const isValueExcluded = value.startsWith('!');
  const bare = isValueExcluded ? value.slice(1) : value;
  return { isExcluded, ...(key ? { key } : {}), ...(bare ? { value: bare } : {}), isValueExcluded };
}

/** Whether a kind passes: none of the filters leaves it out, and one of those that ask for something asks for it. */
function passes(filters: readonly TagFilter[], key: string, value: string): boolean {
  const matches = (filter: TagFilter) => {
    const isValue = filter.value === undefined || (filter.value === value) !== filter.isValueExcluded;
    return (filter.key === undefined || filter.key === key) && isValue;
  };
  const wanted = filters.filter(({ isExcluded }) => !isExcluded);
  return (
    (wanted.length === 0 || wanted.some(matches)) && !filters.some((filter) => filter.isExcluded && matches(filter))
  );
}

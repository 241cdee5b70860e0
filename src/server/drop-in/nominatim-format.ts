/** Records as Nominatim writes them. */

import { WhereaboutsError } from '../../errors.ts';
import type { Ask } from './drop-in.ts';
import { areaOf, boxAround, type DropInRecord, kindOf, labelParts } from './record.ts';

// Outlines of countries and regions, and the forms of geometry that Nominatim writes.

/** Polygons of rings of [longitude, latitude]; the first ring of each is the outer one. */
type Outline = number[][][][];

const metresPerDegree = 111_320;
const tolerances = { minimum: 25, maximum: 100_000 };
/** An outline is at least this share of its height off: as KML that of Canada took 40 ms of the thread at half of it. */
const shareOfHeight = 1 / 1000;

/**
 * The outline of a country, first-level region or city, at most `toleranceDegrees` or 1/1,000 of its height off. Undefined for other
 * records, where the dataset has none, and for a key that may not use the endpoint `placeArea`.
 */
export function outlineOf(ask: Ask, record: DropInRecord, toleranceDegrees: number): Outline | undefined {
  const { layer, id, box: [south, north] = [0, 0] } = record;
  if (!['country', 'region', 'place'].includes(layer)) return undefined;
  const metres = Math.round(Math.max(toleranceDegrees, (north - south) * shareOfHeight) * metresPerDegree);
  const tolerance = Math.min(tolerances.maximum, Math.max(tolerances.minimum, metres));
  try {
    return ask('placeArea', { id, tolerance }).geometry.coordinates;
  } catch (error) {
    if (error instanceof WhereaboutsError && error.code !== 'internal') return undefined;
    throw error;
  }
}

type Position = Pick<DropInRecord, 'lat' | 'lng'>;
const rings = (outline: Outline, write: (ring: number[][]) => string, between: string) =>
  outline.map((polygon) => polygon.map(write).join(between));
const pairs = (ring: number[][], inPair: string, between: string) =>
  ring.map(([lng, lat]) => `${lng}${inPair}${lat}`).join(between);

/** GeoJSON's geometry. */
const geojson = ({ lat, lng }: Position, outline?: Outline): object =>
  outline ? { type: 'MultiPolygon', coordinates: outline } : { type: 'Point', coordinates: [lng, lat] };

/** Name and value of the field for each form of geometry. */
const geometryFields = {
  geojson: (at: Position, outline?: Outline) => ['geojson', geojson(at, outline)],
  kml: ({ lat, lng }: Position, outline?: Outline) => [
    'geokml',
    outline ? kml(outline) : `<Point><coordinates>${lng},${lat}</coordinates></Point>`,
  ],
  svg: ({ lat, lng }: Position, outline?: Outline) => ['svg', outline ? svg(outline) : `cx="${lng}" cy="${-lat}"`],
  text: ({ lat, lng }: Position, outline?: Outline) => [
    'geotext',
    outline ? wellKnownText(outline) : `POINT(${lng} ${lat})`,
  ],
} as const;
export type GeometryForm = keyof typeof geometryFields;

function kml(outline: Outline): string {
  const boundary = (kind: string, ring: number[][]) =>
    `<${kind}><LinearRing><coordinates>${pairs(ring, ',', ' ')}</coordinates></LinearRing></${kind}>`;
  const polygons = outline.map(
    (polygon) =>
      `<Polygon>${polygon.map((ring, at) => boundary(at === 0 ? 'outerBoundaryIs' : 'innerBoundaryIs', ring)).join('')}</Polygon>`,
  );
  return `<MultiGeometry>${polygons.join('')}</MultiGeometry>`;
}

/** A path, latitudes negated as the axis of SVG points down. */
const svg = (outline: Outline): string =>
  rings(
    outline,
    (ring) =>
      `M ${pairs(
        ring.slice(0, -1).map(([lng, lat]) => [lng, -lat]),
        ' ',
        ' L ',
      )} Z`,
    ' ',
  ).join(' ');

const wellKnownText = (outline: Outline): string =>
  `MULTIPOLYGON(${rings(outline, (ring) => `(${pairs(ring, ' ', ',')})`, ',')
    .map((polygon) => `(${polygon})`)
    .join(',')})`;

export const formats = ['xml', 'json', 'jsonv2', 'geojson', 'geocodejson'] as const;
export type NominatimFormat = (typeof formats)[number];

/** A record with what is added to it on request. */
export type ShownRecord = DropInRecord & { names?: Readonly<Record<string, string>>; outline?: Outline };

export type FormatOptions = {
  isReverse: boolean;
  query: string;
  version: string;
  dataset: string;
  addressDetails: boolean;
  nameDetails: boolean;
  extraTags: boolean;
  /** The form in which the geometry is added. */
  geometry: GeometryForm | undefined;
};

const licence = 'Data from open sources; see /docs/data of this server';

/** The body for some records; the first alone for a reverse look-up in `json` and `jsonv2`. */
export function formatted(
  format: Exclude<NominatimFormat, 'xml'>,
  records: readonly ShownRecord[],
  options: FormatOptions,
): object {
  if (format === 'geojson') {
    return {
      type: 'FeatureCollection',
      licence,
      features: records.map((record) => {
        const [south, north, west, east] = boxAround(record);
        const { lat, lon, boundingbox, geojson, licence, ...properties } = plain(record, 'jsonv2', options);
        const geometry = geometryOf(record, options);
        return { type: 'Feature', properties, bbox: [west, south, east, north], geometry };
      }),
    };
  }
  if (format === 'geocodejson') return geocodeJson(records, options);
  if (!options.isReverse) return records.map((record) => plain(record, format, options));
  return plain(records[0], format, options);
}

/** The fields of a record in `json` or `jsonv2`. */
export function plain(record: ShownRecord, format: 'json' | 'jsonv2', options: FormatOptions): Record<string, unknown> {
  const [category, type, rank, addresstype] = kindOf(record);
  const [south, north, west, east] = boxAround(record);
  return {
    place_id: record.id,
    licence,
    ...(record.osm && { osm_type: record.osm.type, osm_id: record.osm.id }),
    lat: String(record.lat),
    lon: String(record.lng),
    ...(format === 'json' ? { class: category } : { category }),
    type,
    place_rank: rank,
    importance: importanceOf(record),
    addresstype,
    name: nameOf(record),
    display_name: labelParts(record).join(', '),
    ...(options.addressDetails && { address: addressOf(record) }),
    ...(options.extraTags && { extratags: extraTagsOf(record) }),
    ...(options.nameDetails && { namedetails: namesOf(record) }),
    boundingbox: [south, north, west, east].map((degrees) => degrees.toFixed(7)),
    ...(options.geometry ? Object.fromEntries([geometryFields[options.geometry](record, record.outline)]) : {}),
  };
}

const geometryOf = (record: ShownRecord, { geometry }: FormatOptions) =>
  geojson(record, geometry === 'geojson' ? record.outline : undefined);

/** What a record is called; a house has no name: its street and number are parts of its address. */
const nameOf = ({ layer, name }: DropInRecord) => (layer === 'address' ? '' : name);

const namesOf = ({ names = {}, ...record }: ShownRecord): Record<string, string> => ({
  ...(nameOf(record) && { name: nameOf(record) }),
  ...Object.fromEntries(Object.entries(names).map(([language, text]) => [`name:${language}`, text])),
});

function addressOf(record: DropInRecord): Record<string, string> {
  const [, , , addressType] = kindOf(record);
  const { settlement: around = addressType } = record;
  const settlement = ['city', 'town', 'village', 'hamlet'].includes(around) ? around : 'city';
  const parts: Record<string, string | undefined> = {
    ...(record.layer === 'address' || record.layer === 'place' || record.layer === 'street'
      ? {}
      : { [addressType]: record.name }),
    house_number: record.house_number,
    road: record.street,
    suburb: record.suburb,
    [settlement]: record.city,
    county: record.admin2,
    state: record.admin1,
    'ISO3166-2-lvl4': areaOf(record, 'region')?.isoCode,
    postcode: record.postal_code,
    country: record.country_name,
    country_code: record.country.toLowerCase(),
  };
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value)) as Record<string, string>;
}

function geocodeJson(records: readonly ShownRecord[], options: FormatOptions): object {
  const { query, version, dataset, addressDetails, extraTags } = options;
  return {
    type: 'FeatureCollection',
    geocoding: { version: '0.1.0', attribution: licence, licence, query, whereabouts: { version, dataset } },
    features: records.map((record) => {
      const [category, type, , addressType] = kindOf(record);
      return {
        type: 'Feature',
        properties: {
          geocoding: {
            place_id: record.id,
            ...(record.osm && { osm_type: record.osm.type, osm_id: record.osm.id }),
            osm_key: category,
            osm_value: type,
            type: record.layer === 'address' ? 'house' : addressType === 'road' ? 'street' : addressType,
            ...(record.distance_km === undefined ? {} : { accuracy: Math.round(record.distance_km * 1000) }),
            label: labelParts(record).join(', '),
            ...(nameOf(record) && { name: nameOf(record) }),
            ...(addressDetails && {
              housenumber: record.house_number,
              street: record.street,
              district: record.suburb,
              city: record.city,
              county: record.admin2,
              state: record.admin1,
              postcode: record.postal_code,
              country: record.country_name,
              country_code: record.country.toLowerCase(),
            }),
            ...(extraTags && { extra: extraTagsOf(record) }),
          },
        },
        geometry: geometryOf(record, options),
      };
    }),
  };
}

function extraTagsOf({ population, timezone }: DropInRecord): Record<string, string> {
  return { ...(population > 0 ? { population: String(population) } : {}), ...(timezone ? { timezone } : {}) };
}

/** 0–1 as Nominatim's: by population, as we have no other measure of how known something is. */
export function importanceOf({ population, layer }: DropInRecord): number {
  if (layer === 'country') return 0.9;
  return Math.round(Math.min(0.9, 0.1 + Math.log10(1 + population) / 10) * 1e6) / 1e6;
}

// Nominatim's XML: one `result` for a reverse look-up, a list of `place` else.

/**
 * The document of some records, with the attributes `more` of its root; of a reverse look-up without a record, that it
 * found nothing.
 */
export function xmlOf(
  records: readonly ShownRecord[],
  more: Record<string, string | undefined>,
  options: FormatOptions,
): string {
  const { isReverse, query } = options;
  const elements = records.map((record) => elementOf(plain(record, 'json', options), isReverse));
  const content = isReverse && records.length === 0 ? '<error>Unable to geocode</error>' : elements.join('');
  const root = isReverse ? 'reversegeocode' : 'searchresults';
  return document(`<${root}${attributes({ attribution: licence, querystring: query, ...more })}>${content}</${root}>`);
}

export const xmlError = (code: number, message: string): string =>
  document(`<error><code>${code}</code><message>${escaped(message)}</message></error>`);

const document = (root: string) => `<?xml version="1.0" encoding="UTF-8" ?>\n${root}`;

type Fields = Record<string, unknown>;

function elementOf(fields: Fields, isReverse: boolean): string {
  const {
    licence: _,
    address,
    extratags,
    namedetails,
    geokml,
    svg,
    geojson,
    boundingbox,
    name,
    ...plainFields
  } = fields;
  const { display_name, class: category, type, importance, addresstype: _type, ...shared } = plainFields;
  const own = isReverse ? {} : { display_name, class: category, type, importance };
  const head = attributes({
    ...shared,
    ref: name || undefined,
    boundingbox: (boundingbox as string[]).join(','),
    geosvg: svg,
    ...(geojson ? { geojson: JSON.stringify(geojson) } : {}),
    ...own,
  });
  const parts = elements(address as Fields | undefined);
  const more = [
    geokml ? `<geokml>${geokml}</geokml>` : '',
    isReverse && address ? `<addressparts>${parts}</addressparts>` : parts,
    wrapped('extratags', extratags, (key, value) => `<tag${attributes({ key, value })}/>`),
    wrapped('namedetails', namedetails, (desc, value) => `<name${attributes({ desc })}>${escaped(value)}</name>`),
  ].join('');
  return isReverse ? `<result${head}>${escaped(display_name)}</result>${more}` : `<place${head}>${more}</place>`;
}

function wrapped(name: string, fields: unknown, write: (key: string, value: unknown) => string): string {
  if (!fields) return '';
  const entries = Object.entries(fields as Fields).map(([key, value]) => write(key, value));
  return `<${name}>${entries.join('')}</${name}>`;
}

const elements = (fields: Fields = {}) =>
  Object.entries(fields)
    .map(([name, value]) => `<${name}>${escaped(value)}</${name}>`)
    .join('');

const attributes = (values: Fields) =>
  Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}="${escaped(value)}"`)
    .join('');

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** Text without what XML has no place for. */
export const escaped = (value: unknown): string =>
  String(value)
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that XML forbids.
    .replace(/[\0-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]/g, '\uFFFD')
    .replace(/[&<>"]/g, (character) => entities[character]);

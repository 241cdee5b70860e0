/** Records as Nominatim writes them. */
import { type GeometryForm, geojson, geometryFields, type Outline } from './outline.ts';
import { boxAround, type DropInRecord, kindOf, labelParts } from './record.ts';

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

export const licence = 'Data from open sources; see /docs/data of this server';

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
        const {
          lat: _lat,
          lon: _lon,
          boundingbox: _box,
          geojson: _geometry,
          licence: _licence,
          ...properties
        } = plain(record, 'jsonv2', options);
        return { type: 'Feature', properties, bbox: bboxOf(record), geometry: geometryOf(record, options) };
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
    name: record.name,
    display_name: labelParts(record).join(', '),
    ...(options.addressDetails ? { address: addressOf(record) } : {}),
    ...(options.extraTags ? { extratags: extraTagsOf(record) } : {}),
    ...(options.nameDetails ? { namedetails: namesOf(record) } : {}),
    boundingbox: [south, north, west, east].map((degrees) => degrees.toFixed(7)),
    ...(options.geometry ? Object.fromEntries([geometryFields[options.geometry](record, record.outline)]) : {}),
  };
}

const geometryOf = (record: ShownRecord, { geometry }: FormatOptions) =>
  geojson(record, geometry === 'geojson' ? record.outline : undefined);

const namesOf = ({ name, names = {} }: ShownRecord): Record<string, string> => ({
  name,
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
    house_number: record.houseNumber,
    road: record.street,
    suburb: record.suburb,
    [settlement]: record.city,
    county: record.county,
    state: record.state,
    postcode: record.postcode,
    country: record.country,
    country_code: record.countryCode.toLowerCase(),
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
            ...(record.distanceKm === undefined ? {} : { accuracy: Math.round(record.distanceKm * 1000) }),
            label: labelParts(record).join(', '),
            name: record.name,
            ...(addressDetails
              ? {
                  housenumber: record.houseNumber,
                  street: record.street,
                  district: record.suburb,
                  city: record.city,
                  county: record.county,
                  state: record.state,
                  postcode: record.postcode,
                  country: record.country,
                  country_code: record.countryCode.toLowerCase(),
                }
              : {}),
            ...(extraTags ? { extra: extraTagsOf(record) } : {}),
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

function bboxOf(record: DropInRecord): number[] {
  const [south, north, west, east] = boxAround(record);
  return [west, south, east, north];
}

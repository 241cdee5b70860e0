/** The names of the files that hold places, and the columns of the place table. */
import { join } from 'node:path';
import type { PoiCategory } from '../../core/place-kinds.ts';
import { layerOfKind, type Place, placeTypes, type UnnamedPlace } from '../store.ts';
import { placeTable } from './names/place-table.ts';
import { openStrings, readPack } from './pack-file.ts';

export const placesFile = 'places.pack';
export const placeNamesFile = 'place-names.pack';

/** The meaning of the place table's small numbers, and how many of its first rows are places. */
export type PlacesMeta = {
  /** Alpha-2 codes; empty for features in no country. */
  countries: string[];
  timezones: string[];
  sources: string[];
  placeCount: number;
  /** Kinds of features, and their categories; the first is for those of an unknown kind. */
  kinds: { kind: string | null; category: PoiCategory | null }[];
};

/** The box of a feature without extent, in the column of boxes. */
export const noBox = [0, 0, 0, 0];

export type PlaceColumns = ReturnType<typeof readPlaceColumns>;

/** Opens the place table. Throws when the file is absent or not a pack. */
export function readPlaceColumns(directory: string) {
  const pack = readPack(join(directory, placesFile));
  const table = placeTable({
    id: pack.column('id', 'u32'),
    population: pack.column('population', 'u32'),
    prominence: pack.column('prominence', 'f32'),
    lat: pack.column('lat', 'i32'),
    lng: pack.column('lng', 'i32'),
    admin1: pack.column('admin1', 'i32'),
    admin2: pack.column('admin2', 'i32'),
    type: pack.column('type', 'u8'),
    country: pack.column('country', 'u8'),
    timezone: pack.column('timezone', 'u16'),
    source: pack.column('source', 'u8'),
    name: pack.column('name', 'u32'),
  });
  const byCountry = pack.column('byCountry', 'u32');
  return {
    ...(pack.meta as PlacesMeta),
    pack,
    table,
    names: openStrings(pack, 'name'),
    /** Places and features by id. */
    byId: pack.column('byId', 'u32'),
    /** Places by country number, then falling population, then id; and where each country ends. */
    byCountry,
    countryEnds: pack.ends('countryEnds', byCountry.length),
    spherePoints: pack.column('spherePoints', 'u32'),
    /** The countries of these points in their order, so that those of neighbours are read together. */
    sphereCountries: pack.column('sphereCountries', 'u8'),
    sphereVectors: pack.column('sphereVectors', 'f64'),
    /** By position behind the places: number of the kind, and west, south, east, north in millionths of a degree. */
    featureKinds: pack.column('featureKinds', 'u8'),
    featureBoxes: pack.column('featureBoxes', 'i32'),
    /** Positions behind the places. */
    featurePoints: pack.column('featurePoints', 'u32'),
    featureVectors: pack.column('featureVectors', 'f64'),
  };
}

/** The columns of a record. */
type PlaceRecords = Pick<PlaceColumns, 'table' | 'names' | 'countries' | 'timezones' | 'sources'>;

/** One row of the place table as a record. Throws a RangeError when there is no such place. */
export const placeAt = (columns: PlaceRecords, index: number): Place =>
  recordOf(columns, index, (row) => columns.names.at(columns.table.name(row)));

/** The same without its name, which is then empty. */
export const unnamedPlaceAt = (columns: PlaceRecords, index: number): UnnamedPlace =>
  recordOf(columns, index, () => '');

function recordOf(
  { table, countries, timezones, sources }: PlaceRecords,
  index: number,
  nameOf: (index: number) => string,
): Place {
  if (!(index >= 0 && index < table.size)) throw new RangeError(`place ${index} is not in [0, ${table.size})`);
  const kind = table.type(index);
  return {
    index,
    layer: layerOfKind(kind),
    id: table.id(index),
    name: nameOf(index),
    country: countries[table.country(index)],
    admin1: table.admin1(index),
    admin2: table.admin2(index),
    lat: table.lat(index) / 1e6,
    lng: table.lng(index) / 1e6,
    timezone: timezones[table.timezone(index)],
    population: table.population(index),
    type: placeTypes[kind] ?? null,
    source: sources[table.source(index)],
  };
}

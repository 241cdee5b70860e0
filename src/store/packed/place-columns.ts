/** The names of the files that hold places, and the columns of the place table. */
import { join } from 'node:path';
import type { PoiCategory } from '../../core/place-kinds.ts';
import { layerOfKind, type Place, placeTypes, type UnnamedPlace } from '../store.ts';
import { type Columns, openStrings, readPack } from './pack-file.ts';

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

/** The facts of places and features by position; in each part position order is falling prominence. */
export const factTypes = {
  /** Identifiers, which break ties. */
  id: 'u32',
  /** Millionths of a degree. */
  lat: 'i32',
  lng: 'i32',
  population: 'u32',
  prominence: 'f32',
  /** Region positions, -1 when unknown. */
  admin1: 'i32',
  admin2: 'i32',
  /** Numbers of the country, the time zone, the kind of row and the source. */
  country: 'u8',
  timezone: 'u16',
  type: 'u8',
  source: 'u8',
  /** Position of the main name in the table of names. */
  name: 'u32',
} as const;
export type FactColumns = Columns<typeof factTypes>;

/** The facts by functions, as `PlaceFacts` has them. */
export const placeTable = (columns: FactColumns) => {
  const { id, population, prominence, lat, lng, admin1, admin2, type, country, timezone, source, name } = columns;
  return {
    size: id.length,
    id: (index: number) => id[index],
    population: (index: number) => population[index],
    prominence: (index: number) => prominence[index],
    lat: (index: number) => lat[index],
    lng: (index: number) => lng[index],
    admin1: (index: number) => admin1[index],
    admin2: (index: number) => admin2[index],
    type: (index: number) => type[index],
    country: (index: number) => country[index],
    timezone: (index: number) => timezone[index],
    source: (index: number) => source[index],
    name: (index: number) => name[index],
  };
};

/** The box of a feature without extent, in the column of boxes. */
export const noBox = [0, 0, 0, 0];

export type PlaceColumns = ReturnType<typeof readPlaceColumns>;

/** Opens the place table. Throws when the file is absent or not a pack. */
export function readPlaceColumns(directory: string) {
  const pack = readPack(join(directory, placesFile));
  const columns = pack.columns({
    /** Places and features by id. */
    byId: 'u32',
    /** Places by country number, then falling population, then id; and where each country ends. */
    byCountry: 'u32',
    spherePoints: 'u32',
    /** The countries of these points in their order, so that those of neighbours are read together. */
    sphereCountries: 'u8',
    sphereVectors: 'f64',
    /** By position behind the places: number of the kind, and west, south, east, north in millionths of a degree. */
    featureKinds: 'u8',
    featureBoxes: 'i32',
    /** Positions behind the places. */
    featurePoints: 'u32',
    featureVectors: 'f64',
  });
  return {
    ...(pack.meta as PlacesMeta),
    ...columns,
    pack,
    table: placeTable(pack.columns(factTypes)),
    names: openStrings(pack, 'name'),
    countryEnds: pack.ends('countryEnds', columns.byCountry.length),
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

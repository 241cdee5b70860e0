/** The names of the files that hold places, and the columns of the place table. */
import { join } from 'node:path';
import { StringTable } from '../../core/string-table.ts';
import { type Place, placeTypes } from '../store.ts';
import { readPack } from './pack-file.ts';

export const placesFile = 'places.pack';
export const placeNamesFile = 'place-names.pack';

/** What the place table's small numbers stand for: codes by country number, zones by zone number. */
export type PlacesMeta = { countries: string[]; timezones: string[] };

export type PlaceColumns = ReturnType<typeof readPlaceColumns>;

/** Opens the place table. Throws when the file is absent or not a pack. */
export function readPlaceColumns(directory: string) {
  const pack = readPack(join(directory, placesFile));
  return {
    ...(pack.meta as PlacesMeta),
    id: pack.column('id', 'u32'),
    /** Millionths of a degree. */
    lat: pack.column('lat', 'i32'),
    lng: pack.column('lng', 'i32'),
    population: pack.column('population', 'u32'),
    prominence: pack.column('prominence', 'f32'),
    admin1: pack.column('admin1', 'i32'),
    admin2: pack.column('admin2', 'i32'),
    country: pack.column('country', 'u8'),
    timezone: pack.column('timezone', 'u16'),
    type: pack.column('type', 'u8'),
    name: pack.column('name', 'u32'),
    names: new StringTable(pack.column('nameBytes', 'u8'), pack.column('nameEnds', 'u32')),
    /** Places by id. */
    byId: pack.column('byId', 'u32'),
    /** Places by country number, then falling population, then id; and where each country ends. */
    byCountry: pack.column('byCountry', 'u32'),
    countryEnds: pack.column('countryEnds', 'u32'),
    spherePoints: pack.column('spherePoints', 'u32'),
    sphereVectors: pack.column('sphereVectors', 'f64'),
  };
}

/** One row of the place table as a record. Throws a RangeError when there is no such place. */
export function placeAt(columns: PlaceColumns, index: number): Place {
  if (!(index >= 0 && index < columns.id.length)) {
    throw new RangeError(`place ${index} is not in [0, ${columns.id.length})`);
  }
  return {
    index,
    id: columns.id[index],
    name: columns.names.at(columns.name[index]),
    country: columns.countries[columns.country[index]],
    admin1: columns.admin1[index],
    admin2: columns.admin2[index],
    lat: columns.lat[index] / 1e6,
    lng: columns.lng[index] / 1e6,
    timezone: columns.timezones[columns.timezone[index]],
    population: columns.population[index],
    type: placeTypes[columns.type[index]],
  };
}

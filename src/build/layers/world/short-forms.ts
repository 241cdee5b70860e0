/** What people call countries, regions and places besides their names: `UK`, `Burma`, `NSW`, `KL`. */
import { readFileSync } from 'node:fs';

const directory = new URL('../../../../sources/names/', import.meta.url);

const read = <T>(file: string) =>
  new Map(Object.entries<T>(JSON.parse(readFileSync(new URL(file, directory), 'utf8'))));

/** Short forms of countries by alpha-2 code. */
export const shortFormsOfCountries = (): Map<string, string[]> => read('countries.json');

/** Short forms of level-1 regions by ISO 3166-2 code. */
export const shortFormsOfRegions = (): Map<string, string[]> => read('regions.json');

/** Names of level-1 regions that replace poor ones of GeoNames, by country and that name: `TW Takao`. */
export const betterNamesOfRegions = (): Map<string, string> => read('region-names.json');

/** Short forms of places by GeoNames identifier. */
export function shortFormsOfPlaces(): Map<number, string[]> {
  const entries = read<{ place: string; names: string[] }>('places.json');
  return new Map([...entries].map(([id, { names }]) => [Number(id), names]));
}

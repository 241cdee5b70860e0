/**
 * Names of cities by language: sources/names/cities.tsv, derived by scripts/derive-opentraveldata.ts, and
 * sources/names/written-cities.tsv, written for this project.
 */
import { readFileSync } from 'node:fs';

/** Names by language (BCP 47, lower case), besides the main one, by GeoNames identifier. */
export type CityNames = ReadonlyMap<number, ReadonlyMap<string, string>>;

/** The sources of the tables. */
export const cityNamesSources = [
  'opentraveldata',
  'cldr-cities',
  'geonames-translations',
  'whereabouts-names',
] as const;

const tables = ['written-cities.tsv', 'cities.tsv'];

/** Reads the tables, 2.1 MB. Where both have a name in a language, that of the second holds. */
export function readCityNames(): CityNames {
  const names = new Map<number, Map<string, string>>();
  for (const table of tables) {
    const text = readFileSync(new URL(`../../../../sources/names/${table}`, import.meta.url), 'utf8');
    for (const line of text.split('\n')) {
      const [id, list] = line.split('\t');
      if (list === undefined) continue;
      const own = names.getOrInsertComputed(Number(id), () => new Map());
      for (const each of list.split('|')) {
        const colon = each.indexOf(':');
        own.set(each.slice(0, colon), each.slice(colon + 1));
      }
    }
  }
  return names;
}

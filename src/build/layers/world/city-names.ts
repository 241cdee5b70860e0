/**
 * Names of cities by language: sources/names/cities.tsv, derived by scripts/derive-opentraveldata.ts, and
 * sources/names/written-cities.tsv, written for this project.
 */
import { readFileSync } from 'node:fs';

/** Names with their languages (BCP 47, lower case), besides the main one, by GeoNames identifier; of two in a language the second is shown. */
export type CityNames = Map<number, [language: string, name: string][]>;

/** The sources of the tables. */
export const cityNamesSources = [
  'opentraveldata',
  'cldr-cities',
  'geonames-translations',
  'whereabouts-names',
] as const;

const tables = ['cities.tsv', 'written-cities.tsv'];

/** Reads the tables, 2.1 MB. Where both have a name in a language, that of the second is shown and both are found. */
export function readCityNames(): CityNames {
  const names: CityNames = new Map();
  for (const table of tables) {
    const text = readFileSync(new URL(`../../../../sources/names/${table}`, import.meta.url), 'utf8');
    for (const line of text.split('\n')) {
      const [id, list] = line.split('\t');
      if (list === undefined) continue;
      const own = names.getOrInsert(Number(id), []);
      for (const each of list.split('|')) {
        const colon = each.indexOf(':');
        own.push([each.slice(0, colon), each.slice(colon + 1)]);
      }
    }
  }
  return names;
}

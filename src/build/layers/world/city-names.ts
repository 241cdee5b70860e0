/**
 * Names of cities by language: sources/names/cities.tsv, derived by scripts/derive-opentraveldata.ts, and
 * sources/names/written-cities.tsv, written for this project.
 */
import { readFileSync } from 'node:fs';
import type { SourceInfo } from '../../../store/manifest-format.ts';

/** Names by language (BCP 47, lower case), besides the main one, by GeoNames identifier. */
export type CityNames = ReadonlyMap<number, ReadonlyMap<string, string>>;

export const cityNamesSources: SourceInfo[] = [
  {
    id: 'opentraveldata',
    title: 'OpenTravelData: names of cities by language, and airports by code, after GeoNames',
    version: 'sources/names/cities.tsv and airports.tsv, derived from neobase 0.37',
    vintage: '2026-08',
    licence: 'CC-BY-4.0',
    attribution:
      'OpenTravelData, https://github.com/opentraveldata/opentraveldata; GeoNames, https://www.geonames.org/',
    url: 'https://github.com/opentraveldata/opentraveldata',
  },
  {
    id: 'cldr-cities',
    title: 'Unicode CLDR: exemplar cities of time zones',
    version: 'sources/names/cities.tsv, derived from cldr-dates-full 48.2.0',
    vintage: '2026-03',
    licence: 'Unicode-3.0',
    attribution: 'Unicode, Inc.',
    url: 'https://www.unicode.org/license.txt',
  },
  {
    id: 'geonames-translations',
    title: 'GeoNames: names of cities by language, as Debian packages them',
    version: 'sources/names/cities.tsv, derived from libgeonames-common 0.3.0',
    vintage: null,
    licence: 'CC-BY-4.0',
    attribution: 'GeoNames, https://www.geonames.org/',
    url: 'https://www.geonames.org/',
  },
  {
    id: 'whereabouts-names',
    title: 'Names of cities in languages of other scripts',
    version: 'sources/names/written-cities.tsv',
    vintage: '2026-11',
    licence: 'Apache-2.0',
    attribution: 'Whereabouts contributors',
    url: 'https://www.apache.org/licenses/LICENSE-2.0',
  },
];

const tables = ['written-cities.tsv', 'cities.tsv'];

/** Reads the tables, 2.1 MB. Where both have a name in a language, that of the second holds. */
export function readCityNames(): CityNames {
  const names = new Map<number, Map<string, string>>();
  for (const table of tables) {
    const text = readFileSync(new URL(`../../../../sources/names/${table}`, import.meta.url), 'utf8');
    for (const line of text.split('\n')) {
      const [id, list] = line.split('\t');
      if (list === undefined) continue;
      const own = names.get(Number(id)) ?? new Map<string, string>();
      for (const each of list.split('|')) {
        const colon = each.indexOf(':');
        own.set(each.slice(0, colon), each.slice(colon + 1));
      }
      names.set(Number(id), own);
    }
  }
  return names;
}

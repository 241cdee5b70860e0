/** Names of cities by language: sources/names/cities.tsv, derived by scripts/derive-opentraveldata.ts. */
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
];

/** Reads the table, 1.5 MB. */
export function readCityNames(): CityNames {
  const text = readFileSync(new URL('../../../../sources/names/cities.tsv', import.meta.url), 'utf8');
  const names = new Map<number, ReadonlyMap<string, string>>();
  for (const line of text.split('\n')) {
    const [id, list] = line.split('\t');
    if (list === undefined) continue;
    const entries = list.split('|').map((each): [string, string] => {
      const colon = each.indexOf(':');
      return [each.slice(0, colon), each.slice(colon + 1)];
    });
    names.set(Number(id), new Map(entries));
  }
  return names;
}

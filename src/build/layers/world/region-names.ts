import { fold } from '../../../core/fold.ts';
import type { AdminRow } from '../../../sources/geonames-admin.ts';
import type { CrosswalkRegion } from '../../../sources/iso3166-2-db.ts';
import type { RegionNames } from '../../../sources/natural-earth-names.ts';

type Names = [language: string, name: string][];

/**
 * Collects a level-1 region's names in all languages: those of its crosswalk entry, CLDR's English one, and those of
 * Natural Earth. Codes in either may be a neighbour's, so an entry's names count only where one of them, folded, is a
 * name the region is already known by. The first name of a language is the one to show.
 */
export function regionNamer(naturalEarth: readonly RegionNames[], englishNames: ReadonlyMap<string, string>) {
  const byCode = new Map<string, RegionNames[]>();
  for (const entry of naturalEarth) {
    for (const code of [entry.isoCode, entry.geonamesCode]) {
      if (code !== undefined) byCode.set(code, [...(byCode.get(code) ?? []), entry]);
    }
  }

  return (row: AdminRow, isoCode: string | null, crosswalk: CrosswalkRegion | undefined): Names => {
    const names: Names = [];
    const known = new Set([fold(row.name)]);
    const add = (more: Names) => {
      for (const [language, name] of more) {
        known.add(fold(name));
        const isThere = names.some((other) => other[1] === name && (other[0] === language || language === 'und'));
        if (!isThere) names.push([language, name]);
      }
    };
    const isKnown = (more: Names) => more.some(([, name]) => known.has(fold(name)));

    const english = isoCode === null ? undefined : englishNames.get(isoCode);
    const fromCrosswalk = crosswalk ? [...crosswalk.names] : [];
    if (isKnown(fromCrosswalk) || (isoCode !== null && crosswalk?.isoCode === isoCode)) add(fromCrosswalk);
    if (english !== undefined && isKnown([['en', english]])) add([['en', english]]);
    for (const entry of [...(byCode.get(isoCode ?? '') ?? []), ...(byCode.get(`${row.country}.${row.admin1}`) ?? [])]) {
      if (isKnown(entry.names)) add(entry.names);
    }
    return names;
  };
}

/**
 * Which ISO 3166-2 code a GeoNames level-1 region has. GeoNames' codes and ISO's are two systems whose strings often
 * coincide and then mostly mean different regions, and the crosswalk between them is some years old, in which time
 * ISO has withdrawn and renumbered codes. So every pair of region and current code in a country is weighed by what
 * speaks for it (crosswalk, names), and pairs are taken best first, each region and each code once.
 */
import { fold } from '../../../core/fold.ts';
import { isoCodesByHand } from './region-iso-corrections.ts';

/** A level-1 region to find the code of. */
export type RegionToMatch = {
  /** `US.CA`: alpha-2 code and GeoNames admin1 code. */
  key: string;
  name: string;
  /** What the crosswalk says of the region; undefined where it has none. */
  crosswalk: { isoCode: string | undefined; names: readonly string[] } | undefined;
};

/** A current ISO 3166-2 code, its names, and whether it is directly below the country. */
export type CodeToMatch = { code: string; names: readonly string[]; isTopLevel: boolean };

/** Words that say what kind of region it is; two names that differ only in them are the same region's. */
const kinds = new Set(
  (
    'administrative area autonomous autonoma capital city commune comarca county counties de del department departement ' +
    'departamento district distrito division do emirate federal gorod governorate hlavni ilce indigenous island islands ' +
    'judet kraj krai kray landsdel lan league maakond metropolitan municipality municipio muhafazat national novads ' +
    'obcina oblast oblisi oblysy of parish prefecture province provincia provincial qarku qalasy rayon region regiao ' +
    'regional republic respublika resp special state terrritory territory the tinh urban viloyati voblasts voivodeship ' +
    'zupanija zhou sheng shi si do lääni apskritis megye vilayet vilayeti dzielnica'
  ).split(' '),
);

/** A folded name without the words for its kind, as it was where nothing else is left. */
function bareName(folded: string): string {
  const words = folded.split(' ').filter((word) => !kinds.has(word));
  return words.length > 0 ? words.join(' ') : folded;
}

const exactName = 3;
const bareNameOnly = 2.2;
const aliasOnly = 1;
const saidByCrosswalk = 2;
const isTopLevel = 0.5;

/** ISO 3166-2 code by region key, for the regions of one country that have one. */
export function matchIsoCodes(regions: readonly RegionToMatch[], codes: readonly CodeToMatch[]): Map<string, string> {
  const pairs = regions.flatMap((region) => weighedPairs(region, codes));
  pairs.sort((a, b) => b.weight - a.weight || (a.key < b.key ? -1 : a.key > b.key ? 1 : a.code < b.code ? -1 : 1));
  const found = new Map<string, string>();
  const taken = new Set<string>();
  for (const { key } of regions) {
    const code = isoCodesByHand[key];
    if (code === undefined) continue;
    found.set(key, code);
    taken.add(code);
  }
  for (const { key, code } of pairs) {
    if (found.has(key) || taken.has(code)) continue;
    found.set(key, code);
    taken.add(code);
  }
  for (const [key, code] of found) if (code === '') found.delete(key);
  return found;
}

function weighedPairs({ key, name, crosswalk }: RegionToMatch, codes: readonly CodeToMatch[]) {
  const folded = fold(name);
  const bare = bareName(folded);
  const aliases = new Set(crosswalk?.names.flatMap((alias) => [fold(alias), bareName(fold(alias))]));
  // GeoNames gives codes to other regions at times: the crosswalk counts only where its names still are the region's.
  const isSameRegion = aliases.has(folded) || aliases.has(bare);
  const pairs: { key: string; code: string; weight: number }[] = [];
  for (const { code, names, isTopLevel: isTop } of codes) {
    const foldedNames = names.map(fold);
    const bareNames = foldedNames.map(bareName);
    let weight = 0;
    if (foldedNames.includes(folded)) weight = exactName;
    else if (bareNames.includes(bare)) weight = bareNameOnly;
    else if (isSameRegion && [...foldedNames, ...bareNames].some((other) => aliases.has(other))) weight = aliasOnly;
    if (isSameRegion && crosswalk?.isoCode === code) weight += saidByCrosswalk;
    if (weight > 0) pairs.push({ key, code, weight: weight + (isTop ? isTopLevel : 0) });
  }
  return pairs;
}

/**
 * Which ISO 3166-2 code a GeoNames level-1 region has. GeoNames' codes and ISO's are two systems whose strings often
 * coincide and then mostly mean different regions, and the crosswalk between them is some years old, in which time
 * ISO has withdrawn and renumbered codes. So every pair of region and current code in a country is weighed by what
 * speaks for it (crosswalk, names), and pairs are taken best first, each region and each code once.
 */
import { fold } from '../../../text/fold.ts';
import corrections from './region-iso-corrections.json' with { type: 'json' };

/**
 * Codes by alpha-2 and GeoNames admin1 code of regions that neither crosswalk nor names lead to; `''` for a region that has
 * none although a namesake has. Each was looked up in ISO's list by hand; the table has the reasons.
 */
const isoCodesByHand: Readonly<Record<string, string>> = Object.assign({}, ...corrections.map(({ codes }) => codes));

/** A level-1 region to find the code of. */
type RegionToMatch = {
  /** `US.CA`: alpha-2 code and GeoNames admin1 code. */
  key: string;
  name: string;
  /** What the crosswalk says of the region; undefined where it has none. */
  crosswalk: { isoCode: string | undefined; names: readonly string[] } | undefined;
};

/** A current ISO 3166-2 code, its names, and whether it is directly below the country. */
type CodeToMatch = { code: string; names: readonly string[]; isTopLevel: boolean };

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

const weights = { exactName: 3, bareName: 2.2, alias: 1, crosswalk: 2, crosswalkToSimilarName: 1.5, topLevel: 2.5 };

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
  const isSameRegion = aliases.has(folded) || aliases.has(bare);
  const pairs: { key: string; code: string; weight: number }[] = [];
  for (const { code, names, isTopLevel } of codes) {
    const foldedNames = names.map(fold);
    const bareNames = foldedNames.map(bareName);
    let weight = 0;
    if (foldedNames.includes(folded)) weight = weights.exactName;
    else if (bareNames.includes(bare)) weight = weights.bareName;
    else if (isSameRegion && [...foldedNames, ...bareNames].some((other) => aliases.has(other))) weight = weights.alias;
    if (crosswalk?.isoCode === code) {
      // GeoNames sometimes reassigns codes: the crosswalk counts only where the names confirm it.
      if (isSameRegion) weight += weights.crosswalk;
      else if ([...aliases, ...bareNames].some((other) => isSimilar(bare, other))) {
        weight += weights.crosswalkToSimilarName;
      }
    }
    if (weight > 0) pairs.push({ key, code, weight: weight + (isTopLevel ? weights.topLevel : 0) });
  }
  return pairs;
}

/** Whether two bare names share a word of four letters or more, or at least half of their pairs of letters (Dice). */
function isSimilar(one: string, other: string): boolean {
  const words = other.split(' ');
  if (one.split(' ').some((word) => word.length >= 4 && words.includes(word))) return true;
  const pairs = letterPairs(one);
  const otherPairs = letterPairs(other);
  const shared = [...pairs].filter((pair) => otherPairs.has(pair)).length;
  return shared > 0 && (2 * shared) / (pairs.size + otherPairs.size) >= 0.5;
}

function letterPairs(text: string): Set<string> {
  return new Set(Array.from({ length: Math.max(0, text.length - 1) }, (_, index) => text.slice(index, index + 2)));
}

/** How a candidate is judged: small features, each a number of points, and their sum. docs/search.md tells it to users. */
import { type NameKind, nameKinds } from '../store/gazetteer.ts';
import weights from './weights.json' with { type: 'json' };

/** What each feature contributes, in points. The first three are costs below 0 and make up the confidence. */
export type Contributions = {
  /** How far the typed name is from the one that was found: 0 for the same. */
  textMatch: number;
  /** How well the other words fit as context: 0 for fully. */
  contextMatch: number;
  /** How good a name it is: inner and romanised ones are less than a name of the place. */
  nameMatch: number;
  /** How often this name is what people mean: 0 for the main one. */
  aliasWorth: number;
  prominence: number;
  layerPrior: number;
  nearness: number;
};

const nameMatches: Record<NameKind, number> = {
  [nameKinds.main]: 0,
  [nameKinds.known]: 0,
  [nameKinds.other]: 0,
  [nameKinds.inner]: -weights.innerName,
  [nameKinds.romanised]: -weights.romanisedName,
};
const aliasWorths: Record<NameKind, number> = {
  [nameKinds.main]: 0,
  [nameKinds.known]: -weights.knownName,
  [nameKinds.other]: -weights.otherName,
  [nameKinds.inner]: 0,
  [nameKinds.romanised]: 0,
};
export const nameMatch = (kind: NameKind): number => nameMatches[kind];
/** What a kind of name is worth; one matched by prefix or with edits is meant less often. */
export const aliasWorth = (kind: NameKind, isInexact: boolean): number =>
  aliasWorths[kind] - (isInexact && aliasWorths[kind] < 0 ? weights.editedAlias : 0);

/** Points of a prominence (about -10 to 115). */
export const prominencePoints = (prominence: number): number => weights.prominence * prominence;

/** Points by which the order prefers a place at a distance: `nearness` at the point itself, half of it at 40 km. */
export const nearness = (distanceKm: number): number => weights.nearness / (1 + distanceKm / 40);

/** Prominence of an area: ten points for each power of ten of its people, and what its layer is preferred by. */
export function areaProminence(layer: AreaLayer, population: number): number {
  return 10 * Math.log10(Math.max(1, population)) + layerPriors[layer];
}
export type AreaLayer = 'country' | 'region' | 'subregion';
const layerPriors: Record<AreaLayer, number> = {
  country: weights.countryPrior,
  region: weights.regionPrior,
  subregion: weights.subregionPrior,
};

/** Points for what is left out of a name that the text begins: little where only whole words are missing. */
export function prefixMatch(typed: number, length: number, isAtWordEnd: boolean): number {
  if (typed === length) return 0;
  return isAtWordEnd ? -weights.wordsMissing : weights.prefixTyped * (typed / length) - weights.prefix;
}

const vowels = new Set('aeiouy');

/**
 * Points for the edits between a typed text and the name that it may mean. A letter doubled or not, two letters swapped
 * and one vowel for another are the likelier mistakes; a wrong first letter is the least likely one.
 */
export function editMatch(typed: string, name: string, edits: number): number {
  let start = 0;
  while (start < typed.length && typed[start] === name[start]) start++;
  let end = 0;
  const most = Math.min(typed.length, name.length) - start;
  while (end < most && typed[typed.length - 1 - end] === name[name.length - 1 - end]) end++;
  const wrong = typed.slice(start, typed.length - end);
  const right = name.slice(start, name.length - end);
  const isLikely =
    edits === 1 &&
    (wrong.length === 2 ||
      (wrong.length === 1 && right.length === 1 && vowels.has(wrong) && vowels.has(right)) ||
      (wrong.length + right.length === 1 && (wrong + right === name[start - 1] || wrong + right === name[start + 1])));
  return -(isLikely ? weights.likelyEdit : weights.edit * edits) - (start === 0 ? weights.firstLetterEdit : 0);
}

/** Confidence (1–100) that a candidate is what the text means: 100 less what its words cost. */
export function confidence({ textMatch, contextMatch, nameMatch }: Contributions): number {
  return Math.max(1, Math.min(100, Math.round(100 + textMatch + contextMatch + nameMatch)));
}

/** The number the order goes by, larger first. */
export function score(parts: Contributions): number {
  return (
    100 +
    parts.textMatch +
    parts.contextMatch +
    parts.nameMatch +
    parts.aliasWorth +
    parts.prominence +
    parts.layerPrior +
    parts.nearness
  );
}

/** How a candidate is judged: small features, each a number of points, and their sum. docs/search.md tells it to users. */
import { type NameKind, nameKinds } from '../store/gazetteer.ts';
import { type EditKind, editKind, editKinds } from '../text/edit-kind.ts';
import weights from './weights.json' with { type: 'json' };

/** What each feature contributes, in points. The first three are costs below 0, by which calibration.ts tells the confidence. */
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

/** Points of a kind of name. */
export const nameMatch = (kind: NameKind): number =>
  kind === nameKinds.inner ? -weights.innerName : kind === nameKinds.romanised ? -weights.romanisedName : 0;

/** What a kind of name is worth; one that is unfinished or has edits as well is meant less often. */
export function aliasWorth(kind: NameKind, isInexact: boolean): number {
  if (kind !== nameKinds.known && kind !== nameKinds.other) return 0;
  return -(kind === nameKinds.known ? weights.knownName : weights.otherName) - (isInexact ? weights.editedAlias : 0);
}

/** Points of a prominence (about -10 to 115). */
export const prominencePoints = (prominence: number): number => weights.prominence * prominence;

/** Points by which the order prefers a place at a distance: `nearness` at the point itself, half of it at 40 km. */
export const nearness = (distanceKm: number): number => weights.nearness / (1 + distanceKm / 40);

/** Prominence of an area: ten points for each power of ten of its people, and what its layer is preferred by. */
export function areaProminence(layer: AreaLayer, population: number): number {
  return 10 * Math.log10(Math.max(1, population)) + weights[priorOf[layer]];
}
export type AreaLayer = 'country' | 'region' | 'subregion';
const priorOf = { country: 'countryPrior', region: 'regionPrior', subregion: 'subregionPrior' } as const;

/**
 * Points for what is left out of a name that the text begins: little where only whole words are missing, an edit where
 * only the last letter is.
 */
export function prefixMatch(typed: number, length: number, isAtWordEnd: boolean): number {
  if (typed === length) return 0;
  if (isAtWordEnd) return -weights.wordsMissing;
  const unfinished = weights.prefixTyped * (typed / length) - weights.prefix;
  return length - typed === 1 ? Math.max(unfinished, -editCost('missing', typed)) : unfinished;
}

/** What one edit costs in a text of so many letters: more in a short one, of which it changes a larger part. */
const editCost = (kind: EditKind, letters: number): number =>
  weights[`${kind}Edit`] + weights.editInShortName * Math.max(0, longName - letters);
const longName = 8;

/** The least that an edit of a text costs. */
export const minEditCost = ({ length }: string): number => Math.min(...editKinds.map((kind) => editCost(kind, length)));

/** Points for the edits between a typed text and the name that it may mean. */
export function editMatch(typed: string, name: string, edits: number): number {
  const { kind, isFirst } = editKind(typed, name);
  const cost = edits > 1 ? weights.otherEdit * edits : editCost(kind, typed.length);
  return -cost - (isFirst ? weights.firstLetterEdit : 0);
}

/** How much of a text a candidate explains, 1 to 100: 100 less what its words cost. */
export function explained({ textMatch, contextMatch, nameMatch }: Contributions): number {
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

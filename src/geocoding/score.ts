/** The score of a candidate: the sum of the points of its features. docs/search.md explains it to users. */
import { type NameKind, nameKinds } from '../store/gazetteer.ts';
import { type EditKind, editKind, editKinds, undoubled } from '../text/edit-kind.ts';
import fitted from './confidence.json' with { type: 'json' };
import { minFuzzyLength } from './search-limits.ts';
import weights from './weights.json' with { type: 'json' };

/**
 * What each feature contributes, in points. The first three are costs (0 or less), of which confidence.ts makes
 * the confidence.
 */
export type Contributions = {
  /** How far the typed name is from the matched one: 0 if they are equal. */
  textMatch: number;
  /** How well the other words match as context: 0 if fully. */
  contextMatch: number;
  /** The kind of name: inner and romanised names score less than names of the place. */
  nameMatch: number;
  /** How often people mean the place by this name: 0 for the main one. */
  aliasWorth: number;
  prominence: number;
  layerPrior: number;
  nearness: number;
};

/** Points of a kind of name. */
export const nameMatch = (kind: NameKind): number =>
  kind === nameKinds.inner ? -weights.innerName : kind === nameKinds.romanised ? -weights.romanisedName : 0;

/** Points (0 or less) for an alias; less if it is also incomplete or edited, the more so the less it is like the main name (0 to 1). */
export function aliasWorth(kind: NameKind, unlike: number): number {
  if (kind !== nameKinds.known && kind !== nameKinds.other) return 0;
  return -(kind === nameKinds.known ? weights.knownName : weights.otherName) - unlike * weights.editedAlias;
}

/** Points of a prominence (about -10 to 115). */
export const prominencePoints = (prominence: number): number => weights.prominence * prominence;

/** Points for the distance to the preferred position: `weights.nearness` at the point itself, half of it at 40 km. */
export const nearness = (distanceKm: number): number => weights.nearness / (1 + distanceKm / 40);

/** Prominence of an area: ten points for each power of ten of its population, plus the prior of its layer. */
export function areaProminence(layer: AreaLayer | 'ownSubregion', population: number): number {
  return 10 * Math.log10(Math.max(1, population)) + weights[`${layer}Prior`];
}
export type AreaLayer = 'country' | 'region' | 'subregion';

/**
 * Points (negative) for the missing rest of a name that the text is a prefix of: few where only whole words are
 * missing, those of an edit where only the last letter is, hardly more where the place is well known: `minnea`.
 */
export function prefixMatch(typed: number, length: number, isAtWordEnd: boolean, prominence = 0): number {
  if (typed === length) return 0;
  if (isAtWordEnd) return -weights.wordsMissing;
  if (length - typed === 1) return -weights.missingEdit;
  const fame = typed < minFuzzyLength ? 0 : weights.prefixFamous * Math.max(0, prominence - fitted.famous);
  return Math.min(-weights.missingEdit, weights.prefixTyped * (typed / length) - weights.prefix + fame);
}

/** Whether a name has all words, in their order and others between them. */
export function holdsInOrder(name: string, words: readonly string[]): boolean {
  const padded = ` ${name} `;
  let at = 0;
  return words.every((word) => {
    at = padded.indexOf(` ${word} `, at) + 1;
    return at > 0;
  });
}

const editCost = (kind: EditKind): number => weights[`${kind}Edit`];

/** The lowest cost of an edit. */
export const minEditCost = Math.min(...editKinds.map(editCost));

/** The lowest cost of a missing rest. */
export const minPrefixCost = Math.min(weights.wordsMissing, editCost('missing'));

/** Points for the edits between a typed text and the name that it may mean. */
export function editMatch(typed: string, name: string, edits: number): number {
  const { kind, isFirst } = editKind(typed, name);
  const several = undoubled(typed) === undoubled(name) ? weights.doubledEdit : weights.otherEdit;
  const cost = edits > 1 ? several * edits : editCost(kind);
  return -cost - (isFirst ? weights.firstLetterEdit : 0);
}

/** How much of a text a candidate explains, 1 to 100: 100 minus the cost of its words. */
export function explained({ textMatch, contextMatch, nameMatch }: Contributions): number {
  return Math.max(1, Math.min(100, Math.round(100 + textMatch + contextMatch + nameMatch)));
}

/** The contributions that depend on the interpretation. */
export type Matches = Pick<Contributions, 'textMatch' | 'contextMatch' | 'nameMatch' | 'aliasWorth'>;

/** The number the order goes by, larger first. */
export const score = (parts: Contributions): number => total(parts, parts.prominence, parts.layerPrior, parts.nearness);

/** The same of the contributions one by one, for candidates that may not be worth an object. */
export function total(match: Matches, prominence: number, layerPrior: number, bias: number): number {
  const { textMatch, contextMatch, nameMatch, aliasWorth } = match;
  return 100 + textMatch + contextMatch + nameMatch + aliasWorth + prominence + layerPrior + bias;
}

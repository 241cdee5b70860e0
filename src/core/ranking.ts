/**
 * How a place search orders what it finds; docs/search.md tells it to users. Confidence says how much of the query is
 * explained, and how exactly; the order adds prominence and nearness to it.
 */
import { type NameKind, nameKinds } from './search/name-keys.ts';

/** Confidence (0–100) of a name that is the query's text exactly. */
export const exactConfidence: Record<NameKind, number> = {
  [nameKinds.main]: 100,
  [nameKinds.known]: 100,
  [nameKinds.other]: 100,
  [nameKinds.inner]: 80,
  [nameKinds.romanised]: 90,
};

/** What the kind of name costs in the order, beside its confidence. */
const kindCost: Record<NameKind, number> = {
  [nameKinds.main]: 0,
  [nameKinds.known]: 4,
  [nameKinds.other]: 4,
  [nameKinds.inner]: 3,
  [nameKinds.romanised]: 3,
};

/** Confidence of a name that the text begins: 90 where only whole words are missing, else 70 to 88 by what is typed. */
export function prefixConfidence(kind: NameKind, typed: number, length: number, isAtWordEnd: boolean): number {
  const share = isAtWordEnd ? 90 : 70 + 18 * (typed / length);
  return share - (100 - exactConfidence[kind]);
}

/**
 * What a context costs that is typed in part (more where it is also all of another area's name: `NS` is Nova Scotia
 * before it begins New South Wales), or that is a larger place near by instead of an area that holds the place.
 */
export const contextCost = { complete: 0, begun: 4, begunDespiteExact: 15, near: 3, misspelt: 12 } as const;

/** What each wrong, missing, extra or swapped letter costs. */
export const editCost = 12;

/** Confidence of a place that is only an answer to the name of its country or region. */
export const areaConfidence = 80;

/** Confidence of a name that holds all words of the query, with others between them. */
export const gappedConfidence = 85;

/** Confidence when only a share (0–1) of the query's letters is explained. */
export function partialConfidence(confidence: number, share: number): number {
  return confidence * (0.15 + 0.6 * share);
}

/** Points by which the order prefers a place at a distance: 22 at the point itself, half of it at 40 km, 1.6 at 500 km. */
export function nearnessPoints(distanceKm: number): number {
  return 22 / (1 + distanceKm / 40);
}

/** The number the order goes by, larger first: confidence, then a quarter of prominence, then nearness. */
export function rankPoints(confidence: number, kind: NameKind, prominence: number, nearness: number): number {
  return confidence - kindCost[kind] + prominence / 4 + nearness;
}

/** The score of a house or street, the sum of the points of its features, and which of them are answers in which order. */

import { isNear } from '../../core/geo.ts';
import type { AddressContributions } from '../../store/address-contract.ts';
import type { Street } from '../../store/street-parts.ts';
import { areSameWords, type Word } from '../../text/words.ts';
import weights from '../weights.json' with { type: 'json' };
import { distinct, samePointKm } from './distinct.ts';
import type { Found } from './houses.ts';
import type { Interpretation } from './interpret.ts';

/** A house or street, and how well it matches: the higher the score the better. */
export type Hit = Found & {
  /** Index of its part in the dataset. */
  part: number;
  street: Street;
  /** Its class in its part. */
  prominence: number;
  /** The interpretation of the text that it answers. */
  interpretation: Interpretation;
  /** The name that matches best, and its words. */
  name: string;
  words: readonly Word[];
  /** The words of the name that the text has. */
  matched: readonly Word[];
  /** Share of the name's words that the text has. */
  coverage: number;
  /** Whether something in the text speaks against it. */
  isDoubtful?: boolean;
  /** What each feature contributes to the score. */
  parts: AddressContributions;
  score: number;
};

/** Maximum number of settlements whose population is looked up, among hits of equal score. */
const maxSettlements = 12;

const houseMatches = {
  exact: weights.houseExact,
  partial: weights.houseExact,
  interpolated: weights.houseInterpolated,
  intersection: weights.houseExact,
  street: 0,
};
const matchKinds = { range: weights.inRange, door: weights.doorOfHouse };

/** Points for how a house matches the requested number. */
export const houseMatch = ({ matchType, matchKind }: Pick<Found, 'matchType' | 'matchKind'>): number =>
  houseMatches[matchType] + (matchKind ? matchKinds[matchKind] : 0);

/** Points for the share of a name's words that matched, 0 to 1; less where a distinctive word did not. */
export const nameMatch = (coverage: number, isPart: boolean): number =>
  weights.streetName * coverage + (isPart ? weights.partOfStreetName : 0);

/** Points for a name that the text contains letter by letter. */
export const spelling = (name: string, text: string): number =>
  text.toLowerCase().includes(name.toLowerCase()) ? weights.sameLetters : 0;

/** Points (negative) for unexplained words. */
export const unexplained = (words: number): number => weights.unexplainedWord * words;

/** The score: the sum of all contributions. */
export const scoreOf = (parts: AddressContributions): number =>
  parts.nameMatch + parts.houseMatch + parts.spelling + parts.unexplained;

/** At this score a house was found and its street's full name matched. */
export const answeredInFull: number = weights.houseExact + weights.streetName - 1;

type Ranked = Pick<Hit, 'part' | 'street' | 'prominence'>;

/**
 * The most prominent first, then by position: identifiers of different parts are no order, as they shift with whatever else
 * the parts have.
 */
export const byProminence = (a: Ranked, b: Ranked): number =>
  a.prominence - b.prominence ||
  a.street.lat - b.street.lat ||
  a.street.lng - b.street.lng ||
  a.part - b.part ||
  a.street.id - b.street.id;

/**
 * The hits of the best match type, best first, each house once. Hits of equal score are ordered by the population of
 * their settlement (`inhabitantsOf`, 0 when unknown), then by the prominence of their street.
 */
export function bestHits(hits: readonly Hit[], inhabitantsOf: (hit: Hit) => number): Hit[] {
  const sorted = hits.toSorted((a, b) => b.score - a.score || byProminence(a, b) || a.ordinal - b.ordinal);
  const [top] = sorted;
  // Houses before streets: when the house is there, streets without it are not an answer, nor are names that only half match.
  const isAnswer = ({ matchType, score }: Hit) =>
    matchType === top.matchType && score >= top.score - weights.maxScoreGap;
  const kept = distinct(sorted.filter(isAnswer), Number.POSITIVE_INFINITY, isSame);
  return inLargerSettlementsFirst(kept, inhabitantsOf);
}

function inLargerSettlementsFirst(hits: readonly Hit[], inhabitantsOf: (hit: Hit) => number): Hit[] {
  const equal = hits.filter(({ score }) => score === hits[0].score);
  const areaOf = ({ part, street }: Hit) => `${part} ${street.area}`;
  const settlements = [...Map.groupBy(equal, areaOf)].slice(0, maxSettlements);
  if (settlements.length < 2) return [...hits];
  const inhabitants = new Map(settlements.map(([area, [first]]) => [area, inhabitantsOf(first)]));
  // The order among hits of one settlement stays.
  const sorted = equal.toSorted((a, b) => (inhabitants.get(areaOf(b)) ?? 0) - (inhabitants.get(areaOf(a)) ?? 0));
  return [...sorted, ...hits.slice(equal.length)];
}

function isSame(left: Hit, right: Hit): boolean {
  if (left.part === right.part && left.street.id === right.street.id) return left.ordinal === right.ordinal;
  return isNear(left, right, samePointKm) && areSameWords(left.words, right.words);
}

/** The score of a house or street: the sum of the points of its features. */
import type { AddressContributions } from '../../store/address-contract.ts';
import { fold } from '../../text/fold.ts';
import weights from '../weights.json' with { type: 'json' };
import type { Found } from './houses.ts';

/** Points of the crossing of two streets. */
export const crossingMatch: number = weights.houseExact;

const houseMatches = {
  exact: weights.houseExact,
  partial: weights.houseExact,
  interpolated: weights.houseInterpolated,
  intersection: crossingMatch,
  street: 0,
};
const matchKinds = { range: weights.inRange, door: weights.doorOfHouse };

/** Points for how a house matches the requested number. */
export const houseMatch = ({ matchType, matchKind }: Pick<Found, 'matchType' | 'matchKind'>): number =>
  houseMatches[matchType] + (matchKind ? matchKinds[matchKind] : 0);

/** Points for the share of a name's words that matched, 0 to 1; less where a distinctive word did not. */
export const nameMatch = (coverage: number, isPart: boolean): number =>
  weights.streetName * coverage + (isPart ? weights.partOfStreetName : 0);

/** Points for the position of the name in the street's list. */
export const nameWorth = (position: number): number => (position > 0 ? weights.otherStreetName : 0);

/** Points for a name, and a number if there is one, that the text contains exactly or after folding. */
export function spelling(name: string, houseNumber: string | null, text: string): number {
  const ofNumber = houseNumber !== null && text.includes(houseNumber) ? weights.sameNumber : 0;
  if (text.toLowerCase().includes(name.toLowerCase())) return weights.sameLetters + ofNumber;
  return (fold(text).includes(fold(name)) ? weights.sameFolded : 0) + ofNumber;
}

/** Points (negative) for unexplained words. */
export const unexplained = (words: number): number => Math.max(weights.maxUnexplained, weights.unexplainedWord * words);

/** Points where the street lacks the number, which perhaps was none. */
export const numberMissing: number = weights.numberNotThere;

/** Points (negative) where one word of the text was dropped. */
export const droppedWord: number = weights.droppedWord;

/** Points (negative) where a part of the text speaks against the address. */
export const contradicted: number = weights.contradictedPart;

/** The score: the sum of all contributions. */
export const scoreOf = (parts: AddressContributions): number =>
  parts.nameMatch + parts.nameWorth + parts.houseMatch + parts.spelling + parts.unexplained;

/** At this score a house was found and its street's full name matched. */
export const answeredInFull: number = weights.houseExact + weights.streetName - 1;

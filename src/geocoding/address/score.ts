/** How a house or street that was found is judged: small features, each a number of points, and their sum. */
import type { AddressContributions } from '../../store/address-contract.ts';
import { fold } from '../../text/fold.ts';
import weights from '../weights.json' with { type: 'json' };
import type { Found } from './houses.ts';

/** Points of the crossing of two streets. */
export const crossingMatch: number = weights.houseExact;

const houseMatches = {
  exact: weights.houseExact,
  interpolated: weights.houseInterpolated,
  intersection: crossingMatch,
  street: 0,
};
const bearings = { range: weights.inRange, door: weights.doorOfHouse };

/** Points of a house for how it bears the number asked for. */
export const houseMatch = ({ matchType, bears }: Pick<Found, 'matchType' | 'bears'>): number =>
  houseMatches[matchType] + (bears ? bearings[bears] : 0);

/** Points of a name of which a share of the words is met, 0 to 1; less where one is left out that tells streets apart. */
export const nameMatch = (coverage: number, isPart: boolean): number =>
  weights.streetName * coverage + (isPart ? weights.partOfStreetName : 0);

/** Points of the name at a position in the street's list. */
export const nameWorth = (position: number): number => (position > 0 ? weights.otherStreetName : 0);

/** Points of a name, and of a number where there is one, that stand in the text letter by letter, or but for what is folded. */
export function spelling(name: string, houseNumber: string | null, text: string): number {
  const ofNumber = houseNumber !== null && text.includes(houseNumber) ? weights.sameNumber : 0;
  if (text.toLowerCase().includes(name.toLowerCase())) return weights.sameLetters + ofNumber;
  return (fold(text).includes(fold(name)) ? weights.sameFolded : 0) + ofNumber;
}

/** Points of words that nothing explains. */
export const unexplained = (words: number): number => Math.max(weights.maxUnexplained, weights.unexplainedWord * words);

/** Points where the street does not have the number: it was perhaps none. */
export const numberNotThere: number = weights.numberNotThere;

/** Points where one word of the text was left out. */
export const droppedWord: number = weights.droppedWord;

/** The score: the sum of all contributions. */
export const scoreOf = (parts: AddressContributions): number =>
  parts.nameMatch + parts.nameWorth + parts.houseMatch + parts.spelling + parts.unexplained;

/** From this score on a house is there, its street fully named. */
export const answeredInFull: number = weights.houseExact + weights.streetName - 1;

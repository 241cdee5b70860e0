/** Limits of a search: how much is examined, what that costs, and when enough is found. */
import type { Budget } from '../store/address-contract.ts';
import { isTransliterable } from '../text/scripts.ts';

/** Maximum number of places with one exact name; with context or a position, up to `maxNamesakes`. */
export const maxExact = 120;
export const maxNamesakes = 5_000;
export const maxPrefix = 30;
export const maxPrefixInContext = 400;
export const maxNear = 64;
export const maxFuzzy = 60;
export const maxFuzzyInContext = 1_000;
export const maxSubsequence = 200;
/** Shorter prefixes before a context match too many names. */
export const minPrefixLength = 3;
/** Fewer letters are a typo or the beginning of too many names. */
export const minFuzzyLength = 4;
const minTwoEditsLength = 8;
const maxFuzzyLength = 36;
const maxTwoEditsLength = 26;

/** The worst context with which an area's largest places are answers, and of how many areas. */
export const minContextOfArea = -10;
export const maxAreasWithPlaces = 4;
/** The maximum points of prominence. */
export const maxProminence = 28;

/** What the searches of one text may cost: those of places, and those of streets, addresses and points. */
export type Budgets = { places: Budget; streets: Budget };
const placesBudget = 12_000;
const streetsBudget = 8_000;
/** What a search of the town at the end of a text may cost, whatever its other words used up. */
export const townBudget = 150;
/** The share of a search of addresses that may go to what the text names besides the street. */
export const shareOfNames = 1 / 4;
/** The share of suggestions that may go to houses. */
export const shareOfHouses = 1 / 2;

/**
 * What the steps of a search cost, in µs. Of 2,400 addresses typed in twelve ways none spends the budget of streets. Steps that
 * seldom find anything are dearer than the time that they take.
 */
export const prices = {
  /** A token with the spans that it begins. */
  token: 6,
  /** A place scored for all of a text, and for a part of it. */
  place: 1,
  placeInContext: 2,
  /** A text looked up with an edit, a node of a walk with two, a branch of one along Latin spellings. */
  lookUp: 0.2,
  node: 5,
  branch: 0.8,
  /** A question to the parts of an engine, a street compared with the text, and one whose distance is measured. */
  question: 150,
  street: 15,
  streetFrom: 4,
  /** A house that is unpacked. */
  house: 0.5,
  /** A letter of a word that is corrected, and of a text of which each part is looked for in a hit. */
  correctedLetter: 10,
  /** A word of a part that begins as one of the text, or is one with an edit. */
  foundWord: 0.1,
  comparedLetter: 3,
};

/**
 * A text of so many tokens may spend all that is for places, a longer one less: a text of fifteen words costs about what one
 * of four costs, as it has more spans to spend it on.
 */
const fullBudgetTokens = 4;
export const budgetOf = (tokens: number): Budgets => ({
  places: { left: placesBudget * (fullBudgetTokens / Math.max(fullBudgetTokens, tokens)) ** 2 },
  streets: streetsAlone(),
});
/** The budget of a search of streets, addresses or points alone. */
export const streetsAlone = (): Budget => ({ left: streetsBudget });
/** Whether nothing is left of a budget. */
export const isSpent = ({ left }: Budget): boolean => left <= 0;
/** A share of what a budget has left, taken out of it. */
export function partOf(budget: Budget, share: number): Budget {
  const left = budget.left * share;
  budget.left -= left;
  return { left };
}

/** Nodes visited by a walk for the beginnings of names with an edit. */
export const walkBudget = 800;

/** A text of more words is no street unless it has a number. */
export const maxWordsOfStreet = 8;

/** Whether a text has a length at which one edit is allowed. */
export const allowsEdit = ({ length }: string): boolean => length >= minFuzzyLength && length <= maxFuzzyLength;

/** The same for two edits. */
export const allowsTwoEdits = ({ length }: string): boolean =>
  length >= minTwoEditsLength && length <= maxTwoEditsLength;

const [minSplitLength, maxSplitLength] = [7, 24];
/** Whether a text may be a name of several words without its blanks. */
export const allowsBlanks = (text: string): boolean =>
  text.length >= minSplitLength && text.length <= maxSplitLength && !text.includes(' ') && !isTransliterable(text);

/** Limits of a place search: how much is examined, and when enough is found. */
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
const minFuzzyLength = 4;
const minTwoEditsLength = 8;
const maxFuzzyLength = 36;
const maxTwoEditsLength = 26;

/** The worst context with which an area's largest places are answers, and of how many areas. */
export const minContextOfArea = -10;
export const maxAreasWithPlaces = 4;
/** The maximum points of prominence. */
export const maxProminence = 28;

/**
 * What all searches of a request may still cost together: places scored, texts tried by look-ups with one edit, nodes of tries
 * visited by walks with two, and branches visited by walks along Latin spellings.
 */
export type Budget = { scored: number; lookUps: number; nodes: number; branches: number };

/**
 * A text of so many tokens may spend the whole of a budget, a longer one less: a text of fifteen words costs about what one
 * of four costs, as it has more spans to spend it on.
 */
const fullBudgetTokens = 4;
export function budgetOf(tokens: number): Budget {
  const share = Math.min(1, fullBudgetTokens / tokens) ** 2;
  return { scored: 12_000 * share, lookUps: 6_000 * share, nodes: 4_200 * share, branches: 10_000 * share };
}
/** How many places may be scored for the town at the end of a text, whatever its other words used up. */
export const minScoredOfTown = 50;
/** Nodes visited by a walk for the beginnings of names with an edit. */
export const walkBudget = 1_500;

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

/** Bounds of a place search: how much is looked at, and when enough is found. */

/** Most places of one exact name; with a context or a position all of them are looked at, up to `maxNamesakes`. */
export const maxExact = 120;
export const maxNamesakes = 5_000;
export const maxPrefix = 30;
export const maxPrefixInContext = 400;
export const maxNear = 64;
export const maxFuzzy = 60;
export const maxFuzzyInContext = 1_000;
export const maxSubsequence = 200;
export const maxAreasOfName = 50;
/** Fewer letters before a context are the prefix of too many names. */
export const minPrefixLength = 3;
export const minFuzzyLength = 4;
const minTwoEditsLength = 8;
const maxFuzzyLength = 36;
export const maxTwoEditsLength = 26;

/** From this score on an answer is good enough not to look for edits: a well-known place, or an exact small one. */
export const goodScore = 100;
/** Words cost more than this only where a whole word stays unexplained. */
export const explainedMatch = -30;
/** Most points that prominence adds, and how far behind the best an exact name may be to be looked at. */
export const maxProminence = 28;
export const exactMargin = 20;

/** Texts that all look-ups of one edit may try together, and trie nodes that all walks of two may look at. */
export const editBudget = 5_000;
export const walkBudget = 3_000;
export const areaWalkBudget = 1_200;

/** Whether a text has a length in which one edit is looked for. */
export const allowsEdit = ({ length }: string): boolean => length >= minFuzzyLength && length <= maxFuzzyLength;

/** The same of two edits. */
export const allowsTwoEdits = ({ length }: string): boolean =>
  length >= minTwoEditsLength && length <= maxTwoEditsLength;

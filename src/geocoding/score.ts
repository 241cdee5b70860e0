/**
 * The score of a candidate, the sum of the points of its features, and the confidence of an answer. docs/search.md explains both
 * to users.
 */
import { type NameKind, nameKinds } from '../store/gazetteer.ts';
import { type EditKind, editKind, editKinds, undoubled } from '../text/edit-kind.ts';
import { connectorWords, placeKindWords, requestWords, settlementWords, stopWordSet } from '../text/word-lists.ts';
import fitted from './confidence.json' with { type: 'json' };
import { minFuzzyLength } from './search-limits.ts';
import weights from './weights.json' with { type: 'json' };

/**
 * What each feature contributes, in points. The first three are costs (0 or less), of which the confidence is
 * made.
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

/** Points (negative) for a name with others between some words, fewer where those are small ones; undefined where it lacks one. */
export function betweenMatch(name: string, words: readonly string[]): number | undefined {
  const padded = ` ${name} `;
  let at = 0;
  for (const word of words) {
    at = padded.indexOf(` ${word} `, at) + 1;
    if (at === 0) return undefined;
  }
  const isSmall = (word: string) => words.includes(word) || stopWordSet.has(word) || connectorWords.has(word);
  return name.split(' ').every(isSmall) ? -weights.smallWordsBetween : -weights.wordsBetween;
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

// The confidence of an answer, of every layer: the probability that it is what was meant, by a logistic function of the whole
// situation, which situations.ts describes. bench/fit-confidence.ts fits its weights (confidence.json) to texts of all kinds, those
// that name nothing included; docs/search.md explains them to users.

/** What is known of an answer and the text that it answers; as it is where nothing speaks for or against the answer. */
export const plainSituation = {
  /** Points (0 or more) that the words cost: those of the name, those around it, and the kind of name. */
  textCost: 0,
  contextCost: 0,
  nameCost: 0,
  /** Points by which the context of the first answer is better than this one's. */
  contextBehind: 0,
  /** Points for how seldom the name means the answer. */
  aliasCost: 0,
  /** Points to the best answer that is another one, more than 5 km away; 0 for one behind such an answer, null without one. */
  margin: null as number | null,
  /** Whether another street or house is as good. */
  isOneOfSeveral: false,
  /** Whether letters of the name were edited, not only left out at its end. */
  isEdited: false,
  /** Number of letters of the typed name. */
  letters: 1,
  /** How common the typed name is as words of any language, from 0 to 1. */
  commonness: 0,
  /** Whether the text may name a person. */
  isPersonal: false,
  /** Share of the text that is signs which names do not have. */
  signs: 0,
  /** Whether words that do not fit the answer are themselves the name of a place. */
  isOtherName: false,
  /** Whether a word of the text states another kind of thing. */
  isOtherKind: false,
  /** Whether words around the name are all explained. */
  hasContext: false,
  /** Share of the words around the name that are explained, by their cost; 0 without such words. */
  explainedShare: 0,
  /** From -10 to 115. */
  prominence: 0,
};
export type Situation = typeof plainSituation;

const { famous, fameRange, maxExplained, maxMargin } = fitted;

/**
 * The inputs of the function in the order of their weights, most of them in [0, 1]. A list: as an object of named numbers,
 * each of which is then an object too, they took a twelfth of a search.
 */
export function featuresOf(situation: Situation): number[] {
  const { textCost, contextCost, aliasCost, letters, prominence } = situation;
  const edited = situation.isEdited ? 1 : 0;
  const known = Math.min(1, Math.max(0, prominence - famous) / fameRange);
  const obscure = Math.min(1, Math.max(0, famous - prominence) / famous);
  const context = situation.hasContext ? 1 : 0;
  const common = situation.commonness * (1 - context);
  const personal = situation.isPersonal ? 1 : 0;
  return [
    /* bias */ 1,
    /* textCost */ textCost / 20,
    /* contextCost */ contextCost / 20,
    /* nameCost */ situation.nameCost / 20,
    /* contextBehind */ situation.contextBehind / 20,
    /* aliasCost */ aliasCost / 20,
    /* margin */ Math.min(maxMargin, situation.margin ?? maxMargin) / maxMargin,
    /* editedShare */ edited * (textCost / (10 * letters)),
    /* obscure */ obscure,
    /* short */ obscure / letters,
    /* aliasObscure */ (aliasCost / 20) * obscure,
    /* oddAlias */ (aliasCost / 20) * Math.max(common, edited),
    /* common */ common,
    /* commonObscure */ Math.sqrt(common) * obscure,
    /* commonEdited */ common * edited,
    /* commonFamous */ common * known,
    /* editedFamous */ edited * known,
    /* personal */ personal,
    /* personalObscure */ personal * obscure,
    /* context */ context,
    /* partOfContext */ (1 - context) * situation.explainedShare,
    /* signs */ situation.signs,
    /* weakContext */ (context * contextCost) / maxExplained,
    /* otherName */ situation.isOtherName ? 1 : 0,
    /* otherKind */ situation.isOtherKind ? 1 : 0,
  ];
}

const fittedWeights = Object.values(fitted.weights);

/**
 * Confidence, 1 to 100: 100 only where nothing is edited and nothing else about as likely, and no more than the table has for
 * another kind of thing than the text states, and for one of several that are as good.
 */
export function confidenceOf(situation: Situation): number {
  let sum = 0;
  const values = featuresOf(situation);
  for (let at = 0; at < values.length; at++) sum += fittedWeights[at] * values[at];
  const { textCost, contextCost, isOtherKind, isOneOfSeveral } = situation;
  const most = isOtherKind ? fitted.mostOfOtherKind : isOneOfSeveral ? fitted.mostOfSeveral : 99;
  const confidence = Math.max(1, Math.min(most, Math.round(100 / (1 + Math.exp(-sum)))));
  return textCost + contextCost <= fitted.maxCostOfCertain && confidence >= fitted.certain ? 100 : confidence;
}

/** Answers below this confidence are not given. */
export const { floor } = fitted;

/**
 * The answers that are sure enough, in their order, which also weighs what is known of the places: none is more confident than
 * one before it.
 */
export function sureEnough<T extends { confidence: number }>(answers: readonly T[]): T[] {
  let most = 100;
  return answers
    .filter(({ confidence }) => confidence >= floor)
    .map((each) => {
      most = Math.min(most, each.confidence);
      return each.confidence === most ? each : { ...each, confidence: most };
    });
}

/** The cost of skipping a word whose meaning is known; without bound for others. */
export function costOfWord(word: string): number {
  if (connectorWords.has(word)) return weights.connector;
  if (placeKindWords.has(word) && !settlementWords.has(word)) return weights.kindWord;
  return requestWords.has(word) ? weights.requestWord : Number.POSITIVE_INFINITY;
}

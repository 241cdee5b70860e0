/**
 * The confidence of an answer, of every layer: the probability that it is what was meant, by a logistic function of the
 * whole situation, which situations.ts describes. bench/fit-confidence.ts fits its weights (confidence.json) to texts of all
 * kinds, those that name nothing included; docs/search.md explains them to users.
 */
import fitted from './confidence.json' with { type: 'json' };

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

const weights = Object.values(fitted.weights);

/**
 * Confidence, 1 to 100: 100 only where nothing is edited and nothing else about as likely, and no more than the table has for
 * another kind of thing than the text states, and for one of several that are as good.
 */
export function confidenceOf(situation: Situation): number {
  let sum = 0;
  const values = featuresOf(situation);
  for (let at = 0; at < values.length; at++) sum += weights[at] * values[at];
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

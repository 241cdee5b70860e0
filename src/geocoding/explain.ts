import type { AddressExplanation } from '../store/address-contract.ts';
import { tokensOf } from '../text/query-text.ts';
import type { Candidate, Candidates } from './candidates.ts';
import type { Lattice } from './lattice.ts';
import type { CodesFound, PostalHit } from './postal-codes.ts';
import { type Contributions, type Situation, score } from './score.ts';
import { compared } from './situations.ts';

/** An explanation of the answers. */
export type Explanation = {
  /** Tokens of the text, folded. */
  tokens: string[];
  /** Number of interpretations of candidates that were scored. */
  candidates: number;
  /** Which words were taken as the name, and which as its context; the one of the best candidate first. */
  interpretations: { name: string; context: string; candidates: number; score: number }[];
  /** For each candidate: the name it was found by, and what each feature contributed, in points. */
  answers: {
    /** As `Candidate` has it. */
    ref: number;
    name: string;
    typed: string;
    contributions: Contributions;
    score: number;
    /** What the confidence is computed from; undefined for suggestions, which have none. */
    situation?: Situation;
  }[];
  /** How streets and addresses were searched for; undefined where they were not. */
  addresses?: AddressExplanation;
};

/** Explains the best of all candidates, those that lost included. */
export function explain(
  lattice: Lattice,
  found: Candidates,
  best: readonly Candidate[],
  situations?: (at: number) => Situation,
): Explanation {
  const end = lattice.tokens.length;
  const all = found.best(Number.POSITIVE_INFINITY);
  const interpretations = Object.values(Object.groupBy(all, ({ interpretation: { from, to } }) => `${from} ${to}`)).map(
    (group) => {
      const [{ parts, interpretation }] = group!;
      const { from, to } = interpretation;
      return {
        name: lattice.text(from, to),
        context: [lattice.text(0, from), lattice.text(to, end)].filter(Boolean).join(' '),
        candidates: group!.length,
        score: rounded(score(parts)),
      };
    },
  );
  return {
    tokens: lattice.tokens.map(({ text }) => text),
    candidates: found.scored,
    interpretations: interpretations.slice(0, compared),
    answers: best.map(({ ref, parts, interpretation: { from, to, name } }, at) =>
      answerOf(ref, name, lattice.text(from, to), parts, situations?.(at)),
    ),
  };
}

/** Explains the places of a postal code. */
export function explainCodes(
  text: string,
  { code, rest, hits }: CodesFound,
  situationOf: (hit: PostalHit) => Situation,
): Explanation {
  const none = { contextMatch: 0, nameMatch: 0, aliasWorth: 0, prominence: 0, layerPrior: 0 };
  const answers = hits.map((hit) => {
    const parts = { textMatch: -hit.cost, ...none, nearness: hit.nearness };
    return answerOf(hit.place, hit.record.postalCode, code, parts, situationOf(hit));
  });
  const tokens = tokensOf(text).tokens.map((token) => token.text);
  const interpretation = { name: code, context: rest, candidates: hits.length, score: answers[0].score };
  return { tokens, candidates: hits.length, interpretations: [interpretation], answers };
}

function answerOf(ref: number, name: string, typed: string, parts: Contributions, situation: Situation | undefined) {
  const contributions = Object.fromEntries(
    Object.entries(parts).map(([feature, points]) => [feature, rounded(points)]),
  ) as Contributions;
  return { ref, name, typed, contributions, score: rounded(score(parts)), ...(situation && { situation }) };
}

const rounded = (points: number) => Math.round(points * 10) / 10;

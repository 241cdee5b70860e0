import type { Candidate } from './candidates.ts';
import type { Situation } from './confidence.ts';
import { type Contributions, score } from './score.ts';
import type { PlaceSearch } from './search-places.ts';

/** An explanation of the answers. */
export type Explanation = {
  /** Tokens of the text, folded. */
  tokens: string[];
  /** Number of interpretations of candidates that were scored. */
  candidates: number;
  /** For each answer: the name it was found by, and what each feature contributed, in points. */
  answers: { name: string; typed: string; contributions: Contributions; score: number; situation: Situation }[];
};

export function explain(
  { lattice, found }: PlaceSearch,
  answers: readonly Candidate[],
  situations: (at: number) => Situation,
): Explanation {
  return {
    tokens: lattice.tokens.map(({ text }) => text),
    candidates: found.scored,
    answers: answers.map(({ parts, interpretation }, at) => ({
      name: interpretation.name,
      typed: lattice.text(interpretation.from, interpretation.to),
      contributions: Object.fromEntries(
        Object.entries(parts).map(([name, points]) => [name, Math.round(points * 10) / 10]),
      ) as Contributions,
      score: Math.round(score(parts) * 10) / 10,
      situation: situations(at),
    })),
  };
}

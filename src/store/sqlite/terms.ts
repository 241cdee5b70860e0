/** Clauses as term queries: groups of alternatives, each of which must match. */
import { cellsAround } from '../../core/geo.ts';
import type { PoiCategory } from '../../core/place-kinds.ts';
import type { Clause } from '../street-parts.ts';
import { pairHash, termHash } from './term-filter.ts';
import {
  isPaired,
  mayBeTogether,
  namedPairs,
  type Together,
  type Triples,
  togetherOf,
  wholeNameTerm,
} from './word-triples.ts';

/**
 * A query each of whose clauses must match one of the record's terms. Terms that a file does not have, as far as `mayHave` and,
 * for cells, `mayHaveCell` know, are left out: each costs a look-up. Undefined if none is left of a clause.
 */
export function matchAll(
  clauses: readonly Clause[],
  mayHave: (hash: number) => boolean,
  mayHaveCell: (hash: number) => boolean = () => true,
): string | undefined {
  return matchEach(questionOf(clauses).alternatives, mayHave, mayHaveCell);
}

function matchEach(
  alternatives: readonly Alternatives[],
  mayHave: (hash: number) => boolean,
  mayHaveCell: (hash: number) => boolean = () => true,
): string | undefined {
  const groups: string[] = [];
  for (const { terms, hashes, kind } of alternatives) {
    const filter = kind === 'word' ? mayHave : kind === 'cell' ? mayHaveCell : undefined;
    const kept = filter ? terms.filter((_, at) => filter(hashes[at])) : terms;
    if (kept.length === 0) return undefined;
    groups.push(kept.length === 1 ? kept[0] : `(${kept.join(' OR ')})`);
  }
  return groups.join(' AND ');
}

/** The names that a file may have, as far as `mayHave` knows, where the only clause is that of whole names. */
export function wholeNamesOf(
  clauses: readonly Clause[],
  mayHave: (hash: number) => boolean,
): readonly string[] | undefined {
  if (clauses.length !== 1 || !('wholeName' in clauses[0])) return undefined;
  const [{ hashes }] = questionOf(clauses).alternatives;
  return clauses[0].wholeName.filter((_, at) => mayHave(hashes[at]));
}

/** A query that any of these terms matches. */
export const matchAny = (terms: readonly string[]) => terms.map(quoted).join(' OR ');

/** The terms of a clause, of which a record must have at least one. */
export function termsOfClause(clause: Clause): readonly string[] {
  if ('country' in clause) return [countryTerm(clause.country)];
  if ('wholeName' in clause) return clause.wholeName.map(wholeNameTerm);
  if ('postalCodes' in clause) return clause.postalCodes.map(postcodeTerm);
  if ('around' in clause) return clause.around.flatMap((center) => cellsAround(center, clause.km));
  if ('category' in clause) return [categoryTerm(clause.category)];
  if ('cuisines' in clause) return clause.cuisines.map(cuisineTerm);
  return clause;
}

/** Maximum number of pairs that are looked up for two clauses; a search costs as much as a hundred. */
const maxPairs = 64;

/**
 * Whether all clauses may match in a file, as far as `mayHave` knows its terms, and `mayHavePair` and `triples` which words
 * records have together. Circles and countries are ignored: a file's bounds exclude more of them.
 */
export function mayMatch(
  clauses: readonly Clause[],
  mayHave: (hash: number) => boolean,
  mayHavePair: (hash: number) => boolean,
  triples: Triples,
): boolean {
  const question = questionOf(clauses);
  for (const { hashes, kind } of question.alternatives) if (kind === 'word' && !hashes.some(mayHave)) return false;
  question.pairs ??= pairsOf(question.alternatives);
  if (!question.pairs.every((either) => either.some(mayHavePair))) return false;
  return mayBeTogether(togetherIn(question), triples);
}

function togetherIn(question: Question): Together {
  const { clauses } = question;
  question.together ??= togetherOf(
    clauses.map((clause) => (Array.isArray(clause) ? clause : 'country' in clause ? 'country' : 'other')),
    clauses.flatMap((clause) => ('wholeName' in clause ? [termsOfClause(clause)] : [])),
  );
  return question.together;
}

/**
 * Queries that find all streets that match, and few others, by whole names of two words, whose lists are short; undefined where
 * streets with other names may match.
 */
export function matchNamed(
  clauses: readonly Clause[],
  mayHave: (hash: number) => boolean,
  triples: Triples,
): string[] | undefined {
  const question = questionOf(clauses);
  const pairs = namedPairs(togetherIn(question), triples);
  return pairs?.flatMap(({ names, at }) => {
    const rest = question.alternatives.filter((_, clause) => !at.includes(clause));
    return matchEach([alternativesOf(names, 'word'), ...rest], mayHave) ?? [];
  });
}

/** The quoted terms of a clause and their hashes, as signed numbers, which filters take without a copy in memory; whether pairs of all are kept. Countries are in no filter. */
type Alternatives = {
  terms: readonly string[];
  hashes: readonly number[];
  kind: 'word' | 'cell' | 'country';
  isPaired: boolean;
};
type Question = {
  clauses: readonly Clause[];
  alternatives: readonly Alternatives[];
  /** For each two clauses of words, hashes of the pairs of which a record has one; once they are needed. */
  pairs?: readonly (readonly number[])[];
  together?: Together;
};

// Many parts are asked the same, one after the other, some of them with further clauses as well.
let latest: Question = { clauses: [], alternatives: [] };
let before = latest;

function questionOf(clauses: readonly Clause[]): Question {
  if (latest.clauses === clauses) return latest;
  if (before.clauses === clauses) return before;
  before = latest;
  const alternatives = clauses.map((clause) =>
    alternativesOf(termsOfClause(clause), 'around' in clause ? 'cell' : 'country' in clause ? 'country' : 'word'),
  );
  latest = { clauses, alternatives };
  return latest;
}

const alternativesOf = (terms: readonly string[], kind: Alternatives['kind']): Alternatives => ({
  terms: terms.map(quoted),
  hashes: terms.map((term) => termHash(term) | 0),
  kind,
  isPaired: kind === 'word' && terms.every(isPaired),
});

function pairsOf(alternatives: readonly Alternatives[]): number[][] {
  const words = alternatives.flatMap(({ hashes, isPaired }) => (isPaired ? [hashes] : []));
  return words.flatMap((ones, at) =>
    words.slice(at + 1).flatMap((others) => {
      const isSame = ones.some((one) => others.includes(one));
      if (isSame || ones.length * others.length > maxPairs) return [];
      return [ones.flatMap((one) => others.map((other) => pairHash(one, other) | 0))];
    }),
  );
}

/** Whether a term is that of a cell, or one of a country that looks like it. */
export const isCellTerm = (term: string): boolean => /^=[a-d]/.test(term);

// Terms hold only letters, digits and a leading "=", so nothing in them needs escaping.
const quoted = (term: string) => `"${term}"`;

/** The term of a country. */
export const countryTerm = (country: string) => `=c${country.toLowerCase()}`;
/** The term of a whole postal code, in small letters and digits. */
export const postcodeTerm = (code: string) => `=p${code}`;
/** The term of a category of points. */
export const categoryTerm = (category: PoiCategory) => `=g${category}`;
/** The term of a kind of food. */
export const cuisineTerm = (cuisine: string) => `=k${cuisine}`;

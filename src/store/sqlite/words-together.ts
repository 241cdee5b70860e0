/** What is asked of the filter of triples (word-triples.ts): whether a street may have all words of a search, and which name it then has. */
import { pairHash, termHash } from './term-filter.ts';
import { fullWords, manyHash, tripleHash } from './word-triples.ts';

/** Maximum number of combinations that are looked up for two or three clauses; a search costs as much as several hundred. */
const maxCombinations = 128;
/** Maximum number of clauses of words that are compared with each other. */
const maxClauses = 6;

/** The filter, and that of the words by which whole regions are found. */
export type Triples = { has(hash: number): boolean; isBroad(word: number): boolean };

/** A clause of words: its position, the hashes of its words as typed, and the words that they stand for. */
type Words = { at: number; typed: readonly number[]; full: readonly string[]; hashes: readonly number[] };

/** Each of these is in the filter for a street with a whole name: once for each other word, one of a list. */
type NamedPair = {
  names: readonly string[];
  at: readonly [number, number];
  withOthers: readonly (readonly number[])[];
};

export type Together = {
  /** Lists of which one is in the filter each, for whole names that are asked for; and the words that these are asked with. */
  ofWholes: readonly { hashes: readonly number[]; typed: readonly number[] }[];
  words: readonly Words[];
  /** For three words of a street that is not called by two of these: one of the first list, or one of each of the others. */
  triples: readonly { hashes: readonly number[]; many: readonly (readonly number[])[] }[];
  pairs: readonly NamedPair[];
  /** Whether all clauses, but for a country, are words in the filter. */
  isWhole: boolean;
};

/** What to ask, the same for every file. `clauses` are the terms of words, or what else they are; `wholes` are whole names. */
export function togetherOf(
  clauses: readonly (readonly string[] | 'country' | 'other')[],
  wholes: readonly (readonly string[])[],
): Together {
  const words = clauses.flatMap((terms, at) => (typeof terms === 'string' ? undefined : wordsOf(terms, at)) ?? []);
  const ofWholes = wholes.flatMap((names) =>
    words
      .filter(({ full }) => full.length * names.length <= maxCombinations)
      .map(({ hashes, typed }) => ({ hashes: pairHashes(names, hashes), typed })),
  );
  const all = words.flatMap(({ full }) => full);
  const largest = words.map(({ full }) => full.length).sort((a, b) => b - a);
  // One word of a street may be meant by two of the text.
  const isClear =
    words.length >= 3 &&
    words.length <= maxClauses &&
    new Set(all).size === all.length &&
    largest[0] * largest[1] * largest[2] <= maxCombinations;
  if (!isClear) return { ofWholes, words, triples: [], pairs: [], isWhole: false };
  const isWhole = words.length === clauses.filter((clause) => clause !== 'country').length;
  return { ofWholes, words, triples: triplesOf(words), pairs: pairsOf(words), isWhole };
}

function wordsOf(terms: readonly string[], at: number): Words | undefined {
  const full = terms.map(fullWords);
  if (full.some((one) => one === undefined)) return undefined;
  const distinct = [...new Set((full as string[][]).flat())];
  return { at, typed: terms.map((term) => termHash(term) | 0), full: distinct, hashes: distinct.map(termHash) };
}

const pairHashes = (names: readonly string[], words: readonly number[]): number[] =>
  names.flatMap((name) => words.map((word) => pairHash(termHash(name), word) | 0));

const triplesOf = (words: readonly Words[]): Together['triples'] =>
  words.flatMap((one, at) =>
    words.slice(at + 1).flatMap((two, next) =>
      words.slice(at + next + 2).map((three) => ({
        hashes: one.hashes.flatMap((a) => two.hashes.flatMap((b) => three.hashes.map((c) => tripleHash(a, b, c) | 0))),
        many: [one, two, three].map(({ hashes }) => hashes.map((word) => manyHash(word) | 0)),
      })),
    ),
  );

const pairsOf = (words: readonly Words[]): NamedPair[] =>
  words.flatMap((first) =>
    words
      .filter((second) => second !== first)
      .map((second) => {
        const names = first.full.flatMap((one) => second.full.map((two) => `=n${one}${two}`));
        const others = words.filter((word) => word !== first && word !== second);
        return { names, at: [first.at, second.at], withOthers: others.map(({ hashes }) => pairHashes(names, hashes)) };
      }),
  );

/** Whether a street of a file may match. Words by which whole regions are found are not in the filter with others. */
export function mayBeTogether(together: Together, { has, isBroad }: Triples): boolean {
  const { ofWholes, words, triples, pairs } = together;
  if (!ofWholes.every(({ hashes, typed }) => hashes.some(has) || typed.some(isBroad))) return false;
  if (triples.length === 0 || hasTriples(triples, has) || pairs.some((pair) => hasPair(pair, has))) return true;
  return words.some(({ typed }) => typed.some(isBroad));
}

/** The names of two words that all matching streets of a file have; undefined where others may match as well. */
export function namedPairs(together: Together, { has, isBroad }: Triples): NamedPair[] | undefined {
  const { isWhole, words, triples, pairs } = together;
  if (!isWhole || hasTriples(triples, has) || words.some(({ typed }) => typed.some(isBroad))) return undefined;
  return pairs.filter((pair) => hasPair(pair, has));
}

const hasTriples = (triples: Together['triples'], has: Triples['has']) =>
  triples.every(({ hashes, many }) => hashes.some(has) || many.every((list) => list.some(has)));
const hasPair = ({ withOthers }: NamedPair, has: Triples['has']) => withOthers.every((list) => list.some(has));

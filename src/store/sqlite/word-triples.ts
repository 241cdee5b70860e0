/**
 * The words that streets of a file have three together: `Station Lane, Garbator`. Twenty parts of a country have many towns of one
 * name and a common street's name in each, so that all pairs of words are there, but rarely in one street. What streets share with
 * all others of their region is left out: regions and countries have dozens of names, which would make up most triples.
 */
import { RecentCache } from '../../core/recent-cache.ts';
import {
  fullFormsOf,
  isAbbreviation,
  nameWords,
  partsOf,
  postcodeWords,
  spellingRules,
  type Word,
  wholeName,
} from '../../text/words.ts';
import type { StreetArea } from '../street-parts.ts';
import { DistinctHashes } from './bytes.ts';
import type { StreetRow } from './street-groups.ts';
import { pairHash, TermFilter, termHash } from './term-filter.ts';

// Names of terms that are words of a name, or a whole one.

/** The term of a name as a whole. */
export const wholeNameTerm = (name: string) => `=n${name}`;

/** Whether a term is a word that is kept with others: no number, no postal code. */
export const isPaired = (term: string): boolean => /^[a-z]/.test(term);

/** Streets with more words of their own are known by each word only: a street with names in four languages has a thousand triples. */
const maxOwnWords = 6;
/** With more hashes there is no filter, as for pairs. */
const maxHashes = 2 ** 24;
/** The filter's share of a file, and the bits of a hash below which a filter excludes too little. */
const maxShare = 0.015;
const [minBits, maxBits] = [5, 12];

let rules: string | undefined;
const rulesHash = () => (rules ??= termHash(spellingRules()).toString(36));
/** Names of the filters. With other dictionaries names have other words, so that a filter made with these says nothing. */
export const triplesName = () => `triples ${rulesHash()}`;
export const broadName = () => `broad ${rulesHash()}`;

/** Hash of three words in any order, by their hashes. A whole name and a word have their `pairHash`. */
const tripleHash = (one: number, two: number, three: number): number =>
  pairHash(pairHash(one, two), three) ^ pairHash(pairHash(two, three), one) ^ pairHash(pairHash(one, three), two);
/** Hash by which a word is known of a street with too many words. */
const manyHash = (word: number): number => pairHash(word, 0x6d616e79);

/** The words that a typed one stands for, as `ownWords` has them; undefined for one that these leave out. */
function fullWords(typed: string): readonly string[] | undefined {
  if (!isPaired(typed) || partsOf(typed)) return undefined;
  return fullFormsOf(typed) ?? [typed];
}

/** The spellings of a word to one of which each of them leads by `fullWords`. */
function fullSpellings(word: Word): Word {
  const letters = word.filter(isPaired);
  const full = letters.filter((spelling) => !isAbbreviation(spelling));
  // `sixth` is a short form of `6`, of which no triples are kept.
  return [
    ...full,
    ...letters.filter(
      (spelling) => !fullFormsOf(spelling)?.some((form) => full.includes(form)) && !full.includes(spelling),
    ),
  ];
}

/** The words of a name, without the short forms of others, and the hash of its term as a whole. */
type Name = { words: readonly string[]; whole: number; isPair: boolean };
const known = new RecentCache<string, Name>(10_000);

const readName = (name: string): Name =>
  known.getOrInsertComputed(name, () => {
    const all = nameWords(name);
    const words = all.flatMap(fullSpellings);
    const whole = wholeName(all);
    const isPair = words.length === 2 && words[0] !== words[1] && whole === words.join('');
    return { words, whole: termHash(wholeNameTerm(whole)), isPair };
  });

export class WordTriples {
  readonly #hashes = new DistinctHashes();
  readonly #broad = new Set<number>();
  readonly #areas = new Set<object>();

  /** Adds a street by its names and its settlement. */
  add({ names, postcodes }: Pick<StreetRow, 'names' | 'postcodes'>, area: Pick<StreetArea, 'city' | 'terms'>): void {
    if (this.#hashes.length > maxHashes) return;
    this.#addBroad(area, postcodes);
    const all = names.map(readName);
    const ofCity = readName(area.city ?? '').words;
    const words = new Set([...all.flatMap(({ words }) => words), ...ofCity]);
    const hashes = Array.from(words, termHash);
    for (const { whole } of all) for (const hash of hashes) this.#hashes.push(pairHash(whole, hash));
    // A name of two words, neither of them in its settlement's name, is kept with each other word.
    const isPair = all.length === 1 && all[0].isPair && !all[0].words.some((word) => ofCity.includes(word));
    if (hashes.length > maxOwnWords) for (const hash of hashes) this.#hashes.push(manyHash(hash));
    else
      for (const [at, one] of hashes.entries())
        for (let two = at + 1; two < hashes.length; two++)
          for (let three = isPair && two === 1 ? hashes.length : two + 1; three < hashes.length; three++)
            this.#hashes.push(tripleHash(one, hashes[two], hashes[three]));
  }

  /** Adds the words by which a street is found that are not its own: of its region and country, and letters of postal codes. */
  #addBroad(area: Pick<StreetArea, 'city' | 'terms'>, postcodes: readonly string[]): void {
    for (const code of postcodes)
      for (const word of postcodeWords(code)) if (isPaired(word)) this.#broad.add(termHash(word));
    if (this.#areas.has(area)) return;
    this.#areas.add(area);
    const own = new Set(nameWords(area.city ?? '').flat());
    for (const term of area.terms) if (isPaired(term) && !own.has(term)) this.#broad.add(termHash(term));
  }

  /** The filters by their names, for a file of so many bytes; none where they would be too large for it. */
  filters(fileBytes: number): [name: string, filter: TermFilter][] {
    const distinct = this.#hashes.distinct();
    const bits = Math.min(maxBits, Math.floor((8 * maxShare * fileBytes) / Math.max(1, distinct.length)));
    if (this.#hashes.length > maxHashes || bits < minBits) return [];
    return [
      [triplesName(), TermFilter.of(distinct, bits)],
      [broadName(), TermFilter.of([...this.#broad])],
    ];
  }
}

// What is asked of the filter of triples (word-triples.ts): whether a street may have all words of a search, and which name it then has.

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

/**
 * Words within one edit (a wrong, missing or extra letter, or two neighbours swapped), found by deletions: two words
 * are that similar only if they, or they without one letter, have a form in common (symmetric deletion, as in Garbe's
 * SymSpell). The cost depends on the length of the word, not on the number of words.
 */

import { firstPast, Growing } from '../../core/columns.ts';
import { RecentCache } from '../../core/recent-cache.ts';
import { isAtMostOneEdit } from '../../text/edit-kind.ts';
import type { Vocabulary } from '../street-parts.ts';
import { type Database, rows } from './database.ts';
import { beginningHash, pairHash, TermFilter, termHash } from './term-filter.ts';
import { isCellTerm } from './terms.ts';
import { isPaired } from './word-triples.ts';

const minLength = 3;
/** Words of letters, and Korean streets with a number in their name (`weoldeukeobro193beongil`); no postal codes. */
export const correctable = /^(?:[a-z]+|[a-z]{4,}[0-9]+[a-z0-9]*)$/;
/** Maximum number of words with one prefix that are read, in total and per query. */
const maxPrefixMatches = 512;
/** Few words begin with a whole one, so few are read at first. */
const firstPrefixBatch = 4;
/** Lengths of the prefixes in the filter of a vocabulary, and the maximum size of a vocabulary with a filter. */
const prefixLengths = [3, 4, 5, 7, 9];
const maxWordsOfBeginnings = 100_000;
/** Halvings of a vocabulary whose middle words are kept: each look-up of a beginning compares with the same first ones. */
const keptHalvings = 10;

/** Whether a word takes part in corrections. */
export const isCorrectable = (word: string): boolean => word.length >= minLength && correctable.test(word);

/** A word with doubled letters reduced to one, if at least half of it remains: `qqqqzzzzxxxx` is not the airport YZX. */
export function withoutDoubledLetters(word: string): string {
  const single = word.replace(/(.)\1+/g, '$1');
  return single.length < Math.max(minLength, word.length / 2) ? word : single;
}

/**
 * A word as it is and with doubled letters reduced to one: so `strase`, and `straie` for `straße`, are similar to
 * `strasse`. Not if almost nothing remains: `zzzz` is not similar to `iii`.
 */
function forms(word: string): string[] {
  const single = withoutDoubledLetters(word);
  return single === word ? [word] : [word, single];
}

// Every part of a dataset is asked about the same few words.
const cachedDeletions = new RecentCache<string, readonly number[]>(128);

/** As `deletions`, but signed, which filters take without a copy in memory. */
const hashesOf = (word: string): readonly number[] =>
  cachedDeletions.getOrInsertComputed(word, () => Array.from(deletions(word), (hash) => hash | 0));

/** Hashes of a word's forms, and of each without one of its letters. */
function deletions(word: string): ReadonlySet<number> {
  const hashes = new Set<number>();
  for (const form of forms(word)) {
    hashes.add(termHash(form));
    for (let at = 0; at < form.length; at++) hashes.add(termHash(form.slice(0, at) + form.slice(at + 1)));
  }
  return hashes;
}

/** Fills the spelling tables and the filters from the words of a term index. */
export function writeVocabulary(database: Database, termIndex: string): void {
  database.exec(`CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab(main, ${termIndex}, row);
    CREATE TEMP TABLE deletions (hash INTEGER, word INTEGER)`);
  const addWord = database.prepare('INSERT INTO words VALUES (?, ?, ?)');
  const addDeletion = database.prepare('INSERT INTO deletions VALUES (?, ?)');
  const isPois = termIndex === 'poi_terms';
  let id = 0;
  const terms = new Growing(new Uint32Array(1024));
  const cells = new Growing(new Uint32Array(1024));
  const spellings = new Growing(new Uint32Array(1024));
  const rare = new Growing(new Uint32Array(1024));
  const vocabulary = database.prepare('SELECT term, doc FROM temp.vocabulary').iterate();
  for (const { term, doc } of vocabulary as Iterable<{ term: string; doc: number }>) {
    if (!isCellTerm(term)) terms.push(termHash(term));
    else if (isPois) cells.push(termHash(term));
    if (!isCorrectable(term)) continue;
    addWord.run(++id, term, doc);
    for (const hash of deletions(term)) {
      addDeletion.run(hash, id);
      spellings.push(hash);
      if (doc < minRecords) rare.push(hash);
    }
  }
  database.exec(`INSERT INTO spelling SELECT DISTINCT hash, word FROM deletions ORDER BY hash, word;
    DROP TABLE deletions; DROP TABLE temp.vocabulary`);
  const addFilter = database.prepare('INSERT INTO filters VALUES (?, ?)');
  addFilter.run('terms', TermFilter.of(terms.finish()).bytes);
  if (isPois) addFilter.run('cells', TermFilter.of(cells.finish()).bytes);
  addFilter.run('spelling', TermFilter.of(spellings.finish()).bytes);
  if (!isPois && id <= maxWords) addFilter.run('rare', TermFilter.of(rare.finish()).bytes);
}

/** The filter of a file, read on first use. A file without it may have every term. */
export function openFilter(database: Database, name: string | (() => string)): (hash: number) => boolean {
  let filter: TermFilter | 'none' | undefined;
  return (hash) => {
    if (filter === undefined) {
      const bits = filterBits(database, typeof name === 'string' ? name : name());
      filter = bits ? TermFilter.from(bits) : 'none';
    }
    return filter === 'none' || filter.has(hash);
  };
}

const filterBits = (database: Database, name: string): Uint8Array | undefined =>
  rows<[Uint8Array]>(database, 'SELECT bits FROM filters WHERE name = ?')(name)[0]?.[0];

/** Letters of the beginning by which a word is known beside another; shorter ones are not. */
const besideLetters = 3;

/** Hash of a word beside one with the first letters of another; undefined where none is kept. */
export const besideHash = (word: string, other: string): number | undefined =>
  other.length < besideLetters || !isPaired(other) || !isPaired(word)
    ? undefined
    : pairHash(termHash(word), beginningHash(other, besideLetters));

/** The first identifier of each prominence class of streets. */
export const classesOf = (database: Database): number[] =>
  Array.from(new Int32Array(filterBits(database, 'classes')!.slice().buffer));

/** Short names of a file's sources, by number. */
export const sourcesOf = (database: Database): string[] =>
  rows<[string]>(database, 'SELECT name FROM sources ORDER BY id')().map(([name]) => name);

/** Number of rows of a table, as ANALYZE counted them: identifiers may have gaps. */
export function recordsOf(database: Database, table: 'streets' | 'pois'): number {
  // It has no entry for an empty table.
  const sql = 'SELECT stat FROM sqlite_stat1 WHERE tbl = ? AND idx IS NULL';
  return Number(rows<[string]>(database, sql)(table)[0]?.[0] ?? 0);
}

/**
 * The vocabulary of a file; `table` is that of the records whose words are in the index, `mayHaveTerm` the filter of its
 * terms, `common` the common words of all files.
 */
export function openVocabulary(
  database: Database,
  table: 'streets' | 'pois',
  mayHaveTerm: (hash: number) => boolean,
  common?: CommonWords,
): Vocabulary {
  const find: (hash: number) => [word: string, records: number][] = rows(
    database,
    'SELECT w.word, w.documents FROM spelling s JOIN words w ON w.id = s.word WHERE s.hash = ?',
  );
  const wordAt: (id: number) => [word: string][] = rows(database, 'SELECT word FROM words WHERE id = ?');
  const wordsFrom: (id: number, limit: number) => [word: string, records: number][] = rows(
    database,
    'SELECT word, documents FROM words WHERE id >= ? ORDER BY id LIMIT ?',
  );
  const mayHave = openFilter(database, 'spelling');
  const mayHaveRare = openFilter(database, 'rare');
  const mayHaveBeside = openFilter(database, 'beside');
  const readCommon = rows<[word: string, records: number]>(
    database,
    `SELECT word, documents FROM words WHERE documents >= ${minRecords}`,
  );
  const file = common && filterBits(database, 'rare') ? common.add(readCommon) : undefined;
  const [[size]] = rows<[number]>(database, 'SELECT IFNULL(MAX(id), 0) FROM words')();
  const records = recordsOf(database, table);

  let filter: TermFilter | undefined;
  /**
   * Whether words may begin with a text. SQLite takes a dozen look-ups to find the first one, and nine in ten texts
   * typed for places are not a prefix of a street: that took a sixth of the suggestions' time.
   */
  function mayBePrefix(text: string): boolean {
    if (!correctable.test(text)) return false;
    if (text.length < prefixLengths[0] || size > maxWordsOfBeginnings) return true;
    if (filter === undefined) {
      const all = wordsFrom(1, size).flatMap(([word]) => prefixLengths.map((length) => word.slice(0, length)));
      filter = TermFilter.of([...new Set(all)].map(termHash));
    }
    let at = prefixLengths.length - 1;
    while (prefixLengths[at] > text.length) at--;
    return filter.has(beginningHash(text, prefixLengths[at]));
  }

  const middles = new Map<number, string>();
  /** Identifier of the first word that is not before a text: words are numbered in order, from 1. */
  function firstFrom(text: string): number {
    let [low, high] = [1, size + 1];
    for (let halvings = 0; low < high; halvings++) {
      const middle = (low + high) >>> 1;
      let word = middles.get(middle);
      if (word === undefined) {
        [[word]] = wordAt(middle);
        if (halvings < keptHalvings) middles.set(middle, word);
      }
      if (word < text) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  return {
    records,
    count: (word) =>
      (mayHaveTerm(termHash(word)) ? find(termHash(word)).find(([candidate]) => candidate === word)?.[1] : 0) ?? 0,
    mayHave: (word) => mayHaveTerm(termHash(word)),
    mayHaveSimilar(word, isPrefix) {
      if (mayHaveTerm(termHash(word))) return true;
      if (!correctable.test(word)) return false;
      return hashesOf(word).some(mayHave) || (isPrefix && mayBePrefix(word));
    },
    mayBePrefix,
    mayBeBeside(word, text) {
      const hash = word.startsWith(text) ? undefined : besideHash(word, text);
      return hash === undefined || mayHaveBeside(hash);
    },
    oneEdit(word) {
      const found = new Map<string, number>();
      if (!correctable.test(word)) return [];
      const known = file === undefined ? undefined : common!.near(word, file);
      for (const [candidate, documents] of known ?? []) found.set(candidate, documents);
      for (const hash of hashesOf(word).filter(known ? mayHaveRare : mayHave)) {
        for (const [candidate, documents] of find(hash >>> 0)) {
          if (candidate !== word && isNear(word, candidate)) found.set(candidate, documents);
        }
      }
      return [...found];
    },
    withPrefix(text) {
      const found: [string, number][] = [];
      if (!mayBePrefix(text)) return found;
      const first = firstFrom(text);
      const end = Math.min(first + maxPrefixMatches, size + 1);
      let batch = firstPrefixBatch;
      for (let from = first; from < end; from += batch, batch *= 4) {
        for (const entry of wordsFrom(from, Math.min(batch, end - from))) {
          if (!entry[0].startsWith(text)) return found;
          if (entry[0] !== text) found.push(entry);
        }
      }
      return found;
    },
  };
}

/** Whether one word may be a mistyped form of the other; `oneEdit` says what counts. */
export function isNear(left: string, right: string): boolean {
  // Another number is another street.
  if (!hasOnlyLetters(left + right) && numbersOf(left) !== numbersOf(right)) return false;
  return forms(left).some((form) => forms(right).some((other) => isAtMostOneEdit(form, other)));
}

const hasOnlyLetters = (text: string) => /^[a-z]*$/.test(text);
const numbersOf = (word: string) => word.replace(/[a-z]+/g, ' ').trim();

// The common words of all files of a dataset, in memory: parts of one country have the same ones, so a mistyped word is compared
// with them once and not by look-ups in every part. Each file's filter of its rare words says for which it is asked as well.

/** A word with this many records is common. */
const minRecords = 8;
/** Maximum number of words of a file with a filter of its rare ones. */
const maxWords = 2 ** 16;
/** Maximum number of common words, over all files; with more, 13 MB at most, every file is asked. */
const maxCommon = 2 ** 17;
const wordsInMemory = 128;
/** Number of words that are hashed in one step, some ms, and make a list to be searched. */
const wordsPerStep = 4000;
/** A key is a hash and the position of a word that has it. */
const wordsPerHash = 2 ** 20;

type Counted = [word: string, records: number];
type Index = {
  words: readonly string[];
  /** The keys of each step, sorted. */
  keys: readonly Float64Array[];
  /** Of each file, the numbers of records by word. */
  records: readonly ReadonlyMap<number, number>[];
};

export class CommonWords {
  readonly #readers: (() => Counted[])[] = [];
  readonly #cached = new RecentCache<string, readonly number[]>(wordsInMemory);
  #index: Index | 'too large' | undefined;
  #reading: Iterator<undefined, Index | 'too large'> | undefined;
  #latest: string | undefined;

  /** Adds a file by a function that returns its common words. Returns its position. */
  add(read: () => Counted[]): number {
    return this.#readers.push(read) - 1;
  }

  /** The common words of a file that are one edit from a word; undefined where too many are common, and while they are read. */
  near(word: string, file: number): Counted[] | undefined {
    if (this.#index === undefined) this.#readOn(word);
    if (this.#index === undefined || this.#index === 'too large') return undefined;
    const index = this.#index;
    const { words, records } = index;
    return this.#cached
      .getOrInsertComputed(word, () => this.#similar(word, index))
      .flatMap((at): Counted[] => {
        const count = records[file].get(at);
        return count === undefined ? [] : [[words[at], count]];
      });
  }

  #similar(word: string, { words, keys }: Index): number[] {
    const found = new Set<number>();
    for (const hash of deletions(word)) {
      for (const list of keys) {
        let at = firstPast(0, list.length, (at) => list[at] >= hash * wordsPerHash);
        for (; list[at] < (hash + 1) * wordsPerHash; at++) found.add(list[at] % wordsPerHash);
      }
    }
    return [...found].filter((at) => words[at] !== word && isNear(word, words[at]));
  }

  /** Reads a little of the words, once for each mistyped word: all at once would hold up other requests. */
  #readOn(word: string): void {
    if (word === this.#latest) return;
    this.#latest = word;
    this.#reading ??= this.#read();
    const { done, value } = this.#reading.next();
    if (done) this.#index = value;
  }

  *#read(): Generator<undefined, Index | 'too large'> {
    const words: string[] = [];
    const positions = new Map<string, number>();
    const records: Map<number, number>[] = [];
    const keys: Float64Array[] = [];
    let [total, hashed] = [0, 0];
    const hashNext = () => {
      const step: number[] = [];
      for (const end = Math.min(words.length, hashed + wordsPerStep); hashed < end; hashed++)
        for (const hash of deletions(words[hashed])) step.push(hash * wordsPerHash + hashed);
      keys.push(Float64Array.from(step).sort());
    };
    for (const read of this.#readers) {
      const ofFile = new Map<number, number>();
      for (const [word, count] of read()) {
        const at = positions.getOrInsertComputed(word, () => words.push(word) - 1);
        ofFile.set(at, count);
      }
      total += ofFile.size;
      if (total > maxCommon) return 'too large';
      records.push(ofFile);
      yield;
      while (words.length - hashed >= wordsPerStep) {
        hashNext();
        yield;
      }
    }
    hashNext();
    return { words, keys, records };
  }
}

/**
 * The common words of all files of a dataset, in memory: parts of one country have the same ones, so a mistyped word is compared
 * with them once and not by look-ups in every part. Each file's filter of its rare words says for which it is asked as well.
 */
import { firstPast } from '../../core/columns.ts';
import { RecentCache } from '../../core/recent-cache.ts';

/** A word with this many records is common. */
export const minRecords = 8;
/** Maximum number of words of a file with a filter of its rare ones. */
export const maxWords = 2 ** 16;
/** Maximum number of common words, over all files; with more, 13 MB at most, every file is asked. */
const maxCommon = 2 ** 17;
const wordsInMemory = 128;
/** Number of words that are hashed in one step. */
const wordsPerStep = 2000;
/** A key is a hash and the position of a word that has it. */
const wordsPerHash = 2 ** 20;

type Counted = [word: string, records: number];
type Index = {
  words: readonly string[];
  /** Sorted. */
  keys: Float64Array;
  /** Of each file, the numbers of records by word. */
  records: readonly ReadonlyMap<number, number>[];
};

export class CommonWords {
  readonly #readers: (() => Counted[])[] = [];
  readonly #hashesOf: (word: string) => Iterable<number>;
  readonly #isNear: (one: string, other: string) => boolean;
  readonly #cached = new RecentCache<string, readonly number[]>(wordsInMemory);
  #index: Index | 'too large' | undefined;
  #reading: Iterator<undefined, Index | 'too large'> | undefined;
  #latest: string | undefined;

  /** `hashesOf` returns those that two similar words have in common. */
  constructor(hashesOf: (word: string) => Iterable<number>, isNear: (one: string, other: string) => boolean) {
    this.#hashesOf = hashesOf;
    this.#isNear = isNear;
  }

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
    for (const hash of this.#hashesOf(word))
      for (let at = firstOf(keys, hash); keys[at] < (hash + 1) * wordsPerHash; at++) found.add(keys[at] % wordsPerHash);
    return [...found].filter((at) => words[at] !== word && this.#isNear(word, words[at]));
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
    /** Sorted, each longer than the next. */
    const runs: Float64Array[] = [];
    let [total, hashed] = [0, 0];
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
      while (hashed < words.length) {
        const keys: number[] = [];
        for (const end = Math.min(words.length, hashed + wordsPerStep); hashed < end; hashed++)
          for (const hash of this.#hashesOf(words[hashed])) keys.push(hash * wordsPerHash + hashed);
        runs.push(Float64Array.from(keys).sort());
        yield;
        while (runs.length > 1 && runs[runs.length - 2].length < 2 * runs[runs.length - 1].length) {
          runs.push(merged(runs.pop()!, runs.pop()!));
          yield;
        }
      }
    }
    while (runs.length > 1) {
      runs.push(merged(runs.pop()!, runs.pop()!));
      yield;
    }
    return { words, keys: runs[0] ?? new Float64Array(), records };
  }
}

/** Two sorted lists as one. */
function merged(one: Float64Array, other: Float64Array): Float64Array {
  const all = new Float64Array(one.length + other.length);
  for (let at = 0, left = 0, right = 0; at < all.length; at++)
    all[at] = right === other.length || one[left] <= other[right] ? one[left++] : other[right++];
  return all;
}

const firstOf = (keys: Float64Array, hash: number) =>
  firstPast(0, keys.length, (at) => keys[at] >= hash * wordsPerHash);

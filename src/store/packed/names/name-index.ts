/**
 * An immutable index of folded names: sorted keys, and for each key its postings, a posting being an owner with a
 * rank. Smaller posting values are better, so the best owners of a prefix come out first without reading the rest.
 * With a group per owner (a country) the same holds inside one group.
 */

import TinyQueue from 'tinyqueue';
import { firstPast } from '../../../core/columns.ts';
import type { FuzzyOptions, KeyRange, NameKeys } from '../../gazetteer.ts';
import { fuzzyTrieSearch } from './fuzzy-trie-search.ts';
import { KeyHash } from './key-hash.ts';
import { type KeyColumns, KeyText } from './key-text.ts';

/** The columns of an index, as a pack holds them. */
export type NameColumns = KeyColumns & {
  /** The keys by hash. */
  slots: Uint32Array;
  /** Where each key's postings end in `postings`. */
  postingEnds: Uint32Array;
  /** Posting values, ascending within each key. */
  postings: Uint32Array;
  /** Positions in `postings` of those of each group, ascending, and where each group ends; empty without groups. */
  groupOrder: Uint32Array;
  groupEnds: Uint32Array;
  /** The smallest values of ranges of both, see `RangeMinimum`. */
  minima: Uint32Array;
  groupMinima: Uint32Array;
};

/** Comparing so many keys is quicker than looking up the fifty texts with an edit at one letter. */
const maxCompared = 256;

export class NameIndex implements NameKeys {
  readonly keys: KeyText;
  readonly postings: Uint32Array;
  readonly postingEnds: Uint32Array;
  readonly #groupOrder: Uint32Array;
  readonly #groupEnds: Uint32Array;
  readonly #hash: KeyHash;
  readonly #minimum: RangeMinimum;
  readonly #groupMinimum: RangeMinimum;

  constructor(columns: NameColumns) {
    const { slots, postings, postingEnds, groupOrder, groupEnds, minima, groupMinima } = columns;
    this.keys = new KeyText(columns);
    this.postings = postings;
    this.postingEnds = postingEnds;
    this.#groupOrder = groupOrder;
    this.#groupEnds = groupEnds;
    this.#hash = new KeyHash(this.keys, slots);
    this.#minimum = new RangeMinimum(postings, undefined, minima);
    this.#groupMinimum = new RangeMinimum(postings, groupOrder, groupMinima);
  }

  get size(): number {
    return this.keys.size;
  }

  text(key: number): string {
    return this.keys.text(key);
  }

  length(key: number): number {
    return this.keys.length(key);
  }

  unit(key: number, at: number): number {
    return this.keys.unit(this.keys.start(key) + at);
  }

  oneEdit(text: string, budget: number, found: (key: number) => void): number {
    return budget <= 0 ? 0 : this.#hash.oneEdit(text, this.#smallBranch(text), budget, found);
  }

  /**
   * The fewest first letters of a text that few enough keys begin with, and these keys: one letter more than the text has
   * where even the whole of it is the beginning of many.
   */
  #smallBranch(text: string): KeyRange & { letters: number } {
    let branch = { letters: text.length + 1, from: 0, to: 0 };
    for (let low = 1; low < branch.letters; ) {
      const letters = (low + branch.letters) >>> 1;
      const { from, to } = this.prefixRange(text.slice(0, letters));
      if (to - from <= maxCompared) branch = { letters, from, to };
      else low = letters + 1;
    }
    return branch;
  }

  fuzzy(text: string, options: FuzzyOptions, found: (range: KeyRange, edits: number) => void): number {
    return fuzzyTrieSearch(this.keys, text, options, found);
  }

  exact(name: string): KeyRange {
    const key = this.#hash.find(name);
    return key < 0 ? { from: 0, to: 0 } : { from: key, to: key + 1 };
  }

  prefixRange(text: string): KeyRange {
    const exact = this.#hash.find(text);
    const from = exact < 0 ? this.#lowerBound(text) : exact;
    return { from, to: exact >= 0 || this.#beginsAt(from, text) ? this.#prefixEnd(text, from + 1) : from };
  }

  /** Visits the postings of a range of keys, best first, each with its position; `visit` says whether to go on. */
  visit(range: KeyRange, visit: (value: number, posting: number) => boolean): void {
    const { postings } = this;
    const { from, to } = this.#postingsOf(range);
    if (range.to - range.from === 1) {
      for (let at = from; at < to; at++) if (!visit(postings[at], at)) return;
    } else visitAscending(this.#minimum, from, to, visit);
  }

  /** The values of a range of keys, in no order; of more than `most` the smallest. */
  values(range: KeyRange, most: number): Uint32Array {
    const { from, to } = this.#postingsOf(range);
    const all = this.postings.subarray(from, to);
    return all.length <= most ? all : smallest(all, most);
  }

  /** As `visit`, for the postings of one group only. */
  visitGroup(group: number, range: KeyRange, visit: (value: number, posting: number) => boolean): void {
    const { postings } = this;
    const order = this.#groupOrder;
    const whole = this.#postingsOf(range);
    const start = group === 0 ? 0 : this.#groupEnds[group - 1];
    const end = this.#groupEnds[group];
    const from = firstPast(start, end, (at) => order[at] >= whole.from);
    const to = firstPast(from, end, (at) => order[at] >= whole.to);
    if (range.to - range.from === 1) {
      for (let at = from; at < to; at++) if (!visit(postings[order[at]], order[at])) return;
      return;
    }
    visitAscending(this.#groupMinimum, from, to, (value, at) => visit(value, order[at]));
  }

  /** The key of a posting, found by a binary search within a range of keys. */
  keyOf(posting: number, { from, to }: KeyRange): number {
    return to - from === 1 ? from : firstPast(from, to, (key) => this.postingEnds[key] > posting);
  }

  /** Positions [from, to) of the postings of a range of keys. */
  #postingsOf({ from, to }: KeyRange): KeyRange {
    const { postingEnds } = this;
    return { from: from === 0 ? 0 : postingEnds[from - 1], to: to === 0 ? 0 : postingEnds[to - 1] };
  }

  /** First key that is not smaller than a text. */
  #lowerBound(text: string): number {
    const { keys } = this;
    return firstPast(0, keys.size, (key) => keys.compare(key, text) >= 0);
  }

  #beginsAt(key: number, text: string): boolean {
    return key < this.size && this.keys.compare(key, text) === 0;
  }

  /** First key from `from` on that does not begin with a text. */
  #prefixEnd(text: string, from: number): number {
    const { keys } = this;
    // A whole name is rarely the prefix of another.
    if (!this.#beginsAt(from, text)) return from;
    // Most branches are small.
    let step = 1;
    while (this.#beginsAt(from + step, text)) step *= 2;
    return firstPast(from, Math.min(keys.size, from + step), (key) => keys.compare(key, text) !== 0);
  }
}

/**
 * Smallest values of ranges of a fixed array, without scanning the ranges: over the array stand the minima of its blocks
 * of 32, over those the minima of their blocks of 32, and so on. A range is two parts of blocks at each level.
 *
 * A sparse table answers in fewer steps, but over the names of the default dataset it takes 4 MB, of which each step
 * reads another line; the minima take 0.2 MB, which stay in the processor's cache.
 */
const blockBits = 5;
const blockSize = 1 << blockBits;

export class RangeMinimum {
  readonly #values: Uint32Array;
  readonly #order: Uint32Array | undefined;
  /** By level: nothing for the values, the minima of their blocks, the minima of those; the last has one block or less. */
  readonly #levels: Uint32Array[] = [];

  /**
   * With `order`, position n of the array holds the value at `order[n]`. `minima` are those that `minimaOf` returned for
   * the same array.
   */
  constructor(values: Uint32Array, order: Uint32Array | undefined, minima: Uint32Array) {
    this.#values = values;
    this.#order = order;
    this.#levels.push(new Uint32Array(0));
    let from = 0;
    for (const length of levelLengths((order ?? values).length)) {
      this.#levels.push(minima.subarray(from, from + length));
      from += length;
    }
    if (from !== minima.length) throw new RangeError(`${minima.length} minima in place of ${from}`);
  }

  /** The minima of all levels, for a build. */
  static minimaOf(values: Uint32Array, order?: Uint32Array): Uint32Array {
    let length = (order ?? values).length;
    const lengths = levelLengths(length);
    const minima = new Uint32Array(lengths.reduce((sum, length) => sum + length, 0));
    const ranges = new RangeMinimum(values, order, minima);
    for (const level of lengths.keys()) {
      const above = ranges.#levels[level + 1];
      for (let block = 0; block < above.length; block++) {
        const at = ranges.#leftmost(level, block << blockBits, Math.min(length, (block + 1) << blockBits));
        above[block] = ranges.#minimum(level, at);
      }
      length = above.length;
    }
    return minima;
  }

  /** The value at a position. */
  value(at: number): number {
    return this.#values[this.#order === undefined ? at : this.#order[at]];
  }

  /** Position of the smallest value in [from, to), the leftmost where several are equal; from < to. */
  position(from: number, to: number): number {
    return this.#position(0, from, to);
  }

  #position(level: number, from: number, to: number): number {
    const [first, end] = [(from + blockSize - 1) >> blockBits, to >> blockBits];
    if (first >= end) return this.#leftmost(level, from, to);
    const block = this.#position(level + 1, first, end);
    let least = this.#levels[level + 1][block];
    let at = -1;
    // What lies left and right of the whole blocks.
    if (from < first << blockBits) {
      const left = this.#leftmost(level, from, first << blockBits);
      if (this.#minimum(level, left) <= least) [at, least] = [left, this.#minimum(level, left)];
    }
    if (end << blockBits < to) {
      const right = this.#leftmost(level, end << blockBits, to);
      if (this.#minimum(level, right) < least) return right;
    }
    return at >= 0 ? at : this.#leftmost(level, block << blockBits, (block + 1) << blockBits);
  }

  #minimum(level: number, at: number): number {
    return level === 0 ? this.value(at) : this.#levels[level][at];
  }

  /** Position in a level of the smallest of [from, to), the leftmost where several are equal; from < to. */
  #leftmost(level: number, from: number, to: number): number {
    if (level > 0) return leftmost(this.#levels[level], from, to);
    if (this.#order === undefined) return leftmost(this.#values, from, to);
    let best = from;
    let least = this.value(from);
    for (let at = from + 1; at < to; at++) {
      const value = this.value(at);
      if (value < least) {
        least = value;
        best = at;
      }
    }
    return best;
  }
}

/** How many blocks each level above an array of a length has. */
function levelLengths(length: number): number[] {
  const lengths: number[] = [];
  for (let left = length; left > blockSize; ) lengths.push((left = Math.ceil(left / blockSize)));
  return lengths;
}

/** Position of the smallest value in [from, to), the leftmost where several are equal; from < to. */
function leftmost(values: Uint32Array, from: number, to: number): number {
  let best = from;
  let least = values[from];
  for (let at = from + 1; at < to; at++) {
    if (values[at] < least) {
      least = values[at];
      best = at;
    }
  }
  return best;
}

/**
 * Visits the values of a range from the smallest up, lazily: the range is split around each minimum found. `visit`
 * gets a value and its position and says whether to go on. Costs about two look-ups per value visited.
 */
export function visitAscending(
  minimum: RangeMinimum,
  from: number,
  to: number,
  visit: (value: number, position: number) => boolean,
): void {
  if (from >= to) return;
  const ranges = new TinyQueue([rangeOf(minimum, from, to)], (one, other) => one.value - other.value);
  for (let range = ranges.pop(); range && visit(range.value, range.at); range = ranges.pop()) {
    if (range.from < range.at) ranges.push(rangeOf(minimum, range.from, range.at));
    if (range.at + 1 < range.to) ranges.push(rangeOf(minimum, range.at + 1, range.to));
  }
}

/** A range with its smallest value and where that is. */
type Range = { from: number; to: number; at: number; value: number };

function rangeOf(minimum: RangeMinimum, from: number, to: number): Range {
  const at = minimum.position(from, to);
  return { from, to, at, value: minimum.value(at) };
}

const bucketBits = 10;

/**
 * So many of the smallest values, ascending; there are more. They are counted by their upper bits, and only those that may be
 * among them are sorted: to visit a thousand of the names that begin with one letter took ten times as long.
 */
function smallest(values: Uint32Array, most: number): Uint32Array {
  let bits = 0;
  for (let at = 0; at < values.length; at++) bits |= values[at];
  const shift = Math.max(0, 32 - Math.clz32(bits) - bucketBits);
  const counts = new Uint32Array(1 << bucketBits);
  for (let at = 0; at < values.length; at++) counts[values[at] >>> shift]++;
  let [last, count] = [0, counts[0]];
  while (count < most) count += counts[++last];
  const kept = new Uint32Array(count);
  let next = 0;
  for (let at = 0; at < values.length; at++) if (values[at] >>> shift <= last) kept[next++] = values[at];
  return kept.sort().subarray(0, most);
}

/** Collects names with their posting values and lays them out as an index. */
export class NameIndexBuilder {
  /** A list only where a key has several: most have one, and there are millions of keys. */
  readonly #postings = new Map<string, number | number[]>();

  /** Adds a posting to a folded key. Duplicate values of a key are kept once. */
  add(key: string, value: number): void {
    const values = this.#postings.get(key);
    if (values === undefined) this.#postings.set(key, value);
    else if (typeof values === 'number') {
      if (values !== value) this.#postings.set(key, [values, value]);
    } else if (values[values.length - 1] !== value) values.push(value);
  }

  get size(): number {
    return this.#postings.size;
  }

  /**
   * The columns of the index. `groupOf` returns the group, in [0, groups), of a posting value; with 0 groups it is not
   * called. Of the postings of one key with the same owner only the smallest value is kept. The builder is empty
   * afterwards.
   */
  finish(groups: number, groupOf: (value: number) => number, ownerOf: (value: number) => number): NameColumns {
    // Array.prototype.sort without a comparator orders by UTF-16 code units, which is the index's order.
    const keys = [...this.#postings.keys()].sort();
    const lists: number[][] = [];
    let units = 0;
    let total = 0;
    for (const key of keys) {
      const kept = oncePerOwner(this.#postings.get(key)!, ownerOf);
      lists.push(kept);
      units += key.length;
      total += kept.length;
    }
    this.#postings.clear();
    const text = new Uint16Array(units);
    const textEnds = new Uint32Array(keys.length);
    const postingEnds = new Uint32Array(keys.length);
    const postings = new Uint32Array(total);
    let unit = 0;
    let posting = 0;
    for (const [at, key] of keys.entries()) {
      for (let character = 0; character < key.length; character++) text[unit++] = key.charCodeAt(character);
      textEnds[at] = unit;
      for (const value of lists[at]) postings[posting++] = value;
      postingEnds[at] = posting;
    }
    const keyText = new KeyText({ units: text, textEnds });
    const { groupOrder, groupEnds } = grouped(postings, groups, groupOf);
    return {
      units: text,
      textEnds,
      slots: KeyHash.slotsOf(keyText),
      postingEnds,
      postings,
      groupOrder,
      groupEnds,
      minima: RangeMinimum.minimaOf(postings),
      groupMinima: RangeMinimum.minimaOf(postings, groupOrder),
    };
  }
}

/** The positions of values by group, and where each group ends. */
function grouped(values: Uint32Array, groups: number, groupOf: (value: number) => number) {
  const groupEnds = new Uint32Array(groups);
  const groupOrder = new Uint32Array(groups === 0 ? 0 : values.length);
  if (groups === 0) return { groupOrder, groupEnds };
  for (const value of values) groupEnds[groupOf(value)]++;
  const next = new Uint32Array(groups);
  for (let group = 1; group < groups; group++) {
    next[group] = groupEnds[group - 1];
    groupEnds[group] += groupEnds[group - 1];
  }
  for (const [position, value] of values.entries()) groupOrder[next[groupOf(value)]++] = position;
  return { groupOrder, groupEnds };
}

function oncePerOwner(values: number | number[], ownerOf: (value: number) => number): number[] {
  if (typeof values === 'number') return [values];
  values.sort((left, right) => left - right);
  const seen = new Set<number>();
  return values.filter((value) => {
    const owner = ownerOf(value);
    if (seen.has(owner)) return false;
    seen.add(owner);
    return true;
  });
}

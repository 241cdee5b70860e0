/**
 * An immutable index of folded names: sorted keys, and for each key its postings, a posting being an owner with a
 * rank. Smaller posting values are better, so the best owners of a prefix come out first without reading the rest.
 * With a group per owner (a country) the same holds inside one group.
 */

import TinyQueue from 'tinyqueue';
import { firstPast } from '../../../core/columns.ts';
import type { KeyRange, NameKeys } from '../../gazetteer.ts';
import { fuzzyTrieSearch } from './fuzzy-trie-search.ts';
import { keyHash, slotsOf } from './key-hash.ts';
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
  /** The smallest values of ranges of both, see `rangeMinimum`. */
  minima: Uint32Array;
  groupMinima: Uint32Array;
};

/** Comparing so many keys is quicker than looking up the fifty texts with an edit at one letter. */
const maxCompared = 256;

export type NameIndex = ReturnType<typeof openNames>;

/** Opens an index from its columns. */
export function openNames(columns: NameColumns) {
  const { postings, postingEnds, groupOrder, groupEnds } = columns;
  const keys = new KeyText(columns);
  const hash = keyHash(keys, columns.slots);
  const minimum = rangeMinimum(postings, undefined, columns.minima);
  const groupMinimum = rangeMinimum(postings, groupOrder, columns.groupMinima);

  /**
   * The fewest first letters of a text that few enough keys begin with, and these keys: one letter more than the text has
   * where even the whole of it is the beginning of many.
   */
  function smallBranch(text: string): KeyRange & { letters: number } {
    let branch = { letters: text.length + 1, from: 0, to: 0 };
    for (let low = 1; low < branch.letters; ) {
      const letters = (low + branch.letters) >>> 1;
      const { from, to } = prefixRange(text.slice(0, letters));
      if (to - from <= maxCompared) branch = { letters, from, to };
      else low = letters + 1;
    }
    return branch;
  }

  function prefixRange(text: string): KeyRange {
    const exact = hash.find(text);
    // Else the first key that is not smaller.
    const from = exact < 0 ? firstPast(0, keys.size, (key) => keys.compare(key, text) >= 0) : exact;
    return { from, to: exact >= 0 || beginsAt(from, text) ? prefixEnd(text, from + 1) : from };
  }

  const beginsAt = (key: number, text: string): boolean => key < keys.size && keys.compare(key, text) === 0;

  /** First key from `from` on that does not begin with a text. */
  function prefixEnd(text: string, from: number): number {
    // A whole name is rarely the prefix of another.
    if (!beginsAt(from, text)) return from;
    // Most branches are small.
    let step = 1;
    while (beginsAt(from + step, text)) step *= 2;
    return firstPast(from, Math.min(keys.size, from + step), (key) => keys.compare(key, text) !== 0);
  }

  /** Positions [from, to) of the postings of a range of keys. */
  const postingsOf = ({ from, to }: KeyRange): KeyRange => ({
    from: from === 0 ? 0 : postingEnds[from - 1],
    to: to === 0 ? 0 : postingEnds[to - 1],
  });

  return {
    keys,
    text: (key) => keys.text(key),
    length: (key) => keys.length(key),
    unit: (key, at) => keys.unit(keys.start(key) + at),
    oneEdit: (text, budget, found) => (budget <= 0 ? 0 : hash.oneEdit(text, smallBranch(text), budget, found)),
    fuzzy: (text, options, found) => fuzzyTrieSearch(keys, text, options, found),
    exact(name) {
      const key = hash.find(name);
      return key < 0 ? { from: 0, to: 0 } : { from: key, to: key + 1 };
    },
    prefixRange,
    /** Visits the postings of a range of keys, best first, each with its position; `visit` says whether to go on. */
    visit(range: KeyRange, visit: (value: number, posting: number) => boolean): void {
      const { from, to } = postingsOf(range);
      if (range.to - range.from === 1) {
        for (let at = from; at < to; at++) if (!visit(postings[at], at)) return;
      } else visitAscending(minimum, from, to, visit);
    },
    /** The values of a range of keys, in no order; of more than `most` the smallest. */
    values(range: KeyRange, most: number): Uint32Array {
      const { from, to } = postingsOf(range);
      const all = postings.subarray(from, to);
      return all.length <= most ? all : smallest(all, most);
    },
    /** As `visit`, for the postings of one group only. */
    visitGroup(group: number, range: KeyRange, visit: (value: number, posting: number) => boolean): void {
      const whole = postingsOf(range);
      const start = group === 0 ? 0 : groupEnds[group - 1];
      const end = groupEnds[group];
      const from = firstPast(start, end, (at) => groupOrder[at] >= whole.from);
      const to = firstPast(from, end, (at) => groupOrder[at] >= whole.to);
      if (range.to - range.from === 1) {
        for (let at = from; at < to; at++) if (!visit(postings[groupOrder[at]], groupOrder[at])) return;
        return;
      }
      visitAscending(groupMinimum, from, to, (value, at) => visit(value, groupOrder[at]));
    },
    /** The key of a posting, found by a binary search within a range of keys. */
    keyOf: (posting, { from, to }) =>
      to - from === 1 ? from : firstPast(from, to, (key) => postingEnds[key] > posting),
  } satisfies NameKeys & Record<string, unknown>;
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

type RangeMinimum = ReturnType<typeof rangeMinimum>;

/**
 * With `order`, position n of the array holds the value at `order[n]`. `minima` are those that `minimaOf` returned for
 * the same array.
 */
export function rangeMinimum(values: Uint32Array, order: Uint32Array | undefined, minima: Uint32Array) {
  /** The value at a position. */
  const value = (at: number) => values[order === undefined ? at : order[at]];
  /** By level: the minima of blocks of the array, the minima of their blocks; the last has one block or less. */
  const levels: Uint32Array[] = [];
  let end = 0;
  for (const length of levelLengths((order ?? values).length)) levels.push(minima.subarray(end, (end += length)));
  if (end !== minima.length) throw new RangeError(`${minima.length} minima in place of ${end}`);
  const valueAt = (level: number, at: number) => (level === 0 ? value(at) : levels[level - 1][at]);

  /** Position in a level of the smallest of [from, to), the leftmost where several are equal; from < to. */
  function leftmost(level: number, from: number, to: number): number {
    let best = from;
    let least = valueAt(level, from);
    for (let at = from + 1; at < to; at++) {
      const value = valueAt(level, at);
      if (value < least) {
        least = value;
        best = at;
      }
    }
    return best;
  }

  /** The same by the blocks in the range; of level 0, the array itself, by default. */
  function position(from: number, to: number, level = 0): number {
    const [first, end] = [(from + blockSize - 1) >> blockBits, to >> blockBits];
    if (first >= end) return leftmost(level, from, to);
    const block = position(first, end, level + 1);
    let least = valueAt(level + 1, block);
    let at = -1;
    // What lies left and right of the whole blocks.
    if (from < first << blockBits) {
      const left = leftmost(level, from, first << blockBits);
      if (valueAt(level, left) <= least) [at, least] = [left, valueAt(level, left)];
    }
    if (end << blockBits < to) {
      const right = leftmost(level, end << blockBits, to);
      if (valueAt(level, right) < least) return right;
    }
    return at >= 0 ? at : leftmost(level, block << blockBits, (block + 1) << blockBits);
  }
  return { value, valueAt, levels, leftmost, position };
}

/** The minima of all levels, for a build. */
export function minimaOf(values: Uint32Array, order?: Uint32Array): Uint32Array {
  let { length } = order ?? values;
  const minima = new Uint32Array(levelLengths(length).reduce((sum, blocks) => sum + blocks, 0));
  const { valueAt, levels, leftmost } = rangeMinimum(values, order, minima);
  for (const [level, above] of levels.entries()) {
    for (let block = 0; block < above.length; block++)
      above[block] = valueAt(level, leftmost(level, block << blockBits, Math.min(length, (block + 1) << blockBits)));
    length = above.length;
  }
  return minima;
}

/** How many blocks each level above an array of a length has. */
function levelLengths(length: number): number[] {
  const lengths: number[] = [];
  for (let left = length; left > blockSize; ) lengths.push((left = Math.ceil(left / blockSize)));
  return lengths;
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
      slots: slotsOf(keyText),
      postingEnds,
      postings,
      groupOrder,
      groupEnds,
      minima: minimaOf(postings),
      groupMinima: minimaOf(postings, groupOrder),
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

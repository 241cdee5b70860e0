/**
 * An immutable index of folded names: sorted keys, and for each key its postings, a posting being an owner with a
 * rank. Smaller posting values are better, so the best owners of a prefix come out first without reading the rest.
 * With a group per owner (a country) the same holds inside one group.
 *
 * Keys are UTF-16 code units end to end: they compare with a query's characters directly, nothing is decoded.
 */
import { RangeMinimum, visitAscending } from '../range-minimum.ts';

/** The columns of an index, as a pack holds them. */
export type NameColumns = {
  /** UTF-16 code units of all keys, in ascending order of the keys. */
  text: Uint16Array;
  /** Where each key ends in `text`. */
  textEnds: Uint32Array;
  /** Where each key's postings end in `postings`. */
  postingEnds: Uint32Array;
  /** Posting values, ascending within each key. */
  postings: Uint32Array;
  /** Postings once more, those of a group together: the key of each, ascending, and its value. */
  groupKeys: Uint32Array;
  groupPostings: Uint32Array;
  /** Where each group ends in the two columns above. */
  groupEnds: Uint32Array;
};

/** Letters below this, two of them, have a place in the directory: ASCII, which nine of ten names begin with. */
const directoryLetters = 128;

/** A range of keys [from, to). */
export type KeyRange = { from: number; to: number };

export class NameIndex {
  readonly columns: NameColumns;
  readonly size: number;
  readonly #minimum: RangeMinimum;
  readonly #groupMinimum: RangeMinimum;
  /** First key for each pair of first letters: saves half of the steps of a bisection, those that miss the cache. */
  readonly #directory: Uint32Array;

  constructor(columns: NameColumns) {
    this.columns = columns;
    this.size = columns.textEnds.length;
    this.#minimum = new RangeMinimum(columns.postings);
    this.#groupMinimum = new RangeMinimum(columns.groupPostings);
    this.#directory = directoryOf(columns);
  }

  /** The key at a position. */
  key(position: number): string {
    const { text, textEnds } = this.columns;
    return String.fromCharCode(...text.subarray(position === 0 ? 0 : textEnds[position - 1], textEnds[position]));
  }

  /** Length of a key in code units. */
  keyLength(position: number): number {
    const { textEnds } = this.columns;
    return textEnds[position] - (position === 0 ? 0 : textEnds[position - 1]);
  }

  /** Position of a key; -1 when it is not there. */
  find(name: string): number {
    const at = this.#lowerBound(name, 0);
    return at < this.size && this.#compare(at, name) === 0 && this.keyLength(at) === name.length ? at : -1;
  }

  /** The keys that begin with a text; an empty range when none does. */
  prefixed(text: string): KeyRange {
    const from = this.#lowerBound(text, 0);
    return { from, to: this.#prefixEnd(text, from) };
  }

  /** Visits the postings of a range of keys, best first; `visit` gets a value and its key and says whether to go on. */
  visit(range: KeyRange, visit: (value: number, key: number) => boolean): void {
    const { postings, postingEnds } = this.columns;
    const from = range.from === 0 ? 0 : postingEnds[range.from - 1];
    const to = range.to === 0 ? 0 : postingEnds[range.to - 1];
    if (range.to - range.from === 1) {
      for (let at = from; at < to; at++) if (!visit(postings[at], range.from)) return;
      return;
    }
    visitAscending(postings, this.#minimum, from, to, (value, at) =>
      visit(value, upperBound(postingEnds, at, range.from, range.to)),
    );
  }

  /** As `visit`, for the postings of one group only. */
  visitGroup(group: number, range: KeyRange, visit: (value: number, key: number) => boolean): void {
    const { groupKeys, groupPostings, groupEnds } = this.columns;
    const start = group === 0 ? 0 : groupEnds[group - 1];
    const from = lowerBound(groupKeys, range.from, start, groupEnds[group]);
    const to = lowerBound(groupKeys, range.to, from, groupEnds[group]);
    if (range.to - range.from === 1) {
      for (let at = from; at < to; at++) if (!visit(groupPostings[at], range.from)) return;
      return;
    }
    visitAscending(groupPostings, this.#groupMinimum, from, to, (value, at) => visit(value, groupKeys[at]));
  }

  /** Compares a key's beginning with a text: 0 when the key begins with it. */
  #compare(key: number, text: string): number {
    const { text: units, textEnds } = this.columns;
    const start = key === 0 ? 0 : textEnds[key - 1];
    const length = textEnds[key] - start;
    const common = Math.min(length, text.length);
    for (let at = 0; at < common; at++) {
      const difference = units[start + at] - text.charCodeAt(at);
      if (difference !== 0) return difference;
    }
    return length < text.length ? -1 : 0;
  }

  /** First key that is not smaller than a text. */
  #lowerBound(text: string, from: number): number {
    let low = from;
    let high = this.size;
    const first = text.charCodeAt(0);
    const second = text.length > 1 ? text.charCodeAt(1) : directoryLetters;
    if (first < directoryLetters && second < directoryLetters) {
      const pair = first * directoryLetters + second;
      low = Math.max(low, this.#directory[pair]);
      high = this.#directory[pair + 1];
    }
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compare(middle, text) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** First key from `from` on that does not begin with a text. */
  #prefixEnd(text: string, from: number): number {
    // Ranges are mostly short: gallop from their start before halving.
    let step = 1;
    let low = from;
    while (low + step < this.size && this.#compare(low + step, text) === 0) {
      low += step;
      step *= 2;
    }
    let high = Math.min(this.size, low + step);
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compare(middle, text) === 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/**
 * For each pair of ASCII letters, as a number, the first key that begins with it or with a greater pair. A key of one
 * letter is smaller than those of two, and one whose second letter is not ASCII greater than the pairs of its first.
 */
function directoryOf({ text, textEnds }: NameColumns): Uint32Array {
  const directory = new Uint32Array(directoryLetters * directoryLetters + 1);
  let pair = 0;
  for (let key = 0, start = 0; key < textEnds.length; start = textEnds[key++]) {
    const first = text[start];
    const second = textEnds[key] - start > 1 ? Math.min(text[start + 1], directoryLetters) : 0;
    const own = Math.min(first * directoryLetters + second, directory.length - 1);
    while (pair <= own) directory[pair++] = key;
  }
  return directory.fill(textEnds.length, pair);
}

/** First position in [from, to) whose value is not smaller. */
function lowerBound(values: Uint32Array, value: number, from: number, to: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** First position in [from, to) whose value is greater. */
function upperBound(values: Uint32Array, value: number, from: number, to: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle] <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

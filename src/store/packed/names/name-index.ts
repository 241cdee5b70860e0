/**
 * An immutable index of folded names: sorted keys, and for each key its postings, a posting being an owner with a
 * rank. Smaller posting values are better, so the best owners of a prefix come out first without reading the rest.
 * With a group per owner (a country) the same holds inside one group.
 */

import { firstPast } from '../../../core/binary-search.ts';
import type { FuzzyOptions, KeyRange, NameKeys } from '../../gazetteer.ts';
import { type BlockColumns, BlockIndex } from './block-index.ts';
import { fuzzyTrieSearch } from './fuzzy-trie-search.ts';
import { KeyHash } from './key-hash.ts';
import { type KeyColumns, KeyText } from './key-text.ts';
import { RangeMinimum, visitAscending } from './range-minimum.ts';

/** The columns of an index, as a pack holds them. */
export type NameColumns = KeyColumns &
  BlockColumns & {
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
  readonly #heads: BlockIndex;
  readonly #minimum: RangeMinimum;
  readonly #groupMinimum: RangeMinimum;

  constructor(columns: NameColumns) {
    const { slots, postings, postingEnds, groupOrder, groupEnds, minima, groupMinima } = columns;
    this.keys = new KeyText(columns);
    this.#heads = new BlockIndex(this.keys.size, columns);
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

  /** The values of a range of keys, key by key; undefined where there are more than `most`. */
  values(range: KeyRange, most: number): Uint32Array | undefined {
    const { from, to } = this.#postingsOf(range);
    return to - from <= most ? this.postings.subarray(from, to) : undefined;
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
    this.#heads.seek(text);
    return firstPast(this.#heads.from, this.#heads.to, (key) => keys.compare(key, text) >= 0);
  }

  #beginsAt(key: number, text: string): boolean {
    return key < this.size && this.keys.compare(key, text) === 0;
  }

  /** First key from `from` on that does not begin with a text. */
  #prefixEnd(text: string, from: number): number {
    const { keys } = this;
    // A whole name is rarely the prefix of another.
    if (!this.#beginsAt(from, text)) return from;
    this.#heads.seekEnd(text);
    return firstPast(Math.max(from, this.#heads.from), this.#heads.to, (key) => keys.compare(key, text) !== 0);
  }
}

import { Growing, grown, IdColumn } from '../columns.ts';
import type { IpAddress } from './address.ts';

/**
 * Ranges of addresses as a gapless sorted list: each entry says where a range starts and which value holds from there
 * up to the next entry's start. 0 is the value of "nothing known". The first entry starts at the lowest address.
 *
 * A start is up to four 32-bit words, most significant first. IPv4 uses one word, IPv6 four; a word that is 0 in every
 * start takes no memory, so most IPv6 lists hold two.
 */
export type RangeList = {
  readonly size: number;
  /** Columns of the start's words; a missing one is 0 throughout. */
  readonly words: readonly (Uint32Array | undefined)[];
  readonly values: Uint32Array;
};

const wordCount = 4;

/** Collects ranges in ascending order of their start; neighbours of equal value become one. */
export class RangeListBuilder {
  #size = 0;
  #words: (Uint32Array | undefined)[] = [new Uint32Array(1024), undefined, undefined, undefined];
  #values = new Uint32Array(1024);

  /**
   * Adds a value that applies from this start on. The first call must have the start 0, each later one no lower start than the
   * one before it, whose place it takes if they are the same.
   */
  add(a: number, b: number, c: number, d: number, value: number): void {
    const isSameStart = this.#size > 0 && [a, b, c, d].every((bits, word) => this.#wordOfLast(word) === bits);
    if (isSameStart) this.#size--;
    const at = this.#size;
    if (at > 0 && this.#values[at - 1] === value) return;
    this.#values = grown(this.#values, at + 1);
    this.#set(0, at, a);
    this.#set(1, at, b);
    this.#set(2, at, c);
    this.#set(3, at, d);
    this.#values[at] = value;
    this.#size = at + 1;
  }

  #wordOfLast(word: number): number {
    return this.#words[word]?.[this.#size - 1] ?? 0;
  }

  #set(word: number, at: number, bits: number): void {
    // Columns begin as zeros, and pages of them that nobody writes to take no memory.
    if (bits === (this.#words[word]?.[at] ?? 0)) return;
    const column = grown(this.#words[word] ?? new Uint32Array(1024), this.#values.length);
    column[at] = bits;
    this.#words[word] = column;
  }

  /** The list; nothing may be added afterwards. */
  finish(): RangeList {
    if (this.#size === 0) this.add(0, 0, 0, 0, 0);
    return {
      size: this.#size,
      words: this.#words.map((column) => column && grown(column, this.#size).subarray(0, this.#size)),
      values: this.#values.subarray(0, this.#size),
    };
  }
}

/** A list in which nothing is known. */
export const emptyRangeList = (): RangeList => new RangeListBuilder().finish();

/** Whether a list knows nothing. */
export const isEmpty = (list: RangeList): boolean => list.size === 1 && list.values[0] === 0;

/** Start word of an entry. */
const wordAt = (list: RangeList, word: number, index: number): number => list.words[word]?.[index] ?? 0;

/** Order of an entry of one list and an entry of another by their starts: negative, 0 or positive. */
function compareStarts(left: RangeList, i: number, right: RangeList, j: number): number {
  for (let word = 0; word < wordCount; word++) {
    const difference = wordAt(left, word, i) - wordAt(right, word, j);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Lays two lists over each other: at every address the result's value is `combine` of the two lists' values there. */
export function overlay(
  left: RangeList,
  right: RangeList,
  combine: (left: number, right: number) => number,
): RangeList {
  const result = new RangeListBuilder();
  let i = 0;
  let j = 0;
  result.add(0, 0, 0, 0, combine(left.values[0], right.values[0]));
  while (i + 1 < left.size || j + 1 < right.size) {
    const order = i + 1 === left.size ? 1 : j + 1 === right.size ? -1 : compareStarts(left, i + 1, right, j + 1);
    if (order <= 0) i++;
    if (order >= 0) j++;
    const [list, at] = order <= 0 ? [left, i] : [right, j];
    result.add(
      wordAt(list, 0, at),
      wordAt(list, 1, at),
      wordAt(list, 2, at),
      wordAt(list, 3, at),
      combine(left.values[i], right.values[j]),
    );
  }
  return result.finish();
}

/**
 * The look-up of an address in ranges, as a tree with 16 bits of the address at each level: a node has sorted pieces, from each of
 * which on a value holds, or another node where the piece is divided further. An entry takes 2 bytes for its piece and 2 or 3
 * for its id.
 */
export class RangeIndex {
  readonly pieces: Uint16Array;
  /** Values, and from `divided` on nodes by their number. */
  readonly ids: IdColumn;
  /** Where the entries of each node end, the root's first. */
  readonly nodeEnds: Uint32Array;
  readonly divided: number;

  constructor({ pieces, ids, nodeEnds, divided }: Pick<RangeIndex, 'pieces' | 'ids' | 'nodeEnds' | 'divided'>) {
    this.pieces = pieces;
    this.ids = ids;
    this.nodeEnds = nodeEnds;
    this.divided = divided;
  }

  /** `divided` is more than every value. */
  static from(list: RangeList, divided: number): RangeIndex {
    const pieces = new Growing(new Uint16Array(list.size));
    const ids = new Growing(new Uint32Array(list.size));
    const nodeEnds: number[] = [];
    const add = (piece: number, id: number) => {
      pieces.push(piece);
      ids.push(id);
    };
    const nodes = [{ from: 0, to: list.size, level: 0, before: 0 }];
    for (const { from, to, level, before } of nodes) {
      // What holds before an entry, and the first piece that nothing says so of: nodes begin at 0, and what divides a piece ends with it.
      let [last, open] = [before, 0];
      for (let at = from; at < to; ) {
        const piece = pieceAt(list, level, at);
        let end = at + 1;
        while (end < to && pieceAt(list, level, end) === piece) end++;
        if (open < piece) add(open, last);
        const isDivided = end - at > 1 || levels.some((other) => other > level && pieceAt(list, other, at) !== 0);
        const id = isDivided
          ? divided + nodes.push({ from: at, to: end, level: level + 1, before: last }) - 1
          : list.values[at];
        add(piece, id);
        last = list.values[end - 1];
        open = isDivided ? piece + 1 : pieceCount;
        at = end;
      }
      if (open < pieceCount) add(open, last);
      nodeEnds.push(pieces.length);
    }
    return new RangeIndex({
      pieces: pieces.finish(),
      ids: IdColumn.from(ids.finish()),
      nodeEnds: Uint32Array.from(nodeEnds),
      divided,
    });
  }

  /** The value at an address; 0 when nothing is known. */
  find(address: IpAddress): number {
    const { pieces, nodeEnds, divided } = this;
    let node = 0;
    for (let at = 0; at < address.length; at += 2) {
      const piece = (address[at] << 8) | address[at + 1];
      let low = node === 0 ? 0 : nodeEnds[node - 1];
      let high = nodeEnds[node];
      while (high - low > 1) {
        const middle = (low + high) >>> 1;
        if (pieces[middle] <= piece) low = middle;
        else high = middle;
      }
      const id = this.ids.at(low);
      if (id < divided) return id;
      node = id - divided;
    }
    return 0;
  }
}

const pieceCount = 0x1_0000;
const levels = [0, 1, 2, 3, 4, 5, 6, 7];

/** 16 bits of an entry's start, most significant first. */
const pieceAt = (list: RangeList, level: number, index: number): number =>
  (wordAt(list, level >> 1, index) >>> (level % 2 ? 0 : 16)) & 0xffff;

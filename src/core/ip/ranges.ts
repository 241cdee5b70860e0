import { Growing, IdColumn } from '../columns.ts';
import type { IpAddress } from './address.ts';

/**
 * Ranges of addresses as a gapless sorted list: each entry says where a range starts and which value holds from there
 * up to the next entry's start. 0 is the value of "nothing known". The first entry starts at the lowest address.
 *
 * A start is four 32-bit words, most significant first, of which IPv4 uses one.
 */
export type RangeList = {
  readonly size: number;
  /** Columns of the start's words. */
  readonly words: readonly Uint32Array[];
  readonly values: Uint32Array;
};

const wordCount = 4;

/** Collects ranges in ascending order of their start; neighbours of equal value become one. */
export class RangeListBuilder {
  readonly #words = Array.from({ length: wordCount }, () => new Growing(new Uint32Array(1024)));
  readonly #values = new Growing(new Uint32Array(1024));

  /**
   * Adds a value that applies from this start on. The first call must have the start 0, each later one no lower start than the
   * one before it, whose place it takes if they are the same.
   */
  add(a: number, b: number, c: number, d: number, value: number): void {
    const words = this.#words;
    const values = this.#values;
    const start = [a, b, c, d];
    const last = values.length - 1;
    if (last >= 0 && start.every((bits, word) => words[word].column[last] === bits))
      for (const column of [...words, values]) column.length--;
    if (values.length > 0 && values.column[values.length - 1] === value) return;
    for (let word = 0; word < wordCount; word++) words[word].push(start[word]);
    values.push(value);
  }

  /** The list; nothing may be added afterwards. */
  finish(): RangeList {
    if (this.#values.length === 0) this.add(0, 0, 0, 0, 0);
    const [values, ...words] = [this.#values, ...this.#words].map(({ column, length }) => column.subarray(0, length));
    return { size: values.length, words, values };
  }
}

/** A list in which nothing is known. */
export const emptyRangeList = (): RangeList => new RangeListBuilder().finish();

/** Whether a list knows nothing. */
export const isEmpty = (list: RangeList): boolean => list.size === 1 && list.values[0] === 0;

/** Order of an entry of one list and an entry of another by their starts: negative, 0 or positive. */
function compareStarts(left: RangeList, i: number, right: RangeList, j: number): number {
  for (let word = 0; word < wordCount; word++) {
    const difference = left.words[word][i] - right.words[word][j];
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
    const [{ words }, at] = order <= 0 ? [left, i] : [right, j];
    result.add(words[0][at], words[1][at], words[2][at], words[3][at], combine(left.values[i], right.values[j]));
  }
  return result.finish();
}

/**
 * The look-up of an address in ranges, as a tree with 16 bits of the address at each level: a node has sorted pieces, from each of
 * which on a value holds, or another node where the piece is divided further. An entry takes 2 bytes for its piece and 2 or 3
 * for its id.
 */
export type RangeTree = {
  pieces: Uint16Array;
  /** Values, and from `divided` on nodes by their number. */
  ids: IdColumn;
  /** Where the entries of each node end, the root's first. */
  nodeEnds: Uint32Array;
};

/** The tree of a list; `divided` is more than every value. */
export function rangeTree(list: RangeList, divided: number): RangeTree {
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
  return { pieces: pieces.finish(), ids: IdColumn.from(ids.finish()), nodeEnds: Uint32Array.from(nodeEnds) };
}

/** The value of a tree at an address; 0 when nothing is known. */
export function valueAt({ pieces, ids, nodeEnds }: RangeTree, divided: number, address: IpAddress): number {
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
    const id = ids.at(low);
    if (id < divided) return id;
    node = id - divided;
  }
  return 0;
}

const pieceCount = 0x1_0000;
const levels = [0, 1, 2, 3, 4, 5, 6, 7];

/** 16 bits of an entry's start, most significant first. */
const pieceAt = (list: RangeList, level: number, index: number): number =>
  (list.words[level >> 1][index] >>> (level % 2 ? 0 : 16)) & 0xffff;

/**
 * The look-up of an IPv6 address in ranges. Nearly every range starts and ends on a /64, so the main table knows the
 * upper 64 bits only. A /64 that is itself divided carries a mark there, and its parts stand in a small table of whole
 * starts.
 */

import { IdColumn } from '../id-column.ts';
import { RangeBlocks } from './range-blocks.ts';
import { type RangeList, RangeListBuilder, wordAt } from './range-list.ts';

// The look-up of an IPv4 address in ranges: a table says for the upper 16 bits which entries begin there, a binary
// search among those settles the lower 16. An entry takes 2 bytes for its start and 2 or 3 for its value.

const blocks = 0x1_0000;

export class Ipv4Index {
  /** For each value of the upper 16 bits the first entry that starts there or later; one more for the end. */
  readonly firstOfBlock: Uint32Array;
  /** Lower 16 bits of each entry's start. */
  readonly starts: Uint16Array;
  readonly ids: IdColumn;

  constructor(firstOfBlock: Uint32Array, starts: Uint16Array, ids: IdColumn) {
    this.firstOfBlock = firstOfBlock;
    this.starts = starts;
    this.ids = ids;
  }

  static from(list: RangeList): Ipv4Index {
    const full = list.words[0]!;
    const firstOfBlock = new Uint32Array(blocks + 1);
    let block = 0;
    for (let i = 0; i < list.size; i++) {
      const upper = full[i] >>> 16;
      while (block <= upper) firstOfBlock[block++] = i;
    }
    firstOfBlock.fill(list.size, block);
    return new Ipv4Index(firstOfBlock, Uint16Array.from(full.subarray(0, list.size)), IdColumn.from(list.values));
  }

  /** The value at an address given as an unsigned 32-bit number; 0 when nothing is known. */
  find(address: number): number {
    const upper = address >>> 16;
    const lower = address & 0xffff;
    const { starts } = this;
    let low = this.firstOfBlock[upper];
    let high = this.firstOfBlock[upper + 1];
    // The first entry after the address; the one before it holds, be it of an earlier block.
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (starts[middle] <= lower) low = middle + 1;
      else high = middle;
    }
    return this.ids.at(low - 1);
  }
}

/** The columns of an index, as a file keeps them. */
type Ipv6Columns = {
  /** The upper 64 bits of each start. */
  blocks: RangeBlocks;
  /** The value that marks a divided /64. */
  divided: number;
  /** Starts of the parts of divided /64s, four words each, and their values. */
  partStarts: Uint32Array;
  partIds: Uint32Array;
};

export class Ipv6Index {
  readonly columns: Ipv6Columns;

  constructor(columns: Ipv6Columns) {
    this.columns = columns;
  }

  static from(list: RangeList): Ipv6Index {
    let largest = 0;
    for (const value of list.values) if (value > largest) largest = value;
    const divided = largest + 1;
    const { main, parts } = divide(list, divided);
    const [upper, lower] = [0, 1].map((word) => main.words[word] ?? new Uint32Array(main.size));
    return new Ipv6Index({
      blocks: RangeBlocks.from(upper, lower, main.values),
      divided,
      partStarts: Uint32Array.from(parts.starts),
      partIds: Uint32Array.from(parts.ids),
    });
  }

  /** The value at an address given as four unsigned 32-bit words; 0 when nothing is known. */
  find(a: number, b: number, c: number, d: number): number {
    const { blocks, divided } = this.columns;
    const id = blocks.find(a, b);
    return id === divided ? this.#findPart(a, b, c, d) : id;
  }

  #findPart(a: number, b: number, c: number, d: number): number {
    const { partStarts, partIds } = this.columns;
    let low = 0;
    let high = partIds.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const at = middle * 4;
      const difference =
        partStarts[at] - a || partStarts[at + 1] - b || partStarts[at + 2] - c || partStarts[at + 3] - d;
      if (difference <= 0) low = middle + 1;
      else high = middle;
    }
    return partIds[low - 1];
  }
}

/** Takes the divided /64s out of a list: the list with a mark in their place, and their parts. */
function divide(list: RangeList, divided: number): { main: RangeList; parts: { starts: number[]; ids: number[] } } {
  const main = new RangeListBuilder();
  const parts: { starts: number[]; ids: number[] } = { starts: [], ids: [] };
  for (let i = 0; i < list.size; ) {
    const a = wordAt(list, 0, i);
    const b = wordAt(list, 1, i);
    let end = i;
    while (end < list.size && wordAt(list, 0, end) === a && wordAt(list, 1, end) === b) end++;
    const startsInside = wordAt(list, 2, i) !== 0 || wordAt(list, 3, i) !== 0;
    if (end - i === 1 && !startsInside) {
      main.add(a, b, 0, 0, list.values[i]);
    } else {
      // What holds at the start of this /64 may start in an earlier one.
      if (startsInside) push(parts, [a, b, 0, 0], list.values[i - 1]);
      for (let j = i; j < end; j++) push(parts, [a, b, wordAt(list, 2, j), wordAt(list, 3, j)], list.values[j]);
      main.add(a, b, 0, 0, divided);
      // The last part goes on after this /64, unless another entry starts in the very next one.
      const nextB = (b + 1) >>> 0;
      const nextA = nextB === 0 ? a + 1 : a;
      const isNextListed = end < list.size && wordAt(list, 0, end) === nextA && wordAt(list, 1, end) === nextB;
      if (nextA <= 0xffffffff && !isNextListed) main.add(nextA, nextB, 0, 0, list.values[end - 1]);
    }
    i = end;
  }
  return { main: main.finish(), parts };
}

function push(parts: { starts: number[]; ids: number[] }, start: number[], id: number): void {
  parts.starts.push(...start);
  parts.ids.push(id);
}

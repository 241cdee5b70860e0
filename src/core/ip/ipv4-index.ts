/**
 * The look-up of an IPv4 address in ranges: a table says for the upper 16 bits which entries begin there, a binary
 * search among those settles the lower 16. An entry takes 2 bytes for its start and 2 or 3 for its value.
 */
import { IdColumn } from '../id-column.ts';
import type { RangeList } from './range-list.ts';

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

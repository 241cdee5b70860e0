/**
 * A column of the numbers of postal codes (see key.ts) in 5 bytes each instead of 8: the first six digits, which hold the
 * whole code in most countries, and the last four only for blocks of rows that have longer codes.
 */
import { base, maxKeyDigits } from './key.ts';

const upperDigits = 6;
const lowerBase = base ** (maxKeyDigits - upperDigits);
const blockBits = 8;
const blockSize = 1 << blockBits;

export class PostalKeyColumn {
  readonly #upper: Uint32Array;
  /** The last digits by block; undefined where all are 0. */
  readonly #lower: (Uint32Array | undefined)[] = [];

  /** `keys` is not kept. */
  constructor(keys: Float64Array) {
    this.#upper = new Uint32Array(keys.length);
    for (let start = 0; start < keys.length; start += blockSize) {
      const end = Math.min(keys.length, start + blockSize);
      let block: Uint32Array | undefined;
      for (let row = start; row < end; row++) {
        const upper = Math.floor(keys[row] / lowerBase);
        const lower = keys[row] - upper * lowerBase;
        this.#upper[row] = upper;
        if (lower > 0) (block ??= new Uint32Array(blockSize))[row - start] = lower;
      }
      this.#lower.push(block);
    }
  }

  /** The number at a row. */
  at(row: number): number {
    return this.#upper[row] * lowerBase + this.#lowerAt(row);
  }

  /** First row in [start, end) whose number is not smaller than one; `end` when there is none. The rows ascend. */
  firstRow(start: number, end: number, wanted: number): number {
    const upper = Math.floor(wanted / lowerBase);
    const lower = wanted - upper * lowerBase;
    let from = start;
    for (let to = end; from < to; ) {
      const middle = (from + to) >>> 1;
      const other = this.#upper[middle];
      if (other < upper || (other === upper && this.#lowerAt(middle) < lower)) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  #lowerAt(row: number): number {
    const block = this.#lower[row >>> blockBits];
    return block === undefined ? 0 : block[row & (blockSize - 1)];
  }
}

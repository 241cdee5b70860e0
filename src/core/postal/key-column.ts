/**
 * A column of the numbers of postal codes (see key.ts) in 5 bytes each instead of 8: the first six digits, which hold the
 * whole code in most countries, and the last four only for blocks of rows that have longer codes.
 */
import { maxCodeLength } from './code.ts';

// Compact postal codes as numbers that sort as the codes do, so that a column of them allows binary search: ten base-37
// digits, `0`–`9` and `A`–`Z` as 1–36, the missing ones at the end as 0. 37^10 < 2^53, so it is exact.

/** Base and number of digits of such a number. */
const base = 37;
const maxKeyDigits = maxCodeLength;
/** The upper and the lower five digits. */
const halfBase = base ** 5;
const signs = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** The number of a compact code (1 to 10 letters and digits); NaN when it is none. */
export function postalKey(code: string): number {
  if (code.length === 0 || code.length > maxCodeLength) return Number.NaN;
  let key = 0;
  for (let at = 0; at < maxCodeLength; at++) {
    let digit = 0;
    if (at < code.length) {
      const sign = code.charCodeAt(at);
      if (sign >= 48 && sign <= 57) digit = sign - 47;
      else if (sign >= 65 && sign <= 90) digit = sign - 54;
      else return Number.NaN;
    }
    key = key * base + digit;
  }
  return key;
}

/** The compact code of a number that postalKey made. */
export function codeOfKey(key: number): string {
  // In two halves, each within 32 bits: a remainder of whole numbers is several times as fast as one of floating ones.
  const first = Math.floor(key / halfBase);
  return codeOfHalf(first) + codeOfHalf(key - first * halfBase);
}

function codeOfHalf(half: number): string {
  let code = '';
  for (let rest = half | 0; rest > 0; rest = (rest / base) | 0) {
    const digit = (rest % base) | 0;
    if (digit > 0) code = signs[digit - 1] + code;
  }
  return code;
}

const upperDigits = 6;
const lowerBase = base ** (maxKeyDigits - upperDigits);
const blockBits = 8;
const blockSize = 1 << blockBits;

/** The columns, as a pack holds them. */
type PostalKeyColumns = {
  /** The first digits. */
  upper: Uint32Array;
  /** By block, which block of `lower` has the last digits, counted from 1; 0 where all of them are 0. */
  lowerOf: Uint32Array;
  lower: Uint32Array;
};

export class PostalKeyColumn {
  readonly columns: PostalKeyColumns;

  constructor(columns: PostalKeyColumns) {
    this.columns = columns;
  }

  static from(keys: Float64Array): PostalKeyColumn {
    const upper = Uint32Array.from(keys, (key) => Math.floor(key / lowerBase));
    const lowerOf = new Uint32Array(Math.ceil(keys.length / blockSize));
    const lower: number[] = [];
    for (const block of lowerOf.keys()) {
      const rows = Array.from({ length: blockSize }, (_, at) => (block << blockBits) + at);
      const digits = rows.map((row) => (row < keys.length ? keys[row] - upper[row] * lowerBase : 0));
      if (digits.some((digit) => digit > 0)) lowerOf[block] = lower.push(...digits) / blockSize;
    }
    return new PostalKeyColumn({ upper, lowerOf, lower: Uint32Array.from(lower) });
  }

  /** The number at a row. */
  at(row: number): number {
    return this.columns.upper[row] * lowerBase + this.#lowerAt(row);
  }

  /** First row in [start, end) whose number is not smaller than one; `end` when there is none. The rows ascend. */
  firstRow(start: number, end: number, wanted: number): number {
    const column = this.columns.upper;
    const upper = Math.floor(wanted / lowerBase);
    const lower = wanted - upper * lowerBase;
    let from = start;
    for (let to = end; from < to; ) {
      const middle = (from + to) >>> 1;
      const other = column[middle];
      if (other < upper || (other === upper && this.#lowerAt(middle) < lower)) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  #lowerAt(row: number): number {
    const { lowerOf, lower } = this.columns;
    const block = lowerOf[row >>> blockBits];
    return block === 0 ? 0 : lower[((block - 1) << blockBits) + (row & (blockSize - 1))];
  }
}

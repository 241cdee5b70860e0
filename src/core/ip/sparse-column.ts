/**
 * 16-bit numbers most of which are 0: a bit for each shows whether it is not 0, and only non-zero ones are stored.
 * Before each 32 bits stands how many came before them, so that a look-up counts the bits of one word.
 */
export class SparseColumn {
  readonly #isSet: Uint32Array;
  readonly #before: Uint32Array;
  readonly #values: Uint16Array;

  private constructor(isSet: Uint32Array, before: Uint32Array, values: Uint16Array) {
    this.#isSet = isSet;
    this.#before = before;
    this.#values = values;
  }

  /** Of the lower 16 bits of numbers. */
  static from(numbers: Uint32Array): SparseColumn {
    const words = (numbers.length + 31) >>> 5;
    const isSet = new Uint32Array(words);
    const before = new Uint32Array(words);
    let count = 0;
    for (let at = 0; at < numbers.length; at++) {
      if ((at & 31) === 0) before[at >>> 5] = count;
      if ((numbers[at] & 0xffff) === 0) continue;
      isSet[at >>> 5] |= 1 << (at & 31);
      count++;
    }
    const values = new Uint16Array(count);
    let next = 0;
    for (let at = 0; next < count; at++) if ((numbers[at] & 0xffff) !== 0) values[next++] = numbers[at];
    return new SparseColumn(isSet, before, values);
  }

  /** The number at a position in [0, size). */
  at(index: number): number {
    const word = this.#isSet[index >>> 5];
    const bit = index & 31;
    if (((word >>> bit) & 1) === 0) return 0;
    return this.#values[this.#before[index >>> 5] + bitsOf(word & ((1 << bit) - 1))];
  }
}

/** How many bits of a word are set (Warren, Hacker's Delight, 2nd ed., 5-1). */
function bitsOf(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

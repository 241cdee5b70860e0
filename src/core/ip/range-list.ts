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
  #capacity = 1024;
  #size = 0;
  #words: (Uint32Array | undefined)[] = [new Uint32Array(1024), undefined, undefined, undefined];
  #values = new Uint32Array(1024);

  /**
   * Adds a value that applies from this start on. The first call must have the start 0, each later one a higher start.
   */
  add(a: number, b: number, c: number, d: number, value: number): void {
    const at = this.#size;
    if (at > 0 && this.#values[at - 1] === value) return;
    if (at === this.#capacity) this.#grow();
    this.#set(0, at, a);
    this.#set(1, at, b);
    this.#set(2, at, c);
    this.#set(3, at, d);
    this.#values[at] = value;
    this.#size = at + 1;
  }

  #set(word: number, at: number, bits: number): void {
    // Columns begin as zeros, and pages of them that nobody writes to take no memory.
    if (bits === 0) return;
    this.#words[word] ??= new Uint32Array(this.#capacity);
    this.#words[word][at] = bits;
  }

  #grow(): void {
    this.#capacity = Math.ceil(this.#capacity * 1.5);
    this.#words = this.#words.map((column) => column && enlarged(column, this.#capacity));
    this.#values = enlarged(this.#values, this.#capacity);
  }

  /** The list; nothing may be added afterwards. */
  finish(): RangeList {
    if (this.#size === 0) this.add(0, 0, 0, 0, 0);
    return {
      size: this.#size,
      words: this.#words.map((column) => column?.subarray(0, this.#size)),
      values: this.#values.subarray(0, this.#size),
    };
  }
}

function enlarged(column: Uint32Array, capacity: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(capacity);
  larger.set(column);
  return larger;
}

/** A list in which nothing is known. */
export const emptyRangeList = (): RangeList => new RangeListBuilder().finish();

/** Whether a list knows nothing. */
export const isEmpty = (list: RangeList): boolean => list.size === 1 && list.values[0] === 0;

/** Start word of an entry. */
export const wordAt = (list: RangeList, word: number, index: number): number => list.words[word]?.[index] ?? 0;

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

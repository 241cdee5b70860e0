import { grown, IdColumn } from '../columns.ts';

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
   * Adds a value that applies from this start on. The first call must have the start 0, each later one a higher start.
   */
  add(a: number, b: number, c: number, d: number, value: number): void {
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

  #set(word: number, at: number, bits: number): void {
    // Columns begin as zeros, and pages of them that nobody writes to take no memory.
    if (bits === 0) return;
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
 * A sorted list of starts (64 bits, as two words) with a value each, in blocks of 64 entries. Most ranges of a database of
 * addresses are as long as the one before, and few values follow each other, so that an entry takes 3 bytes in place of 5
 * to 9: a binary search over the first starts of the blocks finds the block, which is then read up to the entry.
 *
 * A block is the number of its distinct values, these values, and a byte for each entry: the number of its value in the
 * lowest six bits, and in the upper two how far its start is from the one before, in units of 65,536 (a /48): 0 one unit,
 * 1 and 2 as many as the next one or two bytes hold. With 3 the next byte has the form of a rarer step, see `rareStep`.
 */
type RangeBlockColumns = {
  /** Start of the first entry of each block, two words each. */
  heads: Uint32Array;
  /** Where each block begins in `bytes`; one more for the end. */
  offsets: Uint32Array;
  bytes: Uint8Array;
  /** How many entries there are. */
  size: number;
  /** 3 or 4: how many bytes a value takes. */
  valueBytes: number;
};

const blockBits = 6;
const blockSize = 1 << blockBits;
const unit = 0x1_0000;
const isRare = 3;
/** Forms of rarer steps: one to four bytes that are added, one that is added to the upper word, both words anew. */
const rareStep = { fine: 0, nextUpper: 4, bothWords: 5 } as const;
/** By the form of a step: what is added to the bytes read, and which bits of the next two they are. */
const stepBase = Uint32Array.of(1, 0, 0);
const stepMask = Uint32Array.of(0, 0xff, 0xffff);

export class RangeBlocks {
  readonly columns: RangeBlockColumns;

  constructor(columns: RangeBlockColumns) {
    this.columns = columns;
  }

  /** Of ascending starts, the first of which is 0, and their values. */
  static from(upper: Uint32Array, lower: Uint32Array, values: Uint32Array): RangeBlocks {
    const size = values.length;
    const blocks = Math.ceil(size / blockSize);
    const heads = new Uint32Array(blocks * 2);
    const offsets = new Uint32Array(blocks + 1);
    const valueBytes = values.some((value) => value >= 0x100_0000) ? 4 : 3;
    // No entry takes more than its value, two bytes of form, and two words; a block one byte more.
    const bytes = Buffer.alloc(size * (valueBytes + 10) + blocks);
    let end = 0;
    const put: Put = (number, width) => {
      if (width > 0) end = bytes.writeUIntLE(number, end, width);
    };
    for (let block = 0; block < blocks; block++) {
      const first = block << blockBits;
      const own = values.subarray(first, first + blockSize);
      const distinct = [...new Set(own)];
      heads.set([upper[first], lower[first]], block * 2);
      offsets[block] = end;
      put(distinct.length, 1);
      for (const value of distinct) put(value, valueBytes);
      for (const [entry, value] of own.entries()) {
        const number = distinct.indexOf(value);
        if (entry === 0) put(number, 1);
        else putEntry(put, number, upper, lower, first + entry);
      }
    }
    offsets[blocks] = end;
    return new RangeBlocks({ heads, offsets, bytes: new Uint8Array(bytes.subarray(0, end)), size, valueBytes });
  }

  /** The value of the last entry that starts at an address, given as two words, or before it. */
  find(a: number, b: number): number {
    const { heads, offsets, bytes, size, valueBytes } = this.columns;
    let low = 1;
    let high = heads.length >>> 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const head = heads[middle * 2];
      if (head < a || (head === a && heads[middle * 2 + 1] <= b)) low = middle + 1;
      else high = middle;
    }
    const block = low - 1;
    let upper = heads[block * 2];
    let lower = heads[block * 2 + 1];
    const start = offsets[block];
    let at = start + 1 + bytes[start] * valueBytes;
    let found = bytes[at++];
    for (let left = Math.min(blockSize, size - (block << blockBits)) - 1; left > 0; left--) {
      const entry = bytes[at++];
      const form = entry >>> 6;
      if (form < isRare) {
        // Without a branch for each form, as they follow each other at random.
        lower += (stepBase[form] + ((bytes[at] | (bytes[at + 1] << 8)) & stepMask[form])) * unit;
        at += form;
      } else {
        const rare = bytes[at++];
        if (rare < rareStep.nextUpper) {
          const width = rare + 1;
          lower += numberAt(bytes, at, width);
          at += width;
        } else if (rare === rareStep.nextUpper) {
          upper += bytes[at++];
          lower = 0;
        } else {
          upper = numberAt(bytes, at, 4);
          lower = numberAt(bytes, at + 4, 4);
          at += 8;
        }
      }
      if (upper > a || (upper === a && lower > b)) break;
      found = entry;
    }
    return numberAt(bytes, start + 1 + (found & (blockSize - 1)) * valueBytes, valueBytes);
  }
}

/** Adds a little-endian number of so many bytes. */
type Put = (number: number, width: number) => void;

/** Writes the entry at a position of the starts, as its step from the one before it. */
function putEntry(put: Put, number: number, upper: Uint32Array, lower: Uint32Array, at: number): void {
  const upperStep = upper[at] - upper[at - 1];
  const step = lower[at] - lower[at - 1];
  const units = step / unit;
  if (upperStep === 0 && Number.isInteger(units) && units <= 0xffff) {
    const form = units === 1 ? 0 : units < 256 ? 1 : 2;
    put(number | (form << blockBits), 1);
    put(units, form);
    return;
  }
  put(number | (isRare << blockBits), 1);
  if (upperStep === 0) {
    const width = Math.ceil((32 - Math.clz32(step)) / 8);
    put(rareStep.fine + width - 1, 1);
    put(step, width);
  } else if (lower[at] === 0 && upperStep < 256) {
    put(rareStep.nextUpper, 1);
    put(upperStep, 1);
  } else {
    put(rareStep.bothWords, 1);
    put(upper[at], 4);
    put(lower[at], 4);
  }
}

/** A little-endian number of 1 to 4 bytes. */
function numberAt(bytes: Uint8Array, at: number, width: number): number {
  let value = bytes[at];
  if (width > 1) value |= bytes[at + 1] << 8;
  if (width > 2) value |= bytes[at + 2] << 16;
  return width > 3 ? (value | (bytes[at + 3] << 24)) >>> 0 : value;
}

// The look-up of an IPv6 address in ranges. Nearly every range starts and ends on a /64, so the main table knows the
// upper 64 bits only. A /64 that is itself divided carries a mark there, and its parts stand in a small table of whole
// starts.

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

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
    const writer = new ByteWriter(size * (valueBytes + 10) + blocks);
    for (let block = 0; block < blocks; block++) {
      const first = block << blockBits;
      const own = values.subarray(first, first + blockSize);
      const distinct = [...new Set(own)];
      heads.set([upper[first], lower[first]], block * 2);
      offsets[block] = writer.end;
      writer.put(distinct.length, 1);
      for (const value of distinct) writer.put(value, valueBytes);
      for (const [entry, value] of own.entries()) {
        const number = distinct.indexOf(value);
        if (entry === 0) writer.put(number, 1);
        else putEntry(writer, number, upper, lower, first + entry);
      }
    }
    offsets[blocks] = writer.end;
    return new RangeBlocks({ heads, offsets, bytes: writer.written(), size, valueBytes });
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

/** Writes the entry at a position of the starts, as its step from the one before it. */
function putEntry(writer: ByteWriter, number: number, upper: Uint32Array, lower: Uint32Array, at: number): void {
  const upperStep = upper[at] - upper[at - 1];
  const step = lower[at] - lower[at - 1];
  const units = step / unit;
  if (upperStep === 0 && Number.isInteger(units) && units <= 0xffff) {
    const form = units === 1 ? 0 : units < 256 ? 1 : 2;
    writer.put(number | (form << blockBits), 1);
    writer.put(units, form);
    return;
  }
  writer.put(number | (isRare << blockBits), 1);
  if (upperStep === 0) {
    const width = Math.ceil((32 - Math.clz32(step)) / 8);
    writer.put(rareStep.fine + width - 1, 1);
    writer.put(step, width);
  } else if (lower[at] === 0 && upperStep < 256) {
    writer.put(rareStep.nextUpper, 1);
    writer.put(upperStep, 1);
  } else {
    writer.put(rareStep.bothWords, 1);
    writer.put(upper[at], 4);
    writer.put(lower[at], 4);
  }
}

/** Bytes that are filled from the beginning on. */
class ByteWriter {
  readonly #bytes: Uint8Array;
  end = 0;

  constructor(capacity: number) {
    this.#bytes = new Uint8Array(capacity);
  }

  /** Adds a little-endian number. */
  put(number: number, width: number): void {
    for (let left = number, count = 0; count < width; count++, left = Math.floor(left / 256))
      this.#bytes[this.end++] = left;
  }

  written(): Uint8Array {
    return this.#bytes.slice(0, this.end);
  }
}

/** A little-endian number of 1 to 4 bytes. */
function numberAt(bytes: Uint8Array, at: number, width: number): number {
  let value = bytes[at];
  if (width > 1) value |= bytes[at + 1] << 8;
  if (width > 2) value |= bytes[at + 2] << 16;
  return width > 3 ? (value | (bytes[at + 3] << 24)) >>> 0 : value;
}

/**
 * The first letters of every 16th key of a name index, 8 bytes each and contiguous. A binary search of the keys alone
 * has two cache misses at nearly every step, which took most of the time of a search; here it stays within a few
 * hundred KB until it has reached one block of keys.
 */
import { firstPast } from '../../../core/columns.ts';
import type { KeyText } from './key-text.ts';

const blockBits = 4;
/** Pairs of letters below this have a directory entry: ASCII, with which nine of ten names begin. */
const directoryLetters = 0x80;

export type BlockColumns = {
  /** Two words for each block, ascending. */
  blockHeads: Uint32Array;
  /** The first block that may contain keys with a given pair of first letters; one more entry for the end. */
  blockDirectory: Uint32Array;
};

/** The columns of a block index of keys. */
export function blockColumns(keys: KeyText): BlockColumns {
  const blocks = Math.ceil(keys.size / (1 << blockBits));
  const blockHeads = new Uint32Array(blocks * 2);
  const blockDirectory = new Uint32Array(directoryLetters * directoryLetters + 1);
  let pair = 0;
  for (let block = 0; block < blocks; block++) {
    const text = keys.text(block << blockBits);
    const high = highWord(text, 0);
    blockHeads[block * 2] = high;
    blockHeads[block * 2 + 1] = lowWord(text, 0);
    const own = pairOf(high);
    while (pair <= own) blockDirectory[pair++] = block;
  }
  blockDirectory.fill(blocks, pair);
  return { blockHeads, blockDirectory };
}

export class BlockIndex {
  /** The first and last possible position of the key sought. */
  from = 0;
  to = 0;
  readonly #size: number;
  readonly #words: Uint32Array;
  readonly #directory: Uint32Array;

  /** An index of `size` keys. */
  constructor(size: number, { blockHeads, blockDirectory }: BlockColumns) {
    this.#size = size;
    this.#words = blockHeads;
    this.#directory = blockDirectory;
  }

  /** Seeks the first key that is not smaller than a text: sets `from` and `to`. */
  seek(text: string): void {
    const high = highWord(text, 0);
    const low = lowWord(text, 0);
    const block = this.#firstNotBelow(high, low);
    this.from = block === 0 ? 0 : ((block - 1) << blockBits) + 1;
    this.to = this.#endOf(block, high, low);
  }

  /** Seeks the first key after all that begin with a text; there may be none. */
  seekEnd(text: string): void {
    const high = highWord(text, 0xffff);
    const low = lowWord(text, 0xffff);
    const block = this.#firstNotBelow(high, low);
    this.to = this.#endOf(block, high, low);
    // A head that contains the whole text implies that the key before is not greater than the keys that begin with it.
    this.from = block > 0 && isWhole(text) ? ((block - 1) << blockBits) + 1 : 0;
  }

  #firstNotBelow(high: number, low: number): number {
    const words = this.#words;
    const pair = pairOf(high);
    const to = pair === directoryLetters * directoryLetters ? words.length >> 1 : this.#directory[pair + 1];
    return firstPast(this.#directory[pair], to, (block) =>
      words[block * 2] === high ? words[block * 2 + 1] >= low : words[block * 2] > high,
    );
  }

  /** The first key of the first block whose head is greater than one; `from` is the first that is not smaller. */
  #endOf(from: number, high: number, low: number): number {
    const words = this.#words;
    const isGreater = (block: number) =>
      block * 2 >= words.length || words[block * 2] > high || words[block * 2 + 1] > low;
    // Few blocks share a head: gallop before bisecting.
    let step = 1;
    let first = from;
    while (!isGreater(first + step - 1)) {
      first += step;
      step *= 2;
    }
    return Math.min(this.#size, firstPast(first, first + step - 1, isGreater) << blockBits);
  }
}

/*
 * A head is a number of 64 bits that never falls from key to key; equal heads say nothing. Of a text that begins with
 * ASCII it is the first eight letters, a byte each, greater ones as 0xff. Of others, which it puts behind those by its
 * first bit, it is the first four letters, but for the last bit. `padding` stands for letters that a text has not.
 */
function highWord(text: string, padding: number): number {
  const first = unit(text, 0, padding);
  return first < directoryLetters
    ? fourBytes(first, byte(text, 1, padding), byte(text, 2, padding), byte(text, 3, padding))
    : (0x80000000 | (first << 15) | (unit(text, 1, padding) >>> 1)) >>> 0;
}

function lowWord(text: string, padding: number): number {
  return unit(text, 0, padding) < directoryLetters
    ? fourBytes(byte(text, 4, padding), byte(text, 5, padding), byte(text, 6, padding), byte(text, 7, padding))
    : ((unit(text, 1, padding) << 31) | (unit(text, 2, padding) << 15) | (unit(text, 3, padding) >>> 1)) >>> 0;
}

/** Whether a head contains the whole text. */
function isWhole(text: string): boolean {
  return text.length < 8 && plainAscii.test(text);
}

const plainAscii = /^[a-z0-9 ]+$/;

/** The first two letters of a head as their place in the directory; the last place for all beyond ASCII. */
function pairOf(high: number): number {
  const first = high >>> 24;
  if (first >= directoryLetters) return directoryLetters * directoryLetters;
  return first * directoryLetters + Math.min((high >>> 16) & 0xff, directoryLetters - 1);
}

const fourBytes = (a: number, b: number, c: number, d: number) => ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
const unit = (text: string, at: number, padding: number) => (at < text.length ? text.charCodeAt(at) : padding);
const byte = (text: string, at: number, padding: number) => Math.min(0xff, unit(text, at, padding));

/**
 * A Bloom filter of the terms of a file, or of pairs of them, so that only parts that may have a term are queried. The bits of one term are
 * in one block of 32 bytes (Putze, Sanders, Singler 2007). It takes 12 bits per term and has about 1% false positives.
 */

const bitsPerTerm = 12;
const wordsPerBlock = 8;
const bitsPerTermInBlock = 6;

export class TermFilter {
  readonly #words: Uint32Array;
  readonly #blocks: number;

  /** An empty filter, or one that was made before; it takes four bytes for each of `words`. */
  constructor(words: Uint32Array) {
    this.#words = words;
    this.#blocks = words.length / wordsPerBlock;
  }

  /** A filter of terms by their 32-bit hashes, with so many bits for each. */
  static of(hashes: ArrayLike<number>, bits = bitsPerTerm): TermFilter {
    const blocks = Math.max(1, Math.ceil((hashes.length * bits) / (32 * wordsPerBlock)));
    const filter = new TermFilter(new Uint32Array(blocks * wordsPerBlock));
    for (let at = 0; at < hashes.length; at++) filter.add(hashes[at]);
    return filter;
  }

  static from(bytes: Uint8Array): TermFilter {
    return new TermFilter(new Uint32Array(bytes.slice().buffer));
  }

  get bytes(): Uint8Array {
    return new Uint8Array(this.#words.buffer);
  }

  /** False if no term has this hash. */
  has(hash: number): boolean {
    const start = this.#startOf(hash);
    let bits = mixed(hash);
    for (let at = 0; at < bitsPerTermInBlock; at++) {
      const bit = (bits >>> 24) & 255;
      if ((this.#words[start + (bit >>> 5)] & (1 << (bit & 31))) === 0) return false;
      bits = Math.imul(bits, 0x9e3779b1) ^ (bits >>> 15);
    }
    return true;
  }

  add(hash: number): void {
    const start = this.#startOf(hash);
    let bits = mixed(hash);
    for (let at = 0; at < bitsPerTermInBlock; at++) {
      const bit = (bits >>> 24) & 255;
      this.#words[start + (bit >>> 5)] |= 1 << (bit & 31);
      bits = Math.imul(bits, 0x9e3779b1) ^ (bits >>> 15);
    }
  }

  #startOf(hash: number): number {
    return Math.floor((Math.imul(hash, 0x85ebca6b) >>> 0) * (this.#blocks / 2 ** 32)) * wordsPerBlock;
  }
}

const mixed = (hash: number) => Math.imul(hash ^ (hash >>> 16), 0x7feb352d) ^ Math.imul(hash, 0x846ca68b);

/** Hash of two terms in either order, by their hashes. */
export const pairHash = (one: number, other: number): number => (mixed(one) + mixed(other)) >>> 0;

export const termHash = (term: string): number => beginningHash(term, term.length);

/** FNV-1a over so many of the first UTF-16 units, 32 bits. */
export function beginningHash(term: string, length: number): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < length; at++) hash = Math.imul(hash ^ term.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

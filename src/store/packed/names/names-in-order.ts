/** The same index as `NameIndex`, for a few look-ups of whole names: by binary search of the file's columns. */
import type { Pack } from '../pack-file.ts';

export class NamesInOrder {
  readonly #text: Uint16Array;
  readonly #textEnds: Uint32Array;
  readonly #postings: Uint32Array;
  readonly #postingEnds: Uint32Array;

  constructor(pack: Pack, prefix: string) {
    this.#text = pack.column(`${prefix}.text`, 'u16');
    this.#textEnds = pack.column(`${prefix}.textEnds`, 'u32');
    this.#postings = pack.column(`${prefix}.postings`, 'u32');
    this.#postingEnds = pack.column(`${prefix}.postingEnds`, 'u32');
  }

  /** The postings of a folded name, ascending; empty where there is no such name. */
  postings(name: string): Uint32Array {
    let low = 0;
    for (let high = this.#textEnds.length; low < high; ) {
      const middle = (low + high) >>> 1;
      if (this.#compare(middle, name) < 0) low = middle + 1;
      else high = middle;
    }
    const isKey = low < this.#textEnds.length && this.#compare(low, name) === 0;
    return isKey
      ? this.#postings.subarray(startOf(this.#postingEnds, low), this.#postingEnds[low])
      : new Uint32Array(0);
  }

  #compare(key: number, name: string): number {
    const from = startOf(this.#textEnds, key);
    const length = this.#textEnds[key] - from;
    for (let at = 0; at < length && at < name.length; at++) {
      const difference = this.#text[from + at] - name.charCodeAt(at);
      if (difference !== 0) return difference;
    }
    return length - name.length;
  }
}

const startOf = (ends: Uint32Array, key: number) => (key === 0 ? 0 : ends[key - 1]);

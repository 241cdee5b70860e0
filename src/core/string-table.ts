/** Strings that a table caches; a power of two. */
const kept = 4096;

/**
 * Many strings in two columns: their UTF-8 bytes end to end, and where each ends. Equal strings given to the builder
 * share one entry.
 */
export class StringTable {
  readonly bytes: Buffer;
  readonly ends: Uint32Array;
  /**
   * Strings decoded last, by the lower bits of their position, and what those positions are. Names of regions and large
   * places come again and again, and to decode one is a call out of JavaScript that costs ten times as much as this.
   */
  readonly #kept = new Array<string>(kept).fill('');
  readonly #keptAt = new Int32Array(kept).fill(-1);

  constructor(bytes: Uint8Array, ends: Uint32Array) {
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.ends = ends;
  }

  get size(): number {
    return this.ends.length;
  }

  /** The string at a position in [0, size). Throws a RangeError elsewhere. */
  at(index: number): string {
    const slot = index & (kept - 1);
    if (this.#keptAt[slot] === index) return this.#kept[slot];
    if (!(index < this.ends.length)) throw new RangeError(`string ${index} of ${this.ends.length}`);
    const text = this.bytes.toString('utf8', index === 0 ? 0 : this.ends[index - 1], this.ends[index]);
    this.#keptAt[slot] = index;
    this.#kept[slot] = text;
    return text;
  }
}

/** Collects strings for a StringTable; `add` returns the position of a string, the same for equal strings. */
export class StringTableBuilder {
  readonly #positions = new Map<string, number>();
  readonly #strings: string[] = [];

  add(text: string): number {
    return this.#positions.getOrInsertComputed(text, () => this.#strings.push(text) - 1);
  }

  finish(): StringTable {
    const ends = new Uint32Array(this.#strings.length);
    let end = 0;
    for (const [index, text] of this.#strings.entries()) ends[index] = end += Buffer.byteLength(text);
    const bytes = Buffer.alloc(end);
    for (const [index, text] of this.#strings.entries()) bytes.write(text, index === 0 ? 0 : ends[index - 1]);
    return new StringTable(bytes, ends);
  }
}

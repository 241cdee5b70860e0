/** The columns of `KeyText`, as a pack holds them: the units of all keys end to end, and where each key ends among them. */
export type KeyColumns = { units: Uint16Array; textEnds: Uint32Array };

/**
 * The sorted keys of a name index, end to end, as UTF-16 code units: they compare with a query's characters directly,
 * nothing is decoded.
 */
export class KeyText {
  /** How many keys there are. */
  readonly size: number;
  readonly #ends: Uint32Array;
  readonly #units: Uint16Array;

  constructor({ units, textEnds }: KeyColumns) {
    this.size = textEnds.length;
    this.#ends = textEnds;
    this.#units = units;
  }

  /** Position of a key's first unit. */
  start(key: number): number {
    return key === 0 ? 0 : this.#ends[key - 1];
  }

  /** Position after a key's last unit. */
  end(key: number): number {
    return this.#ends[key];
  }

  length(key: number): number {
    return this.#ends[key] - this.start(key);
  }

  /** The unit at a position. */
  unit(at: number): number {
    return this.#units[at];
  }

  /** A key as a string. */
  text(key: number): string {
    // A spread visits the units by an iterator.
    return Reflect.apply(String.fromCharCode, null, this.#units.subarray(this.start(key), this.#ends[key]));
  }

  /** Compares a key's beginning with a text: 0 when the key begins with it, negative when the key is smaller. */
  compare(key: number, text: string): number {
    const start = this.start(key);
    const length = this.#ends[key] - start;
    const common = Math.min(length, text.length);
    for (let at = 0; at < common; at++) {
      const difference = this.#units[start + at] - text.charCodeAt(at);
      if (difference !== 0) return difference;
    }
    return length < text.length ? -1 : 0;
  }
}

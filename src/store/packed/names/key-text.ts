import { firstPast } from '../../../core/columns.ts';

/** The columns of `KeyText`, as a pack holds them. */
export type KeyColumns = {
  /** Where each key ends among the units of all. */
  textEnds: Uint32Array;
  /** Units of the keys that begin with a Latin letter; `escaped` for those that do not fit into a byte. */
  narrow: Uint8Array;
  /** Position and unit of each of these, two numbers each. */
  escapes: Uint32Array;
  /** The units of the other keys. */
  wide: Uint16Array;
};

/**
 * The sorted keys of a name index, end to end, as UTF-16 code units: they compare with a query's characters directly,
 * nothing is decoded. Keys that begin with a Latin letter come first in that order and are four fifths of all units;
 * their units take one byte each, with the few larger ones stored separately. That saves 7 MB for the names of the
 * default dataset, and doubles the number of keys per cache line.
 */
export class KeyText {
  /** How many keys there are. */
  readonly size: number;
  readonly #ends: Uint32Array;
  readonly #narrow: Uint8Array;
  /** Units stored as `escaped` in `#narrow`, by position. */
  readonly #escapes = new Map<number, number>();
  /** The units from position `#narrow.length` on. */
  readonly #wide: Uint16Array;

  constructor({ textEnds, narrow, escapes, wide }: KeyColumns) {
    this.size = textEnds.length;
    this.#ends = textEnds;
    this.#narrow = narrow;
    this.#wide = wide;
    for (let at = 0; at < escapes.length; at += 2) this.#escapes.set(escapes[at], escapes[at + 1]);
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
    const narrow = this.#narrow;
    if (at >= narrow.length) return this.#wide[at - narrow.length];
    const unit = narrow[at];
    return unit === escaped ? (this.#escapes.get(at) ?? unit) : unit;
  }

  /** A key as a string. */
  text(key: number): string {
    let text = '';
    for (let at = this.start(key); at < this.#ends[key]; at++) text += String.fromCharCode(this.unit(at));
    return text;
  }

  /** Compares a key's beginning with a text: 0 when the key begins with it, negative when the key is smaller. */
  compare(key: number, text: string): number {
    const start = this.start(key);
    const length = this.#ends[key] - start;
    const common = Math.min(length, text.length);
    for (let at = 0; at < common; at++) {
      const difference = this.unit(start + at) - text.charCodeAt(at);
      if (difference !== 0) return difference;
    }
    return length < text.length ? -1 : 0;
  }
}

/** Placeholder for a unit that does not fit into a byte. */
const escaped = 0xff;
const afterLatin1 = 0x100;

/** The columns of sorted keys: their units end to end, and where each ends. */
export function keyColumns(units: Uint16Array, textEnds: Uint32Array): KeyColumns {
  const wideFrom = firstWide(units, textEnds);
  const escapes: number[] = [];
  const narrow = Uint8Array.from(units.subarray(0, wideFrom), (unit, at) => {
    if (unit < escaped) return unit;
    escapes.push(at, unit);
    return escaped;
  });
  return { textEnds, narrow, escapes: Uint32Array.from(escapes), wide: units.slice(wideFrom) };
}

/** Position of the first key that begins with a unit beyond Latin-1. */
function firstWide(units: Uint16Array, ends: Uint32Array): number {
  const startOf = (key: number) => (key === 0 ? 0 : ends[key - 1]);
  // The empty key, if there is one, is the first of all.
  return startOf(firstPast(0, ends.length, (key) => startOf(key) < ends[key] && units[startOf(key)] >= afterLatin1));
}

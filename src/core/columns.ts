/** The first position in [from, to) that is past a border, which all positions behind it are too; `to` if none is. */
export function firstPast(from: number, to: number, isPast: (at: number) => boolean): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isPast(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

type Growable = Float64Array | Uint32Array | Int32Array | Uint16Array | Uint8Array;

/** The column itself, or a copy of at least twice its length that can hold `length` values. */
export function grown<T extends Growable>(column: T, length: number): T {
  if (length <= column.length) return column;
  const Columns = column.constructor as new (length: number) => T;
  const larger = new Columns(Math.max(length, column.length * 2));
  larger.set(column);
  return larger;
}

/** A column that grows at its end. */
export class Growing<T extends Growable> {
  length = 0;
  /** Its numbers, and room for more. */
  column: T;

  constructor(room: T) {
    this.column = room;
  }

  push(number: number): void {
    this.column = grown(this.column, this.length + 1);
    this.column[this.length++] = number;
  }

  finish(): T {
    return this.column.slice(0, this.length) as T;
  }
}

/**
 * Numbers in 0 to 4 bytes each, whatever the largest needs: 16 low bits, and a column of high bits where there are
 * some. All-zero columns take no memory.
 */
export class IdColumn {
  readonly low: Uint16Array;
  readonly high: Uint8Array | Uint16Array | undefined;

  constructor(low: Uint16Array, high: Uint8Array | Uint16Array | undefined) {
    this.low = low;
    this.high = high;
  }

  static from(values: Uint32Array): IdColumn {
    let largest = 0;
    for (const value of values) if (value > largest) largest = value;
    if (largest === 0) return new IdColumn(new Uint16Array(0), undefined);
    const low = Uint16Array.from(values);
    if (largest < 0x1_0000) return new IdColumn(low, undefined);
    const high = largest < 0x100_0000 ? new Uint8Array(values.length) : new Uint16Array(values.length);
    for (let i = 0; i < values.length; i++) high[i] = values[i] >>> 16;
    return new IdColumn(low, high);
  }

  at(index: number): number {
    if (this.low.length === 0) return 0;
    return this.high === undefined ? this.low[index] : (this.high[index] << 16) | this.low[index];
  }
}

/**
 * A set of whole numbers that may have others too: a bit for each, by its remainder. Numbers that follow each other have bits in one byte
 * or the next.
 */
export class NumberFilter {
  readonly #bits: Uint8Array;

  constructor(bytes: number) {
    this.#bits = new Uint8Array(bytes);
  }

  add(number: number): void {
    this.#bits[this.#byteOf(number)] |= 1 << (number & 7);
  }

  /** False if the number was not added. */
  mayHave(number: number): boolean {
    return (this.#bits[this.#byteOf(number)] & (1 << (number & 7))) !== 0;
  }

  #byteOf(number: number): number {
    return Math.floor(Math.abs(number) / 8) % this.#bits.length;
  }
}

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

  at(index: number): string {
    return this.#strings[index];
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

import type { PlaceFacts } from '../../gazetteer.ts';

/** The first four words, which no line of the processor's cache divides, are what candidates are judged by. */
const wordOf = { prominence: 0, admin1: 1, admin2: 2, small: 3, lat: 4, lng: 5, population: 6, id: 7 } as const;
type Field = Exclude<keyof typeof wordOf, 'small'>;
const rowWords = 8;

/**
 * The facts of places and features, by position; in each part position order is falling prominence. The facts of a
 * place are contiguous: an answer reads nearly all of them, and as columns that took a dozen cache misses per place.
 */
export class PlaceTable implements PlaceFacts {
  readonly size: number;
  readonly #words: Int32Array;
  readonly #floats: Float32Array;
  /** Columns that only records read. */
  readonly #name: Uint32Array;
  readonly #source: Uint8Array;

  constructor(name: Uint32Array, source: Uint8Array) {
    this.size = name.length;
    this.#name = name;
    this.#source = source;
    this.#words = new Int32Array(this.size * rowWords);
    this.#floats = new Float32Array(this.#words.buffer);
  }

  /** Fills in one field of all places. */
  set(field: Field, column: Uint32Array | Int32Array | Float32Array): void {
    const rows = column instanceof Float32Array ? this.#floats : this.#words;
    for (let index = 0, at = wordOf[field]; index < this.size; index++, at += rowWords) rows[at] = column[index];
  }

  /** Fills in the fields that are small numbers. */
  setSmall(type: Uint8Array, country: Uint8Array, timezone: Uint16Array): void {
    for (let index = 0, at = wordOf.small; index < this.size; index++, at += rowWords) {
      this.#words[at] = type[index] | (country[index] << 8) | (timezone[index] << 16);
    }
  }

  /** Identifier, which breaks ties. */
  id(index: number): number {
    return this.#words[index * rowWords + wordOf.id] >>> 0;
  }

  /** Millionths of a degree. */
  lat(index: number): number {
    return this.#words[index * rowWords + wordOf.lat];
  }

  /** Millionths of a degree. */
  lng(index: number): number {
    return this.#words[index * rowWords + wordOf.lng];
  }

  population(index: number): number {
    return this.#words[index * rowWords + wordOf.population] >>> 0;
  }

  prominence(index: number): number {
    return this.#floats[index * rowWords + wordOf.prominence];
  }

  /** Region position, -1 when unknown. */
  admin1(index: number): number {
    return this.#words[index * rowWords + wordOf.admin1];
  }

  /** Region position, -1 when unknown. */
  admin2(index: number): number {
    return this.#words[index * rowWords + wordOf.admin2];
  }

  /** Position of the main name in the table of names. */
  name(index: number): number {
    return this.#name[index];
  }

  /** Country number; the name index groups by them. */
  country(index: number): number {
    return (this.#words[index * rowWords + wordOf.small] >>> 8) & 0xff;
  }

  /** Number of the kind of row. */
  type(index: number): number {
    return this.#words[index * rowWords + wordOf.small] & 0xff;
  }

  /** Source number. */
  source(index: number): number {
    return this.#source[index];
  }

  /** Time zone number. */
  timezone(index: number): number {
    return this.#words[index * rowWords + wordOf.small] >>> 16;
  }
}

import type { PlaceFacts } from '../../gazetteer.ts';

const fields = ['id', 'lat', 'lng', 'population', 'prominence', 'admin1', 'admin2', 'name'] as const;
type Field = (typeof fields)[number];
const wordOf = Object.fromEntries(fields.map((field, word) => [field, word])) as Record<Field, number>;
/** Words of a row: one for each field, and one for kind, source and time zone together. */
const rowWords = fields.length + 1;
const smallWord = fields.length;

/**
 * The facts of places and features, by position; in each part position order is falling prominence. The facts of a
 * place are contiguous: an answer reads nearly all of them, and as columns that took a dozen cache misses per place.
 */
export class PlaceTable implements PlaceFacts {
  readonly size: number;
  /** A separate column: a look-up within a country reads only this of most places. */
  readonly #country: Uint8Array;
  readonly #words: Int32Array;
  readonly #floats: Float32Array;

  constructor(country: Uint8Array) {
    this.size = country.length;
    this.#country = country;
    this.#words = new Int32Array(this.size * rowWords);
    this.#floats = new Float32Array(this.#words.buffer);
  }

  /** Fills in one field of all places. */
  set(field: Field, column: Uint32Array | Int32Array | Float32Array): void {
    const rows = column instanceof Float32Array ? this.#floats : this.#words;
    for (let index = 0, at = wordOf[field]; index < this.size; index++, at += rowWords) rows[at] = column[index];
  }

  /** Fills in the fields that are small numbers. */
  setSmall(type: Uint8Array, source: Uint8Array, timezone: Uint16Array): void {
    for (let index = 0, at = smallWord; index < this.size; index++, at += rowWords) {
      this.#words[at] = type[index] | (source[index] << 8) | (timezone[index] << 16);
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
    return this.#words[index * rowWords + wordOf.name] >>> 0;
  }

  /** Country number; the name index groups by them. */
  country(index: number): number {
    return this.#country[index];
  }

  /** Number of the kind of row. */
  type(index: number): number {
    return this.#words[index * rowWords + smallWord] & 0xff;
  }

  /** Source number. */
  source(index: number): number {
    return (this.#words[index * rowWords + smallWord] >>> 8) & 0xff;
  }

  /** Time zone number. */
  timezone(index: number): number {
    return this.#words[index * rowWords + smallWord] >>> 16;
  }
}

import type { PlaceFacts } from '../../gazetteer.ts';

/** The first four words, which no line of the processor's cache divides, are what candidates are judged by. */
const wordOf = { prominence: 0, admin1: 1, admin2: 2, small: 3, lat: 4, lng: 5, population: 6, id: 7 } as const;
const rowWords = 8;

/** The facts of places as columns, each in the order of the places. */
type FactColumns = {
  id: Uint32Array;
  population: Uint32Array;
  prominence: Float32Array;
  lat: Int32Array;
  lng: Int32Array;
  admin1: Int32Array;
  admin2: Int32Array;
  type: Uint8Array;
  country: Uint8Array;
  timezone: Uint16Array;
};

/** The rows of a table, from columns. */
export function placeRows({ type, country, timezone, prominence, ...columns }: FactColumns): Int32Array {
  const rows = new Int32Array(type.length * rowWords);
  const floats = new Float32Array(rows.buffer);
  for (const field of ['id', 'population', 'lat', 'lng', 'admin1', 'admin2'] as const) {
    const column = columns[field];
    for (let index = 0, at: number = wordOf[field]; index < type.length; index++, at += rowWords)
      rows[at] = column[index];
  }
  for (let index = 0, at = 0; index < type.length; index++, at += rowWords) {
    floats[at + wordOf.prominence] = prominence[index];
    rows[at + wordOf.small] = type[index] | (country[index] << 8) | (timezone[index] << 16);
  }
  return rows;
}

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

  /** `rows` are those of `placeRows`. */
  constructor(rows: Int32Array, { name, source }: { name: Uint32Array; source: Uint8Array }) {
    this.size = name.length;
    this.#name = name;
    this.#source = source;
    this.#words = rows;
    this.#floats = new Float32Array(rows.buffer, rows.byteOffset, rows.length);
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

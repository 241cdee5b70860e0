/** The distinct answers that ranges point to: locations, and networks (who runs them). Number 0 is "nothing known". */
import { type StringTable, StringTableBuilder } from '../../../core/string-table.ts';
import type { IpFacts } from '../../../sources/mmdb/fields.ts';
import { type LocationColumns, type NetworkColumns, unknownCoordinate } from '../../../store/packed/ip.ts';

export type Location = Omit<IpFacts, 'asn' | 'isp'>;
export type Network = Pick<IpFacts, 'asn' | 'isp'>;

const microdegrees = (degrees: number | null) => (degrees === null ? unknownCoordinate : Math.round(degrees * 1e6));

/** Strings by number, 0 being null. Shared by both tables. */
export class Texts {
  readonly #builder = new StringTableBuilder();

  constructor() {
    this.#builder.add('');
  }

  add(text: string | null): number {
    return text === null ? 0 : this.#builder.add(text);
  }

  finish(): StringTable {
    return this.#builder.finish();
  }
}

/** Rows of whole numbers, each kept once. */
class Rows {
  readonly width: number;
  readonly #numbers = new Map<string, number>();
  readonly #cells: number[] = [];

  constructor(width: number) {
    this.width = width;
    this.#cells.push(...new Array(width).fill(0));
  }

  get size(): number {
    return this.#numbers.size;
  }

  /** The row's number, from 1. */
  add(row: readonly number[]): number {
    const key = row.join();
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.#numbers.size + 1;
      this.#numbers.set(key, number);
      for (const cell of row) this.#cells.push(cell);
    }
    return number;
  }

  cell(number: number, column: number): number {
    return this.#cells[number * this.width + column];
  }

  /** A column, row 0 included. */
  column(column: number): number[] {
    return Array.from({ length: this.size + 1 }, (_, number) => this.cell(number, column));
  }
}

export class LocationTable {
  readonly #texts: Texts;
  readonly #rows = new Rows(7);

  constructor(texts: Texts) {
    this.#texts = texts;
  }

  get size(): number {
    return this.#rows.size;
  }

  /** Number of a location; 0 when all of it is unknown. */
  add({ country, admin1, city, postalCode, lat, lng, timezone }: Location): number {
    if (country === null && admin1 === null && city === null && postalCode === null && lat === null && !timezone) {
      return 0;
    }
    return this.#rows.add([
      ...[country, admin1, city, postalCode, timezone].map((text) => this.#texts.add(text)),
      microdegrees(lat),
      microdegrees(lng),
    ]);
  }

  /** Number of the country's code among the texts; 0 when unknown. Equal countries have equal numbers. */
  countryNumber(location: number): number {
    return location === 0 ? 0 : this.#rows.cell(location, 0);
  }

  /** The location that is nothing but the country of another. */
  countryOnly(location: number): number {
    return this.#rows.add([this.countryNumber(location), 0, 0, 0, 0, unknownCoordinate, unknownCoordinate]);
  }

  /** A location with the country of another. */
  withCountryOf(location: number, other: number): number {
    const cells = Array.from({ length: 7 }, (_, column) => this.#rows.cell(location, column));
    return this.#rows.add([this.countryNumber(other), ...cells.slice(1)]);
  }

  finish(): LocationColumns {
    const texts = (column: number) => Uint32Array.from(this.#rows.column(column));
    const degrees = (column: number) => {
      const micro = Int32Array.from(this.#rows.column(column));
      micro[0] = unknownCoordinate;
      return micro;
    };
    return {
      country: texts(0),
      admin1: texts(1),
      city: texts(2),
      postalCode: texts(3),
      timezone: texts(4),
      lat: degrees(5),
      lng: degrees(6),
    };
  }
}

export class NetworkTable {
  readonly #texts: Texts;
  readonly #rows = new Rows(2);

  constructor(texts: Texts) {
    this.#texts = texts;
  }

  get size(): number {
    return this.#rows.size;
  }

  /** Number of a network; 0 when all of it is unknown. */
  add({ asn, isp }: Network): number {
    return asn === null && isp === null
      ? 0
      : this.#rows.add([asn === null ? 0 : Number(asn.slice(2)), this.#texts.add(isp)]);
  }

  finish(): NetworkColumns {
    return { asn: Uint32Array.from(this.#rows.column(0)), isp: Uint32Array.from(this.#rows.column(1)) };
  }
}

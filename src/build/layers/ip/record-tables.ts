/** The distinct answers that ranges point to: locations, and networks (who runs them). Number 0 is "nothing known". */
import { type StringTable, StringTableBuilder } from '../../../core/string-table.ts';
import type { IpFacts } from '../../../sources/mmdb/fields.ts';
import {
  type Area,
  type LocationColumns,
  type NetworkColumns,
  unknownCoordinate as unknown,
} from '../../../store/packed/ip.ts';

type Location = Omit<IpFacts, 'asn' | 'isp'>;
type Network = Pick<IpFacts, 'asn' | 'isp'>;

const microdegrees = (degrees: number | null) => (degrees === null ? unknown : Math.round(degrees * 1e6));

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
  /** Area, city, lat, lng, postal code. */
  readonly #rows = new Rows(5);
  readonly #areas: Area[] = [[null, null, null]];
  readonly #areaNumbers = new Map<string, number>();

  constructor(texts: Texts) {
    this.#texts = texts;
  }

  get size(): number {
    return this.#rows.size;
  }

  /** Number of a location; 0 when all of it is unknown. */
  add({ country, admin1, timezone, city, postalCode, lat, lng }: Location): number {
    const area = this.#area([country, admin1, timezone]);
    if (area === 0 && city === null && postalCode === null && lat === null) return 0;
    const texts = this.#texts;
    return this.#rows.add([area, texts.add(city), microdegrees(lat), microdegrees(lng), texts.add(postalCode)]);
  }

  /** Code of a location's country; null when unknown. */
  countryOf(location: number): string | null {
    return this.#areas[location === 0 ? 0 : this.#rows.cell(location, 0)][0];
  }

  /** The location that is nothing but the country of another. */
  countryOnly(location: number): number {
    return this.#rows.add([this.#area([this.countryOf(location), null, null]), 0, unknown, unknown, 0]);
  }

  /** A location with the country of another. */
  withCountryOf(location: number, other: number): number {
    const [, admin1, timezone] = this.#areas[this.#rows.cell(location, 0)];
    const rest = [1, 2, 3, 4].map((column) => this.#rows.cell(location, column));
    return this.#rows.add([this.#area([this.countryOf(other), admin1, timezone]), ...rest]);
  }

  #area(area: Area): number {
    if (area.every((part) => part === null)) return 0;
    const key = area.join('\0');
    let number = this.#areaNumbers.get(key);
    if (number === undefined) {
      number = this.#areas.push(area) - 1;
      this.#areaNumbers.set(key, number);
    }
    return number;
  }

  finish(): LocationColumns {
    const size = this.size + 1;
    const rows = new Int32Array(size * 4);
    const postalCodes = new Uint32Array(size);
    rows.set([0, 0, unknown, unknown]);
    for (let number = 1; number < size; number++) {
      for (let column = 0; column < 4; column++) rows[number * 4 + column] = this.#rows.cell(number, column);
      postalCodes[number] = this.#rows.cell(number, 4);
    }
    return { areas: this.#areas, rows, postalCodes };
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

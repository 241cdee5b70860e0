/** The distinct answers that ranges point to: locations, and networks (who runs them). Number 0 is "nothing known". */

import { type StringTable, StringTableBuilder } from '../../../core/columns.ts';
import { distanceKm } from '../../../core/geo.ts';
import type { IpFacts } from '../../../sources/mmdb/fields.ts';
import {
  type Area,
  type LocationColumns,
  type NetworkColumns,
  unknownCoordinate as unknown,
} from '../../../store/packed/ip.ts';
import type { Place, Places, Regions } from '../../../store/store.ts';

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
  readonly #cells: number[];

  constructor(width: number) {
    this.width = width;
    this.#cells = new Array(width).fill(0);
  }

  get size(): number {
    return this.#numbers.size;
  }

  /** The row's number, from 1. */
  add(row: readonly number[]): number {
    return this.#numbers.getOrInsertComputed(row.join(), () => {
      for (const cell of row) this.#cells.push(cell);
      return this.#numbers.size + 1;
    });
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
    return this.#areaNumbers.getOrInsertComputed(area.join('\0'), () => this.#areas.push(area) - 1);
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

/** A place farther than this from the database's position is another place of the same name. */
const sameCityKm = 30;

type Located = Pick<IpFacts, 'country' | 'admin1' | 'city' | 'lat' | 'lng'>;
type World = { places: Pick<Places, 'named' | 'get'>; regions: Pick<Regions, 'matching' | 'get'> };

/**
 * Cities and regions of IP databases by the names that the gazetteer has for them, so that they mean the same in every
 * endpoint: `Sao Paulo` is `São Paulo`, `Cambridge (Area 2/MIT)` is `Cambridge`.
 */
export class GazetteerNames {
  readonly #world: World;
  readonly #regions = new Map<string, number>();
  /** Positions in the place table, as there are too many names to keep the places themselves. */
  readonly #namesakes = new Map<string, readonly number[]>();

  constructor(world: World) {
    this.#world = world;
  }

  /**
   * The facts with city and region as the gazetteer names them. A city is known by its name near its position, a region
   * by its name, else by its city. Names that the gazetteer lacks are kept, without a district in brackets.
   */
  applied<Facts extends Located>(facts: Facts): Facts {
    const { country, admin1, city } = facts;
    if (country === null || (admin1 === null && city === null)) return facts;
    const region = admin1 === null ? -1 : this.#regionNamed(country, admin1);
    const place = city === null ? undefined : this.#placeNamed(country, city, region, facts);
    const known = region >= 0 ? region : (place?.admin1 ?? -1);
    return {
      ...facts,
      city: place?.name ?? (city && withoutDistrict(city)),
      admin1: known >= 0 ? this.#world.regions.get(known).name : admin1,
    };
  }

  /** Position of the one level-1 region of a name; -1 when there is none or several. */
  #regionNamed(country: string, name: string): number {
    return this.#regions.getOrInsertComputed(`${country}\0${name}`, () => {
      const matching = this.#world.regions.matching(country, name);
      return matching.length === 1 ? matching[0] : -1;
    });
  }

  #placeNamed(country: string, city: string, region: number, { lat, lng }: Located): Place | undefined {
    if (lat === null || lng === null) return undefined;
    const near = (name: string): Place | undefined => {
      const namesakes = this.#named(country, name).filter((place) => distanceKm(place, { lat, lng }) <= sameCityKm);
      // Of nearby namesakes, the most prominent one in the database's region.
      return namesakes.find(({ admin1 }) => admin1 === region) ?? namesakes[0];
    };
    return near(city) ?? near(withoutDistrict(city));
  }

  /** Places of a name, most prominent first. */
  #named(country: string, name: string): Place[] {
    const { places } = this.#world;
    const positions = this.#namesakes.getOrInsertComputed(`${country}\0${name}`, () => places.named(name, country));
    return positions.map((index) => places.get(index));
  }
}

/** `Berlin (Mitte)` is `Berlin`; a name that is nothing but brackets stays. */
const withoutDistrict = (city: string) => city.replace(/(?<=\S) *\([^()]*\)$/, '');

/**
 * Which city addresses say they are in: on a street the nearest house of it, and in grid cells the name that most people
 * there write.
 */
import { distanceKm, type LatLng } from '../../core/geo.ts';
import { type Cell, cellAt, cellKey, neighbourCell, tileOf } from './tiles.ts';

/** Fewer addresses than this may share a typing mistake, or a street instead of the city. */
export const minAddresses = 3;
/** A house determines the city of another of its street within this distance. */
const streetReachKm = 1;

/** Number of addresses of a cell with a city, and the position of one of them. */
export type CityInCell = Cell & LatLng & { city: string; count: number };

/** A house of a street that names its city. */
export type HouseInStreet = LatLng & { street: string; city: string };

/** Houses of a street and city within this many degrees count once; a fraction of a cell, so that none is in two. */
const houseCell = 0.002;

/** Equal for houses that count once. */
export function houseKey({ street, city, lat, lng }: HouseInStreet): string {
  return `${street}\n${city}\n${Math.floor((lat + 90) / houseCell)} ${Math.floor((lng + 180) / houseCell)}`;
}

/** The first of the houses that count once. */
export const distinctHouses = (houses: readonly HouseInStreet[]): HouseInStreet[] =>
  Array.from(Map.groupBy(houses, houseKey).values(), ([first]) => first);

/** Whether a house is evidence for another position: usually whether it is in the same municipality. */
type HouseFilter = (house: LatLng) => boolean;

/** The cities of the addresses in a tile and the cells next to it. */
export class AddressCities {
  readonly #cells: ReadonlyMap<number, CityInCell[]>;
  readonly #streets: ReadonlyMap<string, HouseInStreet[]>;

  /** What these say, in the order of the file. */
  constructor(cities: Iterable<CityInCell>, houses: Iterable<HouseInStreet>) {
    this.#cells = Map.groupBy(cities, cellKey);
    this.#streets = Map.groupBy(houses, ({ street }) => street);
  }

  /** The city of the nearest house of a street within 1 km. */
  onStreet(street: string, position: LatLng, isEvidence: HouseFilter): string | undefined {
    let city: string | undefined;
    let nearest = streetReachKm;
    for (const house of this.#streets.get(street) ?? []) {
      const distance = distanceKm(position, house);
      if (distance < nearest && isEvidence(house)) [city, nearest] = [house.city, distance];
    }
    return city;
  }

  /** The city of most addresses within some hundred metres; `undefined` when they are few or disagree. */
  at(position: LatLng, isEvidence: HouseFilter): string | undefined {
    return this.#leader(cellAt(position), isEvidence)?.city;
  }

  /** The city that leads most clearly in the cells around, within about 1 km. */
  around(position: LatLng, isEvidence: HouseFilter): string | undefined {
    let best: { city: string; lead: number } | undefined;
    for (const cell of cellsAround(cellAt(position))) {
      const leader = this.#leader(cell, isEvidence);
      if (leader && leader.lead > (best?.lead ?? 0)) best = leader;
    }
    return best?.city;
  }

  /** The city that more addresses of a cell name than all others together, by at least three. */
  #leader(cell: Cell, isEvidence: HouseFilter): { city: string; lead: number } | undefined {
    let best: CityInCell | undefined;
    let all = 0;
    for (const each of this.#cells.get(cellKey(cell)) ?? []) {
      if (!isEvidence(each)) continue;
      all += each.count;
      if (!best || each.count > best.count) best = each;
    }
    const lead = best ? 2 * best.count - all : 0;
    return best && lead >= minAddresses ? { city: best.city, lead } : undefined;
  }
}

/** The tiles for which the addresses of a cell count: its own, and those of the cells around it. */
export function tilesAround(cell: Cell): Set<number> {
  return new Set(Array.from(cellsAround(cell), tileOf));
}

/** A cell and the eight around it: for positions in these, what addresses in it say counts. */
function* cellsAround(cell: Cell): Generator<Cell> {
  for (const rows of [-1, 0, 1]) for (const columns of [-1, 0, 1]) yield neighbourCell(cell, rows, columns);
}

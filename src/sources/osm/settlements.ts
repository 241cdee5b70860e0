/** Finds the city, the state and the country of a position from the addresses, boundaries and places around it. */

import { cellNumber, cellNumbersIn, distanceKm, interleaved, type LatLng, nearestTo } from '../../core/geo.ts';
import type { Polygon } from '../../core/region-index/ring.ts';
import type { Settlement } from '../../core/source-records.ts';

/** An administrative boundary: `level` is OpenStreetMap's admin_level, 2 to 8. */
export type Boundary = { level: number; name: string; country?: string };
type KnownBoundary = Boundary & { area: Polygon };
/** A settlement, or with its other names a quarter of one. */
export type Place = LatLng & { name: string; kind: string; otherNames?: string[] };

/** Reach of a place node's name without a municipal boundary, in km. */
const reachKm: Record<string, number> = { city: 12, town: 6, village: 3, hamlet: 1 };
/** A quarter's houses are within this distance of its place node. */
const quarterReachKm = 3;
/** Edge in degrees of the cells by which places and municipalities are found. */
const placeCell = 0.25;

/** The context of a tile: everything that may be evidence for a position in it. */
export type AdminKnowledge = {
  boundaries: readonly KnownBoundary[];
  places: readonly Place[];
  addressCities: ReturnType<typeof addressCitiesOf>;
  /** Names of cities and towns, of this tile and all others. */
  cityNames: ReadonlySet<string>;
  /** Given to positions that no boundary says the country of. */
  country?: string | undefined;
};

export type Settlements = ReturnType<typeof settlementsIn>;

export function settlementsIn({ boundaries, places, addressCities, cityNames, country: fixed }: AdminKnowledge) {
  /** States and countries, the smaller ones first. */
  const wide = boundaries.filter(({ level }) => level <= 4).sort((a, b) => b.level - a.level);
  const local = new Map<number, KnownBoundary[]>();
  for (const boundary of boundaries) {
    if (boundary.level <= 4) continue;
    for (const cell of cellNumbersIn(boundary.area, placeCell))
      local.getOrInsertComputed(cell, () => []).push(boundary);
  }
  const isTown = ({ kind }: Place) => kind in reachKm;
  const towns = Map.groupBy(places.filter(isTown), (place) => cellNumber(place, placeCell));
  const quarters = Map.groupBy(
    places.filter((place) => !isTown(place)),
    ({ name }) => name,
  );

  /** Level 8, else 7, else a larger one that has the name of its town (German cities without a district are 6). */
  const municipalityAt = (at: LatLng): KnownBoundary | undefined => {
    let best: KnownBoundary | undefined;
    for (const boundary of local.get(cellNumber(at, placeCell)) ?? []) {
      if (best && best.level >= boundary.level) continue;
      const isMunicipality = boundary.level >= 7 || cityNames.has(boundary.name);
      if (isMunicipality && boundary.area.contains(at.lat, at.lng)) best = boundary;
    }
    return best;
  };

  const nearestPlace = (at: LatLng): string | undefined => {
    let best: Place | undefined;
    let bestShare = 1;
    // Towards the poles a cell is narrower than the reach; so far north, neighbours of neighbours are ignored.
    for (const cell of cellNumbersIn(around(at), placeCell)) {
      for (const place of towns.get(cell) ?? []) {
        const share = distanceKm(at, place) / reachKm[place.kind];
        if (share < bestShare) [best, bestShare] = [place, share];
      }
    }
    return best?.name;
  };

  return {
    /** The settlement of a position, for a house with the street that it is in. */
    find(at: LatLng, street?: string): Settlement {
      const { lat, lng } = at;
      let admin1: string | undefined;
      let country: string | undefined;
      let cityState: string | undefined;
      for (const boundary of wide) {
        if ((boundary.level === 3 && country) || !boundary.area.contains(lat, lng)) continue;
        country ??= boundary.country;
        if (boundary.level === 4) admin1 ??= boundary.name;
        // City states: Berlin, Wien, Moskau are a state and a city at once.
        if (cityNames.has(boundary.name)) cityState ??= boundary.name;
      }
      const municipality = municipalityAt(at);
      // People write the name of a village or a post town for that of its municipality, so the name is taken from
      // addresses in the area, if there are any, not from the area. Addresses of the neighbouring municipality are no
      // evidence.
      const isEvidence = municipality
        ? (house: LatLng) => municipality.area.contains(house.lat, house.lng)
        : () => true;
      return {
        city:
          (street === undefined ? undefined : addressCities.onStreet(street, at, isEvidence)) ??
          addressCities.at(at, isEvidence) ??
          (municipality ? (addressCities.around(at, isEvidence) ?? municipality.name) : cityState) ??
          addressCities.around(at, isEvidence) ??
          nearestPlace(at),
        admin1,
        country: country ?? fixed,
      };
    },

    /** Other names of the quarter of a name around a position; `undefined` where none is known. */
    quarterNames: (name: string, at: LatLng): readonly string[] | undefined =>
      nearestTo(at, quarters.get(name) ?? [], quarterReachKm)?.otherNames,
  };
}

/** The cell of a position and those around it. */
const around = ({ lat, lng }: LatLng) => {
  const edge = (degrees: number) => Math.floor(degrees / placeCell) * placeCell;
  return {
    south: Math.max(-90, edge(lat) - placeCell),
    north: Math.min(90, edge(lat) + placeCell),
    west: edge(lng) - placeCell,
    east: edge(lng) + placeCell,
  };
};

/** The tiles in which a place's name may count: those of its cell and the ones around it. */
export const tilesReached = (place: Place): Set<number> => tilesOf(around(place));

// Which city addresses say they are in: on a street the nearest house of it, and in grid cells the name that most people
// there write.

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

/** The cities of the addresses in a tile and the cells next to it, by what these say in the order of the file. */
export function addressCitiesOf(cities: Iterable<CityInCell>, houses: Iterable<HouseInStreet>) {
  const cells = Map.groupBy(cities, cellKey);
  const streets = Map.groupBy(houses, ({ street }) => street);

  /** The city that more addresses of a cell name than all others together, by at least three. */
  const leaderIn = (cell: Cell, isEvidence: HouseFilter): { city: string; lead: number } | undefined => {
    let best: CityInCell | undefined;
    let all = 0;
    for (const each of cells.get(cellKey(cell)) ?? []) {
      if (!isEvidence(each)) continue;
      all += each.count;
      if (!best || each.count > best.count) best = each;
    }
    const lead = best ? 2 * best.count - all : 0;
    return best && lead >= minAddresses ? { city: best.city, lead } : undefined;
  };

  return {
    /** The city of the nearest house of a street within 1 km. */
    onStreet: (street: string, position: LatLng, isEvidence: HouseFilter): string | undefined =>
      nearestTo(position, streets.get(street) ?? [], streetReachKm, isEvidence)?.city,

    /** The city of most addresses within some hundred metres; `undefined` when they are few or disagree. */
    at: (position: LatLng, isEvidence: HouseFilter): string | undefined => leaderIn(cellAt(position), isEvidence)?.city,

    /** The city that leads most clearly in the cells around, within about 1 km. */
    around(position: LatLng, isEvidence: HouseFilter): string | undefined {
      let best: { city: string; lead: number } | undefined;
      for (const cell of cellsAround(cellAt(position))) {
        const leader = leaderIn(cell, isEvidence);
        if (leader && leader.lead > (best?.lead ?? 0)) best = leader;
      }
      return best?.city;
    },
  };
}

/** The tiles for which the addresses of a cell count: its own, and those of the cells around it. */
export function tilesAround(cell: Cell): Set<number> {
  return new Set(Array.from(cellsAround(cell), tileOf));
}

/** A cell and the eight around it: for positions in these, what addresses in it say counts. */
function* cellsAround(cell: Cell): Generator<Cell> {
  for (const rows of [-1, 0, 1]) for (const columns of [-1, 0, 1]) yield neighbourCell(cell, rows, columns);
}

// Tiles of one degree and the cells of 0.01 degrees in them. Objects are worked on tile by tile, so that only the
// boundaries, places and addresses of a tile have to be in memory.

const cellsPerTile = 100;
const cellColumns = 360 * cellsPerTile;

/** A cell of 0.01 degrees by its row from the south pole and its column from the antimeridian. */
export type Cell = { row: number; column: number };

export function cellAt({ lat, lng }: LatLng): Cell {
  return {
    row: Math.floor((lat + 90) * cellsPerTile),
    column: Math.floor((lng + 180) * cellsPerTile) % cellColumns,
  };
}

/** The cell some rows and columns on, around the world where necessary. */
function neighbourCell({ row, column }: Cell, rows: number, columns: number): Cell {
  return { row: row + rows, column: (column + columns + cellColumns) % cellColumns };
}

/** One number for a cell; the cells of a tile follow each other. */
export function cellKey(cell: Cell): number {
  const inTile = (cell.row % cellsPerTile) * cellsPerTile + (cell.column % cellsPerTile);
  return tileOf(cell) * cellsPerTile ** 2 + inTile;
}

/** Of the row or column of a tile. */
const tileBits = 9;

/** The tile of a cell; they are worked on in the order of their numbers. */
function tileOf({ row, column }: Cell): number {
  return interleaved(Math.floor(row / cellsPerTile), Math.floor(column / cellsPerTile), tileBits);
}

export const tileAt = (position: LatLng): number => tileOf(cellAt(position));

/** The tiles around an area from its south-western to its north-eastern corner; `east` may be above 180. */
export function tilesOf(area: { south: number; north: number; west: number; east: number }): Set<number> {
  return new Set(cellNumbersIn(area, 1).map((cell) => interleaved(Math.floor(cell / 360), cell % 360, tileBits)));
}

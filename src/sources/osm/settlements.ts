/** Tells the city, the state and the country of a position from the addresses, boundaries and places of the same file. */
import { distanceKm, type LatLng } from '../../core/geo.ts';
import type { Settlement } from '../../core/street-records.ts';
import type { AddressCities } from './address-cities.ts';
import { Area } from './rings.ts';

/** An administrative boundary: `level` is OpenStreetMap's admin_level, 2 to 8. */
export type Boundary = { level: number; name: string; country?: string; rings: readonly Float64Array[] };
export type Place = LatLng & { name: string; kind: string };

/** How far a place node's name reaches where no boundary of a municipality says more, in km. */
const reachKm: Record<string, number> = { city: 12, town: 6, village: 3, hamlet: 1 };
const cellsPerDegree = 4;
const wideCellsPerDegree = 1;

type Known = Boundary & { area: Area };

export class Settlements {
  /** States and countries, the smaller ones first. */
  readonly #wide = new Map<string, Known[]>();
  readonly #local = new Map<string, Known[]>();
  readonly #places = new Map<string, Place[]>();
  readonly #cityNames: Set<string>;
  readonly #placeNames: Set<string>;
  readonly #addressCities: AddressCities;
  readonly #country: string | undefined;

  /** `country` is given to positions that no boundary says the country of. */
  constructor(
    boundaries: readonly Boundary[],
    places: readonly Place[],
    addressCities: AddressCities,
    country?: string,
  ) {
    this.#addressCities = addressCities;
    this.#country = country;
    this.#cityNames = new Set(places.filter(({ kind }) => kind === 'city' || kind === 'town').map(({ name }) => name));
    this.#placeNames = new Set([...places, ...boundaries].map(({ name }) => name));
    for (const boundary of boundaries) {
      const known = { ...boundary, area: new Area(boundary.rings) };
      const isWide = boundary.level <= 4;
      const cells = cellsOf(known.area, isWide ? wideCellsPerDegree : cellsPerDegree);
      for (const cell of cells) addTo(isWide ? this.#wide : this.#local, cell, known);
    }
    for (const list of this.#wide.values()) list.sort((a, b) => b.level - a.level);
    for (const place of places) addTo(this.#places, cellAt(place.lat, place.lng), place);
  }

  find(at: LatLng): Settlement {
    const { lat, lng } = at;
    let admin1: string | undefined;
    let country: string | undefined;
    let cityState: string | undefined;
    for (const boundary of this.#wide.get(cellAt(lat, lng, wideCellsPerDegree)) ?? []) {
      if ((boundary.level === 3 && country) || !boundary.area.contains(lat, lng)) continue;
      country ??= boundary.country;
      if (boundary.level === 4) admin1 ??= boundary.name;
      // City states: Berlin, Wien, Moskau are a state and a city at once.
      if (this.#cityNames.has(boundary.name)) cityState ??= boundary.name;
    }
    return {
      city:
        this.#addressCities.at(at) ??
        this.#municipality(lat, lng) ??
        cityState ??
        this.#addressCities.around(at) ??
        this.#nearestPlace(at),
      admin1,
      country: country ?? this.#country,
    };
  }

  /** False for what stands as the city of one or two addresses only and is no place: mostly a slip. */
  isCity(name: string): boolean {
    return this.#addressCities.isKnown(name) || this.#placeNames.has(name);
  }

  /** Level 8, else 7, else a larger one that bears the name of its town (German cities without a district are 6). */
  #municipality(lat: number, lng: number): string | undefined {
    let best: Known | undefined;
    for (const boundary of this.#local.get(cellAt(lat, lng)) ?? []) {
      if (best && best.level >= boundary.level) continue;
      const isMunicipality = boundary.level >= 7 || this.#cityNames.has(boundary.name);
      if (isMunicipality && boundary.area.contains(lat, lng)) best = boundary;
    }
    return best?.name;
  }

  #nearestPlace(at: LatLng): string | undefined {
    let best: Place | undefined;
    let bestShare = 1;
    const row = Math.floor(at.lat * cellsPerDegree);
    const column = Math.floor(at.lng * cellsPerDegree);
    // Towards the poles a cell is narrower than the reach; so far north, neighbours of neighbours are not asked.
    for (let y = row - 1; y <= row + 1; y++) {
      for (let x = column - 1; x <= column + 1; x++) {
        for (const place of this.#places.get(`${y} ${wrapColumn(x)}`) ?? []) {
          const share = distanceKm(at, place) / reachKm[place.kind];
          if (share < bestShare) [best, bestShare] = [place, share];
        }
      }
    }
    return best?.name;
  }
}

const wrapColumn = (column: number, perDegree = cellsPerDegree): number => {
  const columns = 360 * perDegree;
  return ((((column + columns / 2) % columns) + columns) % columns) - columns / 2;
};

function cellAt(lat: number, lng: number, perDegree = cellsPerDegree): string {
  return `${Math.floor(lat * perDegree)} ${wrapColumn(Math.floor(lng * perDegree), perDegree)}`;
}

function* cellsOf(area: Area, perDegree: number): Generator<string> {
  const floor = (degrees: number) => Math.floor(degrees * perDegree);
  for (let y = floor(area.south); y <= floor(area.north); y++) {
    for (let x = floor(area.west); x <= floor(area.east); x++) yield `${y} ${wrapColumn(x, perDegree)}`;
  }
}

function addTo<T>(lists: Map<string, T[]>, key: string, item: T): void {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
}

/**
 * The evidence for the settlement of objects (addresses, boundaries, places) after changes, and where it differs from
 * before: there the records of unchanged objects are rebuilt too.
 */
import type { LatLng } from '../../../../core/geo.ts';
import type { Settlement } from '../../../../core/street-records.ts';
import {
  AddressCities,
  type CityInCell,
  citiesOf,
  distinctHouses,
  type HouseInStreet,
  minAddresses,
  tilesAround,
} from '../../../../sources/osm/address-cities.ts';
import { taggedCity, taggedHouses, voteOf } from '../../../../sources/osm/addresses.ts';
import { isQuarter, isSettlement, nameKeys, type OsmFeature, otherNames } from '../../../../sources/osm/feature.ts';
import { hasAddress } from '../../../../sources/osm/house-numbers.ts';
import { objectKey } from '../../../../sources/osm/keeper.ts';
import type { Hint } from '../../../../sources/osm/merge-streets.ts';
import { Area } from '../../../../sources/osm/rings.ts';
import { type KnownBoundary, type Place, Settlements, tilesReached } from '../../../../sources/osm/settlements.ts';
import { type Cell, cellAt, cellKey, neighbourCell, tileAt, tilesOf } from '../../../../sources/osm/tiles.ts';
import type { ExtractBase } from '../../../../store/sqlite/extract-base.ts';
import type { KeptObject } from '../../../../store/sqlite/extract-base-schema.ts';
import type { ChangedExtract } from './changed-extract.ts';

/** The data of an object by which it locates others. */
export type Located = LatLng & { key: number; tags: Record<string, string> };

export type StreetHint = Hint & { street: string };

/** Number of columns that cover everything within 1 km of a cell. */
const columnsWithin = (row: number) =>
  Math.max(1, Math.ceil(0.9 / Math.cos((Math.abs(row / 100 - 90) * Math.PI) / 180)));

/** A cell and those around it that cover everything within 1 km. */
export function* cellsNear(cell: Cell): Generator<Cell> {
  const across = Math.min(columnsWithin(cell.row - 1), 1000);
  for (let row = -1; row <= 1; row++)
    for (let column = -across; column <= across; column++) yield neighbourCell(cell, row, column);
}

export class ChangedContext {
  readonly #base: ExtractBase;
  readonly #extract: ChangedExtract;
  readonly #changedIn = new Map<number, Located[]>();
  readonly #cities: Map<string, number>;
  readonly #placesOf = new Map<number, Place[]>();
  readonly #boundariesOf = new Map<number, KnownBoundary[]>();
  readonly #cityNames = new Set<string>();
  readonly #known = new Set<string>();
  readonly #cityNamesBefore = new Set<string>();
  readonly #knownBefore = new Set<string>();
  /** Change in the number of addresses that name a city. */
  readonly #more = new Map<string, number>();
  readonly #kept = new Map<number, KeptObject[]>();
  readonly #cells = new Map<number, Located[]>();
  readonly #citiesIn = new Map<number, readonly CityInCell[]>();
  readonly #hints = new Map<number, Map<string, (StreetHint & { key: number })[]>>();
  readonly #quarters = new Map<number, Settlements>();
  #tile = -1;
  #settlements: Settlements | undefined;

  constructor(base: ExtractBase, extract: ChangedExtract) {
    this.#base = base;
    this.#extract = extract;
    this.#cities = base.cities();
    for (const [key, { before, after }] of extract.features) {
      for (const [object, by] of [[before, -1] as const, [after, 1] as const]) {
        const vote = object && voteOf(object);
        if (vote === undefined) continue;
        this.#cities.set(vote, (this.#cities.get(vote) ?? 0) + by);
        this.#more.set(vote, (this.#more.get(vote) ?? 0) + by);
      }
      if (after) addTo(this.#changedIn, cellKey(cellAt(after)), { ...after, key });
    }
    this.#addPlaces();
    this.#addBoundaries();
  }

  /** Whether a name is that of a city: as AdminContext.isCity. */
  isCity(name: string): boolean {
    return isCity(this.#cities.get(name) ?? 0, this.#known.has(name));
  }

  /** City names that were added or removed. */
  otherCities(): string[] {
    const names = new Set([...this.#more.keys(), ...this.#known.symmetricDifference(this.#knownBefore)]);
    return [...names].filter((name) => {
      const before = (this.#cities.get(name) ?? 0) - (this.#more.get(name) ?? 0);
      return this.isCity(name) !== isCity(before, this.#knownBefore.has(name));
    });
  }

  /** Names of towns and cities that were added or removed. */
  otherCityNames(): Set<string> {
    return this.#cityNames.symmetricDifference(this.#cityNamesBefore);
  }

  /** Objects that lie in a cell now, in the order of the file. */
  objectsIn(cell: Cell): Located[] {
    const key = cellKey(cell);
    let objects = this.#cells.get(key);
    if (!objects) {
      const kept = this.#keptIn(key).filter((feature) => !this.#extract.features.has(feature.key));
      objects = [...kept, ...(this.#changedIn.get(key) ?? [])].sort((a, b) => a.key - b.key);
      this.#cells.set(key, objects);
    }
    return objects;
  }

  /** The cities that addresses of a cell name. */
  citiesIn(cell: Cell): readonly CityInCell[] {
    const key = cellKey(cell);
    let cities = this.#citiesIn.get(key);
    if (!cities) this.#citiesIn.set(key, (cities = citiesOf(cell, this.objectsIn(cell), voteOf)));
    return cities;
  }

  /** Those that they named before. */
  citiesBefore(cell: Cell): readonly CityInCell[] {
    return citiesOf(cell, this.#keptIn(cellKey(cell)), voteOf);
  }

  /** The cities that nearby addresses with this street name have, in the order of records. */
  hints(street: string, at: LatLng): StreetHint[] {
    return inOrder([...cellsNear(cellAt(at))].flatMap((cell) => this.#hintsIn(cell).get(street) ?? []));
  }

  #keptIn(cell: number): KeptObject[] {
    let kept = this.#kept.get(cell);
    if (!kept) this.#kept.set(cell, (kept = this.#base.featuresIn(cell).sort((a, b) => a.key - b.key)));
    return kept;
  }

  #hintsIn(cell: Cell): Map<string, (StreetHint & { key: number })[]> {
    const at = cellKey(cell);
    let hints = this.#hints.get(at);
    if (!hints) {
      hints = new Map();
      for (const object of this.objectsIn(cell)) {
        const hint = hintOf(object, this.#extract);
        if (hint) addTo(hints, hint.street, { ...hint, key: object.key });
      }
      this.#hints.set(at, hints);
    }
    return hints;
  }

  /** The settlement of an object; call it tile by tile; `cells` returns the cells of a new tile. */
  at(position: LatLng, street: string | undefined, cells: (tile: number) => Iterable<Cell>): Settlement {
    return this.#around(position, cells).find(position, street);
  }

  quarterNames(name: string, position: LatLng): readonly string[] | undefined {
    const tile = tileAt(position);
    let quarters = this.#quarters.get(tile);
    if (!quarters) {
      quarters = new Settlements({
        boundaries: [],
        places: this.#placesOf.get(tile) ?? [],
        addressCities: new AddressCities([], []),
        cityNames: this.#cityNames,
      });
      this.#quarters.set(tile, quarters);
    }
    return quarters.quarterNames(name, position);
  }

  #around(position: LatLng, cellsOf: (tile: number) => Iterable<Cell>): Settlements {
    const tile = tileAt(position);
    if (tile !== this.#tile) {
      this.#tile = tile;
      this.#settlements = this.#ofTile(tile, cellsOf(tile));
    }
    return this.#settlements!;
  }

  #ofTile(tile: number, cells: Iterable<Cell>): Settlements {
    const near = new Map<number, Cell>();
    for (const cell of cells) for (const each of cellsNear(cell)) near.set(cellKey(each), each);
    const cities: CityInCell[] = [];
    const houses: (HouseInStreet & { key: number })[] = [];
    for (const cell of near.values()) {
      if (!tilesAround(cell).has(tile)) continue;
      for (const object of this.objectsIn(cell)) {
        const city = voteOf(object);
        if (city === undefined) continue;
        const { key, lat, lng, tags } = object;
        const street = tags['addr:street'];
        if (street !== undefined && this.isCity(city)) houses.push({ street, city, lat, lng, key });
      }
      cities.push(...this.citiesIn(cell));
    }
    houses.sort((a, b) => a.key - b.key);
    return new Settlements({
      boundaries: this.#boundariesOf.get(tile) ?? [],
      places: this.#placesOf.get(tile) ?? [],
      addressCities: new AddressCities(cities, distinctHouses(houses)),
      cityNames: this.#cityNames,
    });
  }

  #addPlaces(): void {
    const isOther = ({ key }: { key: number }) => !this.#extract.features.has(key);
    const changed = [...this.#extract.features]
      .filter(([, { after }]) => after && placeOf(after))
      .map(([key, { after }]) => ({ ...after!, key }));
    const kept = this.#base.places();
    for (const { tags } of kept) {
      if (isQuarter(tags) && !otherNames(tags, tags.name, nameKeys)) continue;
      this.#knownBefore.add(tags.name);
      if (tags.place === 'city' || tags.place === 'town') this.#cityNamesBefore.add(tags.name);
    }
    for (const object of [...kept.filter(isOther), ...changed].sort((a, b) => a.key - b.key)) {
      const place = placeOf(object)!;
      const others = isQuarter(object.tags) ? otherNames(object.tags, place.name, nameKeys) : undefined;
      if (isQuarter(object.tags) && !others) continue;
      for (const tile of tilesReached(place))
        addTo(this.#placesOf, tile, { ...place, ...(others && { otherNames: others }) });
      this.#known.add(place.name);
      if (place.kind === 'city' || place.kind === 'town') this.#cityNames.add(place.name);
    }
  }

  #addBoundaries(): void {
    const before = this.#base.boundaries();
    for (const { boundary } of before) this.#knownBefore.add(boundary!.name);
    const kept = before.filter(({ id }) => !this.#extract.boundaries.has(id));
    const changed = [...this.#extract.boundaries.values()].flatMap(({ after }) => after ?? []);
    const all = [...kept.map(({ id, boundary, rings }) => ({ id, boundary: boundary!, rings: rings! })), ...changed];
    for (const { boundary, rings } of all.sort((a, b) => a.id - b.id)) {
      const area = new Area(rings);
      this.#known.add(boundary.name);
      for (const tile of tilesOf(area)) addTo(this.#boundariesOf, tile, { ...boundary, area });
    }
  }
}

const isCity = (addresses: number, isKnown: boolean) => addresses >= minAddresses || (addresses > 0 && isKnown);

/** In the order in which records are made: by tile, in it as in the file. */
export function inOrder<T extends LatLng & { key: number }>(objects: readonly T[]): T[] {
  return objects
    .map((object) => ({ object, tile: tileAt(object) }))
    .sort((a, b) => a.tile - b.tile || a.object.key - b.object.key)
    .map(({ object }) => object);
}

/** The evidence of an address for the city of its street. */
export function hintOf(object: Located, extract: ChangedExtract): StreetHint | undefined {
  const { key, tags, lat, lng } = object;
  const city = hasAddress(tags) ? taggedCity(tags) : undefined;
  if (city === undefined) return undefined;
  const houses = taggedHouses(tags, extract.streetOfMember(key));
  if (typeof houses === 'string' || houses.street.isPlace) return undefined;
  return { street: houses.street.street, city, lat, lng };
}

/** The settlement or quarter represented by a node. */
export function placeOf(object: Located | OsmFeature): Place | undefined {
  const isNode = 'type' in object ? object.type === 'n' : object.key < objectKey('w', 0);
  const { tags, lat, lng } = object;
  if (!isNode || !(isSettlement(tags) || isQuarter(tags))) return undefined;
  return { name: tags.name, kind: tags.place, lat, lng };
}

function addTo<K, T>(lists: Map<K, T[]>, key: K, item: T): void {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
}

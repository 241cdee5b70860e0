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
import { addressCity, taggedHouses, voteOf } from '../../../../sources/osm/addresses.ts';
import { isQuarter, isSettlement, nameKeys, type OsmFeature, otherNames } from '../../../../sources/osm/feature.ts';
import { objectKey } from '../../../../sources/osm/keeper.ts';
import type { Hint } from '../../../../sources/osm/merge-streets.ts';
import { Area } from '../../../../sources/osm/rings.ts';
import { type KnownBoundary, type Place, Settlements, tilesReached } from '../../../../sources/osm/settlements.ts';
import { type Cell, cellAt, cellKey, neighbourCell, tileAt, tilesOf } from '../../../../sources/osm/tiles.ts';
import type { ExtractBase } from '../../../../store/sqlite/extract-base.ts';
import type { LocatedObject } from '../../../../store/sqlite/extract-base-schema.ts';
import type { ChangedExtract } from './changed-extract.ts';

type StreetHint = Hint & { street: string };

type Keyed<T> = T & { key: number };
/** What the addresses of a cell say, each list in the order of the file. */
type CellEvidence = {
  cities: readonly CityInCell[];
  houses: Map<string, Keyed<HouseInStreet>[]>;
  hints: Map<string, Keyed<StreetHint>[]>;
};

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
  readonly #changedIn = new Map<number, LocatedObject[]>();
  readonly #cities: Map<string, number>;
  readonly #placesOf = new Map<number, Place[]>();
  readonly #boundariesOf = new Map<number, KnownBoundary[]>();
  readonly #cityNames = new Set<string>();
  readonly #known = new Set<string>();
  readonly #cityNamesBefore = new Set<string>();
  readonly #knownBefore = new Set<string>();
  /** Change in the number of addresses that name a city. */
  readonly #more = new Map<string, number>();
  readonly #evidence = new Map<number, CellEvidence>();
  readonly #settlements = new Map<number, Settlements>();

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
  objectsIn(cell: Cell): LocatedObject[] {
    return this.#withChanged(cell, this.#base.featuresIn(cellKey(cell)));
  }

  /** The cities that addresses of a cell name. */
  citiesIn(cell: Cell): readonly CityInCell[] {
    return this.#evidenceIn(cell).cities;
  }

  /** Those that they named before. */
  citiesBefore(cell: Cell): readonly CityInCell[] {
    return citiesOf(cell, this.#base.featuresWithCityIn(cellKey(cell)), voteOf);
  }

  /** The cities that nearby addresses with this street name have, in the order of records. */
  hints(street: string, at: LatLng): StreetHint[] {
    return inOrder([...cellsNear(cellAt(at))].flatMap((cell) => this.#evidenceIn(cell).hints.get(street) ?? []));
  }

  /** The settlement of an object. */
  at(position: LatLng, street: string | undefined): Settlement {
    return this.#around(position).find(position, street);
  }

  quarterNames(name: string, position: LatLng): readonly string[] | undefined {
    return this.#around(position).quarterNames(name, position);
  }

  #around(position: LatLng): Settlements {
    const tile = tileAt(position);
    let settlements = this.#settlements.get(tile);
    if (!settlements) {
      settlements = new Settlements({
        boundaries: this.#boundariesOf.get(tile) ?? [],
        places: this.#placesOf.get(tile) ?? [],
        addressCities: new AddressCities({
          citiesIn: (cell) => this.citiesIn(cell),
          housesOf: (street, at) => this.#housesOf(street, at, tile),
        }),
        cityNames: this.#cityNames,
      });
      this.#settlements.set(tile, settlements);
    }
    return settlements;
  }

  /** Houses of a street around a position, as far as a tile knows them. */
  #housesOf(street: string, at: LatLng, tile: number): HouseInStreet[] {
    const houses: Keyed<HouseInStreet>[] = [];
    for (const cell of cellsNear(cellAt(at))) {
      const inCell = this.#evidenceIn(cell).houses.get(street);
      if (inCell && tilesAround(cell).has(tile)) houses.push(...inCell);
    }
    return houses.sort((a, b) => a.key - b.key);
  }

  #evidenceIn(cell: Cell): CellEvidence {
    const at = cellKey(cell);
    let evidence = this.#evidence.get(at);
    if (!evidence) this.#evidence.set(at, (evidence = this.#makeEvidence(cell)));
    return evidence;
  }

  #makeEvidence(cell: Cell): CellEvidence {
    const objects = this.#withChanged(cell, this.#base.featuresWithCityIn(cellKey(cell)));
    const houses: Keyed<HouseInStreet>[] = [];
    const hints: CellEvidence['hints'] = new Map();
    for (const object of objects) {
      const { key, lat, lng, tags } = object;
      const [city, street] = [voteOf(object), tags['addr:street']];
      if (city !== undefined && street !== undefined && this.isCity(city)) houses.push({ street, city, lat, lng, key });
      const hint = hintOf(object, this.#extract);
      if (hint) addTo(hints, hint.street, { ...hint, key });
    }
    const distinct = distinctHouses(houses) as typeof houses;
    return { cities: citiesOf(cell, objects, voteOf), houses: Map.groupBy(distinct, ({ street }) => street), hints };
  }

  /** The kept objects of a cell as they are after changes. */
  #withChanged(cell: Cell, kept: readonly LocatedObject[]): LocatedObject[] {
    const changed = this.#changedIn.get(cellKey(cell)) ?? [];
    return [...kept.filter(({ key }) => !this.#extract.features.has(key)), ...changed].sort((a, b) => a.key - b.key);
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
export function hintOf(object: LocatedObject, extract: ChangedExtract): StreetHint | undefined {
  const { key, tags, lat, lng } = object;
  const city = addressCity(object);
  if (city === undefined) return undefined;
  const houses = taggedHouses(tags, extract.streetOfMember(key));
  if (typeof houses === 'string' || houses.street.isPlace) return undefined;
  return { street: houses.street.street, city, lat, lng };
}

/** The settlement or quarter represented by a node. */
export function placeOf(object: LocatedObject | OsmFeature): Place | undefined {
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

/**
 * The evidence of a file's addresses, boundaries and places for the settlement of its objects. All of it is spilled by
 * tiles; in memory are the current tile and the most recently used boundary areas.
 */
import type { LatLng } from '../../core/geo.ts';
import type { Settlement } from '../../core/source-records.ts';
import type { Spool } from '../../store/sqlite/spool.ts';
import { TermFilter, termHash } from '../../store/sqlite/term-filter.ts';
import type { Tables } from '../tables.ts';
import { taggedCity } from './addresses.ts';
import { Area } from './area-relations.ts';
import { isQuarter, isSettlement, isStreet, nameKeys, type OsmFeature, otherNames } from './feature.ts';
import {
  AddressCities,
  type AdminKnowledge,
  type Boundary,
  type Cell,
  type CityInCell,
  cellAt,
  cellKey,
  distinctHouses,
  type HouseInStreet,
  houseKey,
  minAddresses,
  type Place,
  Settlements,
  tileAt,
  tilesAround,
  tilesOf,
  tilesReached,
} from './settlements.ts';

type Rings = readonly Float64Array[];
type CityVote = Cell & LatLng & { city: string };
type BoundaryInTile = Boundary & { position: number };

export class AdminContext {
  readonly #votes: Spool<CityVote>;
  readonly #cities: Spool<CityInCell>;
  readonly #houses: Spool<HouseInStreet>;
  /** Houses that were spilled lately; near ones of a street say the same. */
  readonly #houseKeys = new Set<string>();
  /** Names of roads in 16 MB: of a million one unknown name in a million counts as known. */
  readonly #roadNames = new TermFilter(new Uint32Array(2 ** 22));
  #hasRoads = false;
  readonly #places: Spool<Place>;
  readonly #boundaries: Spool<BoundaryInTile>;
  readonly #rings: Spool<{ rings: Rings }>;
  readonly #areas = new Map<number, Area>();
  readonly #memoryForAreas: number;
  #bytesOfAreas = 0;
  readonly #country: string | undefined;
  /** Number of addresses by city; one entry for each name. */
  readonly #named = new Map<string, number>();
  readonly #cityNames = new Set<string>();
  #tile = -1;
  #settlements: Settlements | undefined;
  #inTile: ((tile: number) => Omit<AdminKnowledge, 'cityNames' | 'country'>) | undefined;

  /** `country` is given to positions that no boundary says the country of. */
  constructor(tables: Tables, country?: string) {
    this.#votes = tables.spool();
    this.#cities = tables.spool();
    this.#houses = tables.spool();
    this.#places = tables.spool();
    this.#boundaries = tables.spool();
    this.#rings = tables.spool();
    this.#memoryForAreas = tables.memoryBytes * 0.06;
    this.#country = country;
  }

  /** Takes what an object says of the places around. */
  add(feature: OsmFeature): void {
    const { tags, lat, lng } = feature;
    const city = taggedCity(tags);
    if (city !== undefined && tags['addr:housenumber'] !== undefined) {
      const cell = cellAt(feature);
      this.#votes.add(cellKey(cell), { ...cell, city, lat, lng });
      const street = tags['addr:street'];
      if (street !== undefined) this.#addHouse(street, city, cell, feature);
    }
    if (isStreet(tags)) {
      this.#hasRoads = true;
      for (const name of [tags.name, ...(otherNames(tags, tags.name, nameKeys) ?? [])])
        this.#roadNames.add(termHash(name));
    }
    if (feature.type !== 'n') return;
    if (isQuarter(tags)) this.#addQuarter(feature);
    if (!isSettlement(tags)) return;
    const place: Place = { name: tags.name, kind: tags.place, lat, lng };
    for (const tile of tilesReached(place)) this.#places.add(tile, place);
    if (place.kind === 'city' || place.kind === 'town') this.#cityNames.add(place.name);
  }

  #addHouse(street: string, city: string, cell: Cell, { lat, lng }: LatLng): void {
    const key = houseKey({ street, city, lat, lng });
    if (this.#houseKeys.has(key)) return;
    if (this.#houseKeys.size >= 50_000) this.#houseKeys.clear();
    this.#houseKeys.add(key);
    for (const tile of tilesAround(cell)) this.#houses.add(tile, { street, city, lat, lng });
  }

  #addQuarter({ tags, lat, lng }: OsmFeature): void {
    const names = otherNames(tags, tags.name, nameKeys);
    if (!names) return;
    const quarter: Place = { name: tags.name, kind: tags.place, lat, lng, otherNames: names };
    for (const tile of tilesReached(quarter)) this.#places.add(tile, quarter);
  }

  /** Takes an administrative boundary with its closed rings. */
  addBoundary(boundary: Boundary, rings: Rings): void {
    const position = this.#rings.add(0, { rings });
    const entry = { ...boundary, position };
    for (const tile of tilesOf(this.#keep(position, new Area(rings)))) this.#boundaries.add(tile, entry);
  }

  /** To be called after the last `add` and before the first `at`. */
  finish(): void {
    let last = -1;
    const ofCell = new Map<string, CityInCell>();
    const count = () => {
      for (const city of ofCell.values()) for (const tile of tilesAround(city)) this.#cities.add(tile, city);
      ofCell.clear();
    };
    for (const [key, item] of this.#votes.entries()) {
      if (key !== last) count();
      last = key;
      const known = ofCell.get(item.city);
      if (known) known.count++;
      else ofCell.set(item.city, { ...item, count: 1 });
      this.#named.set(item.city, (this.#named.get(item.city) ?? 0) + 1);
    }
    count();
    // Only names of addresses are checked for being a place's.
    for (const spool of [this.#places, this.#boundaries]) {
      for (const { name } of spool) if (this.#named.has(name)) this.#named.set(name, minAddresses);
    }
  }

  /** The settlement of an object, of a house with its street. Must be called in the order of tiles. */
  at(position: LatLng, street?: string): Settlement {
    return this.#around(position).find(position, street);
  }

  /** Other names of the quarter of a name around an object, called in the order of tiles like `at`. */
  quarterNames(name: string, position: LatLng): readonly string[] | undefined {
    return this.#around(position).quarterNames(name, position);
  }

  /** Whether a road of the file has a name; all are taken for roads where the file has none. */
  isRoad(name: string): boolean {
    return !this.#hasRoads || this.#roadNames.has(termHash(name));
  }

  #around(position: LatLng): Settlements {
    const tile = tileAt(position);
    if (tile !== this.#tile) {
      this.#tile = tile;
      this.#settlements = this.#ofTile(tile);
    }
    return this.#settlements!;
  }

  /** False for what stands as the city of one or two addresses only and is not a place: mostly a slip. */
  isCity(name: string): boolean {
    return (this.#named.get(name) ?? 0) >= minAddresses;
  }

  #ofTile(tile: number): Settlements {
    this.#inTile ??= this.#readTiles();
    return new Settlements({ ...this.#inTile(tile), cityNames: this.#cityNames, country: this.#country });
  }

  #readTiles(): (tile: number) => Omit<AdminKnowledge, 'cityNames' | 'country'> {
    const [cities, houses, places] = [this.#cities.byKey(), this.#houses.byKey(), this.#places.byKey()];
    const boundaries = this.#boundaries.byKey();
    return (tile) => ({
      boundaries: boundaries(tile).map((boundary) => ({ ...boundary, area: this.#area(boundary.position) })),
      places: places(tile),
      addressCities: new AddressCities(
        cities(tile),
        // One house may have a slip instead of its city.
        distinctHouses(houses(tile)).filter(({ city }) => this.isCity(city)),
      ),
    });
  }

  #area(position: number): Area {
    const known = this.#areas.get(position);
    if (!known) return this.#keep(position, new Area(this.#rings.at(position)!.rings));
    this.#areas.delete(position);
    this.#areas.set(position, known);
    return known;
  }

  /** Caches an area, evicting the least recently used ones. */
  #keep(position: number, area: Area): Area {
    this.#areas.set(position, area);
    this.#bytesOfAreas += area.bytes;
    for (const [oldest, { bytes }] of this.#areas) {
      if (this.#bytesOfAreas <= this.#memoryForAreas) break;
      this.#areas.delete(oldest);
      this.#bytesOfAreas -= bytes;
    }
    return area;
  }
}

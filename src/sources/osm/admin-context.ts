/**
 * The evidence of a file's addresses, boundaries and places for the settlement of its objects. All of it is spilled by
 * tiles; in memory are the current tile and the most recently used boundary areas.
 */
import type { LatLng } from '../../core/geo.ts';
import { Polygon } from '../../core/region-index/ring.ts';
import type { Settlement } from '../../core/source-records.ts';
import { TermFilter, termHash } from '../../store/sqlite/term-filter.ts';
import type { Tables } from '../tables.ts';
import { taggedCity } from './addresses.ts';
import { isQuarter, isSettlement, isStreet, nameKeys, type OsmFeature, otherNames } from './feature.ts';
import {
  type AdminKnowledge,
  addressCitiesOf,
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
  type Settlements,
  settlementsIn,
  tileAt,
  tilesAround,
  tilesOf,
  tilesReached,
} from './settlements.ts';

type Rings = readonly Float64Array[];
type CityVote = Cell & LatLng & { city: string };
type BoundaryInTile = Boundary & { position: number };

export type AdminContext = ReturnType<typeof adminContextOf>;

/** `country` is given to positions that no boundary says the country of. */
export function adminContextOf(tables: Tables, country?: string) {
  const votes = tables.spool<CityVote>();
  const cities = tables.spool<CityInCell>();
  const houses = tables.spool<HouseInStreet>();
  /** Houses that were spilled lately; near ones of a street say the same. */
  const houseKeys = new Set<string>();
  /** Names of roads in 16 MB: of a million one unknown name in a million counts as known. */
  const roadNames = new TermFilter(new Uint32Array(2 ** 22));
  let hasRoads = false;
  const places = tables.spool<Place>();
  const boundaries = tables.spool<BoundaryInTile>();
  const ringsOf = tables.spool<{ rings: Rings }>();
  const areas = new Map<number, Polygon>();
  const memoryForAreas = tables.memoryBytes * 0.06;
  let bytesOfAreas = 0;
  /** Number of addresses by city; one entry for each name. */
  const named = new Map<string, number>();
  const cityNames = new Set<string>();
  let current: { tile: number; settlements: Settlements } | undefined;
  let inTile: ReturnType<typeof readTiles> | undefined;

  const addPlace = (place: Place) => {
    for (const tile of tilesReached(place)) places.add(tile, place);
  };

  const addHouse = (street: string, city: string, cell: Cell, { lat, lng }: LatLng) => {
    const key = houseKey({ street, city, lat, lng });
    if (houseKeys.has(key)) return;
    if (houseKeys.size >= 50_000) houseKeys.clear();
    houseKeys.add(key);
    for (const tile of tilesAround(cell)) houses.add(tile, { street, city, lat, lng });
  };

  /** Caches an area, evicting the least recently used ones. */
  const keep = (position: number, area: Polygon): Polygon => {
    areas.set(position, area);
    bytesOfAreas += area.bytes;
    for (const [oldest, { bytes }] of areas) {
      if (bytesOfAreas <= memoryForAreas) break;
      areas.delete(oldest);
      bytesOfAreas -= bytes;
    }
    return area;
  };

  const areaAt = (position: number): Polygon => {
    const known = areas.get(position);
    if (!known) return keep(position, new Polygon(ringsOf.at(position)!.rings));
    areas.delete(position);
    areas.set(position, known);
    return known;
  };

  /** False for what stands as the city of one or two addresses only and is not a place: mostly a slip. */
  const isCity = (name: string): boolean => (named.get(name) ?? 0) >= minAddresses;

  const readTiles = (): ((tile: number) => Omit<AdminKnowledge, 'cityNames' | 'country'>) => {
    const [citiesIn, housesIn, placesIn] = [cities.byKey(), houses.byKey(), places.byKey()];
    const boundariesIn = boundaries.byKey();
    return (tile) => ({
      boundaries: boundariesIn(tile).map((boundary) => ({ ...boundary, area: areaAt(boundary.position) })),
      places: placesIn(tile),
      addressCities: addressCitiesOf(
        citiesIn(tile),
        // One house may have a slip instead of its city.
        distinctHouses(housesIn(tile)).filter(({ city }) => isCity(city)),
      ),
    });
  };

  const around = (position: LatLng): Settlements => {
    const tile = tileAt(position);
    if (tile !== current?.tile) {
      inTile ??= readTiles();
      current = { tile, settlements: settlementsIn({ ...inTile(tile), cityNames, country }) };
    }
    return current.settlements;
  };

  return {
    isCity,

    /** Takes what an object says of the places around. */
    add(feature: OsmFeature): void {
      const { tags, lat, lng } = feature;
      const city = taggedCity(tags);
      if (city !== undefined && tags['addr:housenumber'] !== undefined) {
        const cell = cellAt(feature);
        votes.add(cellKey(cell), { ...cell, city, lat, lng });
        const street = tags['addr:street'];
        if (street !== undefined) addHouse(street, city, cell, feature);
      }
      if (isStreet(tags)) {
        hasRoads = true;
        for (const name of [tags.name, ...(otherNames(tags, tags.name, nameKeys) ?? [])]) roadNames.add(termHash(name));
      }
      if (feature.type !== 'n') return;
      const place: Place = { name: tags.name, kind: tags.place, lat, lng };
      const names = isQuarter(tags) ? otherNames(tags, tags.name, nameKeys) : undefined;
      if (names) addPlace({ ...place, otherNames: names });
      if (!isSettlement(tags)) return;
      addPlace(place);
      if (place.kind === 'city' || place.kind === 'town') cityNames.add(place.name);
    },

    /** Takes an administrative boundary with its closed rings. */
    addBoundary(boundary: Boundary, rings: Rings): void {
      const position = ringsOf.add(0, { rings });
      const entry = { ...boundary, position };
      for (const tile of tilesOf(keep(position, new Polygon(rings)))) boundaries.add(tile, entry);
    },

    /** To be called after the last `add` and before the first `at`. */
    finish(): void {
      let last = -1;
      const ofCell = new Map<string, CityInCell>();
      const count = () => {
        for (const city of ofCell.values()) for (const tile of tilesAround(city)) cities.add(tile, city);
        ofCell.clear();
      };
      for (const [key, item] of votes.entries()) {
        if (key !== last) count();
        last = key;
        const known = ofCell.get(item.city);
        if (known) known.count++;
        else ofCell.set(item.city, { ...item, count: 1 });
        named.set(item.city, (named.get(item.city) ?? 0) + 1);
      }
      count();
      // Only names of addresses are checked for being a place's.
      for (const spool of [places, boundaries]) {
        for (const { name } of spool) if (named.has(name)) named.set(name, minAddresses);
      }
    },

    /** The settlement of an object, of a house with its street. Must be called in the order of tiles. */
    at: (position: LatLng, street?: string): Settlement => around(position).find(position, street),

    /** Other names of the quarter of a name around an object, called in the order of tiles like `at`. */
    quarterNames: (name: string, position: LatLng) => around(position).quarterNames(name, position),

    /** Whether a road of the file has a name; all are taken for roads where the file has none. */
    isRoad: (name: string): boolean => !hasRoads || roadNames.has(termHash(name)),
  };
}

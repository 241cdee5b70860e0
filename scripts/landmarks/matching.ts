/** Which thing of a list a row of the table of landmarks is, by its names and its position. */
import { type BoundingBox, distanceKm, isWithin, type LatLng } from '../../src/core/geo.ts';
import { fold } from '../../src/text/fold.ts';
import type { Entry } from './list-formats.ts';
import type { List } from './lists.ts';
import type { Landmark } from './table.ts';

/** How near things of similar names must lie at least, in km: a building may be drawn at its gate or its middle. */
const buildingKm = 1;
/** A word that at most so many things of all lists bear tells which thing is meant, unless a place near by bears it. */
const distinctive = 12;
/** How far around a row the names of places tell nothing, in km. */
const placeKm = 30;
/** The side of a cell of the index, in degrees. */
const cellDegrees = 0.5;

type Item = { entry: Entry; list: List; names: readonly string[] };
/** An entry that bears a row's name, or one like it. `isConfirmed`: the positions agree as well as their kinds allow. */
export type Match = { list: List; entry: Entry; km: number; isSameName: boolean; isConfirmed: boolean };

/** Finds the entries of lists by name and position. */
export class ListIndex {
  readonly #byName = new Map<string, Item[]>();
  readonly #byCell = new Map<string, Item[]>();
  readonly #bearers = new Map<string, number>();

  constructor(lists: readonly List[]) {
    for (const list of lists)
      for (const entry of list.entries) {
        const names = [...new Set(entry.names.map(fold))].filter(Boolean);
        const item = { entry, list, names };
        for (const name of names) put(this.#byName, name, item);
        for (const word of new Set(names.flatMap(wordsOf))) this.#bearers.set(word, (this.#bearers.get(word) ?? 0) + 1);
        put(this.#byCell, cellOf(entry, 0, 0), item);
      }
  }

  /** The entries that a row may be, the best of each list: the nearest of its name, else of a similar one. */
  matches(row: Landmark): Match[] {
    const names = [...new Set(row.names.map(fold))].filter(Boolean);
    const best = new Map<List, Match>();
    const consider = ({ entry, list }: Item, isSameName: boolean) => {
      if (list.confirms && !list.confirms(row)) return;
      const km = kmTo(entry, row);
      const match = { list, entry, km, isSameName, isConfirmed: isConfirmed(row, entry, km, list.slackKm) };
      const other = best.get(list);
      if (!other || rank(match) > rank(other) || (rank(match) === rank(other) && km < other.km)) best.set(list, match);
    };
    for (const name of names) for (const item of this.#byName.get(name) ?? []) consider(item, true);
    const near = [-1, 0, 1].flatMap((north) =>
      [-1, 0, 1].flatMap((east) => this.#byCell.get(cellOf(row, north, east)) ?? []),
    );
    const places = near.filter(({ entry, list }) => list.isOfPlaces && kmTo(entry, row) < placeKm);
    const placeWords = new Set(places.flatMap((place) => place.names).flatMap(wordsOf));
    for (const item of near)
      if (kmTo(item.entry, row) < reachKm(row) && this.#areSimilar(names, item.names, placeWords))
        consider(item, false);
    return [...best.values()];
  }

  #areSimilar(names: readonly string[], others: readonly string[], placeWords: ReadonlySet<string>): boolean {
    return names.some((name) => others.some((other) => this.#isSimilar(wordsOf(name), wordsOf(other), placeWords)));
  }

  /**
   * Whether all words of one name are in the other, or all that tell of it, the names of places near by aside: Bern's
   * Rosengarten is not the Old City of Bern.
   */
  #isSimilar(words: readonly string[], others: readonly string[], placeWords: ReadonlySet<string>): boolean {
    const tells = (word: string) =>
      word.length > 3 && !placeWords.has(word) && (this.#bearers.get(word) ?? 0) <= distinctive;
    const [few, many] = words.length <= others.length ? [words, others] : [others, words];
    if (few.every((word) => many.includes(word)))
      return few.some(tells) || (few.length > 1 && few.some((word) => !placeWords.has(word)));
    const [telling, other] = [few.filter(tells), many.filter(tells)].sort((a, b) => a.length - b.length);
    return telling.length > 0 && telling.every((word) => other.includes(word));
  }
}

const rank = ({ isConfirmed, isSameName }: Match) => (isConfirmed ? 2 : 0) + (isSameName ? 1 : 0);
const wordsOf = (name: string) => name.split(' ');
const reachKm = ({ accuracyKm, bbox }: Landmark) => (bbox ? 60 : Math.max(accuracyKm, buildingKm));

function isConfirmed(row: Landmark, entry: Entry, km: number, slackKm: number): boolean {
  if (km <= Math.max(row.accuracyKm, buildingKm) || km <= slackKm) return true;
  return row.bbox !== undefined && isWithin(entry.lat, entry.lng, widened(row.bbox));
}

/** A box with a tenth of its size around it, for lists that put the point of an area at its edge. */
function widened([west, south, east, north]: BoundingBox): BoundingBox {
  const tall = (north - south) / 10;
  const wide = (east - west + (west > east ? 360 : 0)) / 10;
  return [west - wide, south - tall, east + wide, north + tall];
}

/** The distance of a position to a thing: 0 inside its shape, else to the nearest corner of it. */
function kmTo({ lat, lng, shape }: Entry, position: LatLng): number {
  if (!shape) return distanceKm({ lat, lng }, position);
  let isInside = false;
  let km = Number.POSITIVE_INFINITY;
  for (const ring of shape)
    for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
      const [lng1, lat1] = ring[i];
      const [lng2, lat2] = ring[j];
      if (lat1 > position.lat !== lat2 > position.lat) {
        if (position.lng < ((lng2 - lng1) * (position.lat - lat1)) / (lat2 - lat1) + lng1) isInside = !isInside;
      }
      km = Math.min(km, distanceKm({ lat: lat1, lng: lng1 }, position));
    }
  return isInside ? 0 : km;
}

const cellOf = ({ lat, lng }: LatLng, north: number, east: number) =>
  `${Math.floor(lat / cellDegrees) + north} ${Math.floor(lng / cellDegrees) + east}`;

function put<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const values = map.get(key);
  if (values) values.push(value);
  else map.set(key, [value]);
}

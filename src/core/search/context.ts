/** The words of a query beside the name: countries, regions or larger places near by, in any language, or their codes. */

import { connectorWords } from '../../text/stop-words.ts';
import { distanceKm } from '../geo.ts';
import { contextCost } from '../ranking.ts';
import type { AreaNames } from './area-names.ts';
import { areaOfCountry, areaOfRegion, isCountryArea, regionOfArea } from './areas.ts';
import type { KeyRange } from './name-index.ts';
import type { PlaceTable, SearchIndexes } from './place-table.ts';

/** One thing a context names: the areas so called, and the places so called. */
export type ContextPart = {
  /** Areas called exactly so, and then ones with a name that shortens to it. */
  areas: readonly number[];
  /** How many of the areas are called exactly so. */
  exactAreas: number;
  /** Names of areas that begin so, where that is allowed and there are any. */
  begunNames: KeyRange | undefined;
  places: readonly number[];
};

const maxPartWords = 6;
const namesakeAreas = 200;
const contextPlaces = 3;
/** A place gives context to what lies within this distance: its suburbs and surroundings. */
const nearKm = 40;

/**
 * Reads words [from, to) as context, each part as long as possible; the last word may be the beginning of one when
 * `isLastBegun`. Undefined when a word fits nothing.
 */
export function readContext(
  indexes: SearchIndexes,
  words: readonly string[],
  from: number,
  to: number,
  isLastBegun: boolean,
): ContextPart[] | undefined {
  // Words from which no reading leads to the end, so that a long text is not tried in every combination.
  const hopeless = new Set<number>();
  const read = (start: number): ContextPart[] | undefined => {
    if (start >= to) return [];
    if (hopeless.has(start)) return undefined;
    for (let end = Math.min(to, start + maxPartWords); end > start; end--) {
      const text = end === start + 1 ? words[start] : words.slice(start, end).join(' ');
      const part = readPart(indexes, text, isLastBegun && end === to);
      const rest = part && read(end);
      if (rest) return [part, ...rest];
    }
    const rest = connectorWords.has(words[start]) && to - start > 1 ? read(start + 1) : undefined;
    if (!rest) hopeless.add(start);
    return rest;
  };
  return read(from);
}

function readPart(indexes: SearchIndexes, text: string, isBegun: boolean): ContextPart | undefined {
  const areas: number[] = [];
  const places: number[] = [];
  let exactAreas = 0;
  const named = indexes.areas.named(text);
  if (named) {
    indexes.areas.visit(named, (area, isShortened) => {
      if (!areas.includes(area)) areas.push(area);
      if (!isShortened) exactAreas = areas.length;
      return areas.length < namesakeAreas;
    });
  }
  const name = indexes.names.find(text);
  if (name >= 0) {
    indexes.names.visit(
      { from: name, to: name + 1 },
      (rank) => places.push(indexes.postings.place(rank)) < contextPlaces,
    );
  }
  const begun = isBegun ? indexes.areas.index.prefixed(text) : undefined;
  const begunNames = begun && begun.to > begun.from ? begun : undefined;
  if (areas.length === 0 && !begunNames && places.length === 0) return undefined;
  return { areas, exactAreas, begunNames, places };
}

/** What it costs that a place fits all parts of a context (0 = fully); undefined when it does not fit one. */
export function contextCostOf(
  { table, areas: areaNames }: SearchIndexes,
  index: number,
  parts: readonly ContextPart[],
): number | undefined {
  let cost: number = contextCost.complete;
  for (const { areas, exactAreas, begunNames, places } of parts) {
    const area = areaAround(table, index, areas);
    if (area >= exactAreas || (area < 0 && begunNames && isWithin(table, index, areaNames, begunNames))) {
      cost += exactAreas > 0 ? contextCost.begunDespiteExact : contextCost.begun;
    } else if (area >= 0) cost += contextCost.complete;
    else if (isNear(table, index, places)) cost += contextCost.near;
    else return undefined;
  }
  return cost;
}

function isWithin(table: PlaceTable, index: number, areas: AreaNames, names: KeyRange): boolean {
  return (
    areas.isNamedIn(names, areaOfCountry(table.country(index))) ||
    areas.isNamedIn(names, areaOfRegion(table.admin1(index))) ||
    areas.isNamedIn(names, areaOfRegion(table.admin2(index)))
  );
}

/** Position of the first of the areas that holds a place; -1 when none does. */
function areaAround(table: PlaceTable, index: number, areas: readonly number[]): number {
  for (let at = 0; at < areas.length; at++) {
    const area = areas[at];
    const isAround = isCountryArea(area)
      ? area === table.country(index)
      : holds(regionOfArea(area), table.admin1(index), table.admin2(index));
    if (isAround) return at;
  }
  return -1;
}

function holds(region: number, admin1: number, admin2: number): boolean {
  return region === admin1 || region === admin2;
}

/** Whether one of the places is more prominent than a place, and near it. */
function isNear(table: PlaceTable, index: number, places: readonly number[]): boolean {
  return places.some((place) => place < index && kmBetween(table, place, index) <= nearKm);
}

function kmBetween(table: PlaceTable, left: number, right: number): number {
  return distanceKm(
    { lat: table.lat(left) / 1e6, lng: table.lng(left) / 1e6 },
    { lat: table.lat(right) / 1e6, lng: table.lng(right) / 1e6 },
  );
}

/** Cells in which the evidence for the settlement of objects has changed. */
import type { LatLng } from '../../../../core/geo.ts';
import { cellsAround, mayLead } from '../../../../sources/osm/address-cities.ts';
import { voteOf } from '../../../../sources/osm/addresses.ts';
import type { OsmFeature } from '../../../../sources/osm/feature.ts';
import { type Place, reachKmOf } from '../../../../sources/osm/settlements.ts';
import { type Cell, cellAt, cellKey, neighbourCell } from '../../../../sources/osm/tiles.ts';
import type { ExtractBase } from '../../../../store/sqlite/extract-base.ts';
import type { LocatedObject } from '../../../../store/sqlite/extract-base-schema.ts';
import { type ChangedContext, cellsNear, hintOf, placeOf } from './changed-context.ts';
import type { ChangedExtract, LocatedBoundary } from './changed-extract.ts';

type Cells = Map<number, Cell>;
type Box = { south: number; west: number; north: number; east: number };

/** In a larger box only the cells that have objects are listed. */
const maxCells = 4096;
const kmPerCell = 1.1;

export type DirtyCells = {
  /** Where nearby addresses indicate another city for any object. */
  cities: Cells;
  /** Where they indicate another city for streets and their houses, by street name. */
  streets: Map<number, { cell: Cell; names: Set<string> }>;
  /** Where boundaries or places do. */
  areas: Cells;
};

export function dirtyCells(base: ExtractBase, extract: ChangedExtract, context: ChangedContext): DirtyCells {
  const cities: Cells = new Map();
  const areas: Cells = new Map();
  const streets: DirtyCells['streets'] = new Map();
  const mark = (cells: Cells, at: Iterable<Cell>) => {
    for (const cell of at) cells.set(cellKey(cell), cell);
  };
  const markStreets = (said: readonly CityEvidence[]) => {
    for (const { lat, lng, streets: names } of said) {
      if (names.length === 0) continue;
      for (const cell of cellsNear(cellAt({ lat, lng }))) {
        const key = cellKey(cell);
        const known = streets.get(key) ?? { cell, names: new Set() };
        streets.set(key, known);
        for (const name of names) known.names.add(name);
      }
    }
  };
  const counted: Cells = new Map();

  for (const [key, { before, after }] of extract.features) {
    const said = [cityEvidenceOf(before, key, extract), cityEvidenceOf(after, key, extract)];
    if (JSON.stringify(said[0]) !== JSON.stringify(said[1])) {
      const known = said.filter((each) => each !== undefined);
      markStreets(known);
      mark(counted, known.map(cellAt));
    }
    const places = [before && placeOf(before), after && placeOf({ ...after, key })];
    if (JSON.stringify([places[0], before?.tags]) !== JSON.stringify([places[1], after?.tags]))
      for (const place of places) if (place) mark(areas, cellsReached(place));
  }
  for (const key of extract.touched) {
    const object = base.feature(key);
    if (object) mark(cities, cellsNear(cellAt(object)));
  }
  for (const cell of counted.values()) if (hasOtherLeader(cell, context)) mark(cities, cellsAround(cell));
  for (const name of context.otherCities()) {
    markStreets(base.featuresNaming(name).flatMap((object) => cityEvidenceOf(object, object.key, extract) ?? []));
  }

  const boxes = boxesNamed(context.otherCityNames(), base);
  for (const { before, after } of extract.boundaries.values()) {
    const isSame = JSON.stringify(before?.boundary) === JSON.stringify(after?.boundary);
    if (before && after && isSame) boxes.push(...differenceBoxes(before, after));
    else for (const each of [before, after]) if (each) boxes.push(boxOf(each));
  }
  for (const box of boxes) for (const cell of cellsOf(box, base)) mark(areas, cellsNear(cell));
  return { cities, streets, areas };
}

/** Boxes of the boundaries of cities that are an area of their own. */
function boxesNamed(names: ReadonlySet<string>, base: ExtractBase): Box[] {
  if (names.size === 0) return [];
  return base
    .boundaries()
    .filter(({ boundary }) => names.has(boundary!.name) && boundary!.level <= 6)
    .map(({ id, boundary, rings }) => boxOf({ id, boundary: boundary!, rings: rings! }));
}

/**
 * The evidence of an object for the city of others: of all nearby ones, and of streets and houses with certain names.
 */
type CityEvidence = LatLng & { vote: string | undefined; hint: unknown; streets: string[] };

/** The evidence of an object for the city of others; undefined if it has none. */
function cityEvidenceOf(
  object: LocatedObject | OsmFeature | undefined,
  key: number,
  extract: ChangedExtract,
): CityEvidence | undefined {
  if (!object) return undefined;
  const { lat, lng, tags } = object;
  const hint = hintOf({ key, lat, lng, tags }, extract);
  const vote = voteOf(object);
  if (vote === undefined && !hint) return undefined;
  return { lat, lng, vote, hint, streets: [tags['addr:street'], hint?.street].filter((name) => name !== undefined) };
}

/** Whether positions in a cell and around it may have another leading city than before. */
function hasOtherLeader(cell: Cell, context: ChangedContext): boolean {
  const [before, after] = [context.citiesBefore(cell), context.citiesIn(cell)];
  const [former, leader] = [mayLead(before), mayLead(after)];
  if (former?.text !== leader?.text) return true;
  if (leader?.city === undefined || before[0].count === after[0].count) return false;
  // The lead is larger or smaller: that matters where another city leads in a cell within reach of the same position.
  for (let rows = -2; rows <= 2; rows++) {
    for (let columns = -2; columns <= 2; columns++) {
      const other = mayLead(context.citiesIn(neighbourCell(cell, rows, columns)));
      if (other && other.city !== leader.city) return true;
    }
  }
  return false;
}

function* cellsReached(place: Place): Generator<Cell> {
  const rows = Math.ceil(reachKmOf(place) / kmPerCell) + 1;
  const columns = Math.min(1000, Math.ceil(rows / Math.cos((Math.min(89, Math.abs(place.lat) + 0.2) * Math.PI) / 180)));
  for (let row = -rows; row <= rows; row++)
    for (let column = -columns; column <= columns; column++) yield neighbourCell(cellAt(place), row, column);
}

const boxOf = ({ rings }: LocatedBoundary): Box => boxAround(rings.flatMap((ring) => [...edgesOf(ring)]));

/**
 * Boxes around every position that is in one of two areas and not in the other: by the even-odd rule these are enclosed
 * by the edges that only one of them has, which are closed loops. Loops that do not touch have a box each.
 */
function differenceBoxes(before: LocatedBoundary, after: LocatedBoundary): Box[] {
  const only = new Map<string, number[]>();
  for (const ring of [...before.rings, ...after.rings]) {
    for (const edge of edgesOf(ring)) {
      const [x1, y1, x2, y2] = edge;
      const key = x1 < x2 || (x1 === x2 && y1 < y2) ? `${x1} ${y1} ${x2} ${y2}` : `${x2} ${y2} ${x1} ${y1}`;
      if (!only.delete(key)) only.set(key, edge);
    }
  }
  const loopOf = new Map<string, number[][]>();
  for (const edge of only.values()) {
    const ends = [`${edge[0]} ${edge[1]}`, `${edge[2]} ${edge[3]}`];
    const [loop = [], other] = new Set(ends.flatMap((end) => (loopOf.has(end) ? [loopOf.get(end)!] : [])));
    loop.push(edge);
    for (const end of ends) loopOf.set(end, loop);
    if (!other) continue;
    for (const each of other) {
      loop.push(each);
      loopOf.set(`${each[0]} ${each[1]}`, loop);
      loopOf.set(`${each[2]} ${each[3]}`, loop);
    }
  }
  return [...new Set(loopOf.values())].map(boxAround);
}

function* edgesOf(ring: Float64Array): Generator<number[]> {
  for (let at = 2; at < ring.length; at += 2) yield [ring[at - 2], ring[at - 1], ring[at], ring[at + 1]];
}

function boxAround(edges: readonly number[][]): Box {
  const box = { south: 90, west: 180, north: -90, east: -180 };
  for (const [x1, y1, x2, y2] of edges) {
    box.south = Math.min(box.south, y1, y2);
    box.north = Math.max(box.north, y1, y2);
    box.west = Math.min(box.west, x1, x2);
    box.east = Math.max(box.east, x1, x2);
  }
  // An edge over the date line says nothing of the longitudes between.
  return box.east - box.west > 180 ? { ...box, west: -180, east: 180 } : box;
}

function cellsOf(box: Box, base: ExtractBase): Cell[] {
  const [first, last] = [cellAt({ lat: box.south, lng: box.west }), cellAt({ lat: box.north, lng: box.east })];
  const [rows, columns] = [last.row - first.row, last.column - first.column];
  if (columns < 0 || (rows + 1) * (columns + 1) > maxCells) return base.positionsIn(box).map(cellAt);
  return Array.from({ length: (rows + 1) * (columns + 1) }, (_, at) =>
    neighbourCell(first, Math.floor(at / (columns + 1)), at % (columns + 1)),
  );
}

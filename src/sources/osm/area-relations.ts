/** Boundaries and multipolygons: spilled with their member ways, until the lines of those are there to make rings of. */

import type { NumberFilter } from '../../core/columns.ts';
import { isRing } from '../../core/geo.ts';
import type { Spool } from '../../store/sqlite/spool.ts';
import type { IdTable, Tables } from '../tables.ts';
import type { memberWays } from './pbf-block.ts';

/** A relation with its member ways, and which of them have the role `inner`. */
type AreaRelation = { id: number; tags: Record<string, string>; members: ReturnType<typeof memberWays> };

/** A relation with the closed rings of its member ways, and the ways themselves in their order. */
export type LocatedArea = AreaRelation & Record<'outers' | 'inners' | 'lines', Float64Array[]>;

/** Relations are added first, then the lines of ways; then they are read, located, in the order of the file. */
export class AreaRelations {
  readonly #areas: Spool<AreaRelation>;
  readonly #memberWays: NumberFilter;
  /** By the ids of the ways. */
  readonly #lines: Spool<{ line: Float64Array }>;

  constructor(tables: Tables) {
    this.#areas = tables.spool();
    this.#memberWays = tables.filter(0.06);
    this.#lines = tables.spool();
  }

  add(area: AreaRelation): void {
    for (const { way } of area.members) this.#memberWays.add(way);
    // One key: they are read in the order of the file.
    this.#areas.add(0, area);
  }

  /** Whether the relations need a way; of a large file that takes in others too, whose lines are located needlessly. */
  mayHaveMember(way: number): boolean {
    return this.#memberWays.mayHave(way);
  }

  addLine(way: number, line: Float64Array): void {
    this.#lines.add(0, { line }, way);
  }

  *located(): Generator<LocatedArea> {
    for (const area of this.#areas) yield locatedArea(area, (way) => this.#lines.at(way)?.line);
  }
}

/**
 * A relation with the rings of its ways; `lineOf` returns the line of a way, empty or undefined where it is not
 * located.
 */
function locatedArea(area: AreaRelation, lineOf: (way: number) => Float64Array | undefined): LocatedArea {
  const inner: Float64Array[] = [];
  const outer: Float64Array[] = [];
  const lines: Float64Array[] = [];
  for (const { way, isInner } of area.members) {
    const line = lineOf(way);
    if (line === undefined || line.length === 0) continue;
    (isInner ? inner : outer).push(line);
    lines.push(line);
  }
  return { ...area, outers: assembleRings(outer).rings, inners: assembleRings(inner).rings, lines };
}

// Positions of nodes: of all nodes, or, if those do not fit into memory, of the ones that ways need.

/** Usage: `need` (if only some nodes are needed), then `add`, then `finish`, then line look-ups. */
export class NodeLocations {
  readonly #table: IdTable;
  /** Ids that are needed, and some others, which are located needlessly. */
  #needed: NumberFilter | undefined;
  #isFinished = false;

  /** A share of the memory; half of it is for the set of the needed nodes, if only those are located. */
  constructor(tables: Tables, share: number, { areAllNeeded }: { areAllNeeded: boolean }) {
    this.#table = tables.ids('node-locations', areAllNeeded ? share : share / 2);
    if (areAllNeeded) return;
    this.#needed = tables.filter(share / 2);
  }

  need(id: number): void {
    this.#needed?.add(id);
  }

  /** Takes a position in units of 1e-7 degrees. */
  add(id: number, lat: number, lng: number): void {
    if (this.#needed?.mayHave(id) !== false) this.#table.add(id, lat, lng);
  }

  finish(): void {
    if (!this.#isFinished) this.#table.finish();
    this.#isFinished = true;
    this.#needed = undefined;
  }

  /** The located nodes of a way as lng, lat, …; extracts lack some nodes of ways that cross their edge. */
  line(refs: ArrayLike<number>): { line: Float64Array; nodeIds: Float64Array } {
    const line = new Float64Array(refs.length * 2);
    const nodeIds = new Float64Array(refs.length);
    let count = 0;
    // Not for … of: its iterator costs more than the work on a node.
    for (let at = 0; at < refs.length; at++) {
      if (!this.#table.find(refs[at])) continue;
      line[2 * count] = this.#table.high / 1e7;
      line[2 * count + 1] = this.#table.low / 1e7;
      nodeIds[count++] = refs[at];
    }
    if (count === refs.length) return { line, nodeIds };
    return { line: line.slice(0, 2 * count), nodeIds: nodeIds.slice(0, count) };
  }
}

// Closed rings from the ways of a multipolygon, and a quick test whether a point is inside.

const endKey = (line: Float64Array, at: number) => `${line[at]} ${line[at + 1]}`;

/**
 * Joins lines at equal ends into rings. `open` counts the pieces that do not close, which is usual where an extract
 * cuts a boundary.
 */
export function assembleRings(lines: readonly Float64Array[]): { rings: Float64Array[]; open: number } {
  const rings: Float64Array[] = [];
  const byEnd = new Map<string, Set<Float64Array>>();
  const unused = new Set<Float64Array>();
  for (const line of lines) {
    if (isRing(line)) rings.push(line);
    else if (line.length >= 4) {
      unused.add(line);
      for (const at of [0, line.length - 2]) byEnd.getOrInsertComputed(endKey(line, at), () => new Set()).add(line);
    }
  }
  let open = 0;
  for (const start of unused) {
    unused.delete(start);
    const pieces: Float64Array[] = [start];
    const goal = endKey(start, 0);
    let end = endKey(start, start.length - 2);
    while (end !== goal) {
      const ending = byEnd.get(end);
      // Used ones are forgotten on the way, so that each is passed once.
      const next = ending?.values().find((line) => unused.has(line) || !ending.delete(line));
      if (!next) break;
      unused.delete(next);
      const isForward = endKey(next, 0) === end;
      pieces.push(isForward ? next : reversed(next));
      end = endKey(next, isForward ? next.length - 2 : 0);
    }
    const ring = joined(pieces);
    if (isRing(ring)) rings.push(ring);
    else open++;
  }
  return { rings, open };
}

function reversed(line: Float64Array): Float64Array {
  const other = new Float64Array(line.length);
  for (let at = 0; at < line.length; at += 2) {
    other[line.length - 2 - at] = line[at];
    other[line.length - 1 - at] = line[at + 1];
  }
  return other;
}

function joined(pieces: Float64Array[]): Float64Array {
  const coordinates: number[] = [];
  for (const piece of pieces) {
    // The first point of a piece is the last of the one before.
    for (let at = coordinates.length === 0 ? 0 : 2; at < piece.length; at++) coordinates.push(piece[at]);
  }
  return Float64Array.from(coordinates);
}

/** Bands that an edge crosses at most, on average. */
const maxBandsOfEdge = 8;

/** An area of rings by the even-odd rule; edges lie in bands of latitude, so that a test examines few of them. */
export class Area {
  readonly south: number;
  readonly north: number;
  readonly west: number;
  readonly east: number;
  /** Memory that the area takes, about. */
  readonly bytes: number;
  readonly #bands: Uint32Array[];
  /** x1, y1, x2, y2 of every edge, longitudes running on across the antimeridian. */
  readonly #edges: Float64Array;

  constructor(rings: readonly Float64Array[]) {
    const edges: number[] = [];
    const start = rings[0][0];
    let [south, north, west, east] = [90, -90, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const ring of rings) {
      let x = ring[0] - 360 * Math.round((ring[0] - start) / 360);
      for (let at = 0; at < ring.length; at += 2) {
        const next = ring[at] - 360 * Math.round((ring[at] - x) / 360);
        const y = ring[at + 1];
        if (at > 0) edges.push(x, ring[at - 1], next, y);
        x = next;
        [south, north] = [Math.min(south, y), Math.max(north, y)];
        [west, east] = [Math.min(west, x), Math.max(east, x)];
      }
    }
    [this.south, this.north, this.west, this.east] = [south, north, west, east];
    this.#edges = Float64Array.from(edges);
    let heights = 0;
    for (let at = 0; at < edges.length; at += 4) heights += Math.abs(edges[at + 1] - edges[at + 3]);
    // Each edge stands in every band that it crosses: of long ones there are fewer bands.
    const most = Math.floor((maxBandsOfEdge * (edges.length / 4) * (north - south)) / heights) || 1;
    const count = Math.max(1, Math.min(most, Math.ceil(edges.length / 32)));
    const bands: number[][] = Array.from({ length: count }, () => []);
    for (let at = 0; at < edges.length; at += 4) {
      const last = bandOf(this, bands.length, Math.max(edges[at + 1], edges[at + 3]));
      for (let band = bandOf(this, bands.length, Math.min(edges[at + 1], edges[at + 3])); band <= last; band++) {
        bands[band].push(at);
      }
    }
    this.#bands = bands.map((band) => Uint32Array.from(band));
    // A band is an object of about 200 bytes besides its numbers.
    this.bytes = this.#bands.reduce((sum, band) => sum + 200 + band.byteLength, this.#edges.byteLength);
  }

  contains(lat: number, lng: number): boolean {
    if (lat < this.south || lat > this.north) return false;
    let x = lng;
    if (x < this.west) x += 360;
    if (x > this.east) x -= 360;
    if (x < this.west || x > this.east) return false;
    const edges = this.#edges;
    let isInside = false;
    for (const at of this.#bands[bandOf(this, this.#bands.length, lat)]) {
      const [x1, y1, x2, y2] = [edges[at], edges[at + 1], edges[at + 2], edges[at + 3]];
      if (y1 > lat !== y2 > lat && x < x1 + ((lat - y1) * (x2 - x1)) / (y2 - y1)) isInside = !isInside;
    }
    return isInside;
  }
}

function bandOf(area: { south: number; north: number }, count: number, lat: number): number {
  const height = area.north - area.south;
  return height === 0 ? 0 : Math.min(count - 1, Math.floor(((lat - area.south) / height) * count));
}

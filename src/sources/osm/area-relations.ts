/** Boundaries and multipolygons: spilled with their member ways, until the lines of those are there to make rings of. */
import type { IdSorter, IdTable } from '../tables/id-table.ts';
import type { RowFormat, Spool } from '../tables/spool.ts';
import type { Tables } from '../tables/tables.ts';
import { assembleRings } from './rings.ts';

/** A relation with its member ways; 1 stands in `isInner` for those with the role `inner`. */
export type AreaRelation = { id: number; tags: Record<string, string>; ways: Float64Array; isInner: Float64Array };

/** A relation with the closed rings of its member ways, and the ways themselves in their order. */
export type LocatedArea = AreaRelation & Record<'outers' | 'inners' | 'lines', Float64Array[]>;

const areaRows: RowFormat<AreaRelation> = {
  rowOf: ({ id, tags, ways, isInner }) => ({ head: [id, tags], lists: [ways, isInner] }),
  itemOf({ head, lists }) {
    const [id, tags] = head as [number, Record<string, string>];
    return { id, tags, ways: lists[0], isInner: lists[1] };
  },
};
const lineRows: RowFormat<Float64Array> = {
  rowOf: (line) => ({ head: 0, lists: [line] }),
  itemOf: ({ lists }) => lists[0],
};

/** Relations are added first, then the lines of ways; then they are read, located, in the order of the file. */
export class AreaRelations {
  readonly #areas: Spool<AreaRelation>;
  readonly #memberWays: IdTable;
  readonly #lines: Spool<Float64Array>;
  readonly #linePositions: IdTable;

  constructor(tables: Tables) {
    this.#areas = tables.spool(0.3, areaRows);
    this.#memberWays = tables.ids('member-ways', 0.15);
    this.#lines = tables.spool(0.4, lineRows);
    this.#linePositions = tables.ids('line-positions', 0.15);
  }

  add(id: number, tags: Record<string, string>, members: readonly { way: number; isInner: boolean }[]): void {
    for (const { way } of members) this.#memberWays.add(way, 0, 0);
    const ways = Float64Array.from(members, ({ way }) => way);
    const isInner = Float64Array.from(members, (member) => (member.isInner ? 1 : 0));
    // One key: they are read in the order of the file.
    this.#areas.add(0, { id, tags, ways, isInner });
  }

  /** To be called when all relations are there, before a way is requested. */
  finishRelations(): void {
    this.#memberWays.finish();
  }

  hasMember(way: number): boolean {
    return this.#memberWays.find(way);
  }

  addLine(way: number, line: Float64Array): void {
    this.#linePositions.addPosition(way, this.#lines.add(0, line));
  }

  *located(): Generator<LocatedArea> {
    this.#linePositions.finish();
    const lineOf = (way: number) => {
      const position = this.#linePositions.position(way);
      return position === undefined ? undefined : this.#lines.at(position);
    };
    for (const area of this.#areas) yield locatedArea(area, lineOf);
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
  for (const [at, id] of area.ways.entries()) {
    const line = lineOf(id);
    if (line === undefined || line.length === 0) continue;
    (area.isInner[at] === 1 ? inner : outer).push(line);
    lines.push(line);
  }
  return { ...area, outers: assembleRings(outer).rings, inners: assembleRings(inner).rings, lines };
}

// Positions of nodes: of all nodes, or, if those do not fit into memory, of the ones that ways need.

/** Latitude of a node that was not seen yet. */
const unlocated = -(2 ** 31);

/** Usage: `need` (if only some nodes are needed), then `add`, then `finish`, then line look-ups. */
export class NodeLocations {
  readonly #table: IdTable;
  readonly #needed: IdSorter;
  #isNeededKnown = false;
  #isFinished = false;

  /** Shares of the memory; the second is used only until the needed nodes are known. */
  constructor(tables: Tables, share: number, sorterShare: number) {
    this.#table = tables.ids('node-locations', share);
    this.#needed = tables.sortedIds('needed-nodes', sorterShare);
  }

  need(id: number): void {
    this.#needed.add(id);
  }

  /** To be called when all needed nodes were said, and before the first `add`. */
  finishNeeded(): void {
    for (const id of this.#needed.sorted()) this.#table.add(id, unlocated, 0);
    this.#needed.close();
    this.finish();
    this.#isNeededKnown = true;
  }

  /** Takes a position in units of 1e-7 degrees. */
  add(id: number, lat: number, lng: number): void {
    if (this.#isNeededKnown) this.#table.set(id, lat, lng);
    else this.#table.add(id, lat, lng);
  }

  finish(): void {
    if (!this.#isFinished) this.#table.finish();
    this.#isFinished = true;
  }

  /** The located nodes of a way as lng, lat, …; extracts lack some nodes of ways that cross their edge. */
  line(refs: Float64Array): { line: Float64Array; nodeIds: Float64Array } {
    const line = new Float64Array(refs.length * 2);
    const nodeIds = new Float64Array(refs.length);
    let count = 0;
    // Not for … of: its iterator costs more than the work on a node.
    for (let at = 0; at < refs.length; at++) {
      if (!this.#table.find(refs[at]) || this.#table.low === unlocated) continue;
      line[2 * count] = this.#table.high / 1e7;
      line[2 * count + 1] = this.#table.low / 1e7;
      nodeIds[count++] = refs[at];
    }
    if (count === refs.length) return { line, nodeIds };
    return { line: line.slice(0, 2 * count), nodeIds: nodeIds.slice(0, count) };
  }
}

/** Boundaries and multipolygons: spilled with their member ways, until the lines of those are there to make rings of. */
import { join } from 'node:path';
import { IdTable } from '../tables/id-table.ts';
import { RowFile, type RowFormat } from '../tables/rows.ts';
import { SortedSpool } from '../tables/sorted-spool.ts';
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
  readonly #areas: SortedSpool<AreaRelation>;
  readonly #memberWays: IdTable;
  readonly #lines: RowFile<Float64Array>;
  readonly #linePositions: IdTable;

  /** `bytes` is the memory of each table; the rest goes to files in `directory`. */
  constructor(directory: string, bytes: Record<'areas' | 'memberWays' | 'lines' | 'linePositions', number>) {
    this.#areas = new SortedSpool(join(directory, 'areas'), bytes.areas, areaRows);
    this.#memberWays = new IdTable(join(directory, 'member-ways'), bytes.memberWays);
    this.#lines = new RowFile(join(directory, 'lines'), bytes.lines, lineRows);
    this.#linePositions = new IdTable(join(directory, 'line-positions'), bytes.linePositions);
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
    this.#linePositions.addPosition(way, this.#lines.add(line));
  }

  *located(): Generator<LocatedArea> {
    this.#linePositions.finish();
    const lineOf = (way: number) => {
      const position = this.#linePositions.position(way);
      return position === undefined ? undefined : this.#lines.get(position);
    };
    for (const area of this.#areas) yield locatedArea(area, lineOf);
  }

  close(): void {
    for (const table of [this.#areas, this.#memberWays, this.#lines, this.#linePositions]) table.close();
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

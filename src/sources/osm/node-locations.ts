/** Positions of nodes: of all nodes, or, if those do not fit into memory, of the ones that ways need. */
import { IdSorter } from '../tables/id-sorter.ts';
import { IdTable } from '../tables/id-table.ts';

/** Latitude of a node that was not seen yet. */
const unlocated = -(2 ** 31);

/** Usage: `need` (if only some nodes are needed), then `add`, then `finish`, then line look-ups. */
export class NodeLocations {
  readonly #table: IdTable;
  readonly #sorterPath: string;
  readonly #sorterBytes: number;
  #needed: IdSorter | undefined;
  #isNeededKnown = false;
  #isFinished = false;

  /** Names of temporary files begin with `path`; `sorterBytes` are used only until the needed nodes are known. */
  constructor(path: string, memoryBytes: number, sorterBytes: number) {
    this.#table = new IdTable(path, memoryBytes);
    this.#sorterPath = `${path}-needed`;
    this.#sorterBytes = sorterBytes;
  }

  need(id: number): void {
    this.#needed ??= new IdSorter(this.#sorterPath, this.#sorterBytes);
    this.#needed.add(id);
  }

  /** To be called when all needed nodes were said, and before the first `add`. */
  finishNeeded(): void {
    for (const id of this.#needed?.sorted() ?? []) this.#table.add(id, unlocated, 0);
    this.#needed?.close();
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

  close(): void {
    this.#table.close();
  }
}

/**
 * The tables of an import: each takes its share of a memory, what does not fit goes to files in a directory, and all end
 * together.
 */
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { firstPast, NumberFilter } from '../core/columns.ts';
import { type Spool, Spools, withRemedy } from '../store/sqlite/spool.ts';

/** The share of the memory of all lists. */
const spoolShare = 0.25;
/** As a set of bits, all ids that OpenStreetMap has are no larger. */
const maxBytesOfSet = 2 ** 31;

export class Tables extends Spools {
  readonly memoryBytes: number;
  readonly #directory: string;
  readonly #ids: IdTable[] = [];

  /** Nobody else sees the files in `directory`, which the caller removes. */
  constructor(directory: string, memoryBytes: number) {
    super(directory, memoryBytes * spoolShare);
    this.#directory = directory;
    this.memoryBytes = memoryBytes;
  }

  ids(name: string, share: number): IdTable {
    const table = new IdTable(join(this.#directory, name), this.memoryBytes * share);
    this.#ids.push(table);
    return table;
  }

  /** A set of ids that may have others too. */
  filter(share: number): NumberFilter {
    return new NumberFilter(Math.min(maxBytesOfSet, Math.ceil(this.memoryBytes * share)));
  }

  override [Symbol.dispose](): void {
    for (const table of this.#ids) table.close();
    super[Symbol.dispose]();
  }
}

// Ids with two 32-bit numbers: 16 bytes an entry in memory, and in a temporary file where that is not
// enough. Ids that ascend, as those of sorted OpenStreetMap files do, are written once; from the first one that does not, all
// are sorted at the end. Rows sorted by id are in pages of 4,096 (64 KB), an id and two 32-bit numbers each; of those beyond the given
// memory the ones used longest ago are in the file alone.

const rowsPerPage = 4096;
const bytesPerPage = rowsPerPage * 16;

type Page = { number: number; bytes: Buffer; ids: Float64Array; lows: Int32Array; highs: Int32Array };

/** Usage: `add`, then `finish`, then look-ups. Of several entries of one id, the one added first counts. */
export class IdTable {
  size = 0;
  /** The numbers found last. */
  low = 0;
  high = 0;
  readonly #path: string;
  readonly #memoryBytes: number;
  /** Pages in memory by number; once there is a file, the one used last is at the end. */
  readonly #cached = new Map<number, Page>();
  #page = emptyPage();
  #firstIds: number[] = [];
  #lastId = Number.NEGATIVE_INFINITY;
  /** The temporary file, and all entries where their ids do not ascend. */
  #file: number | undefined;
  #spools: Spools | undefined;
  #unsorted: Spool<[low: number, high: number]> | undefined;

  /** A file at `path`, which must not be there yet, is created when more than `memoryBytes` are needed; the caller removes it. */
  constructor(path: string, memoryBytes: number) {
    this.#path = path;
    this.#memoryBytes = memoryBytes;
  }

  add(id: number, low: number, high: number): void {
    if (id <= this.#lastId) this.#unsorted ??= this.#moved();
    this.#lastId = id;
    if (this.#unsorted) this.#unsorted.add(id, [low, high]);
    else this.#append(id, low, high);
  }

  finish(): void {
    let last = Number.NEGATIVE_INFINITY;
    for (const [id, [low, high]] of this.#unsorted?.entries() ?? []) {
      if (id !== last) this.#append(id, low, high);
      last = id;
    }
    this.#spools?.[Symbol.dispose]();
    if (this.#file !== undefined) for (const page of this.#cached.values()) this.#write(page);
  }

  /** Looks an id up; true when it is there, and then `low` and `high` are its numbers. */
  find(id: number): boolean {
    const number = this.#pageOf(id);
    if (number < 0) return false;
    if (number !== this.#page.number) this.#load(number);
    const { ids, lows, highs } = this.#page;
    const end = Math.min(rowsPerPage, this.size - number * rowsPerPage);
    let low = 0;
    let high = end;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (ids[middle] < id) low = middle + 1;
      else high = middle;
    }
    if (low === end || ids[low] !== id) return false;
    this.low = lows[low];
    this.high = highs[low];
    return true;
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
    this.#cached.clear();
    this.#spools?.[Symbol.dispose]();
  }

  /** Adds a row behind the last one, whose id is lower. */
  #append(id: number, low: number, high: number): void {
    const at = this.size++ % rowsPerPage;
    if (at === 0) {
      const oldest = this.#oldest();
      if (oldest) this.#write(oldest);
      this.#use(this.#firstIds.push(id) - 1, oldest ?? emptyPage());
    }
    const { ids, lows, highs } = this.#page;
    ids[at] = id;
    lows[at] = low;
    highs[at] = high;
  }

  /** What the pages have so far, which are empty then. */
  #moved(): Spool<[low: number, high: number]> {
    this.finish();
    this.#spools = new Spools(dirname(this.#path), this.#memoryBytes);
    const entries = this.#spools.spool<[low: number, high: number]>();
    for (let row = 0; row < this.size; row++) {
      if (row % rowsPerPage === 0) this.#load(row / rowsPerPage);
      const { ids, lows, highs } = this.#page;
      const at = row % rowsPerPage;
      entries.add(ids[at], [lows[at], highs[at]]);
    }
    this.size = 0;
    this.#firstIds = [];
    this.#cached.clear();
    return entries;
  }

  #pageOf(id: number): number {
    const firstIds = this.#firstIds;
    const { number } = this.#page;
    if (firstIds[number] <= id && (number + 1 === firstIds.length || id < firstIds[number + 1])) return number;
    return firstPast(0, firstIds.length, (page) => firstIds[page] > id) - 1;
  }

  #load(number: number): void {
    let page = this.#cached.get(number);
    if (!page) {
      page = this.#oldest()!;
      const got = readSync(this.#file!, page.bytes, 0, bytesPerPage, number * bytesPerPage);
      if (got < bytesPerPage) throw new Error(`the temporary file ${this.#path} was truncated by another program`);
    } else if (this.#file !== undefined) this.#cached.delete(number);
    this.#use(number, page);
  }

  #use(number: number, page: Page): void {
    page.number = number;
    this.#cached.set(number, page);
    this.#page = page;
  }

  /** Takes the page used longest ago out of the memory when that is full. */
  #oldest(): Page | undefined {
    if (this.#cached.size < Math.max(4, Math.floor(this.#memoryBytes / bytesPerPage))) return undefined;
    const page: Page = this.#cached.values().next().value!;
    this.#cached.delete(page.number);
    return page;
  }

  #write({ number, bytes }: Page): void {
    withRemedy(this.#path, () => {
      this.#file ??= openSync(this.#path, 'wx+');
      for (let done = 0; done < bytesPerPage; )
        done += writeSync(this.#file, bytes, done, bytesPerPage - done, number * bytesPerPage + done);
    });
  }
}

function emptyPage(): Page {
  const memory = new ArrayBuffer(bytesPerPage);
  return {
    number: 0,
    bytes: Buffer.from(memory),
    ids: new Float64Array(memory, 0, rowsPerPage),
    lows: new Int32Array(memory, rowsPerPage * 8, rowsPerPage),
    highs: new Int32Array(memory, rowsPerPage * 12, rowsPerPage),
  };
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

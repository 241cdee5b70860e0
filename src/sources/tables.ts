/**
 * The tables of an import: each takes its share of a memory, what does not fit goes to files in a directory, and all end
 * together.
 */
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { firstPast } from '../core/columns.ts';
import { SourceError } from '../core/source-records.ts';
import { Sorter } from '../store/sqlite/database.ts';

export class Tables implements Disposable {
  readonly memoryBytes: number;
  readonly #directory: string;
  readonly #open: { close(): void }[];

  /** Nobody else sees the files in `directory`, which the caller removes. */
  constructor(directory: string, memoryBytes: number, open: { close(): void }[] = []) {
    this.#directory = directory;
    this.memoryBytes = memoryBytes;
    this.#open = open;
  }

  /** A share of the memory for several tables, which end with all others. */
  part(share: number): Tables {
    return new Tables(this.#directory, this.memoryBytes * share, this.#open);
  }

  spool<T extends object>(share: number): Spool<T> {
    return this.#opened(new Spool(this.#directory, this.memoryBytes * share));
  }

  ids(name: string, share: number): IdTable {
    return this.#opened(new IdTable(join(this.#directory, name), this.memoryBytes * share));
  }

  [Symbol.dispose](): void {
    for (const table of this.#open.splice(0)) table.close();
  }

  #opened<T extends { close(): void }>(table: T): T {
    this.#open.push(table);
    return table;
  }
}

// A list that is filled once and then read several times in the order of its keys, or at any place. It takes a given
// memory; the rest goes to a temporary file.

const isNumbers = (value: unknown) =>
  value instanceof Float64Array || (Array.isArray(value) && value[0] instanceof Float64Array);

const itemIn = <T>(row: string | Uint8Array): T => (typeof row === 'string' ? JSON.parse(row) : deserialize(row));

/** Items that JSON can write, but for fields that are lists of numbers, or lists of these. */
export class Spool<T extends object> {
  readonly #rows: Sorter<string | Uint8Array>;
  readonly #directory: string;

  /** Files are made in `directory`, which nobody else sees. */
  constructor(directory: string, memoryBytes: number) {
    this.#rows = new Sorter(directory, memoryBytes / 1e6);
    this.#directory = directory;
  }

  get size(): number {
    return this.#rows.count;
  }

  /** Adds an item; items of one key keep their order. Returns its position. */
  add(key: number, item: T): number {
    // Numbers in lists are bytes; JSON is faster for all else.
    const row = Object.values(item).some(isNumbers) ? serialize(item) : JSON.stringify(item);
    return withRemedy(`in ${this.#directory}`, () => this.#rows.add(key, row));
  }

  /** The item at a position that `add` gave. */
  at(position: number): T {
    return itemIn<T>(this.#rows.at(position));
  }

  *[Symbol.iterator](): Generator<T> {
    for (const { item } of this.entries()) yield item;
  }

  /** The items with their keys, in order. */
  *entries(): Generator<{ key: number; item: T }> {
    for (const [key, bytes] of this.#rows.values()) yield { key, item: itemIn<T>(bytes) };
  }

  close(): void {
    this.#rows.close();
  }
}

/** Reads a list key by key, in the order of the keys. */
export class SpoolReader<T extends object> {
  readonly #entries: Iterator<{ key: number; item: T }>;
  #next: { key: number; item: T } | undefined;

  constructor(spool: Spool<T>) {
    this.#entries = spool.entries();
    this.#next = this.#entries.next().value;
  }

  /** The items of a key, which must be above the one requested before. */
  of(key: number): T[] {
    const items: T[] = [];
    for (; this.#next && this.#next.key <= key; this.#next = this.#entries.next().value) {
      if (this.#next.key === key) items.push(this.#next.item);
    }
    return items;
  }
}

// Ids with two 32-bit numbers or one position in a file: 16 bytes an entry in memory, and in a temporary file where that is not
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
  /** The temporary file, and all entries as `low high` where their ids do not ascend. */
  #file: number | undefined;
  #unsorted: Sorter<string> | undefined;

  /** A file at `path`, which must not be there yet, is created when more than `memoryBytes` are needed; the caller removes it. */
  constructor(path: string, memoryBytes: number) {
    this.#path = path;
    this.#memoryBytes = memoryBytes;
  }

  add(id: number, low: number, high: number): void {
    if (id <= this.#lastId) this.#unsorted ??= this.#moved();
    this.#lastId = id;
    if (this.#unsorted) this.#unsorted.add(id, `${low} ${high}`);
    else this.#append(id, low, high);
  }

  /** Adds a whole number of up to 53 bits. */
  addPosition(id: number, position: number): void {
    this.add(id, position | 0, Math.floor(position / 2 ** 32));
  }

  finish(): void {
    let last = Number.NEGATIVE_INFINITY;
    for (const [id, numbers] of this.#unsorted?.values() ?? []) {
      const [low, high] = numbers.split(' ');
      if (id !== last) this.#append(id, Number(low), Number(high));
      last = id;
    }
    this.#unsorted?.close();
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

  /** The whole number that was added for an id. */
  position(id: number): number | undefined {
    return this.find(id) ? this.high * 2 ** 32 + (this.low >>> 0) : undefined;
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
    this.#cached.clear();
    this.#unsorted?.close();
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
  #moved(): Sorter<string> {
    const entries = new Sorter<string>(dirname(this.#path), this.#memoryBytes / 1e6);
    this.finish();
    for (let row = 0; row < this.size; row++) {
      if (row % rowsPerPage === 0) this.#load(row / rowsPerPage);
      const { ids, lows, highs } = this.#page;
      const at = row % rowsPerPage;
      entries.add(ids[at], `${lows[at]} ${highs[at]}`);
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

/** Runs a write to a temporary file; on failure throws an error with the remedy. */
function withRemedy<T>(path: string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    throw new SourceError(
      `the temporary file ${path} cannot be written: ${(error as Error).message}; use a disk with more space, or set more memory (buildMemoryMb)`,
    );
  }
}

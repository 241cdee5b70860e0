/**
 * The tables of an import: each takes its share of a memory, what does not fit goes to files in a directory, and all end
 * together.
 */
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
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
    const row = written(item);
    try {
      return this.#rows.add(key, row);
    } catch (error) {
      throw cannotWrite(`in ${this.#directory}`, error);
    }
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

const isNumbers = (value: unknown) =>
  value instanceof Float64Array || (Array.isArray(value) && value[0] instanceof Float64Array);

/**
 * An item in JSON; one with lists of numbers as bytes: how many these are, the length of each, the numbers as they are in memory, and
 * in JSON the item with the number of lists in place of those of a field (null for the field's only one), and these fields' names.
 */
function written(item: object): string | Uint8Array {
  if (!Object.values(item).some(isNumbers)) return JSON.stringify(item);
  const fields = Object.entries(item).filter(([, value]) => isNumbers(value));
  const lists: Float64Array[] = fields.flatMap(([, value]) => value);
  const counts = fields.map(([name, value]) => [name, Array.isArray(value) ? value.length : null]);
  const parts = [Uint32Array.of(lists.length, ...lists.map(({ length }) => length)), ...lists];
  const bytes = parts.map((part) => Buffer.from(part.buffer, part.byteOffset, part.byteLength));
  const json = JSON.stringify([{ ...item, ...Object.fromEntries(counts) }, fields.map(([name]) => name)]);
  return Buffer.concat([...bytes, Buffer.from(json)]);
}

function itemIn<T>(blob: string | Uint8Array): T {
  if (typeof blob === 'string') return JSON.parse(blob);
  const bytes = Buffer.from(blob.buffer, blob.byteOffset, blob.byteLength);
  const count = bytes.readUInt32LE(0);
  let at = 4 + 4 * count;
  const lists = Array.from({ length: count }, (_, list) => {
    const numbers = new Float64Array(bytes.readUInt32LE(4 + 4 * list));
    at += bytes.copy(new Uint8Array(numbers.buffer), 0, at, at + numbers.byteLength);
    return numbers;
  });
  const [item, fields]: [Record<string, unknown>, string[]] = JSON.parse(bytes.toString('utf8', at));
  for (const name of fields) item[name] = item[name] === null ? lists.shift() : lists.splice(0, item[name] as number);
  return item as T;
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

// Ids with two 32-bit numbers or one position in a file: 16 bytes an entry in memory, and in temporary files where that is not
// enough. Ids that ascend, as those of sorted OpenStreetMap files do, are written once; from the first one that does not, all
// are sorted at the end. Rows sorted by id are in pages of 4,096 (64 KB), an id and two 32-bit numbers each; pages beyond the given
// memory go to a temporary file and come back through a cache of the ones used last.

const rowsPerPage = 4096;
const bytesPerPage = rowsPerPage * 16;

type Page = { bytes: Buffer; ids: Float64Array; lows: Int32Array; highs: Int32Array };

type IdRow = { id: number; low: number; high: number };

class SortedPages {
  /** The row found last. */
  low = 0;
  high = 0;
  size = 0;
  readonly #path: string;
  readonly #maxPages: number;
  /** Pages in memory by number; the one used last is at the end. */
  readonly #cached = new Map<number, Page>();
  readonly #firstIds: number[] = [];
  #page: Page = emptyPage();
  #number = 0;
  #file: TemporaryFile | undefined;

  /** `path` is created when more than `memoryBytes` are needed; the caller removes it. */
  constructor(path: string, memoryBytes: number) {
    this.#path = path;
    this.#maxPages = Math.max(4, Math.floor(memoryBytes / bytesPerPage));
  }

  get isOnDisk(): boolean {
    return this.#file !== undefined;
  }

  /** Adds a row; its id must be above the last one. */
  add(id: number, low: number, high: number): void {
    const at = this.size % rowsPerPage;
    if (at === 0) {
      if (this.size > 0) this.#keep();
      this.#number = this.size / rowsPerPage;
      this.#firstIds.push(id);
    }
    const { ids, lows, highs } = this.#page;
    ids[at] = id;
    lows[at] = low;
    highs[at] = high;
    this.size++;
  }

  /** To be called between the last `add` and the first `find`. */
  finish(): void {
    if (this.size === 0) return;
    this.#keep();
    this.#page = this.#load(this.#number);
  }

  /** Looks an id up; true when it is there, and then `low` and `high` are those of its row. */
  find(id: number): boolean {
    if (this.size === 0) return false;
    const number = this.#pageOf(id);
    if (number < 0) return false;
    if (number !== this.#number) {
      this.#page = this.#load(number);
      this.#number = number;
    }
    const { ids, lows, highs } = this.#page;
    let low = 0;
    let high = number === this.#firstIds.length - 1 ? this.size - number * rowsPerPage : rowsPerPage;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (ids[middle] < id) low = middle + 1;
      else high = middle;
    }
    if (ids[low] !== id || low >= rowsPerPage || number * rowsPerPage + low >= this.size) return false;
    this.low = lows[low];
    this.high = highs[low];
    return true;
  }

  /** All rows in order, after `finish`. */
  *rows(): Generator<IdRow> {
    for (let number = 0; number < this.#firstIds.length; number++) {
      const { ids, lows, highs } = this.#load(number);
      const count = Math.min(rowsPerPage, this.size - number * rowsPerPage);
      for (let at = 0; at < count; at++) yield { id: ids[at], low: lows[at], high: highs[at] };
    }
  }

  close(): void {
    this.#file?.close();
    this.#file = undefined;
    this.#cached.clear();
    this.size = 0;
  }

  #pageOf(id: number): number {
    const firstIds = this.#firstIds;
    const current = this.#number;
    if (firstIds[current] <= id && (current + 1 === firstIds.length || id < firstIds[current + 1])) return current;
    return firstPast(0, firstIds.length, (page) => firstIds[page] > id) - 1;
  }

  /** Puts the page that was filled aside and returns an empty one. */
  #keep(): void {
    if (!this.isOnDisk && this.#cached.size >= this.#maxPages) {
      this.#file = new TemporaryFile(this.#path);
      for (const [number, { bytes }] of this.#cached) this.#file.write(bytes, number * bytesPerPage);
    }
    this.#file?.write(this.#page.bytes, this.#number * bytesPerPage);
    const free = this.#oldest();
    this.#cached.set(this.#number, this.#page);
    this.#page = free ?? emptyPage();
  }

  /** Takes the page used longest ago out of the memory when that is full; its bytes are on disk then. */
  #oldest(): Page | undefined {
    if (this.#cached.size < this.#maxPages) return undefined;
    const [number, page] = this.#cached.entries().next().value!;
    this.#cached.delete(number);
    return page;
  }

  #load(number: number): Page {
    const cached = this.#cached.get(number);
    if (cached) {
      if (this.isOnDisk) {
        this.#cached.delete(number);
        this.#cached.set(number, cached);
      }
      return cached;
    }
    const page = this.#oldest() ?? emptyPage();
    this.#file!.read(page.bytes, number * bytesPerPage);
    this.#cached.set(number, page);
    return page;
  }
}

function emptyPage(): Page {
  const memory = new ArrayBuffer(bytesPerPage);
  return {
    bytes: Buffer.from(memory),
    ids: new Float64Array(memory, 0, rowsPerPage),
    lows: new Int32Array(memory, rowsPerPage * 8, rowsPerPage),
    highs: new Int32Array(memory, rowsPerPage * 12, rowsPerPage),
  };
}

/** Usage: `add`, then `finish`, then look-ups. Of several entries of one id, the one added first counts. */
export class IdTable {
  readonly #path: string;
  readonly #memoryBytes: number;
  #pages: SortedPages;
  #lastId = Number.NEGATIVE_INFINITY;
  /** All entries, as `low high`, where their ids do not ascend. */
  #unsorted: Sorter<string> | undefined;

  /** Files with names that begin with `path` are created when more than `memoryBytes` are needed; the caller removes them. */
  constructor(path: string, memoryBytes: number) {
    this.#path = path;
    this.#memoryBytes = memoryBytes;
    this.#pages = new SortedPages(path, memoryBytes);
  }

  get size(): number {
    return this.#pages.size;
  }

  get isOnDisk(): boolean {
    return this.#pages.isOnDisk;
  }

  /** The numbers found last. */
  get low(): number {
    return this.#pages.low;
  }

  get high(): number {
    return this.#pages.high;
  }

  add(id: number, low: number, high: number): void {
    if (id <= this.#lastId) this.#unsorted ??= this.#moved();
    this.#lastId = id;
    if (this.#unsorted) this.#unsorted.add(id, `${low} ${high}`);
    else this.#pages.add(id, low, high);
  }

  /** What the pages have so far, which are empty then. */
  #moved(): Sorter<string> {
    const entries = new Sorter<string>(dirname(this.#path), this.#memoryBytes / 1e6);
    this.#pages.finish();
    for (const { id, low, high } of this.#pages.rows()) entries.add(id, `${low} ${high}`);
    this.#pages.close();
    return entries;
  }

  /** Adds a whole number of up to 53 bits. */
  addPosition(id: number, position: number): void {
    this.add(id, position | 0, Math.floor(position / 2 ** 32));
  }

  finish(): void {
    if (this.#unsorted) {
      this.#pages = new SortedPages(`${this.#path}-sorted`, this.#memoryBytes);
      let last = Number.NEGATIVE_INFINITY;
      for (const [id, numbers] of this.#unsorted.values()) {
        const [low, high] = numbers.split(' ');
        if (id !== last) this.#pages.add(id, Number(low), Number(high));
        last = id;
      }
      this.#unsorted.close();
    }
    this.#pages.finish();
  }

  /** Looks an id up; true when it is there, and then `low` and `high` are its numbers. */
  find(id: number): boolean {
    return this.#pages.find(id);
  }

  /** The whole number that was added for an id. */
  position(id: number): number | undefined {
    return this.#pages.find(id) ? this.#pages.high * 2 ** 32 + (this.#pages.low >>> 0) : undefined;
  }

  close(): void {
    this.#pages.close();
    this.#unsorted?.close();
  }
}

// A temporary file that is written and read back at given places, for what does not fit into memory.

/** The error for what cannot be written, with the remedy. */
const cannotWrite = (path: string, error: unknown) =>
  new SourceError(
    `the temporary file ${path} cannot be written: ${(error as Error).message}; use a disk with more space, or set more memory (buildMemoryMb)`,
  );

class TemporaryFile {
  readonly #path: string;
  readonly #file: number;

  /** Creates the file, which must not be there yet; the caller removes it. */
  constructor(path: string) {
    this.#path = path;
    this.#file = this.#withRemedy(() => openSync(path, 'wx+'));
  }

  write(bytes: Uint8Array, position: number): void {
    this.#withRemedy(() => {
      for (let done = 0; done < bytes.length; ) {
        done += writeSync(this.#file, bytes, done, bytes.length - done, position + done);
      }
    });
  }

  /** Fills `bytes` from a position that was written before. */
  read(bytes: Uint8Array, position: number): void {
    for (let done = 0; done < bytes.length; ) {
      const read = readSync(this.#file, bytes, done, bytes.length - done, position + done);
      if (read === 0) throw new Error(`the temporary file ${this.#path} was truncated by another program`);
      done += read;
    }
  }

  close(): void {
    closeSync(this.#file);
  }

  /** Runs a write to disk; on failure throws an error with the remedy. */
  #withRemedy<T>(write: () => T): T {
    try {
      return write();
    } catch (error) {
      throw cannotWrite(this.#path, error);
    }
  }
}

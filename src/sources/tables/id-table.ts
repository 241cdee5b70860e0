/**
 * A map from ids to two 32-bit numbers or one position in a file: 16 bytes an entry in memory, and in temporary files
 * where that is not enough. Ids that ascend, as those of sorted OpenStreetMap files do, are written once; from the first
 * one that does not, all are sorted at the end.
 *
 * Rows sorted by id in pages of 4,096 (64 KB): an id and two 32-bit numbers. Pages beyond the given memory go to a
 * temporary file and come back through a cache of the ones used last.
 */

import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { firstPast } from '../../core/binary-search.ts';
import { SourceError } from '../../core/street-records.ts';
import { Sorter } from '../../store/sqlite/sorter.ts';

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
export const cannotWrite = (path: string, error: unknown) =>
  new SourceError(
    `the temporary file ${path} cannot be written: ${(error as Error).message}; use a disk with more space, or set more memory (buildMemoryMb)`,
  );

export class TemporaryFile {
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

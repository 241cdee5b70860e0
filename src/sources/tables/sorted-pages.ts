/**
 * Rows sorted by id in pages of 4,096 (64 KB): an id and two 32-bit numbers. Pages beyond the given memory go to a
 * temporary file and come back through a cache of the ones used last.
 */
import { TemporaryFile } from './temporary-file.ts';

const rowsPerPage = 4096;
const bytesPerPage = rowsPerPage * 16;

type Page = { bytes: Buffer; ids: Float64Array; lows: Int32Array; highs: Int32Array; isChanged: boolean };

export type IdRow = { key: number; low: number; high: number };

export class SortedPages {
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
  #at = 0;
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
    this.#at = low;
    this.low = lows[low];
    this.high = highs[low];
    return true;
  }

  /** Changes the numbers of an id; false when it is not there. */
  set(id: number, low: number, high: number): boolean {
    if (!this.find(id)) return false;
    this.#page.lows[this.#at] = low;
    this.#page.highs[this.#at] = high;
    this.#page.isChanged = true;
    return true;
  }

  /** All rows in order. */
  *rows(): Generator<IdRow> {
    for (let number = 0; number < this.#firstIds.length; number++) {
      const { ids, lows, highs } = this.#load(number);
      const count = Math.min(rowsPerPage, this.size - number * rowsPerPage);
      for (let at = 0; at < count; at++) yield { key: ids[at], low: lows[at], high: highs[at] };
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
    let low = 0;
    let high = firstIds.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (firstIds[middle] <= id) low = middle + 1;
      else high = middle;
    }
    return low - 1;
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
    if (page.isChanged) this.#file!.write(page.bytes, number * bytesPerPage);
    page.isChanged = false;
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
    isChanged: false,
  };
}

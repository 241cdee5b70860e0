/**
 * A map from ids to two 32-bit numbers or one position in a file: 16 bytes an entry in memory, and in temporary files
 * where that is not enough. Ids that ascend, as those of sorted OpenStreetMap files do, are written once; others are
 * sorted in runs that are merged at the end.
 */
import { mergeSorted } from './merge-sorted.ts';
import { grown } from './rows.ts';
import { type IdRow, SortedPages } from './sorted-pages.ts';
import { TemporaryFile } from './temporary-file.ts';

const bytesPerRow = 16;
const rowsPerRead = 4096;

/** Usage: `add`, then `finish`, then look-ups. Of several entries of one id, the one added first counts. */
export class IdTable {
  readonly #path: string;
  readonly #memoryBytes: number;
  #pages: SortedPages;
  #lastId = Number.NEGATIVE_INFINITY;
  /** Rows whose ids did not ascend: those of the run that is filled, and the runs before it in the file. */
  #ids = new Float64Array(0);
  #lows = new Int32Array(0);
  #highs = new Int32Array(0);
  #count = 0;
  #runs: { start: number; end: number }[] = [];
  #file: TemporaryFile | undefined;

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
    if (id > this.#lastId) {
      this.#lastId = id;
      this.#pages.add(id, low, high);
      return;
    }
    const at = this.#count++;
    this.#ids = grown(this.#ids, Math.max(1024, this.#count));
    this.#lows = grown(this.#lows, Math.max(1024, this.#count));
    this.#highs = grown(this.#highs, Math.max(1024, this.#count));
    this.#ids[at] = id;
    this.#lows[at] = low;
    this.#highs[at] = high;
    if (2 * this.#count * bytesPerRow > this.#memoryBytes) this.#writeRun();
  }

  /** Adds a whole number of up to 53 bits. */
  addPosition(id: number, position: number): void {
    this.add(id, position | 0, Math.floor(position / 2 ** 32));
  }

  finish(): void {
    this.#pages.finish();
    if (this.#count === 0 && this.#runs.length === 0) return;
    const runs = this.#runs.map((run) => this.#rowsOf(run));
    const merged = new SortedPages(`${this.#path}-merged`, this.#memoryBytes);
    let last = Number.NEGATIVE_INFINITY;
    for (const { key, low, high } of mergeSorted([this.#pages.rows(), ...runs, this.#sorted()])) {
      if (key !== last) merged.add(key, low, high);
      last = key;
    }
    this.close();
    merged.finish();
    this.#pages = merged;
    this.#ids = new Float64Array(0);
    this.#lows = this.#highs = new Int32Array(0);
  }

  /** Looks an id up; true when it is there, and then `low` and `high` are its numbers. */
  find(id: number): boolean {
    return this.#pages.find(id);
  }

  /** Changes the numbers of an id; false when it is not there. */
  set(id: number, low: number, high: number): boolean {
    return this.#pages.set(id, low, high);
  }

  /** The whole number that was added for an id. */
  position(id: number): number | undefined {
    return this.#pages.find(id) ? this.#pages.high * 2 ** 32 + (this.#pages.low >>> 0) : undefined;
  }

  close(): void {
    this.#pages.close();
    this.#file?.close();
    this.#file = undefined;
  }

  *#sorted(): Generator<IdRow> {
    const ids = this.#ids;
    const order = new Uint32Array(this.#count).map((_, at) => at).sort((a, b) => ids[a] - ids[b] || a - b);
    for (const at of order) yield { key: ids[at], low: this.#lows[at], high: this.#highs[at] };
  }

  #writeRun(): void {
    this.#file ??= new TemporaryFile(`${this.#path}-runs`);
    const start = this.#runs.at(-1)?.end ?? 0;
    const bytes = Buffer.allocUnsafe(this.#count * bytesPerRow);
    let end = 0;
    for (const { key, low, high } of this.#sorted()) {
      bytes.writeDoubleLE(key, end);
      bytes.writeInt32LE(low, end + 8);
      end = bytes.writeInt32LE(high, end + 12);
    }
    this.#file.write(bytes, start);
    this.#runs.push({ start, end: start + end });
    this.#count = 0;
  }

  *#rowsOf({ start, end }: { start: number; end: number }): Generator<IdRow> {
    const bytes = Buffer.allocUnsafe(Math.min(rowsPerRead * bytesPerRow, end - start));
    for (let position = start; position < end; ) {
      const part = bytes.subarray(0, Math.min(bytes.length, end - position));
      this.#file!.read(part, position);
      position += part.length;
      for (let at = 0; at < part.length; at += bytesPerRow) {
        yield { key: part.readDoubleLE(at), low: part.readInt32LE(at + 8), high: part.readInt32LE(at + 12) };
      }
    }
  }
}

/**
 * A list that is filled once and then read several times in the order of its keys. It takes a given memory: what is
 * more goes to a temporary file as sorted runs, which are merged when the list is read.
 */

import { grown } from '../../core/growth.ts';
import { grownBuffer, type RowFormat, readRow, writeRow } from './rows.ts';
import { mergeSorted, TemporaryFile } from './temporary-file.ts';

const firstBytes = 1 << 16;
const maxBufferBytes = 1 << 16;
const minBufferBytes = 1 << 12;
/** In a run each row stands after its key and its length. */
const prefixBytes = 12;

export class SortedSpool<T> {
  size = 0;
  readonly #path: string;
  readonly #memoryBytes: number;
  readonly #format: RowFormat<T>;
  #bytes: Buffer = Buffer.alloc(0);
  #keys = new Float64Array(256);
  #ends = new Uint32Array(256);
  #count = 0;
  /** The order of the rows in memory, once it is requested. */
  #order: Uint32Array | undefined;
  #runs: { start: number; end: number }[] = [];
  #file: TemporaryFile | undefined;

  /** `path` is created when more than `memoryBytes` are needed; the caller removes it. */
  constructor(path: string, memoryBytes: number, format: RowFormat<T>) {
    this.#path = path;
    this.#memoryBytes = Math.min(memoryBytes, 2 ** 31);
    this.#format = format;
  }

  /** Adds an item. Items of one key keep their order. */
  add(key: number, item: T): void {
    const start = this.#count === 0 ? 0 : this.#ends[this.#count - 1];
    const end = writeRow(this.#format.rowOf(item), start, (room) => {
      this.#bytes = grownBuffer(this.#bytes, Math.max(firstBytes, start + room));
      return this.#bytes;
    });
    this.#keys = grown(this.#keys, this.#count + 1);
    this.#ends = grown(this.#ends, this.#count + 1);
    this.#keys[this.#count] = key;
    this.#ends[this.#count++] = end;
    this.#order = undefined;
    this.size++;
    // The next row may make the buffer twice as long.
    if (2 * end > this.#memoryBytes) this.#writeRun();
  }

  *[Symbol.iterator](): Generator<T> {
    for (const { item } of this.entries()) yield item;
  }

  /** The items with their keys, in order. */
  *entries(): Generator<{ key: number; item: T }> {
    const format = this.#format;
    if (this.#file === undefined) {
      for (const at of this.#inOrder()) {
        const start = at === 0 ? 0 : this.#ends[at - 1];
        yield { key: this.#keys[at], item: format.itemOf(readRow(this.#bytes, start)) };
      }
      return;
    }
    this.#writeRun();
    this.#bytes = Buffer.alloc(0);
    const share = Math.floor(this.#memoryBytes / this.#runs.length);
    const bufferBytes = Math.min(maxBufferBytes, Math.max(minBufferBytes, share));
    for (const { key, bytes, at } of mergeSorted(this.#runs.map((run) => this.#rowsOf(run, bufferBytes)))) {
      yield { key, item: format.itemOf(readRow(bytes, at)) };
    }
  }

  close(): void {
    this.#file?.close();
    this.#file = undefined;
    this.#bytes = Buffer.alloc(0);
    this.#runs = [];
    this.#count = this.size = 0;
  }

  #inOrder(): Uint32Array {
    const keys = this.#keys;
    this.#order ??= new Uint32Array(this.#count).map((_, at) => at).sort((a, b) => keys[a] - keys[b] || a - b);
    return this.#order;
  }

  #writeRun(): void {
    if (this.#count === 0) return;
    this.#file ??= new TemporaryFile(this.#path);
    const start = this.#runs.at(-1)?.end ?? 0;
    let written = start;
    let waiting: Buffer = Buffer.allocUnsafe(16 * maxBufferBytes);
    let end = 0;
    const flush = () => {
      this.#file!.write(waiting.subarray(0, end), written);
      written += end;
      end = 0;
    };
    for (const at of this.#inOrder()) {
      const from = at === 0 ? 0 : this.#ends[at - 1];
      const length = this.#ends[at] - from;
      if (end + prefixBytes + length > waiting.length) flush();
      waiting = grownBuffer(waiting, prefixBytes + length);
      waiting.writeDoubleLE(this.#keys[at], end);
      waiting.writeUInt32LE(length, end + 8);
      this.#bytes.copy(waiting, end + prefixBytes, from, from + length);
      end += prefixBytes + length;
    }
    flush();
    this.#runs.push({ start, end: written });
    this.#count = 0;
    this.#order = undefined;
  }

  /** The rows of a run; `bytes` holds a row at `at` until the next one is requested. */
  *#rowsOf(run: { start: number; end: number }, bufferBytes: number) {
    let bytes: Buffer = Buffer.allocUnsafe(Math.min(bufferBytes, run.end - run.start));
    let [at, filled, position] = [0, 0, run.start];
    const fill = (needed: number) => {
      if (at + needed <= filled) return;
      bytes.copyWithin(0, at, filled);
      filled -= at;
      at = 0;
      bytes = grownBuffer(bytes, needed);
      const more = Math.min(bytes.length - filled, run.end - position);
      this.#file!.read(bytes.subarray(filled, filled + more), position);
      position += more;
      filled += more;
    };
    while (position < run.end || at < filled) {
      fill(prefixBytes);
      const length = bytes.readUInt32LE(at + 8);
      fill(prefixBytes + length);
      yield { key: bytes.readDoubleLE(at), bytes, at: at + prefixBytes };
      at += prefixBytes + length;
    }
  }
}

/** Reads a list key by key, in the order of the keys. */
export class SpoolReader<T> {
  readonly #entries: Iterator<{ key: number; item: T }>;
  #next: { key: number; item: T } | undefined;

  constructor(spool: SortedSpool<T>) {
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

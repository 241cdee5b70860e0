/**
 * The tables of an import: each takes its share of a memory, what does not fit goes to files in a directory, and all end
 * together.
 */
import { join } from 'node:path';
import { Sorter } from '../../store/sqlite/sorter.ts';
import { cannotWrite, IdTable } from './id-table.ts';

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

  spool<T>(share: number, format: RowFormat<T> = plainRows()): Spool<T> {
    return this.#opened(new Spool(this.#directory, this.memoryBytes * share, format));
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

type Row = { head: unknown; lists: readonly Float64Array[] };

/** Converts items of a kind to rows and back: a head that JSON can write, and lists of numbers. */
export type RowFormat<T> = { rowOf(item: T): Row; itemOf(row: Row): T };

/** For items that JSON can write. */
export const plainRows = <T>(): RowFormat<T> => ({
  rowOf: (item) => ({ head: item, lists: [] }),
  itemOf: ({ head }) => head as T,
});

export class Spool<T> {
  readonly #rows: Sorter<string | Uint8Array>;
  readonly #directory: string;
  readonly #format: RowFormat<T>;

  /** Files are made in `directory`, which nobody else sees. */
  constructor(directory: string, memoryBytes: number, format: RowFormat<T>) {
    this.#rows = new Sorter(directory, memoryBytes / 1e6);
    this.#directory = directory;
    this.#format = format;
  }

  get size(): number {
    return this.#rows.count;
  }

  /** Adds an item; items of one key keep their order. Returns its position. */
  add(key: number, item: T): number {
    const row = written(this.#format.rowOf(item));
    try {
      return this.#rows.add(key, row);
    } catch (error) {
      throw cannotWrite(`in ${this.#directory}`, error);
    }
  }

  /** The item at a position that `add` gave. */
  at(position: number): T {
    return this.#format.itemOf(rowIn(this.#rows.at(position)));
  }

  *[Symbol.iterator](): Generator<T> {
    for (const { item } of this.entries()) yield item;
  }

  /** The items with their keys, in order. */
  *entries(): Generator<{ key: number; item: T }> {
    for (const [key, bytes] of this.#rows.values()) yield { key, item: this.#format.itemOf(rowIn(bytes)) };
  }

  close(): void {
    this.#rows.close();
  }
}

/**
 * A row as its head in JSON; one with lists as bytes: how many these are, the length of each, their numbers as they are in
 * memory, and the head.
 */
function written({ head, lists }: Row): string | Uint8Array {
  const json = JSON.stringify(head);
  if (lists.length === 0) return json;
  const parts = [Uint32Array.of(lists.length, ...lists.map(({ length }) => length)), ...lists];
  const bytes = parts.map((part) => Buffer.from(part.buffer, part.byteOffset, part.byteLength));
  return Buffer.concat([...bytes, Buffer.from(json)]);
}

function rowIn(blob: string | Uint8Array): Row {
  if (typeof blob === 'string') return { head: JSON.parse(blob), lists: [] };
  const bytes = Buffer.from(blob.buffer, blob.byteOffset, blob.byteLength);
  const count = bytes.readUInt32LE(0);
  let at = 4 + 4 * count;
  const lists = Array.from({ length: count }, (_, list) => {
    const numbers = new Float64Array(bytes.readUInt32LE(4 + 4 * list));
    at += bytes.copy(new Uint8Array(numbers.buffer), 0, at, at + numbers.byteLength);
    return numbers;
  });
  return { head: JSON.parse(bytes.toString('utf8', at)), lists };
}

/** Reads a list key by key, in the order of the keys. */
export class SpoolReader<T> {
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

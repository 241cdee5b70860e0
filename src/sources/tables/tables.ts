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

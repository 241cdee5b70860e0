/**
 * Lists of a build in one temporary database: each is filled once and read several times, in the order of its keys or at any place.
 * They share a memory; what does not fit goes to files that nobody else sees.
 */
import { deserialize, serialize } from 'node:v8';
import { SourceError } from '../../core/source-records.ts';
import { createForWriting, type Database } from './database.ts';

export class Spools implements Disposable {
  readonly #database: Database;
  readonly #directory: string;
  #count = 0;

  /** Files are made in `directory`. */
  constructor(directory: string, memoryBytes: number) {
    this.#directory = directory;
    this.#database = createForWriting('', '', directory);
    this.#database.exec(`PRAGMA cache_size = -${Math.ceil(Math.min(memoryBytes / 1000, 2 ** 31 - 1))}`);
  }

  spool<T extends object | string>(): Spool<T> {
    return new Spool(this.#database, `spool_${++this.#count}`, this.#directory);
  }

  [Symbol.dispose](): void {
    if (this.#database.isOpen) this.#database.close();
  }
}

/** Whether an item has lists of numbers or other bytes, which JSON would write as texts. It is faster for all else. */
const hasBytes = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (ArrayBuffer.isView(value) || (Array.isArray(value) ? hasBytes(value[0]) : Object.values(value).some(hasBytes)));

const rowOf = (item: object | string) =>
  typeof item === 'string' ? item : hasBytes(item) ? serialize(item) : JSON.stringify(item);
const itemIn = <T>(row: string | Uint8Array): T => (typeof row === 'string' ? JSON.parse(row) : deserialize(row));

/** Items by a number, those of one number in the order they were added. Texts are read as `lines`. */
export class Spool<T extends object | string> {
  size = 0;
  readonly #add: (position: number | null, key: number, row: string | Uint8Array) => boolean;
  readonly #replace: (position: number, key: number, row: string | Uint8Array) => unknown;
  readonly #at: (position: number) => unknown;
  readonly #rows: (sql: string) => Iterable<[number, string | Uint8Array]>;

  constructor(database: Database, table: string, directory: string) {
    database.exec(`CREATE TABLE ${table} (key REAL, value)`);
    const insert = database.prepare(`INSERT OR IGNORE INTO ${table} (rowid, key, value) VALUES (?, ?, ?)`);
    this.#add = (...row) => withRemedy(`in ${directory}`, () => insert.run(...row).changes === 1);
    const replace = database.prepare(`REPLACE INTO ${table} (rowid, key, value) VALUES (?, ?, ?)`);
    this.#replace = (...row) => withRemedy(`in ${directory}`, () => replace.run(...row));
    const get = database.prepare(`SELECT value FROM ${table} WHERE rowid = ?`);
    this.#at = (position) => get.get(position)?.value;
    this.#rows = (sql) => {
      const statement = database.prepare(sql.replace('items', table));
      statement.setReturnArrays(true);
      return statement.iterate() as Iterable<unknown> as Iterable<[number, string | Uint8Array]>;
    };
  }

  /** Adds an item; returns its position, from 1, where it has none of its own: of several items with one the first counts. */
  add(key: number, item: T, position: number | null = null): number {
    this.#add(position, key, rowOf(item));
    return ++this.size;
  }

  /** Puts an item at a position of its own, in place of another one there; returns whether there was none. */
  put(position: number, key: number, item: T): boolean {
    const row = rowOf(item);
    const isNew = this.#add(position, key, row);
    if (isNew) this.size++;
    else this.#replace(position, key, row);
    return isNew;
  }

  /** The item at a position; undefined where there is none. */
  at(position: number): T | undefined {
    const row = this.#at(position) as string | Uint8Array | undefined;
    return row === undefined ? undefined : itemIn(row);
  }

  *[Symbol.iterator](): Generator<T> {
    for (const [, item] of this.entries()) yield item;
  }

  /** The items with their keys, in order. */
  *entries(): Generator<[key: number, item: T]> {
    for (const [key, row] of this.#rows('SELECT key, value FROM items ORDER BY key, rowid')) yield [key, itemIn(row)];
  }

  /** Returns the items of a key; keys must be asked for in their order. */
  byKey(): (key: number) => T[] {
    const entries = this.entries();
    let { value: next } = entries.next();
    return (wanted) => {
      const items: T[] = [];
      for (; next && next[0] <= wanted; { value: next } = entries.next()) if (next[0] === wanted) items.push(next[1]);
      return items;
    };
  }

  /** The texts of each key, as lines of one text. */
  *lines(): Generator<string> {
    // In SQL, because a call for each of hundreds of millions of lines costs more than sorting them.
    const sql = 'SELECT key, group_concat(value, char(10) ORDER BY rowid) FROM items GROUP BY key';
    for (const [, lines] of this.#rows(sql)) yield lines as string;
  }
}

/** Runs a write to a temporary file; on failure throws an error with the remedy. */
export function withRemedy<T>(path: string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    throw new SourceError(
      `the temporary file ${path} cannot be written: ${(error as Error).message}; use a disk with more space, or set more memory (buildMemoryMb)`,
    );
  }
}

/** Values by a number, for the steps of a build: in a temporary database, beyond what fits into memory. */
import { createForWriting, type Database } from './database.ts';

/** Values in the order of a number, those of one number in the order they were added. */
export class Sorter<Value extends string | Uint8Array> {
  count = 0;
  readonly #database: Database;
  readonly #insert: (key: number, value: Value) => unknown;
  readonly #get: (position: number) => unknown;

  /** What does not fit into `memoryMb` goes to files in `directory`, which nobody else sees. */
  constructor(directory: string, memoryMb: number) {
    this.#database = createForWriting('', 'CREATE TABLE items (key REAL, value)', directory);
    this.#database.exec(`PRAGMA cache_size = -${Math.ceil(Math.min(memoryMb * 1000, 2 ** 31 - 1))}`);
    const insert = this.#database.prepare('INSERT INTO items VALUES (?, ?)');
    this.#insert = (key, value) => insert.run(key, value);
    const get = this.#database.prepare('SELECT value FROM items WHERE rowid = ?');
    this.#get = (position) => get.get(position)?.value;
  }

  /** Adds a value; returns its position, from 1. */
  add(key: number, value: Value): number {
    this.#insert(key, value);
    return ++this.count;
  }

  /** The value at a position that `add` gave. */
  at(position: number): Value {
    return this.#get(position) as Value;
  }

  /** The values in order of their keys. */
  *values(): Generator<[key: number, value: Value]> {
    const statement = this.#database.prepare('SELECT key, value FROM items ORDER BY key, rowid');
    statement.setReturnArrays(true);
    yield* statement.iterate() as Iterable<unknown> as Iterable<[number, Value]>;
  }

  /** Texts of each key, as lines of one text. To be read once. */
  *lines(): Generator<string> {
    // In SQL, because a call for each of hundreds of millions of lines costs more than sorting them.
    const sql = 'SELECT group_concat(value, char(10) ORDER BY rowid) FROM items GROUP BY key';
    const statement = this.#database.prepare(sql);
    statement.setReturnArrays(true);
    for (const [lines] of statement.iterate() as Iterable<unknown> as Iterable<[string]>) yield lines;
    this.close();
  }

  close(): void {
    if (this.#database.isOpen) this.#database.close();
  }
}

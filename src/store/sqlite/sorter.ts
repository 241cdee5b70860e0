/** Sorts values by a number between two steps of a build: in a file of SQLite, beyond what fits into memory. */
import { rmSync } from 'node:fs';
import { createForWriting, type Database } from './database.ts';

/** Values sorted by a number, those of one number in the order they were added; can be read back once. */
export class Sorter<Value extends string | Uint8Array> {
  count = 0;
  readonly #path: string;
  readonly #database: Database;
  readonly #insert: (key: number, value: Value) => unknown;
  #isClosed = false;

  /** `path` is created; what SQLite sorts outside the memory goes to files in `directory`, which may outlive this. */
  constructor(path: string, directory: string, memoryMb: number) {
    this.#path = path;
    this.#database = createForWriting(path, 'CREATE TABLE items (key REAL, value)', directory);
    this.#database.exec(`PRAGMA cache_size = -${Math.ceil(memoryMb * 1000)}`);
    const statement = this.#database.prepare('INSERT INTO items VALUES (?, ?)');
    this.#insert = (key, value) => statement.run(key, value);
  }

  add(key: number, value: Value): void {
    this.#insert(key, value);
    this.count++;
  }

  /** The values in order of their keys; the file is deleted at the end. */
  *values(): Generator<[key: number, value: Value]> {
    const statement = this.#database.prepare('SELECT key, value FROM items ORDER BY key, rowid');
    statement.setReturnArrays(true);
    yield* statement.iterate() as Iterable<unknown> as Iterable<[number, Value]>;
    this.close();
  }

  /** Texts of each key, as lines of one text. */
  *lines(): Generator<string> {
    // In SQL, because a call for each of hundreds of millions of lines costs more than sorting them.
    const sql = 'SELECT group_concat(value, char(10) ORDER BY rowid) FROM items GROUP BY key';
    const statement = this.#database.prepare(sql);
    statement.setReturnArrays(true);
    for (const [lines] of statement.iterate() as Iterable<unknown> as Iterable<[string]>) yield lines;
    this.close();
  }

  /** Closes and deletes the file. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#database.close();
    rmSync(this.#path, { force: true });
  }
}

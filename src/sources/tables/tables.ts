/**
 * The tables of an import: each takes its share of a memory, what does not fit goes to files in a directory, and all end
 * together.
 */
import { join } from 'node:path';
import { IdSorter, IdTable } from './id-table.ts';
import { plainRows, type RowFormat, Spool } from './spool.ts';

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

  /** Ids in order; the share counts only until they are read. */
  sortedIds(name: string, share: number): IdSorter {
    return this.#opened(new IdSorter(join(this.#directory, name), this.memoryBytes * share));
  }

  [Symbol.dispose](): void {
    for (const table of this.#open.splice(0)) table.close();
  }

  #opened<T extends { close(): void }>(table: T): T {
    this.#open.push(table);
    return table;
  }
}

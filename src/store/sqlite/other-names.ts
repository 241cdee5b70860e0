/** Names of places and features besides those with a language: on disk, because only `/place/{id}` shows them. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createForWriting, finishWriting, openForReading, rows } from './database.ts';

export const otherNamesFile = 'other-names.sqlite';

const schema = 'CREATE TABLE names (id INTEGER PRIMARY KEY, list TEXT NOT NULL); -- separated by line feeds';

/** Starts the file of a dataset in place of one that a broken-off build left; `finish` or `close` must follow. */
export function createOtherNames(path: string) {
  rmSync(path, { force: true });
  const database = createForWriting(path, schema);
  const insert = database.prepare('INSERT OR REPLACE INTO names VALUES (?, ?)');
  return {
    /** Adds the names of a record by its identifier. */
    add: (id: number, names: readonly string[]) => names.length > 0 && insert.run(id, names.join('\n')),
    finish: () => finishWriting(database, path),
    close: () => database.isOpen && database.close(),
  };
}

/** Opens the names of a dataset. */
export function openOtherNames(directory: string): { of(id: number): string[]; close(): void } {
  const database = openForReading(join(directory, otherNamesFile));
  const listOf: (id: number) => [string][] = rows(database, 'SELECT list FROM names WHERE id = ?');
  return {
    of: (id) => listOf(id)[0]?.[0].split('\n') ?? [],
    close: () => database.close(),
  };
}

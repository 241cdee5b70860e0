/** Opens the SQLite files of a dataset: read-only and immutable to serve, without a journal on disk to build. Locks files. */

import { closeSync, fsyncSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { DatasetError } from '../manifest.ts';

export type Database = DatabaseSync;
export type Value = string | number | Uint8Array | null;

/** Raised when a file's tables change. */
const schemaVersion = 1;
const cacheKb = 2048;
const sqliteBusy = 5;
/** Pages come from the system's page cache; this is address space, not memory. */
const mappedBytes = 2 ** 36;

/**
 * What a dataset has none of: a view under the name of a table, for example, is a query of its publisher that may never end.
 * FTS5 is the only virtual table of ours, and no column is generated.
 */
const foreignObjects = `SELECT type, name FROM sqlite_schema WHERE type NOT IN ('table', 'index')
  OR sql LIKE 'CREATE VIRTUAL%' AND sql NOT LIKE '%USING fts5(%'
  OR EXISTS (SELECT 1 FROM pragma_table_xinfo(sqlite_schema.name) WHERE hidden IN (2, 3)) LIMIT 1`;

/**
 * Opens a file that no longer changes. Throws with the remedy when it is not one of our files or has another schema.
 */
export function openForReading(path: string): Database {
  const url = pathToFileURL(path);
  // The dataset never changes once it is current, so no locks and no look for a journal are needed.
  url.search = '?immutable=1';
  const database = new DatabaseSync(url, { readOnly: true });
  try {
    database.exec(`PRAGMA cache_size = -${cacheKb}; PRAGMA mmap_size = ${mappedBytes}; PRAGMA query_only = 1;
       PRAGMA trusted_schema = 0`);
    const { user_version: version } = database.prepare('PRAGMA user_version').get() as { user_version: number };
    if (version !== schemaVersion) throw new Error(`it has schema ${version}, expected ${schemaVersion}`);
    const foreign = database.prepare(foreignObjects).get();
    if (foreign)
      throw new Error(`it has the ${foreign.type} ${JSON.stringify(foreign.name)}, which is not one of ours`);
    return database;
  } catch (error) {
    database.close();
    throw new DatasetError(`${path} cannot be opened (${(error as Error).message}); build the dataset again`);
  }
}

/**
 * Creates a file to be filled in one transaction; finishWriting ends it. SQLite's own temporary files go to `directory`, and a
 * database without a path beyond what fits into its cache.
 */
export function createForWriting(path: string, schema: string, directory = dirname(path)): Database {
  const database = new DatabaseSync(path);
  // Sorting a planet's indexes takes gigabytes, which the system's temporary directory (often memory) may not have.
  database.exec(
    `PRAGMA page_size = 4096; PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;
     PRAGMA cache_size = -65536; PRAGMA temp_store = FILE;
     PRAGMA temp_store_directory = '${directory.replaceAll("'", "''")}'; PRAGMA user_version = ${schemaVersion}`,
  );
  database.exec(schema);
  database.exec('BEGIN');
  return database;
}

/** Ends the transaction, closes the file and brings it to the disk. */
export function finishWriting(database: Database, path: string): void {
  database.exec('COMMIT; ANALYZE');
  database.close();
  const file = openSync(path, 'r+');
  fsyncSync(file);
  closeSync(file);
}

/**
 * Locks a file, which is created empty, until the lock is closed or the process ends; undefined while another process has
 * it. Nothing is written, so that it works on a full disk. The file stays, as one that is removed could be locked twice.
 */
export function lockFile(path: string): Database | undefined {
  const database = new DatabaseSync(path);
  try {
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database.close();
    if ((error as { errcode?: number }).errcode === sqliteBusy) return undefined;
    throw error;
  }
}

/** Size of the file of a database, with what is not written yet. */
export function bytesOf(database: Database): number {
  const [[pages]] = rows<[number]>(database, 'PRAGMA page_count')();
  const [[size]] = rows<[number]>(database, 'PRAGMA page_size')();
  return pages * size;
}

/** A prepared statement whose rows are arrays of columns. */
export function rows<Row extends Value[]>(database: Database, sql: string): (...values: Value[]) => Row[] {
  const statement: StatementSync = database.prepare(sql);
  statement.setReturnArrays(true);
  return (...values) => statement.all(...values) as unknown as Row[];
}

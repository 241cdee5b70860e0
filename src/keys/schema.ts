import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

const schemaVersion = 3;

const tables = `
  CREATE TABLE keys (
    id INTEGER PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,
    display TEXT NOT NULL,
    name TEXT,
    plan TEXT NOT NULL,
    profile TEXT,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER,
    origins TEXT,
    networks TEXT,
    endpoints TEXT
  ) STRICT;
  CREATE TABLE usage (
    key_id INTEGER NOT NULL REFERENCES keys (id),
    day INTEGER NOT NULL,
    calls INTEGER NOT NULL,
    PRIMARY KEY (key_id, day)
  ) STRICT, WITHOUT ROWID;
`;

/** Version 2: a key can be rotated, its former text living on for a while, and have an owner's code. */
const rotation = `
  ALTER TABLE keys ADD COLUMN owner_hash BLOB;
  CREATE TABLE former (
    hash BLOB PRIMARY KEY,
    key_id INTEGER NOT NULL REFERENCES keys (id),
    display TEXT NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX former_of ON former (key_id);
`;

/** Version 3: processes that share a quota hold leases of it. Numbers of a process (`holder`) on a day. */
const leases = `
  CREATE TABLE leases (
    key_id INTEGER NOT NULL REFERENCES keys (id),
    day INTEGER NOT NULL,
    holder TEXT NOT NULL,
    spent INTEGER NOT NULL,
    held INTEGER NOT NULL,
    requests INTEGER NOT NULL,
    PRIMARY KEY (key_id, day, holder)
  ) STRICT, WITHOUT ROWID;
`;

/**
 * Opens the key database, and makes it when there is none (readable by its owner only). Throws an Error when the file
 * is of a newer schema than this program knows.
 */
export function openKeyDatabase(path: string): DatabaseSync {
  if (path !== ':memory:') closeSync(openSync(path, 'a', 0o600));
  const database = new DatabaseSync(path, { timeout: 5000 });
  try {
    // WAL with NORMAL: a commit waits for no disk, survives a killed process, and may be lost with the power.
    useWriteAheadLog(database);
    database.exec('PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; BEGIN IMMEDIATE');
    const { user_version: found } = database.prepare('PRAGMA user_version').get() as { user_version: number };
    if (found > schemaVersion) {
      throw new Error(
        `${path} has key schema ${found}, this program knows ${schemaVersion}; use the newer program, or another file`,
      );
    }
    if (found === 0) database.exec(tables);
    if (found < 2) database.exec(rotation);
    if (found < 3) database.exec(leases);
    if (found < schemaVersion) database.exec(`PRAGMA user_version = ${schemaVersion}`);
    database.exec('COMMIT');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

const locked = 5;
const patienceMs = 5000;

/** Unlike every other statement the switch fails at once while another process opens or closes the file: so it waits. */
function useWriteAheadLog(database: DatabaseSync): void {
  const until = Date.now() + patienceMs;
  for (;;) {
    try {
      database.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if ((error as { errcode?: number }).errcode !== locked || Date.now() > until) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

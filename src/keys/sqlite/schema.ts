/** Tables of the key database, and how older ones become these. */
import type { DatabaseSync } from 'node:sqlite';

const schemaVersion = 4;

const tables = `
  -- A KeyRecord as JSON.
  CREATE TABLE records (id INTEGER PRIMARY KEY, record TEXT NOT NULL) STRICT;
  -- Whose the text with a hash is, or was until a time.
  CREATE TABLE texts (hash TEXT PRIMARY KEY, key_id INTEGER NOT NULL, until INTEGER) STRICT, WITHOUT ROWID;
  CREATE INDEX texts_until ON texts (until) WHERE until IS NOT NULL;
  CREATE TABLE calls (
    key_id INTEGER NOT NULL,
    day INTEGER NOT NULL,
    calls INTEGER NOT NULL,
    -- The level of the quota that was reported.
    told INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (key_id, day)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE endpoint_calls (
    key_id INTEGER NOT NULL,
    day INTEGER NOT NULL,
    endpoint TEXT NOT NULL,
    calls INTEGER NOT NULL,
    PRIMARY KEY (key_id, day, endpoint)
  ) STRICT, WITHOUT ROWID;
  -- Sums of a process on a day; endpoints as a JSON object.
  CREATE TABLE leases (
    key_id INTEGER NOT NULL,
    day INTEGER NOT NULL,
    holder TEXT NOT NULL,
    spent INTEGER NOT NULL,
    held INTEGER NOT NULL,
    requests INTEGER NOT NULL,
    endpoints TEXT,
    PRIMARY KEY (key_id, day, holder)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX leases_day ON leases (day);
  CREATE TABLE audit (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    by TEXT NOT NULL,
    action TEXT NOT NULL,
    key_id INTEGER NOT NULL,
    detail TEXT
  ) STRICT;
  CREATE INDEX audit_at ON audit (at);
  -- Counts changes of keys.
  CREATE TABLE generation (value INTEGER NOT NULL) STRICT;
  INSERT INTO generation VALUES (1);
`;

/** Versions 1 to 3 had a column for each property of a key; former texts were rows, without an end to their number. */
const fromColumns = (found: number) => `
  INSERT INTO records SELECT id, json_object(
    'id', id, 'display', display, 'name', name, 'plan', plan, 'profile', profile, 'createdAt', created_at,
    'expiresAt', expires_at, 'revokedAt', revoked_at, 'origins', json(origins), 'networks', json(networks),
    'endpoints', json(endpoints), 'isAdmin', json('false'), 'hash', lower(hex(hash)),
    'ownerHash', ${found < 2 ? 'NULL' : 'lower(hex(owner_hash))'}, 'former', json(${
      found < 2
        ? "'[]'"
        : `(SELECT json_group_array(json_object('hash', lower(hex(hash)), 'display', display, 'expiresAt', expires_at))
            FROM (SELECT * FROM former WHERE key_id = keys.id ORDER BY expires_at DESC LIMIT 4))`
    }), 'rotatedAt', json('[]'), 'revision', 0) FROM keys;
  INSERT INTO texts SELECT lower(hex(hash)), id, NULL FROM keys;
  ${found < 2 ? '' : 'INSERT OR IGNORE INTO texts SELECT lower(hex(hash)), key_id, expires_at FROM former; DROP TABLE former;'}
  INSERT INTO calls (key_id, day, calls) SELECT key_id, day, calls FROM usage;
  DROP TABLE usage;
  DROP TABLE keys;
`;

/** Brings the tables up to date. Throws an Error when they are of a newer program. */
export function migrateKeys(connection: DatabaseSync, path: string): void {
  const { user_version: found } = connection.prepare('PRAGMA user_version').get() as { user_version: number };
  if (found > schemaVersion) {
    throw new Error(
      `${path} has key schema ${found}, but this program supports ${schemaVersion}; use a newer version, or another file`,
    );
  }
  if (found === schemaVersion) return;
  if (found >= 3) connection.exec('DROP TABLE leases');
  connection.exec(tables);
  if (found > 0) connection.exec(fromColumns(found));
  connection.exec(`PRAGMA user_version = ${schemaVersion}`);
}

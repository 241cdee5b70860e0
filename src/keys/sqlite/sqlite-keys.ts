/** Keys in a database of this machine. */
import type { DatabaseSync } from 'node:sqlite';
import {
  type EndpointUse,
  type KeyEngine,
  keptDays,
  leaseOf,
  levelOf,
  type QuotaState,
  type Report,
} from '../engine.ts';
import type { AuditEntry, KeyRecord } from '../key-record.ts';
import { createKeyStore, type KeyStore, type KeyStoreOptions } from '../key-store.ts';
import { dayMs, dayOf } from '../meter.ts';
import { countedMs, createSignUps, type SignUpOptions, type SignUps } from '../sign-ups.ts';
import { openDatabase } from './database.ts';

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

/** Makes the tables of a new database. Throws an Error when there are those of another program. */
function makeTables(connection: DatabaseSync, path: string): void {
  const { user_version: found } = connection.prepare('PRAGMA user_version').get() as { user_version: number };
  if (found === schemaVersion) return;
  if (found !== 0) {
    const remedy =
      found > schemaVersion
        ? 'use a newer version, or another file'
        : 'start the version of 23 November 2026 (commit 29b6e01) once, which brings it to 4, or use another file';
    throw new Error(`${path} has key schema ${found}, but this program supports ${schemaVersion}; ${remedy}`);
  }
  connection.exec(tables);
  connection.exec(`PRAGMA user_version = ${schemaVersion}`);
}

/**
 * How long a lease waits for a lock of another process before calls are counted here, ms: as long as for a server of keys.
 * Another worker may write often, or for long where a disk takes a tenth of a second for each fsync.
 */
const exchangeWaitMs = 1000;

/** Opens keys over the database at a path, as `createKeyStore` has them. Throws the system's or SQLite's error when it cannot. */
export function openKeys(
  path: string,
  options: Omit<KeyStoreOptions, 'whenUnavailable'> & { isAlone?: boolean },
): KeyStore {
  // The database is of this machine: while it fails, serving on is worth more than being exact.
  return createKeyStore(openSqliteEngine(path, options), { whenUnavailable: 'allow', ...options });
}

/**
 * Opens the database at a path (`:memory:` for none on disk). `isAlone`: no other process spends from the quotas, so that
 * what processes before held when they were killed is free again.
 */
export function openSqliteEngine(
  path: string,
  { isAlone = false, now = Date.now }: { isAlone?: boolean; now?: () => number } = {},
): KeyEngine {
  const database = openDatabase(path, (connection) => {
    makeTables(connection, path);
    tidy(connection, dayOf(now()), isAlone);
  });
  const { connection, read, write } = database;
  const ledger = createLedger(connection);
  const byHash = connection.prepare(
    'SELECT record FROM texts JOIN records ON records.id = texts.key_id WHERE texts.hash = ?',
  );
  const byId = connection.prepare('SELECT record FROM records WHERE id = ?');
  const page = connection.prepare('SELECT record FROM records WHERE id > ? ORDER BY id LIMIT ?');
  const lastId = connection.prepare('SELECT coalesce(max(id), 0) AS id FROM records');
  const put = connection.prepare(
    'INSERT INTO records VALUES (?, ?) ON CONFLICT DO UPDATE SET record = excluded.record',
  );
  const addText = connection.prepare('INSERT INTO texts VALUES (?, ?, NULL)');
  const endText = connection.prepare('UPDATE texts SET until = ? WHERE hash = ?');
  const forgetTexts = connection.prepare('DELETE FROM texts WHERE until < ?');
  const note = connection.prepare('INSERT INTO audit (at, by, action, key_id, detail) VALUES (?, ?, ?, ?, ?)');
  const forgetNotes = connection.prepare('DELETE FROM audit WHERE at < ?');
  const notes = connection.prepare(
    'SELECT at, by, action, key_id AS keyId, detail FROM audit ORDER BY id DESC LIMIT ? OFFSET ?',
  );
  const generation = connection.prepare('SELECT value FROM generation');
  const nextGeneration = connection.prepare('UPDATE generation SET value = value + 1');

  const recordOf = (row: Record<string, unknown> | undefined): KeyRecord | undefined =>
    row && JSON.parse(row.record as string);
  const audited = ({ at, by, action, keyId, detail }: AuditEntry) => {
    note.run(at, by, action, keyId, detail && JSON.stringify(detail));
    forgetNotes.run(at - keptDays * dayMs);
  };

  return {
    byHash: (hash) => read(() => recordOf(byHash.get(hash))),
    byId: (id) => read(() => recordOf(byId.get(id))),
    page: (after, count) => read(() => page.all(after, count).map((row) => recordOf(row)!)),
    add: (key, entry) =>
      write(() => {
        const id = (lastId.get()!.id as number) + 1;
        put.run(id, JSON.stringify({ id, ...key }));
        addText.run(key.hash, id);
        audited({ ...entry, keyId: id });
        return id;
      }),
    replace: (key, entry, formerUntil) =>
      write(() => {
        const before = recordOf(byId.get(key.id));
        if (before?.revision !== key.revision - 1) return false;
        put.run(key.id, JSON.stringify(key));
        if (formerUntil !== undefined) {
          forgetTexts.run(entry.at);
          endText.run(formerUntil, before.hash);
          addText.run(key.hash, key.id);
        }
        audited(entry);
        nextGeneration.run();
        return true;
      }),
    generation: () => read(() => String(generation.get()!.value)),
    exchange: (reports) => write(() => reports.map(ledger.exchange), { lockWaitMs: exchangeWaitMs, isDurable: false }),
    history: (keyId, from) => read(() => ledger.history(keyId, from)),
    endpointUse: (keyId, from, to) => read(() => ledger.endpointUse(keyId, from, to)),
    audit: (offset, count) =>
      read(() =>
        notes.all(count, offset).map((row) => ({ ...row, detail: JSON.parse((row.detail as string) ?? 'null') })),
      ) as ReturnType<KeyEngine['audit']>,
    isUp: () => true,
    // It does not come and go: each step finds out by itself.
    watch() {},
    close: () => database.close(),
  };
}

// Leases and use in the key database; each function is a part of a transaction.

type Ledger = {
  exchange(report: Report): QuotaState;
  history(keyId: number, from: number): Map<number, number>;
  endpointUse(keyId: number, from: number, to: number): EndpointUse[];
};

/** The statements of a connection. */
function createLedger(connection: DatabaseSync): Ledger {
  const own = connection.prepare('SELECT spent, endpoints FROM leases WHERE key_id = ? AND day = ? AND holder = ?');
  const add = connection.prepare(
    `INSERT INTO calls (key_id, day, calls) VALUES (:keyId, :day, max(0, :calls))
     ON CONFLICT DO UPDATE SET calls = max(0, calls + :calls) RETURNING calls, told AS reportedLevel`,
  );
  const markReported = connection.prepare('UPDATE calls SET told = ? WHERE key_id = ? AND day = ?');
  const addOfEndpoint = connection.prepare(
    `INSERT INTO endpoint_calls VALUES (:keyId, :day, :endpoint, max(0, :calls))
     ON CONFLICT DO UPDATE SET calls = max(0, calls + :calls)`,
  );
  const sums = connection.prepare(
    `SELECT total(held) AS held, total(requests) AS requests FROM leases
     WHERE key_id = ? AND day = ? AND holder <> ?`,
  );
  const write = connection.prepare(
    `INSERT INTO leases VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET spent = excluded.spent, held = excluded.held, requests = excluded.requests,
       endpoints = excluded.endpoints`,
  );
  const history = connection.prepare('SELECT day, calls FROM calls WHERE key_id = ? AND day >= ? ORDER BY day');
  const endpointUse = connection.prepare(
    `SELECT day, endpoint, calls FROM endpoint_calls WHERE key_id = ? AND day BETWEEN ? AND ? AND calls > 0
     ORDER BY day, endpoint`,
  );

  /** Adds what was spent by endpoint since the report before; returns all of it, to be kept for the next one. */
  function addEndpoints({ keyId, day, endpoints }: Report, before: string | null): string | null {
    if (!endpoints) return before;
    const reported: Record<string, number> = JSON.parse(before ?? '{}');
    for (const [endpoint, calls] of Object.entries(endpoints)) {
      const more = calls - (reported[endpoint] ?? 0);
      if (more !== 0) addOfEndpoint.run({ keyId, day, endpoint, calls: more });
    }
    return JSON.stringify(endpoints);
  }

  return {
    exchange(report) {
      const { keyId, day, holder, spent, held, requests, wanted, limit } = report;
      const before = own.get(keyId, day, holder) as { spent: number; endpoints: string | null } | undefined;
      const added = add.get({ keyId, day, calls: spent - (before?.spent ?? 0) });
      const { calls, reportedLevel } = added as Record<string, number>;
      const others = sums.get(keyId, day, holder) as { held: number; requests: number };
      const free = limit - calls - others.held - held;
      const granted = leaseOf(free, wanted, limit);
      write.run(keyId, day, holder, spent, held + granted, requests, addEndpoints(report, before?.endpoints ?? null));
      const level = levelOf(calls, limit);
      const reached = level > reportedLevel && level > 0 ? level : undefined;
      if (reached) markReported.run(reached, keyId, day);
      return { granted, calls, others: others.requests, reached: reached as QuotaState['reached'] };
    },
    history: (keyId, from) =>
      new Map(history.all(keyId, from).map(({ day, calls }) => [day as number, calls as number])),
    endpointUse: (keyId, from, to) => endpointUse.all(keyId, from, to) as EndpointUse[],
  };
}

/** Forgets leases of days that are over and calls by endpoint of long ago; `isAlone`: those that nobody holds any more. */
function tidy(connection: DatabaseSync, today: number, isAlone: boolean): void {
  connection.prepare('DELETE FROM leases WHERE day < ?').run(today - 1);
  connection.prepare('DELETE FROM endpoint_calls WHERE day < ?').run(today - keptDays);
  if (isAlone) connection.exec('UPDATE leases SET held = 0 WHERE held > 0');
}

// Sign-ups in a database of this machine.

const signUpTables = `
  CREATE TABLE IF NOT EXISTS sign_up_secret (value TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS sign_up_tries (subject TEXT NOT NULL, at INTEGER NOT NULL) STRICT;
  CREATE INDEX IF NOT EXISTS sign_up_tries_of ON sign_up_tries (subject, at);
  CREATE TABLE IF NOT EXISTS sign_up_links (link TEXT PRIMARY KEY, until INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`;

/** Opens the database of sign-ups (`:memory:` for none on disk), and makes it when there is none. */
export function openSignUps(path: string, options: SignUpOptions = {}): SignUps {
  const { connection, write, close } = openDatabase(path, (database) => database.exec(signUpTables));
  const offer = connection.prepare(
    'INSERT INTO sign_up_secret SELECT ? WHERE NOT EXISTS (SELECT 1 FROM sign_up_secret)',
  );
  const secret = connection.prepare('SELECT value FROM sign_up_secret');
  const count = connection.prepare(
    'SELECT count(*) AS tries, min(at) AS first FROM sign_up_tries WHERE subject = ? AND at > ?',
  );
  const add = connection.prepare('INSERT INTO sign_up_tries (subject, at) VALUES (?, ?)');
  const forgetTries = connection.prepare('DELETE FROM sign_up_tries WHERE at <= ?');
  const addLink = connection.prepare('INSERT INTO sign_up_links (link, until) VALUES (?, ?)');
  const forgetLinks = connection.prepare('DELETE FROM sign_up_links WHERE until <= ?');
  const takeLink = connection.prepare('DELETE FROM sign_up_links WHERE link = ? AND until > ?');

  return createSignUps(
    {
      secret: (offered) =>
        write(() => {
          offer.run(offered);
          return secret.get()!.value as string;
        }),
      admit: (subjects, now) =>
        write(() => {
          forgetTries.run(now - countedMs);
          for (const { subject, maxTries } of subjects) {
            const { tries, first } = count.get(subject, now - countedMs) as { tries: number; first: number };
            if (tries >= maxTries) return Math.max(1, Math.ceil((first + countedMs - now) / 1000));
          }
          for (const { subject } of subjects) add.run(subject, now);
          return 0;
        }),
      keepLink: (link, now, lifeMs) =>
        write(() => {
          forgetLinks.run(now);
          addLink.run(link, now + lifeMs);
        }),
      takeLink: (link, now) => write(() => takeLink.run(link, now).changes === 1),
      close,
    },
    options,
  );
}

/** Keys in a database of this machine. */

import { closeSync, openSync } from 'node:fs';
import { DatabaseSync, type SQLTagStore } from 'node:sqlite';
import { systemFault, systemReason, WhereaboutsError } from '../../errors.ts';
import {
  countedMs,
  type EndpointUse,
  type KeyEngine,
  keptDays,
  keptNotes,
  leaseOf,
  levelOf,
  type QuotaState,
  type Report,
} from '../engine.ts';
import type { AuditEntry, KeyRecord } from '../key-record.ts';
import { createKeyStore, type KeyStore, type KeyStoreOptions } from '../key-store.ts';
import { dayOf, type Soon } from '../meter.ts';

const schemaVersion = 4;

const tables = `
  -- A KeyRecord as JSON.
  CREATE TABLE records (id INTEGER PRIMARY KEY, record TEXT NOT NULL) STRICT;
  -- Whose the text with a hash is, or was until a time.
  CREATE TABLE texts (hash TEXT PRIMARY KEY, key_id INTEGER NOT NULL, until INTEGER) STRICT, WITHOUT ROWID;
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
  -- Counts changes of keys.
  CREATE TABLE generation (value INTEGER NOT NULL) STRICT;
  INSERT INTO generation VALUES (1);
`;

/** They came to databases of the same schema later. */
const laterTables = `
  DROP INDEX IF EXISTS texts_until;
  CREATE INDEX IF NOT EXISTS texts_former ON texts (key_id, until) WHERE until IS NOT NULL;
  CREATE TABLE IF NOT EXISTS sign_up_secret (value TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS sign_up_tries (subject TEXT NOT NULL, at INTEGER NOT NULL) STRICT;
  CREATE INDEX IF NOT EXISTS sign_up_tries_of ON sign_up_tries (subject, at);
  CREATE INDEX IF NOT EXISTS sign_up_tries_at ON sign_up_tries (at);
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
  options: Omit<KeyStoreOptions, 'whenUnavailable'> & { isAlone?: boolean; ended?: number },
): KeyStore {
  // The database is of this machine: while it fails, serving on is worth more than being exact.
  return createKeyStore(openSqliteEngine(path, options), { whenUnavailable: 'allow', ...options });
}

/**
 * Opens the database at a path (`:memory:` for none on disk). `isAlone`: no other process spends from the quotas, so that
 * what processes before held when they were killed is free again; `ended`: the id of one that is known to have ended.
 */
export function openSqliteEngine(
  path: string,
  { isAlone = false, ended, now = Date.now }: { isAlone?: boolean; ended?: number; now?: () => number } = {},
): KeyEngine {
  const database = openDatabase(path, (connection) => {
    makeTables(connection, path);
    connection.exec(laterTables);
    tidy(connection, dayOf(now()), isAlone ? '%' : `${ended} %`);
  });
  const { read, write } = database;
  const sql = database.connection.createTagStore();

  const recordOf = (row: Record<string, unknown> | undefined): KeyRecord | undefined =>
    row && JSON.parse(row.record as string);
  const byId = (id: number) => recordOf(sql.get`SELECT record FROM records WHERE id = ${id}`);
  const put = (key: KeyRecord) =>
    sql.run`INSERT INTO records VALUES (${key.id}, ${JSON.stringify(key)})
            ON CONFLICT DO UPDATE SET record = excluded.record`;
  const addText = ({ hash, id }: KeyRecord) => sql.run`INSERT INTO texts VALUES (${hash}, ${id}, NULL)`;
  const audited = ({ at, by, action, keyId, detail }: AuditEntry) => {
    sql.run`INSERT INTO audit (at, by, action, key_id, detail)
            VALUES (${at}, ${by}, ${action}, ${keyId}, ${detail && JSON.stringify(detail)})`;
    sql.run`DELETE FROM audit WHERE id <= (SELECT max(id) FROM audit) - ${keptNotes}`;
  };

  return {
    byHash: (hash) =>
      read(() =>
        recordOf(
          sql.get`SELECT record FROM texts JOIN records ON records.id = texts.key_id WHERE texts.hash = ${hash}`,
        ),
      ),
    byId: (id) => read(() => byId(id)),
    page: (after, count) =>
      read(() =>
        sql.all`SELECT record FROM records WHERE id > ${after} ORDER BY id LIMIT ${count}`.map((row) => recordOf(row)!),
      ),
    add: (record, entry) =>
      write(() => {
        const { id } = sql.get`SELECT coalesce(max(id), 0) + 1 AS id FROM records` as { id: number };
        put({ id, ...record });
        addText({ id, ...record });
        audited({ ...entry, keyId: id });
        return id;
      }),
    replace: (key, entry, formerUntil) =>
      write(() => {
        const before = byId(key.id);
        if (before?.revision !== key.revision - 1) return false;
        put(key);
        if (formerUntil !== undefined) {
          // Of this key alone: a clock that is ahead for a moment takes none from those of others.
          sql.run`DELETE FROM texts WHERE key_id = ${key.id} AND until < ${entry.at}`;
          sql.run`UPDATE texts SET until = ${formerUntil} WHERE hash = ${before.hash}`;
          addText(key);
        }
        audited(entry);
        sql.run`UPDATE generation SET value = value + 1`;
        return true;
      }),
    generation: () => read(() => String(sql.get`SELECT value FROM generation`!.value)),
    exchange: (reports) =>
      write(() => reports.map((report) => exchange(sql, report)), { lockWaitMs: exchangeWaitMs, isDurable: false }),
    history: (keyId, from) =>
      read(() => {
        const rows = sql.all`SELECT day, calls FROM calls WHERE key_id = ${keyId} AND day >= ${from} ORDER BY day`;
        return new Map(rows.map(({ day, calls }) => [day as number, calls as number]));
      }),
    endpointUse: (keyId, from, to) =>
      read(
        () =>
          sql.all`SELECT day, endpoint, calls FROM endpoint_calls
                  WHERE key_id = ${keyId} AND day BETWEEN ${from} AND ${to} AND calls > 0
                  ORDER BY day, endpoint`,
      ) as Soon<EndpointUse[]>,
    audit: (offset, count) =>
      read(() =>
        sql.all`SELECT at, by, action, key_id AS keyId, detail FROM audit
                ORDER BY id DESC LIMIT ${count} OFFSET ${offset}`.map((row) => ({
          ...row,
          detail: JSON.parse((row.detail as string) ?? 'null'),
        })),
      ) as ReturnType<KeyEngine['audit']>,
    signUpSecret: (offered) =>
      write(() => {
        sql.run`INSERT INTO sign_up_secret SELECT ${offered} WHERE NOT EXISTS (SELECT 1 FROM sign_up_secret)`;
        return sql.get`SELECT value FROM sign_up_secret`!.value as string;
      }),
    // Tries that a loss of power undoes are tries that somebody has once more.
    admit: (subjects, at) =>
      write(
        () => {
          const [since, until] = [at - countedMs, at + countedMs];
          // As in `tidy`: the last tries may be of a clock that was ahead, so those a day before them must say it, too.
          sql.run`DELETE FROM sign_up_tries WHERE at <= min(${since}, (SELECT max(at) FROM sign_up_tries
                  WHERE at <= (SELECT max(at) FROM sign_up_tries) - ${countedMs}) - ${countedMs})`;
          for (const { subject, maxTries } of subjects) {
            const { tries, first } = sql.get`SELECT count(*) AS tries, min(at) AS first FROM sign_up_tries
              WHERE subject = ${subject} AND at > ${since} AND at <= ${until}` as Record<string, number>;
            if (tries >= maxTries) return Math.max(1, Math.ceil((first - since) / 1000));
          }
          for (const { subject } of subjects) sql.run`INSERT INTO sign_up_tries VALUES (${subject}, ${at})`;
          return 0;
        },
        { isDurable: false },
      ),
    isUp: () => true,
    // It does not come and go: each step finds out by itself.
    watch() {},
    close: () => database.close(),
  };
}

/** Takes a report and leases calls, as a part of a transaction. */
function exchange(sql: SQLTagStore, report: Report): QuotaState {
  const { keyId, day, holder, spent, held, requests, wanted, limit, endpoints } = report;
  const before = sql.get`SELECT spent, endpoints FROM leases
                         WHERE key_id = ${keyId} AND day = ${day} AND holder = ${holder}`;
  const more = spent - ((before?.spent as number) ?? 0);
  const { calls, reportedLevel } = sql.get`
    INSERT INTO calls (key_id, day, calls) VALUES (${keyId}, ${day}, max(0, ${more}))
    ON CONFLICT DO UPDATE SET calls = max(0, calls + ${more}) RETURNING calls, told AS reportedLevel` as {
    calls: number;
    reportedLevel: number;
  };
  const others = sql.get`SELECT total(held) AS held, total(requests) AS requests FROM leases
                         WHERE key_id = ${keyId} AND day = ${day} AND holder <> ${holder}` as {
    held: number;
    requests: number;
  };
  const granted = leaseOf(limit - calls - others.held - held, wanted, limit);
  const reported: Record<string, number> = JSON.parse((before?.endpoints as string) ?? '{}');
  for (const [endpoint, sum] of Object.entries(endpoints ?? {})) {
    const added = sum - (reported[endpoint] ?? 0);
    if (added === 0) continue;
    sql.run`INSERT INTO endpoint_calls VALUES (${keyId}, ${day}, ${endpoint}, max(0, ${added}))
            ON CONFLICT DO UPDATE SET calls = max(0, calls + ${added})`;
  }
  // Kept for the next report.
  const byEndpoint = endpoints ? JSON.stringify(endpoints) : ((before?.endpoints as string) ?? null);
  sql.run`INSERT INTO leases VALUES (${keyId}, ${day}, ${holder}, ${spent}, ${held + granted}, ${requests}, ${byEndpoint})
          ON CONFLICT DO UPDATE SET spent = excluded.spent, held = excluded.held, requests = excluded.requests,
            endpoints = excluded.endpoints`;
  const level = levelOf(calls, limit);
  const reached = level > reportedLevel && level > 0 ? level : undefined;
  if (reached) sql.run`UPDATE calls SET told = ${reached} WHERE key_id = ${keyId} AND day = ${day}`;
  return { granted, calls, others: others.requests, reached: reached as QuotaState['reached'] };
}

/**
 * Forgets leases of days that are over and calls by endpoint of long ago, and frees what the holders hold that have ended. Both
 * the clock and the last two days with leases must say that a day is over, as either may be ahead.
 */
function tidy(connection: DatabaseSync, today: number, ended: string): void {
  const sql = connection.createTagStore();
  const days = sql.all`SELECT DISTINCT day FROM leases ORDER BY day DESC LIMIT 2`.map(({ day }) => Number(day));
  const first = Math.min(today - 1, ...days);
  sql.run`DELETE FROM leases WHERE day < ${first}`;
  sql.run`DELETE FROM endpoint_calls WHERE day < ${first - keptDays}`;
  sql.run`UPDATE leases SET held = 0 WHERE held > 0 AND holder LIKE ${ended}`;
}

// A small database that other processes use too (other workers, the command line, a backup). No lock of theirs stops this
// process: what finds one is tried again in a while, in order, and the requests that need it wait.

const openWaitMs = 5000;
const defaultLockWaitMs = 5000;
const minRetryMs = 1;
const maxRetryMs = 10;
const maxWaiting = 20_000;

/**
 * Opens a database (`:memory:` for none on disk), and makes it when there is none, readable by its owner only. `prepare`
 * makes its tables. Throws the system's or SQLite's error when it cannot be had.
 */
export function openDatabase(path: string, prepare: (connection: DatabaseSync) => void) {
  let connection: DatabaseSync | undefined;
  try {
    if (path !== ':memory:') closeSync(openSync(path, 'a', 0o600));
    connection = new DatabaseSync(path, { timeout: openWaitMs });
    useWriteAheadLog(connection);
    connection.exec('BEGIN IMMEDIATE');
    prepare(connection);
    connection.exec('COMMIT; PRAGMA busy_timeout = 0');
  } catch (error) {
    connection?.close();
    throw error;
  }
  return share(connection, path);
}

type Step = { run: () => unknown; until: number; resolve: (value: never) => void; reject: (error: unknown) => void };

function share(connection: DatabaseSync, path: string) {
  /** Steps that found a lock, oldest first. */
  let waiting: Step[] = [];
  let retryMs = minRetryMs;

  function retry(): void {
    for (let step = waiting.shift(); step; step = waiting.shift()) {
      try {
        step.resolve(step.run() as never);
        retryMs = minRetryMs;
      } catch (error) {
        if (!isLock(error)) {
          step.reject(failure(error, path));
          continue;
        }
        const late = [step, ...waiting].filter(({ until }) => until <= performance.now());
        waiting = [step, ...waiting].filter((other) => !late.includes(other));
        for (const { reject } of late) reject(failure(error, path));
        if (waiting.length > 0) setTimeout(retry, retryMs);
        retryMs = Math.min(maxRetryMs, retryMs * 2);
        return;
      }
    }
  }

  function soon<T>(run: () => T, lockWaitMs = defaultLockWaitMs): Soon<T> {
    if (waiting.length === 0) {
      try {
        return run();
      } catch (error) {
        if (!isLock(error)) throw failure(error, path);
      }
    }
    if (waiting.length >= maxWaiting)
      throw failure(new Error('too many requests wait for a lock that another process holds'), path);
    return new Promise<T>((resolve, reject) => {
      waiting.push({ run, until: performance.now() + lockWaitMs, resolve, reject });
      if (waiting.length === 1) setTimeout(retry, minRetryMs);
    });
  }

  return {
    connection,
    /** Runs a query: at once, or as soon as nobody has a lock. Throws or rejects `unavailable`, after `lockWaitMs` for a lock. */
    read: <T>(work: () => T): Soon<T> => soon(work),
    /** Runs statements as one step. It is on the disk when this returns, unless `isDurable` is false: then it may be lost with the power. */
    write: <T>(
      work: () => T,
      { lockWaitMs, isDurable = true }: { lockWaitMs?: number; isDurable?: boolean } = {},
    ): Soon<T> =>
      soon(() => {
        // With the log, FULL waits for the disk at every commit; after NORMAL one survives a killed process only.
        connection.exec(`PRAGMA synchronous = ${isDurable ? 'FULL' : 'NORMAL'}; BEGIN IMMEDIATE`);
        try {
          const result = work();
          connection.exec('COMMIT');
          return result;
        } catch (error) {
          if (connection.isTransaction) connection.exec('ROLLBACK');
          throw error;
        }
      }, lockWaitMs),
    close() {
      for (const { reject } of waiting.splice(0)) reject(failure(new Error('the database is closed'), path));
      connection.close();
    },
  };
}

const isLock = (error: unknown) => (((error as { errcode?: number }).errcode ?? 0) & 255) === 5;

/** Converts errors of the file to errors for clients; bugs are unchanged. */
function failure(error: unknown, path: string): unknown {
  if (systemFault(error) === undefined) return error;
  const unavailable = new WhereaboutsError(
    'unavailable',
    `the key database cannot be used: ${systemReason(error)}; nothing was changed; fix that and try again`,
    { retryAfterSeconds: 5 },
  );
  return Object.assign(unavailable, { cause: new Error(`${path}: ${(error as Error).message}`) });
}

/** Unlike every other statement the switch fails at once while another process opens or closes the file: so it waits. */
function useWriteAheadLog(connection: DatabaseSync): void {
  const until = performance.now() + openWaitMs;
  for (;;) {
    try {
      connection.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (!isLock(error) || performance.now() > until) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

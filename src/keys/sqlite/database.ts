/**
 * A small database that other processes use too (other workers, the command line, a backup). No lock of theirs stops this
 * process: what finds one is tried again in a while, in order, and the requests that need it wait.
 */
import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { systemFault, systemReason, WhereaboutsError } from '../../errors.ts';
import type { Soon } from '../meter.ts';

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

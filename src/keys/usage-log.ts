/** Calls per key and UTC day on disk, written behind the requests. */
import type { DatabaseSync } from 'node:sqlite';
import { type Account, dayOf } from './meter.ts';

export type UsageLog = {
  /** Remembers that an account has calls to write down. */
  mark(account: Account): void;
  /** Sets an account to the day of `now`, keeping what is not yet written of the day before. */
  turnDay(account: Account, now: number): void;
  /** Reads an account's calls of its day again, those of other processes included. */
  reload(account: Account): void;
  /**
   * Writes all that is pending in one transaction. On an error nothing is lost: it is written the next time. The last
   * flush of a process gives back the leases it holds.
   */
  flush(isLast?: boolean): void;
  /** Calls of an account by day number, from a day on, those not yet written included; days without are left out. */
  since(account: Account, day: number): Map<number, number>;
};

export function createUsageLog(database: DatabaseSync): UsageLog {
  const marked = new Set<Account>();
  /** Calls of days that are over. */
  let past: { keyId: number; day: number; calls: number }[] = [];
  const read = database.prepare('SELECT calls FROM usage WHERE key_id = ? AND day = ?');
  const readSince = database.prepare('SELECT day, calls FROM usage WHERE key_id = ? AND day >= ? ORDER BY day');
  const add = database.prepare(
    `INSERT INTO usage (key_id, day, calls) VALUES (:keyId, :day, max(0, :calls))
     ON CONFLICT DO UPDATE SET calls = max(0, calls + :calls) RETURNING calls`,
  );
  const write = (keyId: number, day: number, calls: number) => add.get({ keyId, day, calls })!.calls as number;
  const stored = (account: Account) => (read.get(account.key.id, account.day)?.calls as number | undefined) ?? 0;

  return {
    mark(account) {
      marked.add(account);
    },
    turnDay(account, now) {
      if (account.pending !== 0) past.push({ keyId: account.key.id, day: account.day, calls: account.pending });
      account.day = dayOf(now);
      account.pending = 0;
      account.stored = stored(account);
    },
    reload(account) {
      account.stored = stored(account);
    },
    flush() {
      if (marked.size === 0 && past.length === 0) return;
      const totals: [Account, number][] = [];
      database.exec('BEGIN IMMEDIATE');
      try {
        for (const { keyId, day, calls } of past) write(keyId, day, calls);
        for (const account of marked) {
          if (account.pending !== 0) totals.push([account, write(account.key.id, account.day, account.pending)]);
        }
        database.exec('COMMIT');
      } catch (error) {
        if (database.isTransaction) database.exec('ROLLBACK');
        throw error;
      }
      past = [];
      marked.clear();
      for (const [account, total] of totals) {
        account.stored = total;
        account.pending = 0;
      }
    },
    since(account, from) {
      const { id } = account.key;
      const days = new Map(readSince.all(id, from).map((row) => [row.day as number, row.calls as number]));
      for (const { keyId, day, calls } of past) {
        if (keyId === id && day >= from) days.set(day, (days.get(day) ?? 0) + calls);
      }
      return days.set(account.day, account.stored + account.pending);
    },
  };
}

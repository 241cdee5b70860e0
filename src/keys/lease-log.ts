/** Leases in the key database: the quota of a key in several processes of one machine. */
import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { emptyShare, leaseOf, type Report, reportOf, type Standing, settle } from './lease.ts';
import { type Account, dayOf, type Share } from './meter.ts';
import type { UsageLog } from './usage-log.ts';

/** How long a process believes that nothing is left before it looks again, ms. */
const dryMs = 250;

export type LeaseLog = UsageLog & {
  /** Gets more calls, in a transaction of its own. On an error nothing is granted by it. */
  refill(account: Account, wanted: number, now: number): void;
};

/** Opens the log for this process, which is one holder of leases from now on. */
export function createLeaseLog(
  database: DatabaseSync,
  { now, onError }: { now: () => number; onError: (error: unknown) => void },
): LeaseLog {
  const holder = randomUUID();
  const active = new Set<Account>();
  const dryAt = new WeakMap<Account, number>();
  let past: Report[] = [];
  const read = database.prepare('SELECT calls FROM usage WHERE key_id = ? AND day = ?');
  const readSince = database.prepare('SELECT day, calls FROM usage WHERE key_id = ? AND day >= ? ORDER BY day');
  const own = database.prepare('SELECT spent, held, requests FROM leases WHERE key_id = ? AND day = ? AND holder = ?');
  const add = database.prepare(
    `INSERT INTO usage (key_id, day, calls) VALUES (:keyId, :day, max(0, :calls))
     ON CONFLICT DO UPDATE SET calls = max(0, calls + :calls) RETURNING calls`,
  );
  const sums = database.prepare(
    `SELECT total(held) AS held, total(requests) AS requests FROM leases
     WHERE key_id = ? AND day = ? AND holder <> ?`,
  );
  const write = database.prepare(
    `INSERT INTO leases (key_id, day, holder, spent, held, requests) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET spent = excluded.spent, held = excluded.held, requests = excluded.requests`,
  );
  database.prepare('DELETE FROM leases WHERE day < ?').run(dayOf(now()) - 1);

  /** One report within a transaction. */
  function exchange({ keyId, day, spent, held, requests, wanted, limit }: Report): Standing {
    const before = (own.get(keyId, day, holder)?.spent as number | undefined) ?? 0;
    const calls = add.get({ keyId, day, calls: spent - before })!.calls as number;
    const others = sums.get(keyId, day, holder) as { held: number; requests: number };
    const granted = leaseOf(limit - calls - others.held - held, wanted, limit);
    write.run(keyId, day, holder, spent, held + granted, requests);
    return { granted, calls, others: others.requests };
  }

  function transaction(work: () => void): void {
    database.exec('BEGIN IMMEDIATE');
    try {
      work();
      database.exec('COMMIT');
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK');
      throw error;
    }
  }

  const stored = (account: Account) => (read.get(account.key.id, account.day)?.calls as number | undefined) ?? 0;

  /** What this process has of an account's day: an account that was forgotten for a while goes on where it was. */
  const shareOf = ({ key, day }: Account): Share => ({
    ...emptyShare(),
    ...(own.get(key.id, day, holder) as Pick<Share, 'spent' | 'held' | 'requests'> | undefined),
  });

  return {
    mark(account) {
      active.add(account);
    },
    turnDay(account, at) {
      if (account.share!.spent !== 0) past.push({ ...reportOf(account, 0), held: 0 });
      account.day = dayOf(at);
      account.pending = 0;
      account.share = shareOf(account);
      account.stored = stored(account);
    },
    reload(account) {
      account.share ??= shareOf(account);
      account.stored = stored(account);
    },
    refill(account, wanted, at) {
      if (Math.abs(at - (dryAt.get(account) ?? -Infinity)) < dryMs) return;
      const report = reportOf(account, wanted);
      let standing: Standing;
      try {
        transaction(() => (standing = exchange(report)));
      } catch (error) {
        onError(error);
        // The database is of this machine: when it fails, serving on is worth more than being exact.
        const { share, plan } = account;
        const left = plan.callsPerDay - account.stored - account.pending - share!.held;
        share!.held += Math.max(0, Math.min(wanted, left));
        active.add(account);
        return;
      }
      settle(account, report.spent, standing!);
      if (standing!.granted < wanted) dryAt.set(account, at);
    },
    flush(isLast = false) {
      if (active.size === 0 && past.length === 0) return;
      const isIdle = (account: Account) => isLast || !account.share!.isTouched;
      const told: [Account, number, Standing][] = [];
      const idle: Account[] = [];
      transaction(() => {
        for (const report of past) exchange(report);
        for (const account of active) {
          const report = reportOf(account, 0);
          if (isIdle(account)) idle.push(account);
          told.push([account, report.spent, exchange(isIdle(account) ? { ...report, held: 0 } : report)]);
        }
      });
      past = [];
      for (const [account, spent, standing] of told) {
        settle(account, spent, standing);
        account.share!.isTouched = false;
      }
      for (const account of idle) {
        account.share!.held = 0;
        active.delete(account);
      }
    },
    since(account, from) {
      const { id } = account.key;
      const days = new Map(readSince.all(id, from).map((row) => [row.day as number, row.calls as number]));
      return days.set(account.day, account.stored + account.pending);
    },
  };
}

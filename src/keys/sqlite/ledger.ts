/** Leases and use in the key database; each function is a part of a transaction. */
import type { DatabaseSync } from 'node:sqlite';
import type { EndpointUse } from '../engine.ts';
import { keptDays, leaseOf, levelOf, type QuotaState, type Report } from '../lease.ts';

export type Ledger = {
  exchange(report: Report): QuotaState;
  history(keyId: number, from: number): Map<number, number>;
  endpointUse(keyId: number, from: number, to: number): EndpointUse[];
};

/** The statements of a connection. */
export function createLedger(connection: DatabaseSync): Ledger {
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
export function tidy(connection: DatabaseSync, today: number, isAlone: boolean): void {
  connection.prepare('DELETE FROM leases WHERE day < ?').run(today - 1);
  connection.prepare('DELETE FROM endpoint_calls WHERE day < ?').run(today - keptDays);
  if (isAlone) connection.exec('UPDATE leases SET held = 0 WHERE held > 0');
}

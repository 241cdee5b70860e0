/** Use of keys by day and endpoint, as operators bill by it. */
import { csvRecord, withoutFormula } from '../core/csv.ts';
import { type EndpointUse, keptDays } from './engine.ts';
import type { KeyRecord } from './key-record.ts';
import type { KeyStore } from './key-store.ts';
import { dayMs, dayOf } from './meter.ts';

/** Calls of a key to an endpoint on a UTC day. */
export type UsageRow = ReturnType<typeof rowOf>;

function rowOf({ id, display, name, plan }: KeyRecord, { day, endpoint, calls }: EndpointUse) {
  const date = new Date(day * dayMs).toISOString().slice(0, 10);
  return { key_id: id, key: display, name, plan, date, endpoint, calls };
}

/** Days of a period as numbers, both included; `from` and `to` are dates such as 2026-06-15. */
type Period = { from: number; to: number };

const pageSize = 200;
const columns = ['key_id', 'key', 'name', 'plan', 'date', 'endpoint', 'calls'] as const;

/** The number of a date's UTC day; undefined when it is none. */
export function dayNumber(date: string): number | undefined {
  const time = /^\d{4}-\d\d-\d\d$/.test(date) ? Date.parse(`${date}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== date ? undefined : dayOf(time);
}

/**
 * A period as far as it has come by a day. Throws what `refuse` makes of the fault where it ends before it begins, or
 * begins before what is kept.
 */
export function exportedPeriod({ from, to }: Period, today: number, refuse: (fault: string) => Error): Period {
  if (from > to) throw refuse('is after the last day; swap them');
  if (from < today - keptDays) {
    throw refuse(`is more than ${keptDays} days ago, and older calls by endpoint are not kept; use a later day`);
  }
  return { from, to: Math.min(to, today) };
}

/** Rows of one key, or of all keys in order of their ids; days without calls are left out. The plan is today's. */
export async function* exportUsage(keys: KeyStore, { from, to }: Period, only?: KeyRecord): AsyncGenerator<UsageRow> {
  let page = only ? [only] : await keys.list(0, pageSize);
  while (page.length > 0) {
    for (const key of page) for (const use of await keys.endpointUse(key.id, from, to)) yield rowOf(key, use);
    page = only ? [] : await keys.list(page.at(-1)!.id, pageSize);
  }
}

export const usageCsvHead = csvRecord([...columns]);

/** A row as a line of CSV. What a spreadsheet would take for a formula is kept from being one. */
export const usageCsvLine = (row: UsageRow): string => csvRecord(columns.map((column) => withoutFormula(row[column])));

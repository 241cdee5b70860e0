import { WhereaboutsError } from '../errors.ts';
import type { AuditEntry, KeyRecord } from './key-record.ts';
import { type Account, dayMs, type Soon } from './meter.ts';

// One quota in several processes. Each holds a lease: calls that it may spend without asking. Leases shrink with what
// is left of the day, and the last calls are handed out one request at a time, so that in sum exactly the quota is
// spent. Leases are written down by a `KeyEngine`.

/** The answer to a report. */
export type QuotaState = {
  /** Additional calls leased to it, 0 when none are left. */
  granted: number;
  /** Calls of the day spent by all, as far as they have reported. */
  calls: number;
  /** Requests of the day admitted by the others. */
  others: number;
  /** The part of the quota, in percent, that this report was the first of the day to reach; undefined for none. */
  reached: QuotaLevel | undefined;
};

/** Levels of a quota at which its operator is notified, in percent. */
export type QuotaLevel = 80 | 100;

/** Below this many free calls, a lease is no larger than requested. */
export const exactBelow = 200;
/** No lease is above this part of what is left… */
export const leasePart = 8;
/** …nor above this many calls, or this part of the plan's day where that is more. */
export const largestLease = 1000;
export const largestPart = 1000;
/** How often a process reports and returns idle calls, ms. */
export const reportMs = 250;

/** How long a try to sign up counts, ms. */
export const countedMs = dayMs;

/** How many days calls by day and endpoint are kept. */
export const keptDays = 400;
/** Lines of the log of changes that are kept. */
export const keptNotes = 100_000;

/** Calls of a plan's `limit` to lease when nobody holds `free` of them. The script in packages/valkey says the same. */
export function leaseOf(free: number, wanted: number, limit: number): number {
  if (wanted <= 0 || free <= 0) return 0;
  const maxLease = Math.max(largestLease, Math.floor(limit / largestPart));
  const block = Math.min(maxLease, Math.floor((free - exactBelow) / leasePart));
  return Math.min(free, Math.max(wanted, block));
}

/** The level reached by a number of calls; 0 below all of them. The script in packages/valkey says the same. */
export const levelOf = (calls: number, limit: number): QuotaLevel | 0 =>
  calls >= limit ? 100 : calls * 5 >= limit * 4 ? 80 : 0;

/** The report of a process, in sums of the day, so that a duplicate or lost report does no harm. */
export type Report = ReturnType<typeof reportOf>;

/** The report of a process's account. `wanted`: calls requested on top of those that it holds; 0 to only report. */
export function reportOf({ key, plan, day, share }: Account, wanted: number) {
  const { holder, spent, held, requests, isCounted } = share;
  /** Sums by endpoint; undefined where none has changed since the last report. */
  const endpoints = isCounted ? { ...share.endpoints } : undefined;
  return { keyId: key.id, day, holder, spent, held, requests, endpoints, wanted, limit: plan.callsPerDay };
}

/** Applies the answer to a report of `spent` calls. */
export function settle(account: Account, spent: number, { granted, calls, others }: QuotaState): void {
  const { share } = account;
  share.held += granted;
  account.stored = calls;
  account.pending = share.spent - spent;
  // Requests admitted by others reduce our bucket too; it may owe one burst at most, so that nobody waits for long.
  const more = share.others === undefined ? 0 : Math.max(0, others - share.others);
  account.tokens = Math.max(-account.plan.burst, account.tokens - more);
  share.others = others;
}

/**
 * The contract of a key database. It stores and looks up; the rules are in key-store.ts and leases.ts. All but `isUp`
 * throw `unavailable` when it cannot be reached, is locked or full.
 */
export type KeyEngine = {
  /** The key that has, or had, the text with this hash (hex); undefined when there is none. */
  byHash(hash: string): Soon<KeyRecord | undefined>;
  byId(id: number): Soon<KeyRecord | undefined>;
  /** Keys with ids above `after`, ascending, at most `count`. */
  page(after: number, count: number): Soon<KeyRecord[]>;
  /** Stores a new key and the log's line about it; returns its id. */
  add(key: Omit<KeyRecord, 'id'>, entry: Omit<AuditEntry, 'keyId'>): Soon<number>;
  /**
   * Replaces the previous revision of a key, and writes the log entry. Returns false, with nothing changed, if another
   * change was faster. With `formerUntil` the key has a new `hash`, which `byHash` finds from then on; the former one until
   * that time.
   */
  replace(key: KeyRecord, entry: AuditEntry, formerUntil?: number): Soon<boolean>;
  /** A text that changes with every change of any key. */
  generation(): Soon<string>;
  /** Accepts reports and leases calls, each report atomically. A failed one has an error as its answer. */
  exchange(reports: readonly Report[]): Soon<(QuotaState | Error)[]>;
  /** Calls of a key by day number, from a day on; days without are left out. */
  history(keyId: number, from: number): Soon<Map<number, number>>;
  /** Calls of a key by day and endpoint, both days included; ordered by day, then endpoint. */
  endpointUse(keyId: number, from: number, to: number): Soon<EndpointUse[]>;
  /** The log of changes, newest first. */
  audit(offset: number, count: number): Soon<AuditEntry[]>;
  /** The secret that subjects of sign-ups are hashed with, hex: the one that was offered first. */
  signUpSecret(offered: string): Soon<string>;
  /**
   * Counts a try to sign up for each subject, or for none if one has reached its maximum within `countedMs`. Returns 0, or
   * the seconds until the next try.
   */
  admit(subjects: readonly { subject: string; maxTries: number }[], now: number): Soon<number>;
  /** Whether it is known to be reachable. */
  isUp(): boolean;
  /** What is wrong where an error says so, of a server; undefined for an error that is a bug of this program. */
  faultOf?(error: unknown): EngineFault | undefined;
  /** Sets the listeners for its availability. */
  watch(hooks: EngineHooks): void;
  close(): Soon<void>;
};

export type EndpointUse = { day: number; endpoint: string; calls: number };

/** Where a server is, without a password, why it does not answer, and the remedy. */
export type EngineFault = { endpoint: string; reason: string; remedy: string };

export type EngineHooks = {
  /** It, or one of its nodes, became reachable. */
  onUp(): void;
  /** It, or one of its nodes, was unreachable, at each attempt; the last reports may be lost. */
  onDown(error: unknown): void;
};

/** The error that clients get while the key store is unavailable, with its cause. */
export function storeUnavailable(cause?: unknown): WhereaboutsError {
  if (cause instanceof WhereaboutsError) return cause;
  const error = new WhereaboutsError('unavailable', 'the key store does not answer; try again', {
    retryAfterSeconds: 1,
  });
  return Object.assign(error, { cause });
}

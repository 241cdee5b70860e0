import { WhereaboutsError } from '../errors.ts';
import type { AuditEntry, KeyRecord } from './key-record.ts';
import type { QuotaState, Report } from './lease.ts';
import type { Soon } from './meter.ts';

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
  /** Whether it is known to be reachable. */
  isUp(): boolean;
  /** Sets the listeners for its availability. */
  watch(hooks: EngineHooks): void;
  close(): Soon<void>;
};

export type EndpointUse = { day: number; endpoint: string; calls: number };

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

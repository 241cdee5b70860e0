import type { AuditEntry, KeyRecord } from './key-record.ts';
import type { QuotaState, Report } from './lease.ts';
import type { Soon } from './soon.ts';

/**
 * Where keys are kept: what a database must do. It stores and looks up; what a key means stands in key-store.ts and
 * leases.ts, once. All but `isUp` throw `unavailable` when it cannot be reached, is locked or full.
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
   * Puts a key in the place of its revision before, and writes the log's line about it. False, and nothing is changed,
   * when somebody else was faster. A new `hash` is found by `byHash` from then on; the one before until `formerUntil`.
   */
  replace(key: KeyRecord, entry: AuditEntry, formerUntil?: number): Soon<boolean>;
  /** A text that is another one after every change of a key by anybody. */
  generation(): Soon<string>;
  /** Takes reports and leases calls, each report as one step. An error stands in the place of an answer. */
  exchange(reports: readonly Report[]): Soon<(QuotaState | Error)[]>;
  /** Calls of a key by day number, from a day on; days without are left out. */
  history(keyId: number, from: number): Soon<Map<number, number>>;
  /** Calls of a key by day and endpoint, both days included; ordered by day, then endpoint. */
  endpointUse(keyId: number, from: number, to: number): Soon<EndpointUse[]>;
  /** The log of changes, newest first. */
  audit(offset: number, count: number): Soon<AuditEntry[]>;
  /** Whether it can be asked at all, as far as is known. */
  isUp(): boolean;
  /** Sets who is called when it comes and goes. */
  watch(hooks: EngineHooks): void;
  close(): Soon<void>;
};

export type EndpointUse = { day: number; endpoint: string; calls: number };

export type EngineHooks = {
  /** It, or a node of it, can be reached, for the first time or again. */
  onUp(): void;
  /** It, or a node of it, cannot be reached, at each try; what was reported to it last may be lost. */
  onDown(error: unknown): void;
};

/** A cluster of key servers in simulated time: its ledger follows the real rules of leases, its shards take time. */
import { type KeyEngine, leaseOf, levelOf, type QuotaState, type Report } from '../../src/keys/engine.ts';
import type { KeyRecord } from '../../src/keys/key-record.ts';
import type { Clock } from './clock.ts';

type Holder = { node: number; spent: number; reserved: number; requests: number };
export type LedgerEntry = {
  calls: number;
  reserved: number;
  requests: number;
  reportedLevel: number;
  holders: Map<string, Holder>;
};

export type KeyServers = {
  /** What a node asks. */
  engineOf(node: number): KeyEngine;
  /** The ledger entry of a key, by its id. */
  entry(id: number): LedgerEntry;
  /** Messages so far, of all shards and of the busiest one. */
  messages(): { all: number; busiest: number };
  /** Longest that a message waited for its shard since the previous call, ms. */
  longestWait(): number;
  /** Makes all nodes reread their keys, as after a revocation. */
  change(): void;
};

export type KeyServerOptions = {
  clock: Clock;
  shards: number;
  /** Time that a shard takes for a message, ms. */
  serviceMs: number;
  /** From a node to a shard, one way, ms. */
  networkMs: number;
  /** The record of a key by the hash of its text, and the calls of the day that it had before. */
  keyOf(hash: string): KeyRecord | undefined;
  callsBefore(id: number): number;
};

export function createKeyServers(options: KeyServerOptions): KeyServers {
  const { clock, shards, serviceMs, networkMs, keyOf, callsBefore } = options;
  const freeAt = new Float64Array(shards);
  const counts = new Float64Array(shards);
  const ledger = new Map<number, LedgerEntry>();
  let generation = 0;
  let longest = 0;

  /** A message to a shard: it is processed in order, and its answer travels back. */
  function send<T>(key: number, work: () => T): Promise<T> {
    const shard = key % shards;
    counts[shard]++;
    const arrival = clock.now + networkMs;
    const start = Math.max(arrival, freeAt[shard]);
    longest = Math.max(longest, start - arrival);
    freeAt[shard] = start + serviceMs;
    return new Promise((resolve) => {
      clock.after(freeAt[shard] - clock.now, () => {
        const answer = work();
        clock.after(networkMs, () => resolve(answer));
      });
    });
  }

  function entry(id: number): LedgerEntry {
    let found = ledger.get(id);
    if (!found) {
      found = { calls: callsBefore(id), reserved: 0, requests: 0, reportedLevel: 0, holders: new Map() };
      ledger.set(id, found);
    }
    return found;
  }

  /** As the ledger of a database and the script of a server do. */
  function exchange(node: number, report: Report): QuotaState {
    const { keyId, holder, spent, held, requests, wanted, limit } = report;
    const key = entry(keyId);
    const before = key.holders.get(holder) ?? { node, spent: 0, reserved: 0, requests: 0 };
    key.calls += spent - before.spent;
    key.reserved += held - before.reserved;
    key.requests += requests - before.requests;
    const granted = leaseOf(limit - key.calls - key.reserved, wanted, limit);
    key.reserved += granted;
    key.holders.set(holder, { node, spent, reserved: held + granted, requests });
    const level = levelOf(key.calls, limit);
    const reached = level !== 0 && level > key.reportedLevel ? level : undefined;
    if (reached) key.reportedLevel = reached;
    return { granted, calls: key.calls, others: key.requests - requests, reached };
  }

  return {
    engineOf: (node) => ({
      // The id of a text and the record of an id are two look-ups.
      async byHash(hash) {
        const key = keyOf(hash);
        await send(key?.id ?? 0, () => undefined);
        return key && send(key.id, () => key);
      },
      history: (id) => send(id, () => new Map()),
      generation: () => send(0, () => String(generation)),
      exchange: (reports) => Promise.all(reports.map((report) => send(report.keyId, () => exchange(node, report)))),
      isUp: () => true,
      watch() {},
      close() {},
      byId: () => undefined,
      page: () => [],
      add: () => 0,
      replace: () => false,
      endpointUse: () => [],
      audit: () => [],
      signUpSecret: (offered) => offered,
      admit: () => 0,
    }),
    entry,
    messages: () => ({ all: counts.reduce((sum, count) => sum + count, 0), busiest: Math.max(...counts) }),
    longestWait() {
      const wait = longest;
      longest = 0;
      return wait;
    },
    change() {
      generation++;
    },
  };
}

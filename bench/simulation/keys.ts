/** A fleet of nodes with the real key store each, over simulated key servers. */

import { reportMs } from '../../src/keys/engine.ts';
import { defaultPlans, type KeyRecord, newKey, type Plan } from '../../src/keys/key-record.ts';
import { createKeyStore, type KeyStore } from '../../src/keys/key-store.ts';
import { randomNumbers } from '../../test/support/random-numbers.ts';
import { createClock, quantile } from './clock.ts';
import { createKeyServers } from './key-servers.ts';

export type Scenario = {
  nodes: number;
  keys: number;
  requestsPerSecond: number;
  seconds: number;
  shards: number;
  /** How many nodes a key's requests may go to: all of them, or few where a balancer goes by the key. */
  nodesPerKey: number;
  /** Nodes that are killed within the second second. */
  killed: number;
  /** Revocations and changes of keys, a second. */
  changesPerSecond: number;
};

export type Second = { requests: number; messages: number; busiest: number; granted: number; waitMs: number };
export type Outcome = {
  seconds: Second[];
  refused: number;
  /** Refused although calls were left, reserved by other nodes. */
  refusedEarly: number;
  /** Calls beyond a key's quota, of all keys; and what killed nodes had spent and not reported. */
  over: number;
  unreported: number;
  /** Calls reserved by killed nodes, lost for that day. */
  lost: number;
  /** Keys that ran out of calls. */
  dry: number;
  /** Part of the requests that waited for a key server, and how long, ms. */
  waited: number;
  p99Ms: number;
};

/** Time that a server of keys takes for a message: the longer of the two that were measured, see docs/internal/scale.md. */
const serviceMs = 0.032;
const networkMs = 0.5;

/** The plan of a key by its rank: few are large, and those send the most requests. */
const planOf = (rank: number, keys: number): keyof typeof defaultPlans =>
  rank < keys / 1000 ? 'scale' : rank < keys / 50 ? 'pro' : 'free';

export async function simulate(scenario: Scenario): Promise<Outcome> {
  const { nodes, keys, requestsPerSecond, seconds, shards, nodesPerKey, killed, changesPerSecond } = scenario;
  const random = randomNumbers(1);
  const clock = createClock(Date.UTC(2026, 5, 15, 12));
  const now = () => clock.now;

  // Keys are used in proportion to 1/rank.
  const shares = new Float64Array(keys);
  for (let rank = 0, sum = 0; rank < keys; rank++) shares[rank] = sum += 1 / (rank + 1);
  const total = shares[keys - 1];
  const texts: string[] = [];
  const records = new Map<string, KeyRecord>();
  const before = new Map<number, number>();
  const limitOf = (rank: number): number => (defaultPlans as Record<string, Plan>)[planOf(rank, keys)].callsPerDay;
  function textOf(rank: number): string {
    let text = texts[rank];
    if (text !== undefined) return text;
    const { key, record } = newKey({ plan: planOf(rank, keys) }, defaultPlans, 0);
    text = texts[rank] = key;
    records.set(record.hash, { id: rank + 1, ...record });
    // At noon about half of the keys have so few calls left that they run out during the simulation.
    const demand = (requestsPerSecond * seconds) / (rank + 1) / total;
    before.set(rank + 1, Math.max(0, Math.floor(limitOf(rank) - 2 * random() * demand)));
    return text;
  }
  const servers = createKeyServers({
    clock,
    shards,
    serviceMs,
    networkMs,
    keyOf: (hash) => records.get(hash),
    callsBefore: (id) => before.get(id) ?? 0,
  });

  const stores: KeyStore[] = [];
  const isKilled = new Uint8Array(nodes);
  for (let node = 0; node < nodes; node++) {
    const store = createKeyStore(servers.engineOf(node), {
      plans: defaultPlans,
      whenUnavailable: 'deny',
      now,
      flushMs: 0,
    });
    stores.push(store);
    const tick = () => {
      if (isKilled[node]) return;
      void store.flush();
      clock.after(reportMs, tick);
    };
    clock.after(1 + random() * reportMs, tick);
  }

  /** Calls granted: by key, and by node and key as far as it takes to know what a killed node had not reported. */
  const grantedCalls = new Map<number, number>();
  const grantedBy = stores.map(() => new Map<number, number>());
  let [requests, granted, refused, refusedEarly, waitedCount] = [0, 0, 0, 0, 0];
  const waits: number[] = [];
  const answered = (node: number, id: number, calls: number) => {
    if (isKilled[node]) return;
    if (calls === 0) {
      refused++;
      if (before.get(id)! + (grantedCalls.get(id) ?? 0) + lost < limitOf(id - 1)) refusedEarly++;
      return;
    }
    granted++;
    grantedCalls.set(id, (grantedCalls.get(id) ?? 0) + 1);
    grantedBy[node].set(id, (grantedBy[node].get(id) ?? 0) + 1);
  };
  function ask(): void {
    const rank = rankOf(random() * total, shares);
    const offset = Math.floor(random() * nodesPerKey);
    let node = nodesPerKey >= nodes ? Math.floor(random() * nodes) : (Math.imul(rank, 2_654_435_761) >>> 0) + offset;
    for (node %= nodes; isKilled[node]; ) node = (node + 1) % nodes;
    requests++;
    const requestedAt = clock.now;
    const answer = stores[node].reserve(textOf(rank), 1, requestedAt);
    if (answer instanceof Promise) {
      waitedCount++;
      answer.then((reservation) => {
        waits.push(clock.now - requestedAt);
        if (typeof reservation !== 'string') answered(node, rank + 1, reservation.granted);
      });
    } else if (typeof answer === 'object' && 'granted' in answer) answered(node, rank + 1, answer.granted);
  }
  let owed = 0;
  const load = () => {
    for (owed += requestsPerSecond / 1000; owed >= 1; owed--) ask();
    clock.after(1, load);
  };
  clock.after(1, load);

  const perSecond: Second[] = [];
  let [unreported, lost] = [0, 0];
  for (let second = 0; second < seconds; second++) {
    const start = { ...servers.messages(), requests, granted };
    if (second === 1) {
      // Somewhere between two reports.
      await clock.run(137);
      isKilled.fill(1, 0, killed);
      ({ unreported, lost } = lostWith(killed, grantedBy, (id) => servers.entry(id).holders.values()));
      await clock.run(1000 - 137);
    } else await clock.run(1000);
    for (let change = 0; change < changesPerSecond; change++) servers.change();
    const { all, busiest } = servers.messages();
    perSecond.push({
      requests: requests - start.requests,
      messages: all - start.all,
      busiest: busiest - start.busiest,
      granted: granted - start.granted,
      waitMs: servers.longestWait(),
    });
  }

  let [over, dry] = [0, 0];
  for (const [id, calls] of grantedCalls) {
    const left = limitOf(id - 1) - before.get(id)!;
    over += Math.max(0, calls - left);
    if (calls >= left) dry++;
  }
  return {
    seconds: perSecond,
    refused,
    refusedEarly,
    over,
    unreported,
    lost,
    dry,
    waited: waitedCount / requests,
    p99Ms: quantile(waits, 0.99),
  };
}

/** What is lost with the first nodes: calls spent and not reported, and calls reserved and never spent. */
function lostWith(
  killed: number,
  grantedBy: readonly ReadonlyMap<number, number>[],
  holdersOf: (id: number) => Iterable<{ node: number; spent: number; reserved: number }>,
): { unreported: number; lost: number } {
  let [unreported, lost] = [0, 0];
  for (let node = 0; node < killed; node++) {
    for (const [id, calls] of grantedBy[node]) {
      for (const holder of holdersOf(id)) {
        if (holder.node !== node) continue;
        const more = calls - holder.spent;
        unreported += more;
        lost += Math.max(0, holder.reserved - more);
      }
    }
  }
  return { unreported, lost };
}

/** The rank whose share of the sum reaches a value. */
function rankOf(value: number, shares: Float64Array): number {
  let [low, high] = [0, shares.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (shares[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Counters of a process's answers. Counting changes a few array cells, so its cost is negligible. */
import { type Profile, profiles } from '../endpoints/endpoint.ts';
import type { Call } from './call.ts';

/** Upper bounds of the histogram's buckets, ms; the last bucket has none. */
export const bucketsMs = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500] as const;

/** Answers of one endpoint and status. */
export type AnswerCount = {
  endpoint: string;
  status: number;
  /** Answers by profile, in the order of `profiles`. */
  byProfile: number[];
  /** Answers by the plan of their key; those without a valid key are not in it. */
  byPlan: Record<string, number>;
  /** Answers by bucket, each counted in one. */
  buckets: number[];
  /** Time of all of them, ms. */
  sumMs: number;
};

export type Metrics = {
  /** Counts one answer. */
  record(call: Pick<Call, 'endpoint' | 'profile'> & Partial<Pick<Call, 'account'>>, status: number, ms: number): void;
  snapshot(): AnswerCount[];
};

const maxStatus = 600;
const profileIndex: Record<Profile, number> = Object.fromEntries(
  profiles.map((profile, index) => [profile, index]),
) as Record<Profile, number>;

export function createMetrics(): Metrics {
  const byEndpoint = new Map<string, (AnswerCount | undefined)[]>();
  return {
    record({ endpoint, profile, account }, status, ms) {
      let counts = byEndpoint.get(endpoint);
      if (counts === undefined) byEndpoint.set(endpoint, (counts = new Array(maxStatus)));
      const count = (counts[status] ??= emptyCount(endpoint, status));
      count.byProfile[profileIndex[profile]]++;
      if (account) {
        const { plan } = account.key;
        count.byPlan[plan] = (count.byPlan[plan] ?? 0) + 1;
      }
      count.sumMs += ms;
      let bucket = 0;
      while (bucket < bucketsMs.length && ms > bucketsMs[bucket]) bucket++;
      count.buckets[bucket]++;
    },
    snapshot: () => [...byEndpoint.values()].flatMap((counts) => counts.filter((count) => count !== undefined)),
  };
}

/** Sums of several processes, ordered by endpoint and status. */
export function sumCounts(all: readonly AnswerCount[]): AnswerCount[] {
  const sums = new Map<string, AnswerCount>();
  for (const { endpoint, status, byProfile, byPlan, buckets, sumMs } of all) {
    const name = `${endpoint} ${status}`;
    let sum = sums.get(name);
    if (!sum) sums.set(name, (sum = emptyCount(endpoint, status)));
    for (const [index, count] of byProfile.entries()) sum.byProfile[index] += count;
    for (const [plan, count] of Object.entries(byPlan)) sum.byPlan[plan] = (sum.byPlan[plan] ?? 0) + count;
    for (const [index, count] of buckets.entries()) sum.buckets[index] += count;
    sum.sumMs += sumMs;
  }
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum);
}

function emptyCount(endpoint: string, status: number): AnswerCount {
  return {
    endpoint,
    status,
    byProfile: new Array(profiles.length).fill(0),
    byPlan: {},
    buckets: new Array(bucketsMs.length + 1).fill(0),
    sumMs: 0,
  };
}

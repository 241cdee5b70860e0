/** What a key may use. */
export type Plan = {
  /** Calls a UTC day; each entry of a batch is one. */
  callsPerDay: number;
  /** Requests a second; a batch is one request. */
  callsPerSecond: number;
  /** Requests that may come at once after a pause. */
  burst: number;
  /** Maximum number of entries of one batch. */
  batchSize: number;
};

export type Plans = Readonly<Record<string, Plan>>;

/** The plans of the contract; configuration may change them and add others. */
export const defaultPlans = {
  free: { callsPerDay: 1_000, callsPerSecond: 20, burst: 100, batchSize: 100 },
  pro: { callsPerDay: 100_000, callsPerSecond: 100, burst: 500, batchSize: 100 },
  scale: { callsPerDay: 10_000_000, callsPerSecond: 2_000, burst: 10_000, batchSize: 100 },
} as const satisfies Plans;

/** The plan of a key whose own plan is no longer configured. */
export const fallbackPlan = 'free';

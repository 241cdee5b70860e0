/** What one request, connection or server may take up. */
export type Limits = {
  /** Longest path and query, characters. */
  urlLength: number;
  /** Largest head of a request, bytes. */
  headerBytes: number;
  headerCount: number;
  bodyBytes: number;
  /** How long the head of a request may take, ms. */
  headersTimeoutMs: number;
  /** How long a whole request may take to arrive, ms. */
  requestTimeoutMs: number;
  /** How long an idle connection is kept, ms; above the usual 60 s of load balancers, so that they close first. */
  keepAliveMs: number;
  connections: number;
  /** How long a batch may hold the thread before it lets other requests pass, ms. */
  batchSliceMs: number;
};

export const defaultLimits: Limits = {
  urlLength: 8192,
  headerBytes: 16_384,
  headerCount: 100,
  bodyBytes: 1_048_576,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  keepAliveMs: 65_000,
  connections: 10_000,
  batchSliceMs: 5,
};

/** Limits of a request, a connection and the server. */
export type Limits = {
  /** Maximum length of path and query, characters. */
  urlLength: number;
  /** Maximum size of the head of a request, bytes. */
  headerBytes: number;
  headerCount: number;
  bodyBytes: number;
  /** Maximum time to receive the head of a request, ms. */
  headersTimeoutMs: number;
  /** Maximum time to receive a whole request, ms. */
  requestTimeoutMs: number;
  /** How long an idle connection is kept, ms; above the usual 60 s of load balancers, so that they close first. */
  keepAliveMs: number;
  /** How long a client may neither send nor receive anything before its connection is closed, ms. */
  stalledMs: number;
  /** How long the rest of a body may come that was answered before it had arrived, ms. */
  lingerMs: number;
  connections: number;
  /** Connections from one network address (IPv6: one /64); trusted proxies may have them all. */
  connectionsPerAddress: number;
  /** Maximum number of requests on one connection that wait behind the one that is answered. */
  pipelinedRequests: number;
  /** Maximum bytes of request bodies in memory: in total, and per key and network address. */
  heldBodyBytes: number;
  heldBodyBytesPerCaller: number;
  /** Maximum bytes of large answers in memory until they are sent: in total, and per key and network address. */
  heldAnswerBytes: number;
  heldAnswerBytesPerCaller: number;
  /** Minimum rate at which a client must receive a large answer, after a grace of `requestTimeoutMs`. */
  takenBytesPerSecond: number;
  /** How long requests may occupy the thread before other arrivals are checked, ms. */
  sliceMs: number;
  /** How long a request may wait before further ones of its key and network are refused, ms; 0 for no limit. */
  maxWaitMs: number;
  /** Maximum number of waiting requests: in total, and of one key at one address. */
  waitingRequests: number;
  waitingRequestsPerKey: number;
};

export const defaultLimits: Limits = {
  urlLength: 8192,
  headerBytes: 16_384,
  headerCount: 100,
  bodyBytes: 1_048_576,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  keepAliveMs: 65_000,
  stalledMs: 20_000,
  lingerMs: 2_000,
  connections: 10_000,
  connectionsPerAddress: 1_000,
  pipelinedRequests: 16,
  heldBodyBytes: 67_108_864,
  heldBodyBytesPerCaller: 8_388_608,
  heldAnswerBytes: 268_435_456,
  heldAnswerBytesPerCaller: 67_108_864,
  takenBytesPerSecond: 32_768,
  sliceMs: 10,
  maxWaitMs: 1_000,
  waitingRequests: 10_000,
  waitingRequestsPerKey: 1_000,
};

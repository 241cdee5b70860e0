/** Limits of a request, a connection and the server. */
export const defaultLimits = {
  /** Maximum length of path and query, characters. */
  urlLength: 8192,
  /** Names that the parameters of a request may have, known or not: no endpoint knows half as many. */
  parameters: 100,
  /** Maximum size of the head of a request, bytes. */
  headerBytes: 16_384,
  headerCount: 100,
  bodyBytes: 1_048_576,
  /** Maximum time to receive the head of a request, ms. */
  headersTimeoutMs: 10_000,
  /** Maximum time to receive a whole request, ms. */
  requestTimeoutMs: 30_000,
  /** How long an idle connection is kept, ms; above the usual 60 s of load balancers, so that they close first. */
  keepAliveMs: 65_000,
  /** How long a client may neither send nor receive anything before its connection is closed, ms. */
  stalledMs: 20_000,
  /** How long the rest of a body may come that was answered before it had arrived, ms. */
  lingerMs: 2_000,
  connections: 10_000,
  /** Connections from one network address (IPv6: one /64); trusted proxies may have them all. */
  connectionsPerAddress: 1_000,
  /** Requests in progress of one address behind a trusted proxy, as many as deploy/nginx.conf has. */
  proxiedRequestsPerAddress: 100,
  /** Maximum number of requests on one connection that wait behind the one that is answered. */
  pipelinedRequests: 16,
  /** What Node takes for the first 64 KiB of a body in tiny chunks, or of pipelined requests; a network gets no new connections while it used more than this lately, ms. */
  floodMs: 15,
  maxFloodsMs: 300,
  /** Maximum bytes of request bodies until they are answered: in total, and per key and network address. As texts they take twice that, and again until they are collected. */
  heldBodyBytes: 33_554_432,
  heldBodyBytesPerCaller: 8_388_608,
  /** Maximum bytes of large answers in memory until they are sent: in total, and per key and network address. */
  heldAnswerBytes: 67_108_864,
  heldAnswerBytesPerCaller: 33_554_432,
  /** Minimum rate at which a client must receive a large answer, after a grace of `requestTimeoutMs`. */
  takenBytesPerSecond: 32_768,
  /** How long requests may occupy the thread before other arrivals are checked, ms. */
  sliceMs: 10,
  /** How long a request may wait before further ones of its key and network are refused, ms; 0 for no limit. */
  maxWaitMs: 1_000,
  /** Maximum number of waiting requests: in total, and of one key at one address. */
  waitingRequests: 10_000,
  waitingRequestsPerKey: 1_000,
};

export type Limits = typeof defaultLimits;

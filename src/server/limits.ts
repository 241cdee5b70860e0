import type { ServerOptions } from 'node:http';
import { checkIntervalMs } from './late-requests.ts';

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
  /** How long a client may take to close its side of a connection that the service has ended, ms. */
  lingerMs: number;
  /** How long the slot of a connection closed by force stays blocked for its address, ms. */
  cutMs: number;
  connections: number;
  /** Connections from one network address (IPv6: one /64); trusted proxies may have them all. */
  connectionsPerAddress: number;
  /** New connections from one network address a second. */
  connectsPerAddress: number;
  /**
   * Maximum number of pipelined requests that wait behind the current one: per connection, per network, and in total.
   */
  pipelinedRequests: number;
  pipelinedRequestsPerAddress: number;
  pipelinedRequestsInAll: number;
  /** Maximum bytes of request bodies in memory: in total, and per key and network address. */
  heldBodyBytes: number;
  heldBodyBytesPerCaller: number;
  /** Maximum bytes of large answers in memory until they are sent: in total, and per key and network address. */
  heldAnswerBytes: number;
  heldAnswerBytesPerCaller: number;
  /** Minimum rate at which a client must receive a large answer, after a grace of `requestTimeoutMs`. */
  takenBytesPerSecond: number;
  /** Bodies up to this size in bytes are exempt, so that small ones always pass. */
  smallBodyBytes: number;
  /** How long requests may occupy the thread before other arrivals are checked, ms. */
  sliceMs: number;
  /** How long a request may wait before further ones of its key and network are refused, ms; 0 for no limit. */
  maxWaitMs: number;
  /** Maximum number of waiting requests: in total, and per key. */
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
  cutMs: 10_000,
  connections: 10_000,
  connectionsPerAddress: 1_000,
  connectsPerAddress: 500,
  pipelinedRequests: 16,
  pipelinedRequestsPerAddress: 1_000,
  pipelinedRequestsInAll: 10_000,
  heldBodyBytes: 67_108_864,
  heldBodyBytesPerCaller: 8_388_608,
  heldAnswerBytes: 268_435_456,
  heldAnswerBytesPerCaller: 67_108_864,
  takenBytesPerSecond: 32_768,
  smallBodyBytes: 8_192,
  sliceMs: 10,
  maxWaitMs: 1_000,
  waitingRequests: 10_000,
  waitingRequestsPerKey: 1_000,
};

/** The limits that node:http itself enforces. */
export const serverOptions = (limits: Limits): ServerOptions => ({
  maxHeaderSize: limits.headerBytes,
  // Node only reports requests that take long to arrive; see late-requests.ts.
  headersTimeout: 0,
  requestTimeout: checkIntervalMs(limits),
  connectionsCheckingInterval: checkIntervalMs(limits),
  keepAliveTimeout: limits.keepAliveMs,
  requireHostHeader: false,
  // GET has no body to wait for.
  optimizeEmptyRequests: true,
});

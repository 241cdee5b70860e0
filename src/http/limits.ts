import type { ServerOptions } from 'node:http';
import { checkIntervalMs } from './late-requests.ts';

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
  /** How long a client may neither send anything nor take any of its answer before its connection is cut, ms. */
  stalledMs: number;
  /** How long a client may take to close its end of a connection that the service has ended, ms. */
  lingerMs: number;
  /** How long an address has one slot less for a connection that was cut off, ms. */
  cutMs: number;
  connections: number;
  /** Connections from one network address (IPv6: one /64); trusted proxies may have them all. */
  connectionsPerAddress: number;
  /** New connections from one network address a second. */
  connectsPerAddress: number;
  /** Requests that may wait behind the one that is being answered: on one connection, from one network, and in all. */
  pipelinedRequests: number;
  pipelinedRequestsPerAddress: number;
  pipelinedRequestsInAll: number;
  /** Bytes of request bodies held at once: in all, and by one key and by one network address. */
  heldBodyBytes: number;
  heldBodyBytesPerCaller: number;
  /** Bytes of large answers held at once, until they are taken: in all, and by one key and by one network address. */
  heldAnswerBytes: number;
  heldAnswerBytesPerCaller: number;
  /** How fast a client has to take a large answer; it has `requestTimeoutMs` more. */
  takenBytesPerSecond: number;
  /** Bytes of a body that does not count towards them, so that small ones always come through. */
  smallBodyBytes: number;
  /** How long requests may hold the thread before what else has arrived is looked at, ms. */
  sliceMs: number;
  /** How long a request may wait for its turn before further ones of its key and network are refused, ms; 0 for ever. */
  maxWaitMs: number;
  /** Requests that may wait for their turn: in all, and of one key. */
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

/** What node:http itself keeps to. */
export const serverOptions = (limits: Limits): ServerOptions => ({
  maxHeaderSize: limits.headerBytes,
  // Node's part is to find the requests that have been arriving for a while; see late-requests.ts.
  headersTimeout: 0,
  requestTimeout: checkIntervalMs(limits),
  connectionsCheckingInterval: checkIntervalMs(limits),
  keepAliveTimeout: limits.keepAliveMs,
  requireHostHeader: false,
  // GET has no body to wait for.
  optimizeEmptyRequests: true,
});

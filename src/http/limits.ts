import type { ServerOptions } from 'node:http';

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
  connections: number;
  /** Connections from one network address (IPv6: one /64); trusted proxies may have them all. */
  connectionsPerAddress: number;
  /** Requests that may wait on one connection behind the one that is being answered. */
  pipelinedRequests: number;
  /** Bytes of request bodies held at once: in all, and by one key and by one network address. */
  heldBodyBytes: number;
  heldBodyBytesPerCaller: number;
  /** Bytes of a body that does not count towards them, so that small ones always come through. */
  smallBodyBytes: number;
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
  stalledMs: 20_000,
  lingerMs: 2_000,
  connections: 10_000,
  connectionsPerAddress: 1_000,
  pipelinedRequests: 128,
  heldBodyBytes: 67_108_864,
  heldBodyBytesPerCaller: 8_388_608,
  smallBodyBytes: 8_192,
  batchSliceMs: 5,
};

/** What node:http itself keeps to. */
export const serverOptions = (limits: Limits): ServerOptions => ({
  maxHeaderSize: limits.headerBytes,
  headersTimeout: limits.headersTimeoutMs,
  requestTimeout: limits.requestTimeoutMs,
  // Node looks every 30 s by default, so that a head could take four times its limit.
  connectionsCheckingInterval: Math.min(limits.headersTimeoutMs / 4, 2_500),
  keepAliveTimeout: limits.keepAliveMs,
  requireHostHeader: false,
  // GET has no body to wait for.
  optimizeEmptyRequests: true,
});

import { createServer, type RequestListener, type Server } from 'node:http';
import type { Limits } from './limits.ts';

/** A server of node:http within the limits. */
export function createLimitedServer(limits: Limits, listener: RequestListener): Server {
  const server = createServer(
    {
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      // Node looks every 30 s unless told, so that a head could take four times its limit.
      connectionsCheckingInterval: Math.min(limits.headersTimeoutMs / 4, 2_500),
      keepAliveTimeout: limits.keepAliveMs,
      requireHostHeader: false,
      // GET has no body to wait for.
      optimizeEmptyRequests: true,
    },
    listener,
  );
  server.maxConnections = limits.connections;
  server.maxHeadersCount = limits.headerCount;
  return server;
}

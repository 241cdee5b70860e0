import { once } from 'node:events';
import { type AddressInfo, createServer as createSocketServer, type ListenOptions, type Server } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { UsageError } from '../../errors.ts';
import { smallBytes } from '../connections.ts';
import type { Log } from './follow-dataset.ts';

/** An `import` would read every name, two of which load the code of `fetch` and WebSocket: 15 MB that are never used. */
const { createServer } = process.getBuiltinModule('node:http');

/**
 * Serves `/metrics` at an address of its own, apart from what the world reaches. Undefined where none is requested.
 * Throws UsageError when it cannot listen.
 */
export async function serveMetrics(
  address: { host: string; port: number } | undefined,
  write: () => Promise<string>,
  log: Log,
): Promise<{ address: string; close(): void } | undefined> {
  if (!address) return undefined;
  const server = createServer(async (request, response) => {
    if (request.url !== '/metrics' || (request.method !== 'GET' && request.method !== 'HEAD')) {
      response.writeHead(404).end();
      return;
    }
    try {
      const text = await write();
      response.writeHead(200, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' }).end(text);
    } catch (error) {
      log.error({ err: error }, 'the metrics could not be collected');
      response.writeHead(500).end();
    }
  });
  server.maxConnections = 20;
  // Not through the cluster, where it runs.
  server.listen({ ...address, exclusive: true });
  await once(server, 'listening').catch(({ message }: Error) => {
    throw new UsageError(`metrics cannot be served: ${message}; choose another address with --metrics`);
  });
  const { port } = server.address() as AddressInfo;
  return {
    address: `${addressOf(address.host, port)}/metrics`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/**
 * Further listeners of a server's port, whose connections are the server's; `close` ends when these have. libuv accepts
 * one connection of each listener a turn of the event loop, so that of one alone a new client waits behind all connections
 * that others open. They close one a turn, as the system resets what waits at a closed one: what waits at the others is
 * accepted before.
 */
export async function listenBeside(server: Server, address: ListenOptions, count: number) {
  // As Node's server of HTTP has it, and app.ts.
  const options = { allowHalfOpen: true, noDelay: true, highWaterMark: smallBytes };
  const listeners = Array.from({ length: count }, () =>
    createSocketServer(options, (socket) => void server.emit('connection', socket)),
  );
  for (const listener of listeners) await once(listener.listen({ ...address, reusePort: true }), 'listening');
  return {
    async close() {
      const closed = [];
      for (const listener of listeners) {
        closed.push(once(listener.close(), 'close'));
        await nextTurn();
      }
      await Promise.all(closed);
    },
  };
}

/** The message for a port that is unavailable. */
export const cannotListen = (host: string, port: number, { message }: Error): UsageError =>
  new UsageError(`cannot listen on ${host}, port ${port}: ${message}; choose another --port`);

/**
 * The port to serve on, free at this moment. Sockets that share a port do not ask who else has it, so it is tried
 * first as one that shares none would. Throws UsageError when it is taken.
 */
export async function freePort(host: string, port: number): Promise<number> {
  const server = createSocketServer();
  try {
    server.listen({ host, port, exclusive: true });
    await once(server, 'listening');
  } catch (error) {
    throw cannotListen(host, port, error as Error);
  }
  const found = (server.address() as AddressInfo).port;
  server.close();
  await once(server, 'close');
  return found;
}

export const addressOf = (host: string, port: number) => `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

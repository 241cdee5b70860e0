import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { UsageError } from '../../errors.ts';
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
    address: `http://${address.host.includes(':') ? `[${address.host}]` : address.host}:${port}/metrics`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Accepts connections. */
import type { Server } from 'node:http';
import { type AddressInfo, createServer, type ListenOptions, type Server as NetServer } from 'node:net';

/** Length of the system's queue of connections; clients retry after seconds when it is full. */
const backlog = 4096;

/** The system's listening handle, and a connection before node:net creates a socket for it. */
type WithHandle = { _handle?: { onconnection?: (error: number, connection?: Connection) => void } | null };
type Connection = { getpeername?(into: { address?: string }): number; close(): void };

/** `sockets`: how many sockets listen, where the port can be shared among them; one by default. */
export type ListenAt = { host: string; port: number; reusePort?: boolean; sockets?: number };

/**
 * Makes a server listen. The event loop accepts one connection per turn from each listening socket, so several sockets
 * empty the queue faster. `refuses` decides whether a connection is closed before a socket is created for it. Returns a
 * function that closes all of them. Rejects if the server cannot listen.
 */
export async function listenOn(
  server: Server,
  { sockets = 1, reusePort = false, ...at }: ListenAt,
  refuses: (remoteAddress: string | undefined) => boolean,
): Promise<(done: () => void) => void> {
  const queue = { backlog: Math.ceil(backlog / sockets) };
  const open = async (one: NetServer, options: ListenOptions) => {
    await listening(one, { ...at, ...queue, ...options });
    filter(one, refuses);
  };
  let isShared = reusePort || sockets > 1;
  await open(server, { reusePort: isShared }).catch(async (error: unknown) => {
    if (reusePort || !isShared) throw error;
    // A system that cannot share a port, or a port that is taken: then this says so too.
    isShared = false;
    await open(server, {});
  });
  const { port } = server.address() as AddressInfo;
  const others: NetServer[] = [];
  while (isShared && others.length + 1 < sockets) {
    const other = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit('connection', socket));
    try {
      await open(other, { port, reusePort: true });
    } catch {
      // Fewer sockets suffice.
      break;
    }
    others.push(other);
  }
  return (done) => {
    let left = others.length + 1;
    for (const one of [server, ...others]) one.close(() => --left === 0 && done());
  };
}

function listening(server: NetServer, options: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(options, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** Closes refused connections at a tenth of the cost of a socket. */
function filter(server: NetServer, refuses: (remoteAddress: string | undefined) => boolean): void {
  const handle = (server as WithHandle)._handle;
  const take = handle?.onconnection;
  if (!handle || !take) return;
  handle.onconnection = (error, connection) => {
    if (connection?.getpeername) {
      const peer: { address?: string } = {};
      connection.getpeername(peer);
      if (refuses(peer.address)) {
        connection.close();
        return;
      }
    }
    take.call(handle, error, connection);
  };
}

/**
 * What a connection may hold. A slot is free again a bounded time after the service is done with it, whatever the client
 * does, and one network address has only its share of them.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { clientNetwork } from '../core/ip/client-network.ts';
import { isInside, type Network, parseAddress } from '../keys/networks.ts';
import type { Limits } from './limits.ts';

/**
 * Keeps a server's connections within the limits. Peers in `exempt` (trusted proxies) may have every slot; `isBusy` says
 * whether the service has yet to read or to answer what has come over a connection. Gives what cuts a
 * connection off: its address has its slot back only after a while, so that it does not open the next one at once.
 */
export function guardConnections(
  server: Server,
  limits: Pick<Limits, 'connectionsPerAddress' | 'lingerMs' | 'stalledMs' | 'cutMs'>,
  exempt: readonly Network[],
  isBusy: (socket: Socket) => boolean,
): (socket: Socket) => void {
  const cut = new WeakSet<Socket>();
  const held = new Map<string, number>();
  // Node's own timer: it starts again with whatever arrives, and with whatever the client takes of what waits for it.
  server.timeout = limits.stalledMs;
  server.on('timeout', (socket: Socket) => {
    // Nothing waits for the client to take it: the service is still at work.
    if (isBusy(socket) && socket.writableLength === 0) socket.setTimeout(limits.stalledMs);
    else socket.destroy();
  });
  server.on('connection', (socket: Socket) => {
    const name = countedNetwork(socket.remoteAddress, exempt);
    if (name !== undefined) {
      const count = (held.get(name) ?? 0) + 1;
      if (count > limits.connectionsPerAddress) {
        socket.destroy();
        return;
      }
      held.set(name, count);
      const release = () => {
        const left = held.get(name)! - 1;
        if (left === 0) held.delete(name);
        else held.set(name, left);
      };
      socket.once('close', () => {
        if (cut.has(socket)) setTimeout(release, limits.cutMs).unref();
        else release();
      });
    }
    // The service has sent its last byte. Unless the client ends its side too, the system would keep the connection.
    socket.once('finish', () => {
      const timer = setTimeout(() => socket.destroy(), limits.lingerMs);
      socket.once('close', () => clearTimeout(timer));
    });
  });
  return (socket) => {
    cut.add(socket);
    socket.destroy();
  };
}

/** The network that a connection counts for; undefined where its peer is exempt. */
export function countedNetwork(remoteAddress: string | undefined, exempt: readonly Network[]): string | undefined {
  const peer = remoteAddress === undefined ? undefined : parseAddress(remoteAddress);
  return peer && isInside(peer, exempt) ? undefined : clientNetwork(remoteAddress);
}

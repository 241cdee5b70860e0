/**
 * What a connection may hold. A slot is free again a bounded time after the service is done with it, whatever the client
 * does, and one network address has only its share of them.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { clientNetwork } from '../core/ip/client-network.ts';
import { isInside, type Network, parseAddress } from '../keys/networks.ts';
import type { Limits } from './limits.ts';

/** Keeps a server's connections within the limits. Peers in `exempt` (trusted proxies) may have every slot. */
export function guardConnections(
  server: Server,
  limits: Pick<Limits, 'connectionsPerAddress' | 'lingerMs' | 'stalledMs'>,
  exempt: readonly Network[],
): void {
  const held = new Map<string, number>();
  // Node's own timer: it starts again with whatever arrives, and with whatever the client takes of what waits for it.
  server.timeout = limits.stalledMs;
  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket;
    const peer = remoteAddress === undefined ? undefined : parseAddress(remoteAddress);
    if (!peer || !isInside(peer, exempt)) {
      const name = clientNetwork(remoteAddress);
      const count = (held.get(name) ?? 0) + 1;
      if (count > limits.connectionsPerAddress) {
        socket.destroy();
        return;
      }
      held.set(name, count);
      socket.once('close', () => {
        const left = held.get(name)! - 1;
        if (left === 0) held.delete(name);
        else held.set(name, left);
      });
    }
    // The service has sent its last byte. Unless the client ends its side too, the system would keep the connection.
    socket.once('finish', () => {
      const cut = setTimeout(() => socket.destroy(), limits.lingerMs);
      socket.once('close', () => clearTimeout(cut));
    });
  });
}

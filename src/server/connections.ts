/**
 * Limits on connections. A slot is freed a bounded time after the service is done with it, whatever the client does,
 * and a network has only its share of them.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { clientNetwork } from '../core/ip/client-network.ts';
import { isInside, type Network, parseAddress } from '../keys/networks.ts';
import { createConnectRate } from './connect-rate.ts';
import type { Limits } from './limits.ts';

/** A network's connections, the oldest first; `closing`: slots that are still blocked after a forced close. */
type Holder = { sockets: Set<Socket>; closing: number };

export type Guard = {
  /**
   * Whether a new connection from an address is refused: its network has reached its limit or its rate (ignored with
   * `isAnyRate`), or the process has no free slot. Frees a slot if another network has more.
   */
  refuses(remoteAddress: string | undefined, isAnyRate?: boolean): boolean;
  /**
   * Closes a connection by force: its slot is freed only after a while, so that the client cannot reconnect at once.
   */
  closing(socket: Socket): void;
  /** Number of open connections. */
  readonly count: number;
};

type GuardLimits = Pick<
  Limits,
  'connections' | 'connectionsPerAddress' | 'connectsPerAddress' | 'lingerMs' | 'stalledMs' | 'cutMs'
>;

/**
 * Keeps a server's connections within the limits. Peers in `exempt` (trusted proxies) may use every slot. `answering`:
 * whether a request on a connection is unanswered; `busy`: whether the service still has to read or answer data on it.
 */
export function guardConnections(
  server: Server,
  limits: GuardLimits,
  exempt: readonly Network[],
  is: { answering(socket: Socket): boolean; busy(socket: Socket): boolean },
): Guard {
  const closing = new WeakSet<Socket>();
  const holders = new Map<string, Holder>();
  const exempted: Holder = { sockets: new Set(), closing: 0 };
  const isTooFast = createConnectRate(limits);
  let count = 0;

  function leave(socket: Socket, name: string | undefined, holder: Holder): void {
    if (!holder.sockets.delete(socket)) return;
    count--;
    if (name === undefined) return;
    const forget = () => holder.sockets.size + holder.closing === 0 && holders.delete(name);
    if (closing.has(socket)) {
      holder.closing++;
      setTimeout(() => {
        holder.closing--;
        forget();
      }, limits.cutMs).unref();
    }
    forget();
  }

  /**
   * Closes a connection of the network with the most connections, if these are more than `own`: the oldest idle one, or
   * else the oldest, unless both networks would then have the same number.
   */
  function makeRoom(own: number): boolean {
    let maxSockets = own;
    let name: string | undefined;
    for (const [network, { sockets }] of holders) {
      if (sockets.size <= maxSockets) continue;
      maxSockets = sockets.size;
      name = network;
    }
    if (name === undefined) return false;
    const holder = holders.get(name)!;
    const [oldest] = holder.sockets;
    const closed =
      holder.sockets.values().find((socket) => !is.answering(socket)) ?? (maxSockets > own + 1 ? oldest : undefined);
    if (!closed) return false;
    leave(closed, name, holder);
    closed.destroy();
    return true;
  }

  // Node's own timer: it restarts with every byte received, and with every byte that the client takes.
  server.timeout = limits.stalledMs;
  server.on('timeout', (socket: Socket) => {
    // Nothing is waiting to be sent: the service is still working.
    if (is.busy(socket) && socket.writableLength === 0) socket.setTimeout(limits.stalledMs);
    else socket.destroy();
  });
  server.on('connection', (socket: Socket) => {
    const name = countedNetwork(socket.remoteAddress, exempt);
    let holder = name === undefined ? exempted : holders.get(name);
    if (!holder) holders.set(name!, (holder = { sockets: new Set(), closing: 0 }));
    const own = holder;
    own.sockets.add(socket);
    count++;
    socket.once('close', () => leave(socket, name, own));
    // The last byte is sent. Unless the client closes its side too, the system would keep the connection.
    socket.once('finish', () => {
      const timer = setTimeout(() => socket.destroy(), limits.lingerMs);
      socket.once('close', () => clearTimeout(timer));
    });
  });
  return {
    refuses(remoteAddress, isAnyRate = false) {
      // The client reset it before it was accepted.
      if (remoteAddress === undefined) return true;
      const name = countedNetwork(remoteAddress, exempt);
      const holder = name === undefined ? undefined : holders.get(name);
      if (holder && holder.sockets.size + holder.closing >= limits.connectionsPerAddress) return true;
      if (name !== undefined && !isAnyRate && isTooFast(name)) return true;
      return count >= limits.connections && !makeRoom(holder?.sockets.size ?? 0);
    },
    closing(socket) {
      closing.add(socket);
      socket.destroy();
    },
    get count() {
      return count;
    },
  };
}

/** The network of a connection; undefined if its peer is exempt. */
export function countedNetwork(remoteAddress: string | undefined, exempt: readonly Network[]): string | undefined {
  const peer = remoteAddress === undefined ? undefined : parseAddress(remoteAddress);
  return peer && isInside(peer, exempt) ? undefined : clientNetwork(remoteAddress);
}

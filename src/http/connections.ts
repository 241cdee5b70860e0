/**
 * What a connection may hold. A slot is free again a bounded time after the service is done with it, whatever the client
 * does, and one network address has only its share of them.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { clientNetwork } from '../core/ip/client-network.ts';
import { isInside, type Network, parseAddress } from '../keys/networks.ts';
import { createConnectRate } from './connect-rate.ts';
import type { Limits } from './limits.ts';

/** A network's connections, the oldest first; `cut`: slots that it does not have back yet. */
type Holder = { sockets: Set<Socket>; closing: number };

export type Guard = {
  /**
   * Whether a connection that comes from an address is closed before it costs anything: its network has as many as it may,
   * or opens them too fast (unless at any rate), or the process has no room. Makes room where another network has more.
   */
  refuses(remoteAddress: string | undefined, isAnyRate?: boolean): boolean;
  /** Cuts a connection off: its address has its slot back only after a while, so that it does not open the next one at once. */
  closing(socket: Socket): void;
  /** Connections that are open. */
  readonly count: number;
};

type GuardLimits = Pick<
  Limits,
  'connections' | 'connectionsPerAddress' | 'connectsPerAddress' | 'lingerMs' | 'stalledMs' | 'cutMs'
>;

/**
 * Keeps a server's connections within the limits. Peers in `exempt` (trusted proxies) may have every slot. `isAnswering`:
 * whether a request waits for its answer on a connection; `isBusy`: whether the service has yet to read or to answer what
 * has come over it.
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
   * Closes a connection of the network that has most, where that is more than so many: the oldest of those that wait for no
   * answer, or else the oldest, unless each network would have the same then.
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

  // Node's own timer: it starts again with whatever arrives, and with whatever the client takes of what waits for it.
  server.timeout = limits.stalledMs;
  server.on('timeout', (socket: Socket) => {
    // Nothing waits for the client to take it: the service is still at work.
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
    // The service has sent its last byte. Unless the client ends its side too, the system would keep the connection.
    socket.once('finish', () => {
      const timer = setTimeout(() => socket.destroy(), limits.lingerMs);
      socket.once('close', () => clearTimeout(timer));
    });
  });
  return {
    refuses(remoteAddress, isAnyRate = false) {
      // Its client has reset it before it was accepted.
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

/** The network that a connection counts for; undefined where its peer is exempt. */
export function countedNetwork(remoteAddress: string | undefined, exempt: readonly Network[]): string | undefined {
  const peer = remoteAddress === undefined ? undefined : parseAddress(remoteAddress);
  return peer && isInside(peer, exempt) ? undefined : clientNetwork(remoteAddress);
}

/** Clients of one Valkey or Redis server, or of the nodes of a cluster: which of them a key is on, and how they are sought. */
import { createClient, createCluster } from '@redis/client';

type Client = {
  sendCommand(command: string[]): Promise<unknown>;
};

export type Servers = {
  /** The client of the server with a key. */
  clientOf(key: string): Client | Promise<Client>;
  /** Asks a node of a cluster for the current location of a key. */
  locate(key: string): Promise<unknown>;
  readonly isUp: boolean;
  close(): Promise<void>;
};

export type ServerHooks = { onUp(): void; onDown(error: Error): void };

const maxReconnectMs = 500;
/** Maximum number of commands that wait for an answer; more are refused, as a queue without end helps nobody. */
const maxWaiting = 20_000;

const common = (connectTimeoutMs: number) =>
  ({
    RESP: 2,
    disableOfflineQueue: true,
    commandsQueueMaxLength: maxWaiting,
    maintNotifications: 'disabled',
    socket: {
      connectTimeout: connectTimeoutMs,
      reconnectStrategy: (retries: number) => Math.min(maxReconnectMs, 20 * 2 ** Math.min(retries, 6)),
    },
  }) as const;

/** One server. Returns it at once or after `connectTimeoutMs`, up or not. */
export async function oneServer(
  url: string,
  { onUp, onDown }: ServerHooks,
  connectTimeoutMs: number,
): Promise<Servers> {
  const client = createClient({ url, ...common(connectTimeoutMs) });
  let isUp = false;
  client.on('ready', () => {
    isUp = true;
    onUp();
  });
  client.on('error', (error: Error) => {
    isUp = false;
    onDown(error);
  });
  // Rejects only when the client is closed before it ever got through; until then it tries again by itself.
  await inTime(client.connect(), connectTimeoutMs).catch(() => {});
  return {
    clientOf: () => client,
    locate: () => Promise.reject(new Error('the server is a node of a cluster; name several of its nodes')),
    get isUp() {
      return isUp && client.isReady;
    },
    async close() {
      if (client.isReady) await client.close();
      else client.destroy();
    },
  };
}

/** A cluster, found by way of some of its nodes, which all have the same user, password and scheme. */
export async function cluster(
  urls: readonly string[],
  { onUp, onDown }: ServerHooks,
  connectTimeoutMs: number,
): Promise<Servers> {
  const { socket, ...usual } = common(connectTimeoutMs);
  const { username, password, protocol } = new URL(urls[0]);
  const nodes = createCluster({
    rootNodes: urls.map((url) => ({ url })),
    RESP: 2,
    // Nodes are connected to when they are first needed: one that is down does not hold up the others.
    minimizeConnections: true,
    topologyRefreshOnReconnectionAttemptStrategy: 100,
    defaults: {
      ...usual,
      ...(username ? { username: decodeURIComponent(username) } : {}),
      ...(password ? { password: decodeURIComponent(password) } : {}),
      socket: { ...socket, ...(protocol === 'rediss:' ? { tls: true as const } : {}) },
    },
  });
  let isClosed = false;
  nodes.on('node-ready', onUp);
  nodes.on('node-error', onDown);
  nodes.on('error', onDown);
  const connecting = (async () => {
    while (!isClosed && !nodes.isReady) {
      try {
        await nodes.connect();
        onUp();
      } catch (error) {
        onDown(error as Error);
        await new Promise((resolve) => setTimeout(resolve, maxReconnectMs).unref());
      }
    }
  })();
  await inTime(connecting, connectTimeoutMs).catch(() => {});
  return {
    clientOf: (key) => nodes.getNodeClientForKey(key),
    locate: (key) => nodes.sendCommand(key, false, ['GET', key]),
    get isUp() {
      return nodes.isReady;
    },
    async close() {
      isClosed = true;
      if (nodes.isReady) await nodes.close();
    },
  };
}

/** Parts in which a time is counted. */
const parts = 4;

/**
 * Rejects when a promise takes too long; what it stands for may still happen. Time during which this process was busy, and could
 * neither send nor read, counts as one part of `ms` at most.
 */
export function inTime<T>(promise: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    let left = parts;
    const timer = setInterval(() => {
      if (--left > 0) return;
      // The answer may have arrived but not been read yet.
      setImmediate(() => reject(new Error(`no answer within ${ms} ms`)));
      clearInterval(timer);
    }, ms / parts);
    promise.then(resolve, reject).finally(() => clearInterval(timer));
  });
}

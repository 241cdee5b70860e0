/**
 * Commands to a Valkey or Redis server or cluster: they fail at once while it is unavailable, and it is reconnected.
 */
import { hash } from 'node:crypto';
import { createClient, createCluster } from '@redis/client';
import { type EngineHooks, storeUnavailable } from '../../../src/keys/engine.ts';

// Clients of one Valkey or Redis server, or of the nodes of a cluster: which of them a key is on, and how they are sought.

type Client = {
  sendCommand(command: string[]): Promise<unknown>;
};

type ServerHooks = { onUp(): void; onDown(error: Error): void };

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
async function oneServer(url: string, { onUp, onDown }: ServerHooks, connectTimeoutMs: number) {
  const client = createClient({ url, ...common(connectTimeoutMs) });
  let isUp = false;
  client.on('ready', () => {
    isUp = true;
    onUp();
  });
  client.on('error', (error: Error) => {
    isUp = false;
    onDown(error);
    if (!client.isReady) return;
    // The connection stands, but what arrives on it is no protocol, or more than was asked: it would answer other commands.
    client.destroy();
    client.connect().catch(() => {});
  });
  // Rejects only when the client is closed before it ever got through; until then it tries again by itself.
  await inTime(client.connect(), connectTimeoutMs).catch(() => {});
  return {
    clientOf: (_key: string): Client => client,
    locate: (_key: string): Promise<unknown> =>
      Promise.reject(new Error('the server is a node of a cluster; name several of its nodes')),
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
async function cluster(urls: readonly string[], { onUp, onDown }: ServerHooks, connectTimeoutMs: number) {
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
    /** The client of the server with a key. */
    clientOf: (key: string): Promise<Client> => nodes.getNodeClientForKey(key),
    /** Asks a node of a cluster for the current location of a key. */
    locate: (key: string): Promise<unknown> => nodes.sendCommand(key, false, ['GET', key]),
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

export type Reply = string | number | null | Reply[];

export type Connection = Awaited<ReturnType<typeof connect>>;

type Command = readonly (string | number)[];
type Script = { text: string; sha1: string };

export const scriptOf = (text: string): Script => ({ text, sha1: hash('sha1', text) });

export type ConnectionOptions = {
  /** How many replicas must have a change before it counts; 0 where there are none, or where losing it is no harm. */
  replicas?: number;
  /** Maximum time of a command, ms; its replicas have half of it, a new connection has twice as much. */
  timeoutMs?: number;
};

const maxMoves = 3;

/**
 * Connects to `redis://…` or `rediss://…` (`valkey://…`, `valkeys://…`), or to the cluster of several of them, separated by commas; returns the
 * connection at once, up or not. Throws when an address is wrong.
 */
export async function connect(
  url: string,
  { onUp, onDown }: EngineHooks,
  { replicas = 0, timeoutMs = 1000 }: ConnectionOptions = {},
) {
  let lastError: Error | undefined;
  const hooks = {
    onUp,
    onDown(error: Error) {
      lastError = error;
      onDown(error);
    },
  };
  const urls = url.split(',').map((part) => part.trim().replace(/^valkey(?=s?:)/, 'redis'));
  const servers =
    urls.length > 1 ? await cluster(urls, hooks, 2 * timeoutMs) : await oneServer(urls[0], hooks, 2 * timeoutMs);

  /** Confirmations that are about to be requested, by client: one is enough for all that was written before it. */
  const confirmations = new WeakMap<object, Promise<unknown>>();
  function confirmed(client: { sendCommand(command: string[]): Promise<unknown> }): Promise<unknown> {
    let confirmation = confirmations.get(client);
    if (!confirmation) {
      // In the same turn as what it confirms, so that both take the same connection.
      confirmation = Promise.resolve().then(async () => {
        confirmations.delete(client);
        const count = await client.sendCommand(['WAIT', String(replicas), String(timeoutMs / 2)]);
        if ((count as number) >= replicas) return;
        throw new Error(`only ${count} of ${replicas} replicas confirmed the change`);
      });
      confirmation.catch(() => {});
      confirmations.set(client, confirmation);
    }
    return confirmation;
  }

  /** Sends a command to the node of a cluster that has its key. */
  async function send(key: string, isWrite: boolean, command: Command): Promise<Reply> {
    for (let moves = 0; ; moves++) {
      const client = await servers.clientOf(key);
      const reply = client.sendCommand(command.map(String)) as Promise<Reply>;
      try {
        if (!isWrite || replicas === 0) return await reply;
        const [answer] = await Promise.all([reply, confirmed(client)]);
        return answer;
      } catch (error) {
        if (moves >= maxMoves || !/^(MOVED|ASK) /.test((error as Error).message)) throw error;
        await servers.locate(key);
      }
    }
  }

  const inLimits = (key: string, isWrite: boolean, command: Command) => inTime(send(key, isWrite, command), timeoutMs);
  /** A command that was not even sent says nothing of why. */
  const refuse = (cause: unknown): never => {
    throw storeUnavailable(servers.isUp ? cause : (lastError ?? cause));
  };

  return {
    /** Sends a read-only command. All of these throw `unavailable` when the server is away. */
    read: (verb: string, key: string, ...values: Command) => inLimits(key, false, [verb, key, ...values]).catch(refuse),
    /** Sends a modifying command; resolves when the configured number of replicas have it. */
    write: (verb: string, key: string, ...values: Command) => inLimits(key, true, [verb, key, ...values]).catch(refuse),
    /** Runs a script, as `write`. It is sent in full only where the server does not know it. */
    async run({ text, sha1 }: Script, keys: readonly string[], values: Command): Promise<Reply> {
      try {
        return await inLimits(keys[0], true, ['EVALSHA', sha1, keys.length, ...keys, ...values]);
      } catch (error) {
        if (!/^NOSCRIPT/.test((error as Error).message)) return refuse(error);
        return inLimits(keys[0], true, ['EVAL', text, keys.length, ...keys, ...values]).catch(refuse);
      }
    },
    /** Whether the server answered last. */
    get isUp() {
      return servers.isUp;
    },
    close: () => servers.close().catch(() => {}),
  };
}

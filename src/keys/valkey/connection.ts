/** The connection to a Valkey or Redis server: commands fail at once while it is away, and it is sought again. */
import { hash } from 'node:crypto';
import { createClient } from '@redis/client';
import { WhereaboutsError } from '../../errors.ts';

export type Reply = string | number | null | Reply[];

export type Connection = {
  /** Sends one command. Throws `unavailable`, as all here, when the server is away, too slow, or refuses. */
  send(...command: (string | number)[]): Promise<Reply>;
  /** Sends commands that happen as one. */
  sendTogether(commands: readonly (readonly (string | number)[])[]): Promise<Reply[]>;
  /** Runs a script, which is sent in full only where the server does not know it. */
  run(script: Script, keys: readonly string[], given: readonly (string | number)[]): Promise<Reply>;
  /** Whether the server answered last. */
  readonly isUp: boolean;
  close(): Promise<void>;
};

export type Script = { text: string; sha1: string };

export const scriptOf = (text: string): Script => ({ text, sha1: hash('sha1', text) });

const connectTimeoutMs = 2000;
const commandTimeoutMs = 1000;
const mostReconnectMs = 500;

/** Most commands that wait for an answer; more are refused, as a queue without end helps nobody. */
const mostWaiting = 20_000;

export type ConnectionHooks = {
  /** The connection stands, for the first time or again. */
  onUp(): void;
  /** It is away; told once for each reason until it is there again. */
  onDown(error: unknown): void;
};

/**
 * Connects to `redis://…` or `rediss://…`; gives the connection at once, up or not. Throws when the address is wrong.
 */
export async function connect(url: string, { onUp, onDown }: ConnectionHooks): Promise<Connection> {
  const client = createClient({
    url,
    RESP: 2,
    disableOfflineQueue: true,
    commandsQueueMaxLength: mostWaiting,
    maintNotifications: 'disabled',
    socket: {
      connectTimeout: connectTimeoutMs,
      reconnectStrategy: (retries) => Math.min(mostReconnectMs, 20 * 2 ** Math.min(retries, 6)),
    },
  });
  let isUp = false;
  let lastError: Error | undefined;
  /** Reasons told since it was last there. */
  const told = new Set<string>();
  client.on('ready', () => {
    isUp = true;
    told.clear();
    onUp();
  });
  client.on('error', (error: Error) => {
    isUp = false;
    lastError = error;
    if (told.has(error.message)) return;
    told.add(error.message);
    onDown(error);
  });
  /** A command that was not even sent says nothing of why. */
  const refuse = (cause: unknown): never => {
    throw storeAway(isUp ? cause : (lastError ?? cause));
  };
  // Rejects only when the client is closed before it ever got through; until then it tries again by itself.
  const connected = client.connect().then(
    () => {},
    () => {},
  );
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([connected, new Promise<void>((resolve) => (timer = setTimeout(resolve, connectTimeoutMs)))]);
  clearTimeout(timer);
  const send = (command: readonly (string | number)[]) =>
    inTime(client.sendCommand(command.map(String)) as Promise<Reply>);

  return {
    send: (...command) => send(command).catch(refuse),
    async sendTogether(commands) {
      const multi = client.multi();
      for (const command of commands) multi.addCommand(command.map(String));
      return inTime(multi.exec() as unknown as Promise<Reply[]>).catch(refuse);
    },
    async run({ text, sha1 }, keys, given) {
      try {
        return await send(['EVALSHA', sha1, keys.length, ...keys, ...given]);
      } catch (error) {
        if (!/^NOSCRIPT/.test((error as Error).message)) return refuse(error);
        return send(['EVAL', text, keys.length, ...keys, ...given]).catch(refuse);
      }
    },
    get isUp() {
      return isUp && client.isReady;
    },
    async close() {
      try {
        if (client.isReady) await client.close();
        else client.destroy();
      } catch {
        // It is gone either way.
      }
    },
  };
}

/** The error that clients are told; what happened is its cause. */
export function storeAway(cause?: unknown): WhereaboutsError {
  const error = new WhereaboutsError('unavailable', 'the store of keys does not answer; try again', {
    retryAfterSeconds: 1,
  });
  return Object.assign(error, { cause });
}

/** Rejects when an answer takes too long; the command may still happen. */
function inTime<T>(answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new Error(`no answer within ${commandTimeoutMs} ms`));
    const timer = setTimeout(late, commandTimeoutMs);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

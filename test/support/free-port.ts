/** Ports for programs that cannot be started on port 0 or that are started on the same port again. */
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the ports that systems choose themselves, for port 0 and for outgoing connections (from 16000, 32768 or 49152),
 * so that none is taken that way between its choice and its use, or while its program is away.
 */
const [lowest, end] = [10_000, 16_000];
const chosen = new Set<number>();

/** A port of the loopback interface that is free, and that this process has not been given before. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(lowest, end);
    if (chosen.has(port)) continue;
    chosen.add(port);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}

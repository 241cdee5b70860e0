/** A real Valkey or Redis server of a test's own, on a free port; it can be killed and brought back. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import type { TestContext } from 'node:test';
import { until } from './served.ts';
import { temporaryDirectory } from './temporary.ts';

const binary = ['valkey-server', 'redis-server'].find((name) => spawnSync(name, ['--version']).status === 0);

/** Why tests over a real server are skipped where there is none; false where there is one. */
export const noRedisServer =
  binary === undefined && 'needs a Valkey or Redis server: install valkey-server or redis-server';

export type RedisServer = {
  url: string;
  /** Ends it as `kill -9` does. */
  kill(): Promise<void>;
  /** Stops it from answering without closing a connection. */
  pause(): void;
  resume(): void;
  /** Starts it again, on the same port and with the data it had. */
  start(): Promise<void>;
};

export async function redisServer(t: TestContext): Promise<RedisServer> {
  const directory = temporaryDirectory(t);
  const free = createServer().listen(0, '127.0.0.1');
  await once(free, 'listening');
  const { port } = free.address() as AddressInfo;
  free.close();
  await once(free, 'close');
  let child: ChildProcess | undefined;
  const kill = async () => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  const start = async () => {
    const given = ['--port', String(port), '--bind', '127.0.0.1', '--dir', directory, '--appendonly', 'yes'];
    child = spawn(binary!, [...given, '--appendfsync', 'always', '--save', ''], { stdio: 'ignore' });
    await until('the server answers', () => answers(port));
  };
  await start();
  t.after(kill);
  return {
    url: `redis://127.0.0.1:${port}`,
    kill,
    start,
    pause: () => child!.kill('SIGSTOP'),
    resume: () => child!.kill('SIGCONT'),
  };
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    socket.on('data', (bytes) => {
      resolve(bytes.toString().startsWith('+PONG'));
      socket.destroy();
    });
    socket.on('error', () => resolve(false));
  });
}

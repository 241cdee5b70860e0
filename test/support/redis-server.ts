/** A real Valkey or Redis server of a test's own, on a free port; it can be killed and brought back. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { connect as connectByTls } from 'node:tls';
import { until } from './served.ts';
import { temporaryDirectory } from './temporary.ts';

const binary = ['valkey-server', 'redis-server'].find((name) => spawnSync(name, ['--version']).status === 0);

/** Why tests over a real server are skipped where there is none; false where there is one. */
export const noRedisServer =
  binary === undefined && 'needs a Valkey or Redis server: install valkey-server or redis-server';

export type RedisServer = {
  url: string;
  port: number;
  /** Ends it as `kill -9` does. */
  kill(): Promise<void>;
  /** Stops it from answering without closing a connection. */
  pause(): void;
  resume(): void;
  /** Starts it again, on the same port and with the data it had. */
  start(): Promise<void>;
  /** The file with everything that was written to it. */
  file(): string;
};

export type RedisServerOptions = {
  /** Further arguments of the server. */
  args?: readonly string[];
  /** Takes TLS connections only, with this certificate. */
  tls?: { certificate: string; key: string };
  /** User and password of the address. */
  login?: string;
};

/** A port that is free at the moment. */
export async function freePort(): Promise<number> {
  const free = createServer().listen(0, '127.0.0.1');
  await once(free, 'listening');
  const { port } = free.address() as AddressInfo;
  free.close();
  await once(free, 'close');
  return port;
}

export async function redisServer(
  t: TestContext,
  { args = [], tls, login = '' }: RedisServerOptions = {},
): Promise<RedisServer> {
  const directory = temporaryDirectory(t);
  const port = await freePort();
  let child: ChildProcess | undefined;
  const kill = async () => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  const start = async () => {
    const listening = tls
      ? ['--port', '0', '--tls-port', String(port), '--tls-cert-file', tls.certificate, '--tls-key-file', tls.key]
      : ['--port', String(port)];
    // What a killed process has written stays: an fsync would only make its answers wait for a busy disk.
    const kept = ['--dir', directory, '--appendonly', 'yes', '--appendfsync', 'no', '--save', ''];
    const trusted = tls ? ['--tls-ca-cert-file', tls.certificate, '--tls-auth-clients', 'no'] : [];
    child = spawn(binary!, [...listening, '--bind', '127.0.0.1', ...kept, ...trusted, ...args], { stdio: 'ignore' });
    await until('the server answers', () => answers(port, tls !== undefined));
  };
  await start();
  t.after(kill);
  return {
    url: `${tls ? 'rediss' : 'redis'}://${login === '' ? '' : `${login}@`}127.0.0.1:${port}`,
    port,
    kill,
    start,
    file: () => {
      const found = readdirSync(join(directory, 'appendonlydir')).find((name) => name.endsWith('.incr.aof'));
      return join(directory, 'appendonlydir', found!);
    },
    pause: () => child!.kill('SIGSTOP'),
    resume: () => child!.kill('SIGCONT'),
  };
}

function answers(port: number, isTls: boolean): Promise<boolean> {
  return new Promise((resolve) => {
    const ping = () => socket.write('PING\r\n');
    const socket = isTls
      ? connectByTls({ port, host: '127.0.0.1', rejectUnauthorized: false }, ping)
      : connect(port, '127.0.0.1', ping);
    socket.on('data', (bytes) => {
      // One that wants a password first is there as well.
      resolve(/^(\+PONG|-NOAUTH)/.test(bytes.toString()));
      socket.destroy();
    });
    socket.on('error', () => resolve(false)).on('close', () => resolve(false));
  });
}

/** A real Valkey or Redis server of a test's own, on a free port; it can be killed and brought back. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { freePort } from '../../../../test/support/free-port.ts';
import { until } from '../../../../test/support/served.ts';
import { memoryDirectory } from '../../../../test/support/temporary.ts';

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
  /** A node of a cluster, with a second port for the other nodes. */
  isNode?: boolean;
};

/** How many ports are tried. */
const maxAttempts = 10;

export async function redisServer(
  t: TestContext,
  { args = [], tls, login = '', isNode = false }: RedisServerOptions = {},
): Promise<RedisServer> {
  const directory = memoryDirectory(t);
  let port = 0;
  let ports: string[] = [];
  let child: ChildProcess | undefined;
  const kill = async () => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  const choosePorts = async () => {
    port = await freePort();
    ports = tls
      ? ['--port', '0', '--tls-port', String(port), '--tls-cert-file', tls.certificate, '--tls-key-file', tls.key]
      : ['--port', String(port)];
    if (isNode) ports.push('--cluster-enabled', 'yes', '--cluster-port', String(await freePort()));
  };
  const start = async () => {
    // What a killed process has written stays, without an fsync.
    const kept = ['--dir', directory, '--appendonly', 'yes', '--appendfsync', 'no', '--save', ''];
    const trusted = tls ? ['--tls-ca-cert-file', tls.certificate, '--tls-auth-clients', 'no'] : [];
    child = spawn(binary!, [...ports, '--bind', '127.0.0.1', ...kept, ...trusted, ...args], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let log = '';
    child.stdout!.setEncoding('utf8').on('data', (text) => (log += text));
    // What it says itself counts: on its port another server might answer.
    const isReady = () => log.includes('Ready to accept connections');
    await until('the server is ready', () => isReady() || child!.exitCode !== null);
    if (!isReady()) throw new Error(`the server ended:\n${log}`);
  };
  t.after(kill);
  // Another program may have taken a port since it was chosen.
  for (let attempt = 1; ; attempt++) {
    await choosePorts();
    try {
      await start();
      break;
    } catch (error) {
      if (attempt === maxAttempts) throw error;
    }
  }
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

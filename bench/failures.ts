/**
 * What clients see when parts fail under load: two nodes of two workers with one Valkey or Redis server, loaded by wrk
 * directly and by way of nginx with deploy/nginx.conf.
 *
 *     node bench/failures.ts [--data data] [--seconds 8] [--connections 32]
 *
 * For each failure: answers 200; answers 503 with Retry-After (announced); answers 503 without it; other answers;
 * requests whose connection broke; and those whose answer took more than 2 s. Directly the load goes to one node, as
 * clients without a balancer would, so that the end of that node is not tried there.
 * Needs Linux, wrk, valkey-server or redis-server, and nginx. The default dataset has to be there.
 */
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import { currentVersion } from '../src/store/manifest.ts';
import { freePort } from '../test/support/free-port.ts';
import { startProxy } from '../test/support/proxies.ts';

const { values: options } = parseArgs({
  options: {
    data: { type: 'string', default: 'data' },
    seconds: { type: 'string', default: '8' },
    connections: { type: 'string', default: '32' },
  },
});
const root = join(import.meta.dirname, '..');
/** By the launcher, which sets what Node runs with. */
const main = join(root, 'bin/whereabouts.js');
const run = promisify(execFile);
const directory = mkdtempSync(join(tmpdir(), 'whereabouts-failures-'));
const version = currentVersion(options.data);
if (version === undefined) throw new Error(`there is no dataset in ${options.data}; name another with --data`);
const unlimited = 1_000_000_000;
const plans = { open: { callsPerDay: unlimited, callsPerSecond: unlimited, burst: unlimited, batchSize: 100 } };

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await once(child, 'exit');
}

const binary = ['valkey-server', 'redis-server'].find((name) => spawnSync(name, ['--version']).status === 0);
if (binary === undefined) throw new Error('there is no valkey-server and no redis-server; install one');
const keysPort = await freePort();
const startKeys = () => {
  const args = ['--port', String(keysPort), '--bind', '127.0.0.1', '--dir', directory, '--save', ''];
  return spawn(binary, [...args, '--appendonly', 'yes', '--appendfsync', 'always'], { stdio: 'ignore' });
};

type Node = { child: ChildProcess; port: number; metrics: string; dataDirectory: string; config: string };

async function settle(name: string, port: number): Promise<Omit<Node, 'child'>> {
  const dataDirectory = join(directory, name);
  mkdirSync(dataDirectory);
  for (const copy of [version!, `${version}b`]) symlinkSync(resolve(options.data, version!), join(dataDirectory, copy));
  writeFileSync(join(dataDirectory, 'current'), version!);
  const config = join(dataDirectory, 'settings.json');
  const keys = `redis://127.0.0.1:${keysPort}`;
  const metrics = `127.0.0.1:${await freePort()}`;
  const settings = { plans, workers: 2, port, keys, metrics, maxLagMs: 0, trustedProxies: ['127.0.0.1'] };
  writeFileSync(config, JSON.stringify({ dataDirectory, ...settings }));
  return { port, metrics: `http://${metrics}/metrics`, dataDirectory, config };
}

async function start(node: Omit<Node, 'child'>): Promise<Node> {
  const child = spawn(process.execPath, [main, 'serve', '--config', node.config], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface(child.stdout!)) {
    if (!line.includes('"msg":"serving"')) continue;
    child.stdout!.resume();
    return { ...node, child };
  }
  throw new Error('a node ended before it served');
}

/** Pids of a node's workers. */
const workersOf = ({ child }: Node) =>
  readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim().split(' ').map(Number);

/** Waits until both workers of every node serve. */
async function whole(): Promise<void> {
  for (const { metrics } of nodes) {
    for (;;) {
      const text = await fetch(metrics).then(
        (answer) => answer.text(),
        () => '',
      );
      if (text.includes('\nwhereabouts_processes 2\n')) break;
      await wait(100);
    }
  }
}

let keys = startKeys();
const nodes: Node[] = [];
let nginx: Awaited<ReturnType<typeof startProxy>> | undefined;

/** What happens while the load runs; the load lasts until it is over and a second longer. */
const failures: Record<string, () => Promise<void>> = {
  nothing: async () => {},
  'kill -9 of a worker': async () => void process.kill(workersOf(nodes[0])[0], 'SIGKILL'),
  'SIGTERM to a worker': async () => void process.kill(workersOf(nodes[0])[0], 'SIGTERM'),
  'kill -9 of the server of keys, back after 1 s': async () => {
    await end(keys, 'SIGKILL');
    await wait(1000);
    keys = startKeys();
  },
  'another dataset': async () => {
    for (const { dataDirectory } of nodes) {
      writeFileSync(join(dataDirectory, 'next'), `${version}b`);
      renameSync(join(dataDirectory, 'next'), join(dataDirectory, 'current'));
      await wait(1500);
    }
  },
  'SIGTERM to a node, started again': async () => {
    await end(nodes[0].child, 'SIGTERM');
    nodes[0] = await start(nodes[0]);
  },
  'kill -9 of a node, started again': async () => {
    const workers = workersOf(nodes[0]);
    nodes[0].child.kill('SIGKILL');
    for (const pid of workers) process.kill(pid, 'SIGKILL');
    await wait(500);
    nodes[0] = await start(nodes[0]);
  },
};

try {
  await wait(500);
  for (const name of ['one', 'two']) nodes.push(await start(await settle(name, await freePort())));
  const made = await run(process.execPath, [
    main,
    'keys',
    'create',
    '--plan',
    'open',
    '--json',
    '--config',
    nodes[0].config,
  ]);
  const { key } = JSON.parse(made.stdout);
  const paths = join(directory, 'paths');
  writeFileSync(
    paths,
    Array.from({ length: 500 }, (_, i) => `/v1/timezone?lat=${i / 8 - 30}&lng=${i / 4 - 60}`).join('\n'),
  );
  nginx = await startProxy(
    'nginx',
    directory,
    nodes.map(({ port }) => port),
  );
  for (const [way, urlOf] of [
    ['directly', () => `http://127.0.0.1:${nodes[0].port}`],
    ['by way of nginx', () => nginx!.url],
  ] as const) {
    const rows: Record<string, object> = {};
    for (const [name, fail] of Object.entries(failures)) {
      if (way === 'directly' && name.includes(' a node')) continue;
      const args = [
        '-t1',
        `-c${options.connections}`,
        `-d${options.seconds}s`,
        '-s',
        join(import.meta.dirname, 'failures.lua'),
      ];
      const load = run('wrk', [...args, urlOf(), '--', paths, key]);
      load.catch(() => {});
      await wait(1500);
      await fail();
      const { stdout } = await load;
      const { max, ...counts } = JSON.parse(/RESULT (.*)/.exec(stdout)![1]);
      rows[name] = { ...counts, 'longest ms': Math.round(max / 1000) };
      console.error(way, name, JSON.stringify(rows[name]));
      await whole();
    }
    console.log(`${way}:`);
    console.table(rows);
  }
} finally {
  if (nginx) await end(nginx.child, 'SIGTERM');
  for (const { child } of nodes) await end(child, 'SIGTERM');
  await end(keys, 'SIGKILL');
  rmSync(directory, { recursive: true, force: true });
}

/**
 * Requests per second of every endpoint next to a constant answer of node:http, one core each for server and load.
 * Writes the table of docs/internal/benchmarks.md; takes some five minutes.
 *
 *     node scripts/node26.js bench/http/run.ts [--seconds 2] [--rounds 3] [--only search,ip] [--dataset data/<version>]
 *
 * Needs wrk and taskset (Debian: wrk, util-linux). The two servers run at once and are loaded in turn, so that what
 * else the machine does meets both; figures are medians of the rounds. "CPU" is the processor time of the server's
 * process per request, which other programs on the same core disturb less than requests per second. With `--only` the
 * page stays as it is.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { openDataset } from '../../src/api/open.ts';
import { currentVersion } from '../../src/store/manifest.ts';
import { replacePart, tableOf } from '../quality/page.ts';
import { aims, benchQueries } from './queries.ts';

const { values: options } = parseArgs({
  options: {
    dataset: { type: 'string', default: join('data', currentVersion('data') ?? '') },
    seconds: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '32' },
    only: { type: 'string' },
  },
});
/** What the service runs with. */
const settings: { flags: string[]; environment: Record<string, string> } = await import(
  new URL('../../bin/launch.js', import.meta.url).href
);
const serverCore = '0';
const loadCore = '1';
/** Ticks of processor time a second, as Linux reports it in /proc. */
const ticks = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
const directory = mkdtempSync(join(tmpdir(), 'whereabouts-wrk-'));

type Server = { pid: number; port: number; key: string; ended: Promise<unknown>; stop(): void };
type Round = { perSecond: number; p50: number; p99: number; cpu: number; failed: number };

async function start(flags: readonly string[], script: string, ...args: string[]): Promise<Server> {
  const file = join(import.meta.dirname, script);
  const child = spawn('taskset', ['-c', serverCore, process.execPath, ...flags, file, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    // As the service has one: without it, stripping types would take 30 MB that a second start does not.
    env: {
      ...settings.environment,
      ...process.env,
      NODE_COMPILE_CACHE: join('node_modules', '.cache', 'whereabouts-bench'),
    },
  });
  const [line] = await once(child.stdout, 'data');
  const ended = once(child, 'exit');
  return { pid: child.pid!, ...JSON.parse(String(line)), ended, stop: () => child.kill() };
}

/** Processor time of a process so far, seconds. */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticks;
}

function load({ pid, port, key }: Server, file: string, seconds: string): Round {
  const before = cpuOf(pid);
  const args = ['-c', loadCore, 'wrk', '-t1', `-c${options.connections}`, `-d${seconds}s`];
  const script = ['-s', join(import.meta.dirname, 'rotate.lua'), `http://127.0.0.1:${port}`, '--', file, key];
  const output = execFileSync('taskset', [...args, ...script], { encoding: 'utf8' });
  const { requests, microseconds, failed, p50, p99 } = JSON.parse(/RESULT (.*)/.exec(output)![1]);
  return {
    perSecond: (requests / microseconds) * 1e6,
    p50,
    p99,
    failed,
    cpu: ((cpuOf(pid) - before) / requests) * 1e6,
  };
}

type Row = Record<
  'req/s' | 'constant req/s' | 'ratio' | 'CPU µs' | 'CPU ratio' | 'p50 ms' | 'p99 ms' | 'not 2xx',
  number
>;
const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1];

const servers: Server[] = [];
try {
  const constant = await start([], 'constant.ts');
  servers.push(constant);
  const asServed = () => start(settings.flags, 'server.ts', options.dataset);
  // Once without counting, so that the cache of compiled code is filled.
  const first = await asServed();
  first.stop();
  await first.ended;
  const service = await asServed();
  servers.push(service);
  const store = openDataset(options.dataset);
  const wanted = options.only?.split(',');
  const queries = Object.entries(benchQueries(store)).filter(([name]) => !wanted || wanted.includes(name));
  store.close();

  const rows: Record<string, Row> = {};
  for (const [name, paths] of queries) {
    const file = join(directory, 'paths');
    writeFileSync(file, paths.join('\n'));
    load(service, file, '2');
    const rounds = Array.from({ length: Number(options.rounds) }, () => ({
      own: load(service, file, options.seconds),
      base: load(constant, file, options.seconds),
    }));
    const own = (field: keyof Round) => median(rounds.map((round) => round.own[field]));
    const base = (field: keyof Round) => median(rounds.map((round) => round.base[field]));
    rows[name] = {
      'req/s': Math.round(own('perSecond')),
      'constant req/s': Math.round(base('perSecond')),
      ratio: Number(median(rounds.map((round) => round.own.perSecond / round.base.perSecond)).toFixed(2)),
      'CPU µs': Number(own('cpu').toFixed(1)),
      'CPU ratio': Number((base('cpu') / own('cpu')).toFixed(2)),
      'p50 ms': own('p50') / 1000,
      'p99 ms': own('p99') / 1000,
      'not 2xx': own('failed'),
    };
    console.error(name, rows[name]);
  }
  console.table(rows);
  const status = readFileSync(`/proc/${service.pid}/status`, 'utf8');
  const resident = Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1024);
  console.log(`memory of the service (RSS): ${resident} MB`);
  if (!wanted) {
    const cells = Object.entries(rows).map(([name, row]) => [
      name,
      row['req/s'].toLocaleString('en'),
      row['CPU µs'],
      row.ratio.toFixed(2),
      row['CPU ratio'].toFixed(2),
      aims[name] ?? '',
    ]);
    const head = ['endpoint', 'requests/s', 'processor time, µs', 'ratio', 'ratio of processor time', 'aim'];
    const constants = Object.values(rows).map((row) => row['constant req/s']);
    const range = [Math.min(...constants), Math.max(...constants)].map((value) => value.toLocaleString('en'));
    const when = new Date().toISOString().slice(0, 16).replace('T', ' ');
    const text =
      `${when} UTC, dataset ${basename(options.dataset)}, ${cpus().length} processors, ${options.rounds} rounds of ${options.seconds} s: ` +
      `the constant answer came to ${range.join(' to ')} requests/s. After it all the service had ${resident} MB resident.`;
    replacePart('http', [text, tableOf(head, cells)], 'benchmarks.md');
  }
} finally {
  for (const server of servers) server.stop();
  rmSync(directory, { recursive: true });
}

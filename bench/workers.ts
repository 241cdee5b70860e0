/**
 * Two workers next to one, with quotas, rates and metrics on as ever.
 *
 *     node bench/workers.ts [--data data] [--endpoint timezone] [--seconds 4] [--rounds 5]
 *
 * Server and load share the machine, so the load is given its part of every core in every run: a wrk on core 0 and one
 * on core 1. Two workers, one on each core, are asked by both. One worker is measured twice: alone on core 0, with a
 * wrk there; and while a second service with one worker of its own is asked just so on core 1, each of them by both wrk
 * ("one of two services", half of both together). In the latter case the machine is as busy as with two workers, and
 * as many answers cross from one core to the other: the ratio tells what sharing a port, quotas and keys costs, and
 * not what the cores of this machine lose to each other, to the load and to other programs.
 * All services run at once and are asked in turn; the figures are medians of the rounds. "CPU" is the processor time of
 * all processes of a service per request.
 * Needs Linux with two cores, wrk and taskset.
 */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs, promisify } from 'node:util';
import { currentVersion } from '../src/store/manifest.ts';
import { openDataset } from '../src/store/open.ts';
import { benchQueries } from './http/queries.ts';

const { values: options } = parseArgs({
  options: {
    data: { type: 'string', default: 'data' },
    endpoint: { type: 'string', default: 'timezone' },
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '5' },
    connections: { type: 'string', default: '32' },
  },
});
const main = join(import.meta.dirname, '../src/main.ts');
const run = promisify(execFile);
const ticks = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
const directory = mkdtempSync(join(tmpdir(), 'whereabouts-workers-'));

type Service = { child: ChildProcess; pids: number[]; url: string; key: string; cores: number[] };

/** Starts a service with so many workers, on as many cores from one on. */
async function start(name: string, workers: number, firstCore: number): Promise<Service> {
  const dataDirectory = join(directory, name);
  mkdirSync(dataDirectory);
  const version = currentVersion(options.data);
  if (version === undefined) throw new Error(`there is no dataset in ${options.data}; name another with --data`);
  symlinkSync(resolve(options.data, version), join(dataDirectory, version));
  writeFileSync(join(dataDirectory, 'current'), version);
  const config = join(dataDirectory, 'settings.json');
  const most = 1_000_000_000;
  const plans = { open: { callsPerDay: most, callsPerSecond: most, burst: most, batchSize: 100 } };
  const settings = { dataDirectory, plans, workers, port: 0, metrics: '127.0.0.1:0', maxLagMs: 0 };
  writeFileSync(config, JSON.stringify(settings));
  const child = spawn(process.execPath, [main, 'serve', '--config', config], { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const text of createInterface(child.stdout!)) {
    const line = JSON.parse(text) as { msg: string; address: string; metrics: string };
    if (line.msg !== 'serving') continue;
    const metrics = await (await fetch(line.metrics)).text();
    const pids = [...metrics.matchAll(/^whereabouts_heap_bytes\{pid="(\d+)"\}/gm)].map(([, pid]) => Number(pid));
    const cores = pids.map((_, index) => firstCore + index);
    for (const [index, pid] of pids.entries()) {
      execFileSync('taskset', ['-a', '-p', '-c', String(cores[index]), String(pid)]);
    }
    const made = await run(process.execPath, [main, 'keys', 'create', '--plan', 'open', '--json', '--config', config]);
    child.stdout!.resume();
    return { child, pids, url: line.address, key: JSON.parse(made.stdout).key, cores };
  }
  throw new Error('the service ended before it served');
}

/** Processor time of the processes so far, seconds. */
function cpuOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
    return sum + (Number(fields[11]) + Number(fields[12])) / ticks;
  }, 0);
}

/** Asks a service from each of its cores, or from those that are named. */
async function load({ url, key, cores, pids, child }: Service, file: string, seconds: string, from = cores) {
  const all = [...new Set([...pids, child.pid!])];
  const before = cpuOf(all);
  const script = ['-s', join(import.meta.dirname, 'http/rotate.lua'), url, '--', file, key];
  const wrk = ['wrk', '-t1', `-c${Number(options.connections) / (from === cores ? 1 : 2)}`, `-d${seconds}s`, ...script];
  const outputs = await Promise.all(from.map((core) => run('taskset', ['-c', String(core), ...wrk])));
  const results = outputs.map(({ stdout }) => JSON.parse(/RESULT (.*)/.exec(stdout)![1]));
  const requests = results.reduce((sum, result) => sum + result.requests, 0);
  return {
    perSecond: results.reduce((sum, result) => sum + (result.requests / result.microseconds) * 1e6, 0),
    cpu: ((cpuOf(all) - before) / requests) * 1e6,
    p99: Math.max(...results.map(({ p99 }) => p99)) / 1000,
    failed: results.reduce((sum, { failed }) => sum + failed, 0),
  };
}

const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1];

const services: Service[] = [];
try {
  const store = openDataset(join(options.data, currentVersion(options.data) ?? ''));
  const paths = benchQueries(store)[options.endpoint];
  store.close();
  if (!paths) throw new Error(`there are no requests for ${options.endpoint}`);
  const file = join(directory, 'paths');
  writeFileSync(file, paths.join('\n'));
  services.push(await start('one', 1, 0), await start('other', 1, 1), await start('two', 2, 0));
  const [one, other, two] = services;
  for (const service of services) await load(service, file, '3');
  const rounds: Record<'alone' | 'beside' | 'two', Awaited<ReturnType<typeof load>>>[] = [];
  for (let round = 0; round < Number(options.rounds); round++) {
    const alone = await load(one, file, options.seconds);
    const both = await Promise.all([one, other].map((service) => load(service, file, options.seconds, [0, 1])));
    const beside = {
      perSecond: (both[0].perSecond + both[1].perSecond) / 2,
      cpu: (both[0].cpu + both[1].cpu) / 2,
      p99: Math.max(both[0].p99, both[1].p99),
      failed: both[0].failed + both[1].failed,
    };
    rounds.push({ alone, beside, two: await load(two, file, options.seconds) });
  }
  const row = (which: 'alone' | 'beside' | 'two') => ({
    'req/s': Math.round(median(rounds.map((round) => round[which].perSecond))),
    'CPU µs': Number(median(rounds.map((round) => round[which].cpu)).toFixed(1)),
    'p99 ms': median(rounds.map((round) => round[which].p99)),
    'not 2xx': rounds.reduce((sum, round) => sum + round[which].failed, 0),
  });
  console.table({ 'one worker alone': row('alone'), 'one of two services': row('beside'), 'two workers': row('two') });
  const costs = rounds.map(({ beside, two }) => (2 * beside.cpu) / two.cpu);
  const ratio = (which: 'alone' | 'beside') =>
    median(rounds.map((round) => round.two.perSecond / round[which].perSecond)).toFixed(2);
  console.log(`two workers answer ${ratio('beside')} times as many requests a second as one of two services`);
  console.log(`by processor time per request it is ${median(costs).toFixed(2)} times`);
  console.log(`and ${ratio('alone')} times as many as one worker with the other core free`);
} finally {
  for (const { child } of services) {
    child.kill();
    if (child.exitCode === null) await once(child, 'exit');
  }
  rmSync(directory, { recursive: true });
}

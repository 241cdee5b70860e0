/**
 * Two workers next to one, with quotas, rates and metrics on as ever.
 *
 *     node bench/workers.ts [--data data] [--endpoint timezone] [--depth 16] [--seconds 2] [--rounds 5]
 *
 * Server and load share the machine, and a load that sends one request at a time takes as much of it as what it
 * measures. So it sends `--depth` requests at once (HTTP pipelining), and every core that has a worker has a wrk of its
 * own: one worker and a wrk on core 0, with core 1 idle; two workers and a wrk each on both cores. What two cores of
 * this machine give at most is measured in the same way: two services of one worker each, that share nothing, both
 * loaded at once from both cores. "load" is the part of its cores that wrk took; "CPU" the processor time of all
 * processes of a service per request. All services run at once and are loaded in turn; the figures are medians of the
 * rounds. Where other programs run, run it by `chrt --rr 50`: they wait then.
 * Needs Linux with two cores, wrk and taskset.
 */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs, promisify } from 'node:util';
import { openDataset } from '../src/api/open.ts';
import { currentVersion } from '../src/store/manifest.ts';
import { benchQueries } from './http/queries.ts';

const { values: options } = parseArgs({
  options: {
    data: { type: 'string', default: 'data' },
    endpoint: { type: 'string', default: 'timezone' },
    seconds: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '5' },
    connections: { type: 'string', default: '32' },
    depth: { type: 'string', default: '16' },
  },
});
/** By the launcher, which sets what Node runs with. */
const main = join(import.meta.dirname, '../bin/whereabouts.js');
const run = promisify(execFile);
const ticks = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
const directory = mkdtempSync(join(tmpdir(), 'whereabouts-workers-'));

type Service = { child: ChildProcess; pids: number[]; url: string; key: string; cores: number[] };

/** Starts a service with that many workers, on as many cores starting at one. */
async function start(name: string, workers: number, firstCore: number): Promise<Service> {
  const dataDirectory = join(directory, name);
  mkdirSync(dataDirectory);
  const version = currentVersion(options.data);
  if (version === undefined) throw new Error(`there is no dataset in ${options.data}; name another with --data`);
  symlinkSync(resolve(options.data, version), join(dataDirectory, version));
  writeFileSync(join(dataDirectory, 'current'), version);
  const config = join(dataDirectory, 'settings.json');
  const unlimited = 1_000_000_000;
  const plans = { open: { callsPerDay: unlimited, callsPerSecond: unlimited, burst: unlimited, batchSize: 100 } };
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

/** Loads a service from the given cores, each with that many connections. */
async function load({ url, key, pids, child }: Service, file: string, seconds: string, from: number[], each: number) {
  const all = [...new Set([...pids, child.pid!])];
  const before = cpuOf(all);
  const script = ['-s', join(import.meta.dirname, 'http/rotate.lua'), url, '--', file, key, options.depth];
  const wrk = ['wrk', '-t1', `-c${each}`, `-d${seconds}s`, ...script];
  // The shell reports the processor time of its child.
  const load = (core: number) => run('sh', ['-c', '"$@"; times', 'sh', 'taskset', '-c', String(core), ...wrk]);
  const outputs = await Promise.all(from.map(load));
  const results = outputs.map(({ stdout }) => JSON.parse(/RESULT (.*)/.exec(stdout)![1]));
  const requests = results.reduce((sum, result) => sum + result.requests, 0);
  return {
    perSecond: results.reduce((sum, result) => sum + (result.requests / result.microseconds) * 1e6, 0),
    cpu: ((cpuOf(all) - before) / requests) * 1e6,
    load: outputs.reduce((sum, { stdout }) => sum + timesOf(stdout), 0) / Number(seconds) / from.length,
    failed: results.reduce((sum, { failed }) => sum + failed, 0),
  };
}

/** Seconds of the processor in the last line that `times` writes, such as `0m1.210s 0m0.400s`. */
function timesOf(written: string): number {
  const last = written.trim().split('\n').at(-1)!;
  return [...last.matchAll(/(\d+)m([\d.]+)s/g)].reduce((sum, [, m, s]) => sum + Number(m) * 60 + Number(s), 0);
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
  const connections = Number(options.connections);
  for (const service of services) await load(service, file, '3', [0, 1], connections / 2);
  const ask = (service: Service, from: number[], each: number) => load(service, file, options.seconds, from, each);
  type Round = Awaited<ReturnType<typeof load>>;
  type Measured = { alone: Round; apart: Round; two: Round };
  const rounds: Measured[] = [];
  for (let round = 0; round < Number(options.rounds); round++) {
    const alone = await ask(one, [0], connections / 2);
    const both = await Promise.all([one, other].map((service) => ask(service, [0, 1], connections / 4)));
    const sum = (which: keyof Round) => both[0][which] + both[1][which];
    const apart = {
      ...both[0],
      perSecond: sum('perSecond'),
      cpu: sum('cpu') / 2,
      load: sum('load'),
      failed: sum('failed'),
    };
    rounds.push({ alone, apart, two: await ask(two, [0, 1], connections / 2) });
  }
  const row = (which: keyof Measured) => {
    const of = (name: keyof Round) => median(rounds.map((round) => round[which][name]));
    return {
      'req/s': Math.round(of('perSecond')),
      'CPU µs': Number(of('cpu').toFixed(1)),
      'load %': Math.round(of('load') * 100),
      'not 2xx': rounds.reduce((sum, round) => sum + round[which].failed, 0),
    };
  };
  console.table({ 'one worker': row('alone'), 'two services of one': row('apart'), 'two workers': row('two') });
  const ratio = (of: (round: Measured) => number) => median(rounds.map(of)).toFixed(2);
  const times = ratio(({ alone, two }) => two.perSecond / alone.perSecond);
  const apartTimes = ratio(({ alone, apart }) => apart.perSecond / alone.perSecond);
  console.log(
    `two workers answer ${times} times as many requests a second as one; two services that share nothing ${apartTimes} times`,
  );
  console.log(
    `two workers answer ${ratio(({ apart, two }) => two.perSecond / apart.perSecond)} of what the two services do`,
  );
} finally {
  for (const { child } of services) {
    child.kill();
    if (child.exitCode === null) await once(child, 'exit');
  }
  rmSync(directory, { recursive: true });
}

/**
 * Processor time per request of the services of two trees, loaded in turns on one core: what a change of the server costs.
 *
 *     node scripts/node26.js bench/http/turns.ts --other ../other-tree [--tree .] [--rounds 7] [--requests 10000] [--dataset data/<version>]
 *
 * Prints the least and the median of the rounds. Needs taskset; the load, a client of node:http, runs on the other core.
 * `--other-dataset` is the same data in the other tree's format.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { currentVersion } from '../../src/store/manifest.ts';

const { values: options } = parseArgs({
  options: {
    tree: { type: 'string', default: '.' },
    other: { type: 'string', default: '.' },
    dataset: { type: 'string', default: join('data', currentVersion('data') ?? '') },
    'other-dataset': { type: 'string' },
    rounds: { type: 'string', default: '7' },
    requests: { type: 'string', default: '10000' },
  },
});
const ticks = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
const paths = {
  country: '/v1/country/DE',
  nearby: '/v1/nearby?lat=52.5&lng=13.4',
  search: '/v1/search?q=berlin',
  'search with a context': '/v1/search?q=springfield%20illinois',
};

type Server = { pid: number; port: number; key: string; stop(): void };

async function start(tree: string, dataset: string): Promise<Server> {
  const args = ['-c', '0', process.execPath, join(tree, 'bench/http/server.ts'), resolve(dataset)];
  const child = spawn('taskset', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
  if (typeof line === 'number') throw new Error(`the service of ${tree} did not start`);
  return { pid: child.pid!, ...JSON.parse(String(line)), stop: () => child.kill() };
}

/** Processor time of a process so far, µs. */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return ((Number(fields[11]) + Number(fields[12])) / ticks) * 1e6;
}

/** Processor time per request, µs: that many over 16 connections. */
async function load({ pid, port, key }: Server, path: string, count: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const before = cpuOf(pid);
  let left = count;
  const ask = async () => {
    while (left-- > 0) {
      const sent = request({ agent, port, host: '127.0.0.1', path, headers: { 'x-api-key': key } });
      sent.end();
      const [response] = await once(sent, 'response');
      if (response.statusCode !== 200) throw new Error(`${path} was answered ${response.statusCode}`);
      await once(response.resume(), 'end');
    }
  };
  await Promise.all(Array.from({ length: 16 }, ask));
  agent.destroy();
  return (cpuOf(pid) - before) / count;
}

const servers: Server[] = [];
try {
  const own = await start(options.tree, options.dataset);
  servers.push(own);
  const other = await start(options.other, options['other-dataset'] ?? options.dataset);
  servers.push(other);
  execFileSync('taskset', ['-a', '-p', '-c', '1', `${process.pid}`]);
  const count = Number(options.requests);
  for (const [name, path] of Object.entries(paths)) {
    const times = { own: [] as number[], other: [] as number[] };
    for (let round = -1; round < Number(options.rounds); round++) {
      const pair = { other: await load(other, path, count), own: await load(own, path, count) };
      // The first one warms up.
      if (round < 0) continue;
      times.own.push(pair.own);
      times.other.push(pair.other);
    }
    const shown = (values: number[]) => {
      const sorted = values.sort((a, b) => a - b).map((value) => value.toFixed(1));
      return `${sorted[0]} µs (${sorted[sorted.length >> 1]})`;
    };
    console.log(`${name}: other tree ${shown(times.other)}, this tree ${shown(times.own)}`);
  }
} finally {
  for (const { stop } of servers) stop();
}

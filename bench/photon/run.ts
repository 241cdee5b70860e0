/**
 * The same streets, addresses and points in Photon, in OpenSearch and in a dataset's own files, asked the same over HTTP:
 * loading, size, requests a second, waiting times, processor time, and how often the first answer is the right one.
 *
 *     git clone https://github.com/komoot/photon && bench/photon/build photon <directory>
 *     node scripts/node26.js bench/photon/run.ts <directory> [--dataset data/<version>] [--seconds 5] [--samples 200] [--rounds 3]
 *
 * Needs wrk and what packages/opensearch/test needs. All services run, with 512 MB of heap for Photon and for the node, and are asked in
 * turns, a round to warm up and then `rounds`, whose median by requests a second is printed.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openCluster } from '../../packages/opensearch/src/index.ts';
import { java, searchCluster } from '../../packages/opensearch/test/support/opensearch.ts';
import { distanceKm } from '../../src/core/geo.ts';
import { currentVersion } from '../../src/store/manifest.ts';
import { freePort } from '../../test/support/free-port.ts';
import { until } from '../../test/support/served.ts';
import { memoryMb, processorSeconds } from '../processes.ts';
import { type Place, placesOf } from '../quality/dataset-places.ts';
import { forms } from '../quality/forms.ts';
import { draw, randomNumbers } from '../quality/samples.ts';
import { writeDump } from './dump.ts';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    dataset: { type: 'string', default: join('data', currentVersion('data') ?? '') },
    seconds: { type: 'string', default: '5' },
    samples: { type: 'string', default: '200' },
    connections: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '3' },
  },
});
const [built] = positionals;
const heap = '512m';
const nearEnoughKm = 0.05;
const directory = mkdtempSync(join(tmpdir(), 'whereabouts-photon-'));

type Found = { name?: string | null; number?: string; lat: number; lng: number };
/** What is asked of either service, and the place that its first answer must be. */
type Question = { ours: string; photon: string; right: Place };
type Service = {
  name: string;
  url: string;
  key: string;
  pids: number[];
  path: 'ours' | 'photon';
  stop(): Promise<void>;
};

/** The process that a command becomes, started. */
function start(command: string, args: readonly string[]) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  const stop = async () => {
    child.kill();
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  };
  return { child, pid: child.pid!, stop };
}

const photonArguments = [
  `-Xms${heap}`,
  `-Xmx${heap}`,
  '-cp',
  `${join(built, 'classes')}:${readFileSync(join(built, 'class-path.txt'), 'utf8').trim()}`,
  'de.komoot.photon.App',
];

async function photon(): Promise<Service> {
  const port = await freePort();
  const args = ['serve', '-data-dir', directory, '-listen-port', String(port)];
  const { child, pid, stop } = start(java!, [...photonArguments, ...args]);
  child.stdout.resume();
  const url = `http://127.0.0.1:${port}`;
  await until('Photon answers', async () => (await fetch(`${url}/status`).catch(() => undefined))?.ok === true);
  return { name: 'Photon', url, key: '', pids: [pid], path: 'photon', stop };
}

async function ours(): Promise<Service> {
  const { child, pid, stop } = start(process.execPath, ['bench/http/server.ts', options.dataset]);
  const { port, key } = JSON.parse(String((await once(child.stdout, 'data'))[0]));
  return { name: 'files', url: `http://127.0.0.1:${port}`, key, pids: [pid], path: 'ours', stop };
}

async function oursOverOpenSearch(addresses: number): Promise<Service> {
  const cluster = await searchCluster(1);
  const publisher = await openCluster(cluster.url);
  const all = [process.pid, cluster.nodes[0].pid()!];
  const [startedAt, before] = [performance.now(), processorSeconds(all)];
  const { bytes } = await publisher.publish(options.dataset, { shards: 1, replicas: 0, keepVersions: 1 });
  loaded('OpenSearch', addresses, bytes, startedAt, processorSeconds(all) - before);
  await publisher.close();
  const { child, pid, stop } = start(process.execPath, ['bench/http/server.ts', options.dataset, cluster.url]);
  const { port, key } = JSON.parse(String((await once(child.stdout, 'data'))[0]));
  return {
    name: 'OpenSearch',
    url: `http://127.0.0.1:${port}`,
    key,
    pids: [pid, cluster.nodes[0].pid()!],
    path: 'ours',
    async stop() {
      await stop();
      await cluster.close();
    },
  };
}

/** `cpu`: processor time that it took, seconds. */
function loaded(name: string, addresses: number, bytes: number, startedAt: number, cpu: number): void {
  const seconds = (performance.now() - startedAt) / 1000;
  console.log(
    `${name}: loaded in ${seconds.toFixed(1)} s, ${cpu.toFixed(1)} s of processor time, ${Math.round(addresses / seconds)} addresses a second, ` +
      `${(bytes / 1e6).toFixed(1)} MB, ${(bytes / addresses).toFixed(1)} bytes an address`,
  );
}

const path = (base: string, parameters: Record<string, string | number>) =>
  `${base}?${new URLSearchParams(Object.entries(parameters).map(([name, value]) => [name, String(value)]))}`;

function questionsOf(places: readonly Place[]): Record<string, Question[]> {
  const random = randomNumbers(42);
  const mistyped = forms.find(({ name }) => name === 'one typing mistake')!;
  const named = (kind: Place['kind']) => places.filter((place) => place.kind === kind && (place.name ?? place.city));
  /** As many of every country. */
  const drawn = (all: readonly Place[]) =>
    Object.values(Object.groupBy(all, ({ country = '' }) => country)).flatMap((some) =>
      draw(some!, Number(options.samples), random),
    );
  const houses = drawn(named('house'));
  const texts = (right: Place, text: string): Question => ({
    ours: path('/v1/address', { q: text, limit: 10 }),
    photon: path('/api', { q: text, limit: 10 }),
    right,
  });
  return {
    address: houses.map((right) => texts(right, `${right.street} ${right.number}, ${right.city}`)),
    'address, one mistake': houses.map((right) => {
      const text = mistyped.ask({ ...right, street: right.street!, number: right.number! }, random);
      return texts(right, `${text}, ${right.city}`);
    }),
    streets: drawn(named('street')).map((right) => ({
      ours: path('/v1/streets', { q: right.name!, lat: right.lat, lng: right.lng, limit: 10 }),
      photon: path('/api', { q: right.name!, lat: right.lat, lon: right.lng, layer: 'street', limit: 10 }),
      right,
    })),
    'nearest address': houses.map((right) => ({
      ours: path('/v1/reverse', { lat: right.lat, lng: right.lng, layers: 'address' }),
      photon: path('/reverse', { lat: right.lat, lon: right.lng, osm_tag: 'place:house' }),
      right,
    })),
    pois: draw(named('poi'), 1000, random).map((right) => ({
      ours: path('/v1/pois', { lat: right.lat, lng: right.lng, radius: 1, limit: 10 }),
      photon: `${path('/reverse', { lat: right.lat, lon: right.lng, radius: 1, limit: 10 })}&osm_tag=!place&osm_tag=!highway`,
      right,
    })),
  };
}

function resultsOf(body: Record<string, never>): Found[] {
  type Feature = {
    properties: { name?: string; housenumber?: string };
    geometry: { coordinates: [number, number] };
  };
  const { features, results = [] } = body as { features?: Feature[]; results?: Found[] };
  if (!features) return results.map((one) => ({ number: (one as { house_number?: string }).house_number, ...one }));
  return features.map(({ properties: { name, housenumber: number }, geometry: { coordinates } }) => {
    const [lng, lat] = coordinates;
    return { name, number, lat, lng };
  });
}

/** A house has its number; a street has its name and may be asked for at another of its points; a point has its name. */
function isRight(found: Found | undefined, { kind, name, number, ...at }: Place): boolean {
  if (!found) return false;
  if (kind === 'house') return found.number === number && distanceKm(found, at) <= nearEnoughKm;
  return found.name === name && distanceKm(found, at) <= (kind === 'street' ? 1 : nearEnoughKm);
}

type Round = { rate: number; p50: number; p99: number; cpu: number; failed: number };

/** One round of a kind of question to a service. */
function load({ url, key, pids, path }: Service, questions: readonly Question[], seconds: string): Round {
  const file = join(directory, 'paths');
  writeFileSync(file, questions.map((question) => question[path]).join('\n'));
  const before = processorSeconds(pids);
  const args = ['-t1', `-c${options.connections}`, `-d${seconds}s`, '-s', 'bench/http/rotate.lua', url];
  const output = execFileSync('wrk', [...args, '--', file, key], { encoding: 'utf8' });
  const { requests, microseconds, p50, p99, failed } = JSON.parse(/RESULT (.*)/.exec(output)![1]);
  return { rate: (requests / microseconds) * 1e6, p50, p99, cpu: (processorSeconds(pids) - before) / requests, failed };
}

/** Share of questions whose first answer is the right one, %. */
async function rightShare({ url, key, path }: Service, questions: readonly Question[]): Promise<number> {
  let right = 0;
  for (const question of questions) {
    const response = await fetch(`${url}${question[path]}`, { headers: { 'x-api-key': key } });
    const [first] = response.ok ? resultsOf((await response.json()) as Record<string, never>) : [];
    if (isRight(first, question.right)) right++;
  }
  return (100 * right) / questions.length;
}

async function measure(services: readonly Service[], asked: Record<string, Question[]>): Promise<void> {
  for (const [kind, questions] of Object.entries(asked)) {
    const right = new Map<Service, number>();
    const rounds = new Map<Service, Round[]>(services.map((service) => [service, []]));
    for (const service of services) {
      right.set(service, await rightShare(service, questions));
      load(service, questions, options.seconds);
    }
    for (let round = 0; round < Number(options.rounds); round++)
      for (const service of services) rounds.get(service)!.push(load(service, questions, options.seconds));
    for (const service of services) {
      const all = rounds.get(service)!.sort((one, other) => one.rate - other.rate);
      const { rate, p50, p99, cpu } = all[all.length >> 1];
      const failed = all.reduce((sum, one) => sum + one.failed, 0);
      const cells = [
        kind,
        service.name,
        right.get(service)!.toFixed(1),
        Math.round(rate),
        `${(p50 / 1000).toFixed(1)} / ${(p99 / 1000).toFixed(1)}`,
        (cpu * 1000).toFixed(2),
      ];
      console.log(`| ${cells.join(' | ')} |${failed ? ` ${failed} failed` : ''}`);
    }
  }
}

try {
  const places = [...placesOf(options.dataset)];
  const addresses = places.filter(({ kind }) => kind === 'house').length;
  console.log(`${addresses} addresses, ${places.length} places`);
  const asked = questionsOf(places);
  const dump = join(directory, 'dump.jsonl');
  await writeDump(dump, places);
  const [startedAt, before] = [performance.now(), processorSeconds([process.pid])];
  const args = ['import', '-import-file', dump, '-data-dir', directory, '-languages', 'en'];
  execFileSync(java!, [...photonArguments, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
  const [size] = execFileSync('du', ['-sb', join(directory, 'photon_data')], { encoding: 'utf8' }).split('\t');
  loaded('Photon', addresses, Number(size), startedAt, processorSeconds([process.pid]) - before);
  const services: Service[] = [];
  try {
    for (const begin of [photon, () => oursOverOpenSearch(addresses), ours]) services.push(await begin());
    console.log('\n| request | service | first answer right, % | requests/s | p50 / p99, ms | processor time, ms |');
    console.log('|---|---|---|---|---|---|');
    await measure(services, asked);
    for (const { name, pids } of services) console.log(`${name}: ${memoryMb(pids).toFixed(0)} MB of memory`);
  } finally {
    for (const service of services) await service.stop();
  }
} finally {
  rmSync(directory, { recursive: true });
}

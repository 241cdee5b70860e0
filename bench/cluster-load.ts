/**
 * Three OpenSearch nodes with a copy of everything each, and a service that is asked 50 addresses, streets and points a second
 * whether or not it has answered those before: undisturbed, with a node killed, paused, and with full disks.
 *
 *     node scripts/node26.js bench/cluster-load.ts [--dataset data/<version>] [--rate 50] [--seconds 60]
 *
 * Each answer is compared with that of a service with the dataset's files. With 60 seconds a phase it takes some 8 minutes, and
 * never more than 12. Needs what packages/opensearch/test needs, and a quiet machine for times that mean anything. Exits with 1 where an aim is missed.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openCluster } from '../packages/opensearch/src/index.ts';
import { searchCluster } from '../packages/opensearch/test/support/opensearch.ts';
import { currentVersion } from '../src/store/manifest.ts';
import { until } from '../test/support/served.ts';
import { type Place, placesOf } from './quality/dataset-places.ts';
import { forms } from './quality/forms.ts';
import { draw, randomNumbers } from './quality/samples.ts';

const { values: options } = parseArgs({
  options: {
    dataset: { type: 'string', default: join('data', currentVersion('data') ?? '') },
    rate: { type: 'string', default: '50' },
    seconds: { type: 'string', default: '60' },
    samples: { type: 'string', default: '200' },
  },
});
const [rate, seconds, samples] = [options.rate, options.seconds, options.samples].map(Number);
const limitMs = 12 * 60_000;
const aims = { p50: 10, p99: 60, failedPercent: 0.1 };
const nodeCount = 3;
const startMs = 300_000;

setTimeout(() => {
  console.error(`not done within ${limitMs / 60_000} minutes`);
  process.exit(1);
}, limitMs).unref();
// Whatever happens, nothing that was started stays.
process.on('exit', () => {
  for (const end of endings.reverse()) end();
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));
const endings: (() => unknown)[] = [];

type Service = { url: string; key: string };

async function service(...args: string[]): Promise<Service> {
  const child = spawn(process.execPath, ['bench/http/server.ts', options.dataset, ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  endings.push(() => child.kill());
  const { port, key } = JSON.parse(String((await once(child.stdout, 'data'))[0]));
  return { url: `http://127.0.0.1:${port}`, key };
}

/** Questions of five kinds, in turns. */
function questionsOf(places: readonly Place[]): string[] {
  const random = randomNumbers(42);
  const path = (base: string, parameters: Record<string, string | number>) =>
    `/v1/${base}?${new URLSearchParams(Object.entries(parameters).map(([name, value]) => [name, String(value)]))}`;
  const some = (kind: Place['kind']) =>
    draw(
      places.filter((place) => place.kind === kind && (place.name ?? place.city)),
      samples,
      random,
    );
  const mistyped = forms.find(({ name }) => name === 'one typing mistake')!;
  const [houses, streets, points] = [some('house'), some('street'), some('poi')];
  return houses.flatMap((house, at) => {
    const { street, number, city, lat, lng } = house as Required<Place>;
    return [
      path('address', { q: `${street} ${number}, ${city}` }),
      path('address', { q: `${mistyped.ask({ ...house, street, number }, random)}, ${city}` }),
      path('streets', { q: streets[at].name!, lat: streets[at].lat, lng: streets[at].lng }),
      path('reverse', { lat, lng, layers: 'address' }),
      path('pois', { lat: points[at].lat, lng: points[at].lng, radius: 1 }),
    ];
  });
}

const agent = new Agent({ keepAlive: true, maxSockets: 512 });

async function ask({ url, key }: Service, path: string) {
  const startedAt = performance.now();
  const request = get(`${url}${path}`, { agent, headers: { 'x-api-key': key } });
  const [response] = await once(request, 'response');
  const body = await text(response);
  const ms = performance.now() - startedAt;
  const isWhole = response.headers['x-incomplete'] === undefined;
  return {
    status: response.statusCode as number,
    isWhole,
    ms,
    body: body.replace(/"(query_ms|request_id)":("[^"]*"|[\d.]+),?/g, ''),
  };
}

type Phase = { asked: number; wrong: number; failed: number; times: number[] };

/** Asks at the rate for a while, and until `act` is done. */
async function phase(
  streets: Service,
  right: ReadonlyMap<string, string>,
  act: () => Promise<unknown>,
): Promise<Phase> {
  const found: Phase = { asked: 0, wrong: 0, failed: 0, times: [] };
  const paths = [...right.keys()];
  const pending: Promise<unknown>[] = [];
  let isDone = false;
  const acting = act().finally(() => (isDone = true));
  const startedAt = performance.now();
  for (let sent = 0; !isDone || sent < rate * seconds; sent++) {
    await wait(Math.max(0, startedAt + (1000 * sent) / rate - performance.now()));
    const path = paths[sent % paths.length];
    found.asked++;
    pending.push(
      ask(streets, path).then(
        ({ status, isWhole, ms, body }) => {
          found.times.push(ms);
          if (status !== 200 && right.get(path) !== `${status}`) found.failed++;
          else if (!isWhole) found.failed++;
          else if (status === 200 && body !== right.get(path)) found.wrong++;
        },
        () => found.failed++,
      ),
    );
  }
  await acting;
  await Promise.all(pending);
  found.times.sort((one, other) => one - other);
  return found;
}

const cluster = await searchCluster(nodeCount, { noticesLate: true, hasDiskLimits: true });
const killNodes = () => {
  for (const node of cluster.nodes) void node.kill();
};
endings.push(killNodes);
const isWhole = () =>
  until(
    'the cluster is whole',
    async () => {
      const { number_of_nodes, status } = await cluster.nodes[1].ask('GET', '/_cluster/health');
      return Number(number_of_nodes) === nodeCount && String(status) === 'green';
    },
    startMs,
  );
const publisher = await openCluster(cluster.url);
await publisher.publish(options.dataset, { shards: 1, replicas: nodeCount - 1, keepVersions: 1 });
await publisher.close();
await isWhole();
const files = await service();
const streets = await service(cluster.url);
const right = new Map<string, string>();
for (const path of questionsOf([...placesOf(options.dataset)])) {
  const { status, body } = await ask(files, path);
  right.set(path, status === 200 ? body : `${status}`);
}
console.log(
  `${right.size} questions, ${rate} a second, ${seconds} s a phase; load average ${loadavg()[0].toFixed(1)}\n`,
);
console.log(
  '| phase | answers | wrong | failed or incomplete | p50 | p99 | longest, ms |\n|---|---|---|---|---|---|---|',
);

const halfMs = 500 * seconds;
const { nodes } = cluster;
/** The space that is to be free; all three together, as they must be of one kind. */
async function setWatermarks(free: string | null): Promise<void> {
  const names = ['low', 'high', 'flood_stage'].map((name) => `cluster.routing.allocation.disk.watermark.${name}`);
  const transient = Object.fromEntries(names.map((name) => [name, free]));
  const { error } = await nodes[1].ask('PUT', '/_cluster/settings', { transient });
  if (error) throw new Error(JSON.stringify(error));
}
const phases: [name: string, act: () => Promise<unknown>, isCounted?: false][] = [
  ['to warm up', () => wait(halfMs), false],
  ['undisturbed', () => wait(halfMs)],
  [
    'a node killed, and back after half of it',
    async () => {
      await nodes[0].kill();
      await wait(halfMs);
      await nodes[0].start();
      await isWhole();
    },
  ],
  [
    'a node paused for half of it',
    async () => {
      nodes[0].pause();
      await wait(halfMs).finally(() => nodes[0].resume());
      await isWhole();
    },
  ],
  [
    'disks at the flood stage for half of it',
    async () => {
      await setWatermarks('1000tb');
      const blocks = 'index.blocks.read_only_allow_delete';
      const isBlocked = async () =>
        JSON.stringify(await cluster.ask('GET', '/_settings?flat_settings=true')).includes(`"${blocks}":"true"`);
      await until('the index may only be read', isBlocked, startMs);
      await wait(halfMs);
      await setWatermarks(null);
      await until('the index may be written', async () => !(await isBlocked()), startMs);
    },
  ],
];
let isMissed = false;
for (const [name, act, isCounted] of phases) {
  const { asked, wrong, failed, times } = await phase(streets, right, act);
  const at = (part: number) => times[Math.floor(part * (times.length - 1))].toFixed(1);
  console.log(`| ${[name, asked, wrong, failed, at(0.5), at(0.99), at(1)].join(' | ')} |`);
  if (isCounted === false) continue;
  const isControl = name === 'undisturbed';
  if (wrong > 0 || (100 * failed) / asked > (isControl ? 0 : aims.failedPercent)) isMissed = true;
  if (isControl && (Number(at(0.5)) > aims.p50 || Number(at(0.99)) > aims.p99)) isMissed = true;
}
console.log(
  `\naims: undisturbed p50 ${aims.p50} ms, p99 ${aims.p99} ms, none failed; else at most ${aims.failedPercent} % failed; none wrong: ${isMissed ? 'missed' : 'met'}`,
);
endings.splice(endings.indexOf(killNodes), 1);
await cluster.close();
process.exit(isMissed ? 1 : 0);

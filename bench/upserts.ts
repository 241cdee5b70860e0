/**
 * Live data at one OpenSearch node with a dataset: records a second, processor time of the node and of this process, and when a
 * service answers with a record of each kind.
 *
 *     node scripts/node26.js bench/upserts.ts [--dataset data/<version>] [--records 10000]
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openCluster } from '../packages/opensearch/src/index.ts';
import { searchCluster } from '../packages/opensearch/test/support/opensearch.ts';
import { currentVersion } from '../src/store/manifest.ts';
import { processorSeconds } from './processes.ts';
import { placesOf } from './quality/dataset-places.ts';
import { draw, randomNumbers } from './quality/samples.ts';

const { values: options } = parseArgs({
  options: {
    dataset: { type: 'string', default: join('data', currentVersion('data') ?? '') },
    records: { type: 'string', default: '10000' },
  },
});
const count = Number(options.records);
const houses = [...placesOf(options.dataset)].filter(({ kind, city, country }) => kind === 'house' && city && country);
const drawn = draw(houses, count, randomNumbers(42));
const place = { city: 'Berlin', country: 'DE', lat: 52.48, lng: 13.35 };
const kinds: Record<string, object[]> = {
  points: drawn.map(({ lat, lng }, at) => ({ id: `p:${at}`, name: `Café ${at}`, category: 'restaurant', lat, lng })),
  'houses in new streets, six in each': drawn.map((_, at) => ({
    ...place,
    id: `n:${at}`,
    street: `Neuer Weg ${Math.floor(at / 6)}`,
    house_number: String(at),
  })),
  'houses that the dataset has': drawn.map(({ number, street, city, country, lat, lng }, at) => {
    return { id: `h:${at}`, street, house_number: number, city, country, lat: lat + 0.0001, lng };
  }),
};

const linesOf = async function* (records: readonly object[]) {
  for (const [at, record] of records.entries()) yield { text: JSON.stringify(record), number: at + 1 };
};
const cluster = await searchCluster(1);
try {
  const opened = await openCluster(cluster.url, { deadlineMs: 60_000 });
  await opened.publish(options.dataset, { shards: 1, replicas: 0, keepVersions: 1 });
  console.log('| records | a second | processor time a record, ms: node | this process |\n|---|---|---|---|');
  for (const [kind, records] of Object.entries(kinds)) {
    for (const turn of ['', ', again']) {
      const node = [cluster.nodes[0].pid()!];
      const before = [processorSeconds(node), process.cpuUsage(), performance.now()] as const;
      await opened.upsertLines(linesOf(records));
      const { user, system } = process.cpuUsage(before[1]);
      const perSecond = (1000 * records.length) / (performance.now() - before[2]);
      const times = [1000 * (processorSeconds(node) - before[0]), (user + system) / 1000].map((ms) =>
        (ms / records.length).toFixed(2),
      );
      console.log(`| ${records.length} ${kind}${turn} | ${perSecond.toFixed(0)} | ${times.join(' | ')} |`);
    }
  }
  const service = spawn(process.execPath, ['bench/http/server.ts', options.dataset, cluster.url], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const { port, key } = JSON.parse(String((await once(service.stdout, 'data'))[0]));
  const answer = async (path: string) =>
    (await fetch(`http://127.0.0.1:${port}/v1/${path}`, { headers: { 'x-api-key': key } })).text();
  const address = ({ number, street, city }: Partial<(typeof drawn)[number]>) =>
    `address?${new URLSearchParams({ q: `${street} ${number}, ${city}` })}`;
  const { lat, lng } = place;
  console.log('\n| record | in the answers of a service after so many ms |\n|---|---|');
  const change = async (record: object, path: string) => {
    const before = await answer(path);
    const startedAt = performance.now();
    await opened.upsertLines(linesOf([record]));
    const dataOf = (body: string) => JSON.stringify(JSON.parse(body).results);
    while (dataOf(await answer(path)) === dataOf(before)) await wait(20);
    return Math.round(performance.now() - startedAt);
  };
  const changes: Record<string, (at: number) => [record: object, path: string]> = {
    'a point': (at) => [
      { id: `vp:${at}`, name: `Wirtshaus ${at}`, category: 'restaurant', lat: lat + at / 100, lng },
      `pois?${new URLSearchParams({ lat: `${lat + at / 100}`, lng: `${lng}`, radius: '1', name: 'wirtshaus' })}`,
    ],
    'a house in a new street': (at) => [
      { ...place, id: `vn:${at}`, street: `Jungfernweg ${at}`, house_number: '7' },
      address({ ...place, street: `Jungfernweg ${at}`, number: '7' }),
    ],
    'a house that the dataset has': (at) => {
      const { number, street, city, country } = drawn[at];
      return [
        { id: `h:${at}`, street, house_number: number, city, country, lat: 1 + at, lng: 1 + at },
        address(drawn[at]),
      ];
    },
    'a removal': (at) => [
      { id: `vn:${at}`, deleted: true },
      address({ ...place, street: `Jungfernweg ${at}`, number: '7' }),
    ],
  };
  for (const [kind, made] of Object.entries(changes)) {
    const times = [];
    for (let at = 0; at < 7; at++) times.push(await change(...made(at)));
    console.log(`| ${kind} | ${times.join(', ')} |`);
  }
  service.kill();
  await opened.close();
} finally {
  await cluster.close();
}

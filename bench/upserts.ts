/**
 * Live data at one OpenSearch node with a dataset: records a second, and processor time of the node and of this process.
 *
 *     node scripts/node26.js bench/upserts.ts [--dataset data/<version>] [--records 10000]
 */
import { join } from 'node:path';
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

const cluster = await searchCluster(1);
try {
  const opened = await openCluster(cluster.url, { deadlineMs: 60_000 });
  await opened.publish(options.dataset, { shards: 1, replicas: 0, keepVersions: 1 });
  console.log('| records | a second | processor time a record, ms: node | this process |\n|---|---|---|---|');
  for (const [kind, records] of Object.entries(kinds)) {
    for (const turn of ['', ', again']) {
      const lines = async function* () {
        for (const [at, record] of records.entries()) yield { text: JSON.stringify(record), number: at + 1 };
      };
      const node = [cluster.nodes[0].pid()!];
      const before = [processorSeconds(node), process.cpuUsage(), performance.now()] as const;
      await opened.upsertLines(lines());
      const { user, system } = process.cpuUsage(before[1]);
      const perSecond = (1000 * records.length) / (performance.now() - before[2]);
      const times = [1000 * (processorSeconds(node) - before[0]), (user + system) / 1000].map((ms) =>
        (ms / records.length).toFixed(2),
      );
      console.log(`| ${records.length} ${kind}${turn} | ${perSecond.toFixed(0)} | ${times.join(' | ')} |`);
    }
  }
  await opened.close();
} finally {
  await cluster.close();
}

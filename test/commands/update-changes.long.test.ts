/** `whereabouts update` follows the changes of an extract, from a server with the layout of Geofabrik's. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { readSources, writeSources } from '../../src/build/source-list.ts';
import { rollBack } from '../../src/build/versions.ts';
import { update } from '../../src/commands/update.ts';
import { loadConfig } from '../../src/config.ts';
import { currentVersion, readManifest } from '../../src/store/manifest.ts';
import { dataDirectory } from '../support/data-directory.ts';
import { changeFile, edited, madeUpMap } from '../support/osm-edits.ts';
import { pbfFile } from '../support/osm-writer.ts';
import { startPublisher } from '../support/publisher.ts';
import { randomNumbers } from '../support/random-numbers.ts';
import { dumpPart } from '../support/street-level-dump.ts';

const keep = { keepSources: true, acceptLoss: true };
const countries = ['DE', 'GB'];

/** A publisher of an extract and its changes, a day each, and a dataset that was made of the extract. */
async function followed(t: TestContext) {
  const publisher = await startPublisher(t);
  const baseUrl = `${publisher.base}town-updates/`;
  const days = [madeUpMap()];
  const random = randomNumbers(42);
  const publish = (path: string, content: string | Uint8Array) =>
    publisher.files.set(path, { content: Buffer.from(content) });
  const publishDay = () => {
    const day = days.length;
    days.push(edited(days[day - 1], random, 10));
    const change = changeFile(days[day - 1], days[day]);
    publish(`town-updates/000/000/00${day}.osc.gz`, change);
    publish(`town-updates/000/000/00${day}.osc.gz.md5`, createHash('md5').update(change).digest('hex'));
    publish('town-updates/state.txt', `sequenceNumber=${day}\ntimestamp=2026-11-0${day}T20\\:21\\:00Z\n`);
  };
  const publishExtract = (name: string, withChanges: boolean) => {
    const sequence = days.length - 1;
    const replication = { baseUrl, sequence, timestamp: 1_700_000_000 };
    publish(name, pbfFile(days[sequence], withChanges ? { replication } : {}));
  };
  publishExtract('town.osm.pbf', true);
  publish('town-updates/state.txt', 'sequenceNumber=0\ntimestamp=2026-11-01T20\\:21\\:00Z\n');
  const directory = await dataDirectory(t);
  const config = loadConfig({ environment: {}, overrides: { dataDirectory: directory, keepVersions: 30 } });
  await writeSources(directory, [{ name: 'town', from: `${publisher.base}town.osm.pbf` }]);
  await update(config, keep);
  const version = () => join(directory, currentVersion(directory)!);
  const partOf = (name: string) => readManifest(version()).parts!.find((part) => part.name === name)!;
  /** The part must equal an import of the current map. */
  const assertNewest = async () => {
    publishExtract('fresh.osm.pbf', false);
    const got = dumpPart(version(), 'town', countries);
    const { addresses } = partOf('town').layers;
    const list = await readSources(directory);
    await writeSources(directory, [...list, { name: 'fresh', from: `${publisher.base}fresh.osm.pbf` }]);
    await update(config, keep);
    assert.deepEqual(got, dumpPart(version(), 'fresh', countries));
    assert.deepEqual(addresses.records, partOf('fresh').layers.addresses.records);
    await writeSources(directory, list);
    await update(config, keep);
  };
  return { publisher, publish, publishDay, publishExtract, directory, config, partOf, assertNewest };
}

test('days of changes are applied without fetching the extract again; kept versions stay unchanged', async (t) => {
  const { publisher, publishDay, directory, config, partOf, assertNewest } = await followed(t);
  const first = currentVersion(directory)!;
  const before = dumpPart(join(directory, first), 'town', countries);
  publisher.requests.length = 0;
  assert.equal((await update(config, keep)).manifest, undefined, 'no change yet');
  assert.deepEqual(publisher.requests, ['GET town-updates/state.txt']);

  for (let day = 1; day <= 3; day++) publishDay();
  publisher.requests.length = 0;
  const { failures } = await update(config, keep);
  assert.deepEqual(failures, []);
  assert.ok(!publisher.requests.some((path) => path.endsWith('town.osm.pbf')), publisher.requests.join());
  assert.equal(partOf('town').replication?.sequence, 3);
  assert.equal((await readSources(directory))[0].date, '2026-11-03T20:21:00Z');
  await assertNewest();

  // The next day is applied to the extract together with the previous ones, none of which is fetched again.
  publishDay();
  publisher.requests.length = 0;
  await update(config, keep);
  assert.deepEqual(
    publisher.requests.filter((path) => path.endsWith('osc.gz')),
    ['GET town-updates/000/000/004.osc.gz'],
  );
  await assertNewest();
  assert.deepEqual(dumpPart(join(directory, first), 'town', countries), before);
});

test('after a rollback the changes are applied to the dataset that is then current', async (t) => {
  const { publishDay, directory, config, partOf, assertNewest } = await followed(t);
  publishDay();
  await update(config, keep);
  await rollBack(directory);
  assert.equal(partOf('town').replication?.sequence, 0);
  publishDay();
  await update(config, keep);
  assert.equal(partOf('town').replication?.sequence, 2);
  await assertNewest();
});

test('where a change is missing, has another hash or is broken, the whole extract is read, and the log says so', async (t) => {
  const faults: [string, (publish: Awaited<ReturnType<typeof followed>>['publish']) => void, RegExp][] = [
    ['missing', (publish) => publish('town-updates/state.txt', 'sequenceNumber=9\n'), /002\.osc\.gz answered 404/],
    ['other hash', (publish) => publish('town-updates/000/000/001.osc.gz', 'x'), /does not have its MD5/],
    [
      'broken',
      (publish) => {
        publish('town-updates/000/000/001.osc.gz', '<osmChange><create><node');
        publish(
          'town-updates/000/000/001.osc.gz.md5',
          createHash('md5').update('<osmChange><create><node').digest('hex'),
        );
      },
      /changes cannot be applied: .*001/s,
    ],
  ];
  for (const [name, spoil, message] of faults) {
    const { publish, publishDay, publishExtract, config, partOf, assertNewest } = await followed(t);
    publishDay();
    spoil(publish);
    publishExtract('town.osm.pbf', true);
    const said = t.mock.method(console, 'error', () => {});
    const { manifest, failures } = await update(config, keep);
    const lines = said.mock.calls.map(({ arguments: [line] }) => String(line)).join('\n');
    said.mock.restore();
    assert.deepEqual(failures, [], name);
    assert.match(lines, message, name);
    assert.ok(manifest, name);
    assert.equal(partOf('town').replication?.extract, 1, name);
    await assertNewest();
  }
});

/** `whereabouts update` follows the changes of an extract, from a server with the layout of Geofabrik's. */
import assert from 'node:assert/strict';
import { type ExecFileException, execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { test } from 'node:test';
import { update } from '../../src/commands/update.ts';
import { currentVersion } from '../../src/store/manifest.ts';
import { changePath, countries, followed, keep } from '../support/followed-extract.ts';
import { readSources } from '../support/source-list.ts';
import { dumpPart } from '../support/street-level-dump.ts';

test('days of changes are applied without fetching the extract again; kept versions stay unchanged', async (t) => {
  const { publisher, publishDay, directory, config, partOf, assertNewest } = await followed(t);
  const first = currentVersion(directory)!;
  const before = dumpPart(join(directory, first), 'town', countries);
  publisher.requests.length = 0;
  assert.equal((await update(config, keep)).manifest, undefined, 'no change yet');
  assert.deepEqual(publisher.requests, ['GET town-updates/state.txt']);
  // As its header says: the time of the file is when it came here.
  assert.equal(readSources(directory)[0].date, '2023-11-14T22:13:20.000Z');

  for (let day = 1; day <= 3; day++) publishDay();
  publisher.requests.length = 0;
  const { failures } = await update(config, keep);
  assert.deepEqual(failures, []);
  assert.ok(!publisher.requests.some((path) => path.endsWith('town.osm.pbf')), publisher.requests.join());
  assert.equal(partOf('town').replication?.sequence, 3);
  assert.equal(readSources(directory)[0].date, '2026-11-03T20:21:00Z');
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

test('the changes after an extract’s own are fetched in order, once; states that lead nowhere are reported', async (t) => {
  const { publisher, publish, publishDay, config, partOf } = await followed(t, 998);
  for (let day = 1; day <= 3; day++) publishDay();
  publisher.requests.length = 0;
  await update(config, keep);
  const fetched = () => publisher.requests.filter((path) => path.endsWith('osc.gz'));
  assert.deepEqual(
    fetched(),
    [999, 1000, 1001].map((number) => `GET ${changePath(number)}`),
  );
  assert.equal(changePath(1000), 'town-updates/000/001/000.osc.gz');
  assert.deepEqual(
    [partOf('town').replication?.sequence, partOf('town').replication?.timestamp],
    [1001, '2026-11-03T20:21:00Z'],
  );
  publisher.requests.length = 0;
  await update(config, keep);
  assert.deepEqual(fetched(), []);

  for (const [state, fault] of [
    ['sequenceNumber=1000\n', /is at change 1000, the data at 1001; are they of the same publisher/],
    ['sequenceNumber=90000\n', /lacks 89002 changes of .*; download the extract again/],
    ['<html></html>', /sequenceNumber/],
  ] as const) {
    publish('town-updates/state.txt', state);
    assert.match((await update(config, keep)).failures.join(), fault);
  }
});

test('changes that cannot be applied are reported, with the remedy, as long as the extract is not newer', async (t) => {
  const { publisher, publish, publishDay, publishExtract, directory, config } = await followed(t);
  publishDay();
  const change = publisher.files.get('town-updates/000/000/001.osc.gz')!;
  publisher.files.delete('town-updates/000/000/001.osc.gz.md5');
  publish('town-updates/000/000/001.osc.gz', 'broken');
  const asked = /^town: its changes cannot be applied: .*; a newer extract is needed$/;
  const broken = await update(config, keep);
  assert.equal(broken.manifest, undefined);
  assert.match(broken.failures.join(), asked);
  const { status, stderr } = await outcomeOf(directory);
  assert.equal(status, 1);
  assert.match(stderr, /whereabouts: not updated: town: its changes cannot be applied: .*001\.osc\.gz/);

  publisher.files.delete('town-updates/state.txt');
  assert.match((await update(config, keep)).failures.join(), /state\.txt answered 404.*; a newer extract is needed/);
  const { content } = publisher.files.get('town.osm.pbf')!;
  publisher.files.set('town.osm.pbf', { content: content.subarray(0, 40) });
  assert.match((await update(config, keep)).failures.join(), /town: .*truncated.*its data are kept as they are/);
  publishExtract('town.osm.pbf', false);
  assert.deepEqual((await update(config, keep)).failures, []);
  publisher.files.set('town-updates/000/000/001.osc.gz', change);
});

test('an extract that is older than the changes that were applied does not set the data back', async (t) => {
  const { publisher, publishDay, publishExtract, config, partOf } = await followed(t);
  publishDay();
  publishExtract('town.osm.pbf', true);
  for (let day = 2; day <= 4; day++) publishDay();
  await update(config, keep);
  publishDay();
  const change = publisher.files.get(changePath(5))!;
  publisher.files.delete(changePath(5));
  assert.match((await update(config, keep)).failures.join(), /005\.osc\.gz answered 404.*; a newer extract is needed/);
  assert.equal(partOf('town').replication?.sequence, 4);
  publisher.files.set(changePath(5), change);
  assert.deepEqual((await update(config, keep)).failures, []);
  assert.equal(partOf('town').replication?.sequence, 5);
});

test('a time of the newest change that is none is left out', async (t) => {
  const { publish, publishDay, config, partOf } = await followed(t);
  publishDay();
  publish('town-updates/state.txt', `sequenceNumber=1\ntimestamp=<b>2026-11-01T20:21:00Z${'x'.repeat(1000)}\n`);
  await update(config, keep);
  assert.deepEqual([partOf('town').replication?.sequence, partOf('town').replication?.timestamp], [1, undefined]);
});

test('changes are asked for over TLS, whatever the extract says, but where it came from itself', async (t) => {
  const { publisher, publishDay, config } = await followed(t, 0, 'localhost');
  publishDay();
  publisher.requests.length = 0;
  const { failures } = await update(config, keep);
  assert.match(failures.join(), /changes cannot be applied: https:\/\/localhost:\d+\/town-updates\/state\.txt/);
  assert.equal(publisher.requests.filter((path) => path.includes('town-updates')).length, 0);
});

test('changes that exceed half of the extract are not left out silently', async (t) => {
  const { publish, publishDay, config } = await followed(t);
  publishDay();
  await update(config, keep);
  assert.deepEqual((await update(config, keep)).failures, [], 'there is nothing new');
  publishDay();
  const large = Buffer.alloc(1_000_001);
  publish('town-updates/000/000/002.osc.gz', large);
  publish('town-updates/000/000/002.osc.gz.md5', createHash('md5').update(large).digest('hex'));
  assert.deepEqual((await update(config, keep)).failures, [
    'town: its changes cannot be applied: they have become more than half of the extract; a newer extract is needed',
  ]);
});

/** Runs the command beside this process, whose publisher answers it. */
/** Of a reader that has closed the output, as `head` does: a fault is still told by its code. */
function outcomeOf(directory: string): Promise<{ status: unknown; stderr: string }> {
  const program = join(import.meta.dirname, '../../src/main.ts');
  const args = [program, '--data-directory', directory, 'update', '--keep-sources'];
  return new Promise((resolve) => {
    const ended = (error: ExecFileException | null, _out: string, stderr: string) =>
      resolve({ status: error ? error.code : 0, stderr });
    execFile(process.execPath, args, ended).stdout!.destroy();
  });
}

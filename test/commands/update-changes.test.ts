/** `whereabouts update` follows the changes of an extract, from a server with the layout of Geofabrik's. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { readSources } from '../../src/build/source-list.ts';
import { update } from '../../src/commands/update.ts';
import { currentVersion } from '../../src/store/manifest.ts';
import { countries, followed, keep } from '../support/followed-extract.ts';
import { dumpPart } from '../support/street-level-dump.ts';

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

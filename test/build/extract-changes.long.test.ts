/** Changes of an extract, many: the part that follows them is that of an import of the newer extract. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { assertFollows, countsOf, datasetFor } from '../support/changed-extracts.ts';
import { sharedData } from '../support/shared-data.ts';
import { dumpPart } from '../support/street-level-dump.ts';
import { temporaryDirectory } from '../support/temporary.ts';

test('random edits of every kind, over several days, produce the same as an import of the newer map', async (t) => {
  const dataset = await datasetFor(t);
  for (let seed = 1; seed <= 8; seed++) await assertFollows(t, dataset, seed);
});

test('three years of changes of Liechtenstein lead from the older extract to the newer one', async (t) => {
  const older = sharedData(t, 'osm/liechtenstein-2021.osm.pbf');
  const newer = older && sharedData(t, 'osm/liechtenstein-2024.osm.pbf');
  if (!newer) return;
  const change = join(temporaryDirectory(t), 'change.osc.gz');
  try {
    execFileSync('osmium', ['derive-changes', older, newer, '-o', change], { stdio: 'pipe' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return t.skip('needs osmium-tool');
  }
  const { directory, build, apply } = await datasetFor(t);
  await build('changed', older);
  const changed = await apply('changed', [change]);
  const fresh = await build('fresh', newer);
  assert.deepEqual(countsOf(changed), countsOf(fresh));
  const [got, expected] = ['changed', 'fresh'].map((part) => dumpPart(directory, part, ['LI', 'AT', 'CH']));
  assert.ok(expected.streets.length > 1000);
  assert.deepEqual(got, expected);
});

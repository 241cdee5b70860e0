/** Changes of an extract after a rollback, and where one of them cannot be used. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { rollBack } from '../../src/build/versions.ts';
import { update } from '../../src/commands/update.ts';
import { followed, keep } from '../support/followed-extract.ts';

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

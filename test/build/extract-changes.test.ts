/** Changes of an extract: the part that follows them is that of an import of the newer extract. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyChanges } from '../../src/build/layers/streets/changes/apply-changes.ts';
import { SourceError } from '../../src/core/street-records.ts';
import { ChangeSet, extractStateOf } from '../../src/sources/osm/change-file.ts';
import { oldestOf } from '../../src/store/manifest-format.ts';
import { assertFollows, datasetFor, replication } from '../support/changed-extracts.ts';
import { madeUpMap } from '../support/osm-edits.ts';
import { pbfFile } from '../support/osm-writer.ts';
import { temporaryFile } from '../support/temporary.ts';

test('edits of every kind, over several days, produce the same as an import of the newer map', async (t) => {
  await assertFollows(t, await datasetFor(t), 8);
});

test('a file that is not a change file, or a broken one, is refused', async (t) => {
  const refused: [string, RegExp][] = [
    ['<osm version="0.6"></osm>', /expected <osmChange>/],
    ['<osmChange><create><node id="1"', /truncated/],
    ['<osmChange><delete><node id="x"/></delete></osmChange>', /an id is 'x'/],
  ];
  for (const [text, message] of refused) {
    const change = temporaryFile(t, 'x.osc', Buffer.from(text));
    const read = ChangeSet.read([change]);
    await assert.rejects(read, (error: Error) => error instanceof SourceError && message.test(error.message), text);
  }
});

test('an extract states the date of its data, where its changes are and which was the last applied', async (t) => {
  const map = madeUpMap();
  assert.deepEqual(await extractStateOf(temporaryFile(t, 'x.osm.pbf', pbfFile(map))), {
    timestamp: undefined,
    replication: undefined,
  });
  const published = pbfFile(map, { replication: { ...replication, sequence: 4123 } });
  const timestamp = '2023-11-14T22:13:20.000Z';
  assert.deepEqual(await extractStateOf(temporaryFile(t, 'y.osm.pbf', published)), {
    timestamp,
    replication: { baseUrl: replication.baseUrl, sequence: 4123, timestamp },
  });
});

test('the date of the data of a source is that of its extract, and that of the last change applied', async (t) => {
  const { build, directory } = await datasetFor(t);
  const vintages = ({ sources }: Awaited<ReturnType<typeof build>>) => sources.map(({ vintage }) => vintage);
  const own = temporaryFile(t, 'own.osm.pbf', pbfFile(madeUpMap()));
  assert.deepEqual(vintages(await build('own', own)), [null]);
  const extract = temporaryFile(t, 'dated.osm.pbf', pbfFile(madeUpMap(), { replication }));
  for (const part of ['dated', 'undated']) assert.deepEqual(vintages(await build(part, extract)), ['2023-11-14']);
  const change = temporaryFile(t, 'a.osc', Buffer.from('<osmChange version="0.6"></osmChange>'));
  const applied = (part: string, timestamp: string | undefined) =>
    applyChanges({ directory, part, progress() {} }, { files: [change], sequence: 2, timestamp });
  assert.deepEqual(vintages(await applied('dated', '2023-11-16T20:21:00.000Z')), ['2023-11-16']);
  assert.deepEqual(vintages(await applied('undated', undefined)), ['2023-11-14']);
  assert.deepEqual(
    [oldestOf(['2023-11', '2023-10-02']), oldestOf(['2023-11', null]), oldestOf([null])],
    ['2023-10-02', null, null],
  );
});

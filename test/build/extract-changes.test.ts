/** Changes of an extract: the part that follows them is that of an import of the newer extract. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readChanges } from '../../src/sources/osm/change-file.ts';
import { readStreets } from '../../src/sources/source-kinds.ts';
import { oldestOf } from '../../src/store/manifest.ts';
import { assertFollows, datasetFor, replication } from '../support/changed-extracts.ts';
import { changeFile, madeUpMap } from '../support/osm-edits.ts';
import { pbfFile } from '../support/osm-writer.ts';
import { collect } from '../support/street-batches.ts';
import { openStreets } from '../support/street-engines.ts';
import { temporaryFile } from '../support/temporary.ts';

test('edits of every kind, over several days, produce the same as an import of the newer map', async (t) => {
  await assertFollows(t, await datasetFor(t), 8);
});

test('a file that is not a change file, or a broken one, is refused', async (t) => {
  const extract = temporaryFile(t, 'x.osm.pbf', pbfFile(madeUpMap()));
  const refused: [string, RegExp][] = [
    ['<osm version="0.6"></osm>', /expected <osmChange>/],
    ['<osmChange><create><node id="1"', /truncated/],
    ['<osmChange><delete><node id="x"/></delete></osmChange>', /an id is 'x'/],
  ];
  for (const [text, message] of refused) {
    const change = temporaryFile(t, 'x.osc', Buffer.from(text));
    const read = collect((options) => readStreets('osm-pbf', extract, { ...options, changes: [change] }));
    await assert.rejects(read, (error: Error) => error.name === 'SourceError' && message.test(error.message), text);
  }
});

test('more changes than fit into memory are refused', async (t) => {
  const change = temporaryFile(t, 'x.osc', '<osmChange><delete><way id="1"/><way id="2"/></delete></osmChange>');
  assert.equal((await readChanges([change])).ids('ways').length, 2);
  await assert.rejects(readChanges([change], 1), /x\.osc: the changes have come to more than 1 ways/);
});

test('an object that a change marks as deleted is none, whatever element it stands in', async (t) => {
  const extract = temporaryFile(t, 'x.osm.pbf', pbfFile(madeUpMap()));
  const rows = async (change: string) => {
    const changes = [temporaryFile(t, 'x.osc', Buffer.from(`<osmChange>${change}</osmChange>`))];
    return JSON.stringify(await collect((options) => readStreets('osm-pbf', extract, { ...options, changes })));
  };
  const objects = ['node id="30" lat="1" lon="1"', 'way id="1"', 'relation id="1"'];
  const all = await rows('');
  for (const object of objects) {
    const deleted = await rows(`<delete><${object}/></delete>`);
    for (const mark of ['visible="false"', 'action="delete"'])
      assert.equal(await rows(`<modify><${object} ${mark}/></modify>`), deleted, object);
    if (object.startsWith('way')) assert.notEqual(deleted, all);
  }
});

test('an extract states the date of its data, where its changes are and which was the last applied', async (t) => {
  const { build } = await datasetFor(t);
  const stateOf = async (part: string, bytes: Buffer) => {
    const { sources, replication } = await build(part, temporaryFile(t, `${part}.osm.pbf`, bytes));
    return { vintage: sources[0].vintage, replication };
  };
  const map = madeUpMap();
  assert.deepEqual(await stateOf('own', pbfFile(map)), { vintage: null, replication: undefined });
  const published = pbfFile(map, { replication: { ...replication, sequence: 4123 } });
  assert.deepEqual(await stateOf('published', published), {
    vintage: '2023-11-14',
    replication: {
      baseUrl: replication.baseUrl,
      sequence: 4123,
      timestamp: '2023-11-14T22:13:20.000Z',
      extract: 4123,
    },
  });
});

test('the date of the data of a source is that of its extract, and that of the last change applied', async (t) => {
  const { build, apply } = await datasetFor(t);
  const vintages = ({ sources }: Awaited<ReturnType<typeof build>>) => sources.map(({ vintage }) => vintage);
  const own = temporaryFile(t, 'own.osm.pbf', pbfFile(madeUpMap()));
  assert.deepEqual(vintages(await build('own', own)), [null]);
  const extract = temporaryFile(t, 'dated.osm.pbf', pbfFile(madeUpMap(), { replication }));
  for (const part of ['dated', 'undated']) assert.deepEqual(vintages(await build(part, extract)), ['2023-11-14']);
  const change = temporaryFile(t, 'a.osc', Buffer.from('<osmChange version="0.6"></osmChange>'));
  assert.deepEqual(vintages(await apply('dated', [change], '2023-11-16T20:21:00.000Z')), ['2023-11-16']);
  assert.deepEqual(vintages(await apply('undated', [change])), ['2023-11-14']);
  assert.deepEqual(
    [oldestOf(['2023-11', '2023-10-02']), oldestOf(['2023-11', null]), oldestOf([null])],
    ['2023-10-02', null, null],
  );
});

test('equal streets of several parts are in the order of a fresh import, whatever else changed', async (t) => {
  const { directory, build, apply } = await datasetFor(t);
  const before = madeUpMap();
  const after = structuredClone(before);
  // Half of the streets go, so that all others come earlier among those of their part.
  after.ways = after.ways.filter(({ tags }) => !['Gasse', 'Weg', 'Allee'].includes(tags?.name ?? ''));
  after.nodes = after.nodes.map((node) =>
    ['Gasse', 'Weg', 'Allee'].includes(node.tags?.['addr:street'] ?? '') ? { ...node, tags: {} } : node,
  );
  const elsewhere = structuredClone(before);
  for (const node of elsewhere.nodes) node.lat -= 0.3;
  await build('changed', temporaryFile(t, 'before.osm.pbf', pbfFile(before, { replication })));
  await apply('changed', [temporaryFile(t, 'a.osc.gz', changeFile(before, after))]);
  await build('fresh', temporaryFile(t, 'after.osm.pbf', pbfFile(after)));
  await build('other', temporaryFile(t, 'other.osm.pbf', pbfFile(elsewhere)));
  const [changed, fresh] = ['changed', 'fresh'].map((name) => {
    const level = openStreets(directory, undefined, [
      { name, number: 1 },
      { name: 'other', number: 2 },
    ]);
    const places = ['Hauptstraße', 'Ring'].flatMap((text) => [
      ...level.streets.search({ text, radiusKm: 25, limit: 50, fuzzy: false }),
      ...level.addresses.search({ text, limit: 50 }),
      ...level.addresses.search({ text: `${text} 3`, limit: 50 }),
    ]);
    level.close();
    return places.map(({ id, ...place }) => place);
  });
  assert.ok(changed.length > 20);
  assert.deepEqual(changed, fresh);
});

/** Change files: an extract with changes applied reads as the newer extract does. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { SourceError } from '../../../src/core/street-records.ts';
import { readOsmAreas } from '../../../src/sources/osm/admin-areas.ts';
import { readOsm } from '../../../src/sources/osm/read-osm.ts';
import { replicationOf } from '../../../src/sources/osm/replication.ts';
import { pbfFile, type TestMap } from '../../support/osm-writer.ts';
import { sharedData } from '../../support/shared-data.ts';
import { collect } from '../../support/street-batches.ts';
import { temporaryDirectory, temporaryFile } from '../../support/temporary.ts';

const house = (houseNumber: string) => ({ 'addr:street': 'Weg', 'addr:housenumber': houseNumber });
const node = (id: number, lng: number, tags = {}) => ({ id, lat: 1, lng, tags });

const before: TestMap = {
  nodes: [node(1, 1.001), node(2, 1.002), node(3, 1.003, house('3')), node(5, 1.005, house('5')), node(6, 1.006)],
  ways: [
    { id: 1, nodes: [1, 2], tags: { highway: 'residential', name: 'Weg' } },
    { id: 3, nodes: [2, 6], tags: { highway: 'residential', name: 'Pfad' } },
  ],
  relations: [{ id: 1, members: [{ type: 'node', id: 5, role: 'house' }], tags: { type: 'street', name: 'Weg' } }],
};
const after: TestMap = {
  nodes: [node(1, 1.001), node(2, 1.0022), node(3, 1.003, house('3a')), node(4, 1.004, house('4')), node(7, 1.007)],
  ways: [
    { id: 1, nodes: [1, 2, 7], tags: { highway: 'residential', name: 'Weg' } },
    { id: 2, nodes: [7, 1], tags: { highway: 'path', name: 'Steig' } },
  ],
  relations: [{ id: 2, members: [{ type: 'node', id: 4, role: 'house' }], tags: { type: 'street', name: 'Steig' } }],
};
const changes = [
  `<osmChange version="0.6"><modify>
    <node id="2" version="2" lat="1" lon="9"/>
    <node id="3" version="2" lat="1" lon="1.003"><tag k="addr:street" v="Weg"/><tag k="addr:housenumber" v="3a"/></node>
    <way id="1" version="2"><nd ref="1"/><nd ref="2"/><nd ref="7"/><tag k="highway" v="residential"/><tag k="name" v="Weg"/></way>
  </modify><create>
    <node id="4" version="1" lat="1" lon="1.004"><tag k="addr:street" v="Weg"/><tag k="addr:housenumber" v="4"/></node>
    <node id="7" version="1" lat="1" lon="1.007"/>
    <node id="8" version="1" lat="1" lon="1.008"><tag k="addr:street" v="Weg"/><tag k="addr:housenumber" v="8"/></node>
    <way id="2" version="1"><nd ref="7"/><nd ref="1"/><tag k="highway" v="path"/><tag k="name" v="Steig"/></way>
    <relation id="2" version="1"><member type="node" ref="4" role="house"/><tag k="type" v="street"/><tag k="name" v="Steig"/></relation>
  </create><delete>
    <node id="5" version="2"/><way id="3" version="2"/><relation id="1" version="2"/>
  </delete></osmChange>`,
  // The next day: the last version counts, also of what was created the day before.
  `<osmChange version="0.6"><modify><node id="2" version="3" lat="1" lon="1.0022"/></modify>
    <delete><node id="6" version="2" lat="1" lon="1.006"><tag k="name" v="gone"/></node><node id="8" version="2"/></delete></osmChange>`,
];

test('created, modified and deleted objects are as in the newer file, whatever the memory', async (t) => {
  const older = temporaryFile(t, 'older.osm.pbf', pbfFile(before));
  const newer = temporaryFile(t, 'newer.osm.pbf', pbfFile(after));
  const files = changes.map((text, at) => temporaryFile(t, `${at}.osc.gz`, gzipSync(text)));
  const expected = await collect((options) => readOsm(newer, options));
  assert.deepEqual(expected.addresses.map(({ houseNumber }) => houseNumber).sort(), ['3a', '4']);
  for (const memoryMb of [512, 1e-4]) {
    const read = await collect((options) => readOsm(older, { ...options, changes: files, memoryMb }));
    assert.deepEqual(read, expected);
  }
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
  const expected = await collect((options) => readOsm(newer, options));
  assert.deepEqual(await collect((options) => readOsm(older, { ...options, changes: [change] })), expected);
  const areas = await Array.fromAsync(readOsmAreas(older, { changes: [change] }));
  assert.deepEqual(areas, await Array.fromAsync(readOsmAreas(newer)));
});

test('a file that is no change file, or a broken one, is refused', async (t) => {
  const extract = temporaryFile(t, 'x.osm.pbf', pbfFile(before));
  const refused: [string, RegExp][] = [
    ['<osm version="0.6"></osm>', /expected <osmChange>/],
    ['<osmChange><create><node id="1"', /cut short/],
    ['<osmChange><delete><node id="x"/></delete></osmChange>', /an id is 'x'/],
  ];
  for (const [text, message] of refused) {
    const change = temporaryFile(t, 'x.osc', Buffer.from(text));
    const read = collect((options) => readOsm(extract, { ...options, changes: [change] }));
    await assert.rejects(read, (error: Error) => error instanceof SourceError && message.test(error.message), text);
  }
});

test('an extract tells where its changes are and which was the last it has', async (t) => {
  const plain = temporaryFile(t, 'x.osm.pbf', pbfFile(before));
  assert.equal(await replicationOf(plain), undefined);
  const baseUrl = 'http://download.example/liechtenstein-updates';
  const published = pbfFile(before, { replication: { baseUrl, sequence: 4123, timestamp: 1_700_000_000 } });
  assert.deepEqual(await replicationOf(temporaryFile(t, 'y.osm.pbf', published)), {
    baseUrl,
    sequence: 4123,
    timestamp: '2023-11-14T22:13:20.000Z',
  });
});

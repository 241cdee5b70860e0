import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openOsm } from '../../../src/sources/osm/read-osm.ts';
import { type everything, map, objectsOf } from '../../support/osm-objects.ts';
import { type Packing, pbfBlob, pbfFile } from '../../support/osm-writer.ts';
import { temporaryFile } from '../../support/temporary.ts';

const expected = [
  { node: -3, lat: 10_000_000, lng: 20_000_000, tags: {} },
  { node: 12_000_000_001, lat: 471_410_001, lng: 95_209_999, tags: { name: 'Rathaus', 'addr:housenumber': '1' } },
  { node: 12_000_000_002, lat: -899_999_999, lng: -1_799_999_999, tags: { name: 'Größe 漢' } },
  { way: 7, refs: [12_000_000_002, -3, 12_000_000_001], tags: { highway: 'residential' } },
  { way: 8, refs: [], tags: {} },
  { relation: 9, members: [7, -3], types: [1, 0], roles: ['outer', ''], tags: { type: 'site' } },
];

test('objects are the same whatever the blobs are packed with', async (t) => {
  for (const packing of ['raw', 'zlib', 'lz4', 'zstd'] as Packing[]) {
    assert.deepEqual(await objectsOf(temporaryFile(t, 'x.osm.pbf', pbfFile(map, { packing }))), expected, packing);
  }
});

test('plain nodes, other granularities and offsets yield the same positions', async (t) => {
  const plain = pbfFile(map, { dense: false });
  assert.deepEqual(await objectsOf(temporaryFile(t, 'x.osm.pbf', plain)), expected);
  const coarse = pbfFile(
    { nodes: [{ id: 1, lat: 47.14, lng: 9.52 }] },
    { granularity: 10_000, latOffset: 5e8, lngOffset: -3e8 },
  );
  assert.deepEqual(await objectsOf(temporaryFile(t, 'x.osm.pbf', coarse)), [
    { node: 1, lat: 471_400_000, lng: 95_200_000, tags: {} },
  ]);
});

test('only wanted kinds are returned, in a second pass too', async (t) => {
  const file = await openOsm(temporaryFile(t, 'x.osm.pbf', pbfFile(map)));
  const count = async (wanted: typeof everything) => {
    const counts = [0, 0, 0];
    for await (const block of file.blocks(wanted)) {
      counts[0] += block.nodes.count;
      counts[1] += block.ways.length;
      counts[2] += block.relations.length;
    }
    return counts;
  };
  assert.deepEqual(await count({ nodes: false, ways: false, relations: true }), [0, 0, 1]);
  assert.deepEqual(await count({ nodes: true, ways: true, relations: false }), [3, 2, 0]);
  assert.deepEqual(await count({ nodes: false, ways: false, relations: true }), [0, 0, 1]);
});

const refusals: [string, Buffer, RegExp][] = [
  ['an empty file', Buffer.alloc(0), /is empty.*download it again/],
  ['a web page', Buffer.from('<!DOCTYPE html><html>Too many requests</html>'), /it looks like a web page/],
  [
    'a history file',
    pbfFile(map, { features: ['OsmSchema-V0.6', 'HistoricalInformation'] }),
    /history.*osmium time-filter/,
  ],
  [
    'an unknown required feature',
    pbfFile(map, { features: ['OsmSchema-V0.6', 'Sparse'] }),
    /requires the feature 'Sparse'/,
  ],
  ['LZMA blobs', pbfFile(map, { packing: 'lzma' }), /LZMA.*osmium cat/],
  ['a data blob first', pbfBlob('OSMData', Buffer.from([])), /first blob is 'OSMData', expected 'OSMHeader'/],
  [
    'a relation of more than a million members',
    pbfFile(
      { relations: [{ id: 1, members: Array(1_048_577).fill({ type: 'way', id: 1, role: '' }) }] },
      { packing: 'raw' },
    ),
    /a relation has more than 1048576 members/,
  ],
  [
    'a block of a hundred thousand empty groups',
    Buffer.concat([
      pbfFile({}),
      pbfBlob('OSMData', Buffer.from(`12080a06080240004800${'1200'.repeat(100_000)}`, 'hex')),
    ]),
    /a block has more than 65536 groups/,
  ],
  ['nodes behind ways', pbfFile(map, { order: ['ways', 'nodes'] }), /nodes follow ways.*osmium sort/],
];

for (const [what, bytes, message] of refusals) {
  test(`${what} is refused with the remedy`, async (t) => {
    const path = temporaryFile(t, 'x.osm.pbf', bytes);
    await assert.rejects(objectsOf(path), { name: 'SourceError', message });
  });
}

test('a blob above the bounds of the format is refused before it is read', async (t) => {
  const file = pbfFile({});
  const header = Buffer.from([0x0a, 7, ...Buffer.from('OSMData'), 0x18, 0x81, 0x80, 0x80, 0x10]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(header.length);
  const path = temporaryFile(t, 'x.osm.pbf', Buffer.concat([file, length, header]));
  await assert.rejects(objectsOf(path), { message: /a blob of 33554433 bytes; the format allows 0 to 33554432/ });
});

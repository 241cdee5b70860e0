import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { SourceError } from '../../../src/core/street-records.ts';
import type { OsmBlock, Tagged } from '../../../src/sources/osm/block.ts';
import { openPbf } from '../../../src/sources/osm/pbf-file.ts';
import { openOsm } from '../../../src/sources/osm/read-osm.ts';
import { type Packing, pbfBlob, pbfFile, type TestMap } from '../../support/osm-writer.ts';
import { sharedData } from '../../support/shared-data.ts';
import { temporaryFile } from '../../support/temporary.ts';

const map: TestMap = {
  nodes: [
    { id: -3, lat: 1, lng: 2 },
    { id: 12_000_000_001, lat: 47.1410001, lng: 9.5209999, tags: { name: 'Rathaus', 'addr:housenumber': '1' } },
    { id: 12_000_000_002, lat: -89.9999999, lng: -179.9999999, tags: { name: 'Größe 漢' } },
  ],
  ways: [
    { id: 7, nodes: [12_000_000_002, -3, 12_000_000_001], tags: { highway: 'residential' } },
    { id: 8, nodes: [] },
  ],
  relations: [
    {
      id: 9,
      members: [
        { type: 'way', id: 7, role: 'outer' },
        { type: 'node', id: -3 },
      ],
      tags: { type: 'site' },
    },
  ],
};
const everything = { nodes: true, ways: true, relations: true };

/** All objects of a file in one plain list. */
async function objectsOf(path: string, wanted = everything) {
  const objects: unknown[] = [];
  for await (const { texts, nodes, ways, relations } of (await openOsm(path)).blocks(wanted)) {
    const tags = (of: Tagged, at: number) => {
      const list: Record<string, string> = {};
      for (let tag = at === 0 ? 0 : of.tagEnds[at - 1]; tag < of.tagEnds[at]; tag++) {
        list[texts.at(of.tags[2 * tag])] = texts.at(of.tags[2 * tag + 1]);
      }
      return list;
    };
    const part = (
      values: Iterable<number> & { slice(a: number, b: number): Iterable<number> },
      ends: Uint32Array,
      at: number,
    ) => [...values.slice(at === 0 ? 0 : ends[at - 1], ends[at])];
    for (let at = 0; at < nodes.count; at++) {
      objects.push({ node: nodes.ids[at], lat: nodes.lats[at], lng: nodes.lngs[at], tags: tags(nodes, at) });
    }
    for (let at = 0; at < ways.count; at++) {
      objects.push({ way: ways.ids[at], refs: part(ways.refs, ways.refEnds, at), tags: tags(ways, at) });
    }
    for (let at = 0; at < relations.count; at++) {
      objects.push({
        relation: relations.ids[at],
        members: part(relations.memberIds, relations.memberEnds, at),
        types: part(relations.memberTypes, relations.memberEnds, at),
        roles: part(relations.memberRoles, relations.memberEnds, at).map((role) => texts.at(role)),
        tags: tags(relations, at),
      });
    }
  }
  return objects;
}

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
  const file = await openPbf(temporaryFile(t, 'x.osm.pbf', pbfFile(map)));
  const count = async (wanted: typeof everything) => {
    const counts = [0, 0, 0];
    for await (const block of file.blocks(wanted)) {
      counts[0] += block.nodes.count;
      counts[1] += block.ways.count;
      counts[2] += block.relations.count;
    }
    return counts;
  };
  assert.deepEqual(await count({ nodes: false, ways: false, relations: true }), [0, 0, 1]);
  assert.deepEqual(await count({ nodes: true, ways: true, relations: false }), [3, 2, 0]);
  assert.deepEqual(await count({ nodes: false, ways: false, relations: true }), [0, 0, 1]);
});

test('a file cut short anywhere is refused, but at the end of a blob', async (t) => {
  const whole = pbfFile(map);
  const ends = new Set<number>();
  for (let at = 0; at < whole.length; ) {
    // Length, header and data of one blob: the header's last field is the data's length.
    const header = whole.subarray(at + 4, at + 4 + whole.readUInt32BE(at));
    const size =
      header[header.length - 1] < 0x80 && header[header.length - 2] < 0x80 ? header[header.length - 1] : undefined;
    const long = (header[header.length - 2] & 0x7f) | (header[header.length - 1] << 7);
    at += 4 + header.length + (size ?? long);
    ends.add(at);
  }
  assert.ok(ends.has(whole.length));
  const path = temporaryFile(t, 'x.osm.pbf', '');
  for (let length = 0; length < whole.length; length++) {
    if (ends.has(length)) continue;
    writeFileSync(path, whole.subarray(0, length));
    await assert.rejects(
      objectsOf(path),
      (error) => error instanceof SourceError && error.message.includes(path),
      `${length} bytes`,
    );
  }
});

test('a changed byte is either reported as a SourceError or read', async (t) => {
  const path = temporaryFile(t, 'x.osm.pbf', '');
  for (const packing of ['raw', 'lz4'] as Packing[]) {
    const whole = pbfFile(map, { packing });
    for (let at = 0; at < whole.length; at++) {
      const bytes = Buffer.from(whole);
      bytes[at] ^= 0xff;
      writeFileSync(path, bytes);
      await objectsOf(path).catch((error) => assert.ok(error instanceof SourceError, `byte ${at}: ${error.stack}`));
    }
  }
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

test('lz4 blobs of osmium yield the objects of the zlib file they were made from', async (t) => {
  const lz4 = sharedData(t, 'osm/monaco-planetiler.lz4.osm.pbf');
  const zlib = sharedData(t, 'osm/monaco-planetiler.osm.pbf');
  if (lz4 && zlib) assert.deepEqual(await objectsOf(lz4), await objectsOf(zlib));
});

// Counts by osmium-tool 1.15 (`osmium fileinfo -e`).
const counts: [string, number, number, number][] = [
  ['liechtenstein-2024.osm.pbf', 318_592, 34_073, 921],
  ['liechtenstein-2021.osm.pbf', 270_635, 28_047, 871],
  ['liechtenstein-2013-08-03.osm.bz2', 65_733, 7_121, 113],
  ['fi-helsinki.osm.pbf', 24_260, 5_130, 620],
  ['monaco-planetiler.osm.pbf', 25_423, 4_106, 243],
  ['pt-porto.osm.pbf', 347_944, 51_458, 357],
  ['us-baltimore.osm.pbf', 51_385, 7_230, 167],
  ['at-krems.osm.gz', 15_042, 2_402, 73],
  ['de-dreieich.osm.gz', 24_828, 4_627, 62],
  ['ru-moscow.osm.gz', 8_402, 1_652, 272],
];
for (const [name, nodes, ways, relations] of counts) {
  test(`${name} has as many objects as osmium counts`, async (t) => {
    const path = sharedData(t, `osm/${name}`);
    if (!path) return;
    const found = [0, 0, 0];
    for await (const block of (await openOsm(path)).blocks(everything)) count(block, found);
    assert.deepEqual(found, [nodes, ways, relations]);
  });
}

function count(block: OsmBlock, found: number[]): void {
  found[0] += block.nodes.count;
  found[1] += block.ways.count;
  found[2] += block.relations.count;
}

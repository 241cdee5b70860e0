/** Damaged files of OpenStreetMap, and whole extracts by osmium's counts. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { openOsm } from '../../../src/sources/osm/read-osm.ts';
import { everything, map, objectsOf } from '../../support/osm-objects.ts';
import { type Packing, pbfFile } from '../../support/osm-writer.ts';
import { sharedData } from '../../support/shared-data.ts';
import { temporaryFile } from '../../support/temporary.ts';

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
      (error: Error) => error.name === 'SourceError' && error.message.includes(path),
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
      await objectsOf(path).catch((error) => assert.ok(error.name === 'SourceError', `byte ${at}: ${error.stack}`));
    }
  }
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
    for await (const { nodes, ways, relations } of (await openOsm(path)).blocks(everything)) {
      found[0] += nodes.count;
      found[1] += ways.length;
      found[2] += relations.length;
    }
    assert.deepEqual(found, [nodes, ways, relations]);
  });
}

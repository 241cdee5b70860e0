/** Blobs that are packed with LZ4, by its description. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { objectsOf } from '../../support/osm-objects.ts';
import { lz4Blob, pbfFile, primitiveBlock } from '../../support/osm-writer.ts';
import { temporaryFile } from '../../support/temporary.ts';

const header = pbfFile({});
/** A file with one blob of data, as packed. */
const fileOf = (packed: Buffer, size: number) => Buffer.concat([header, lz4Blob(packed, size)]);

/** A length as LZ4 writes it: what the token has room for, and bytes of 255 before the rest. */
function lengthOf(length: number): { inToken: number; more: number[] } {
  if (length < 15) return { inToken: length, more: [] };
  const rest = length - 15;
  return { inToken: 15, more: [...Array(Math.floor(rest / 255)).fill(255), rest % 255] };
}

/** Packs bytes: repetitions of a unit of so many bytes become matches that overlap themselves. */
function packed(bytes: Buffer, unit: number): Buffer {
  const parts: number[] = [];
  let literals = 0;
  for (let at = unit; at < bytes.length; at++) {
    let end = at;
    while (end < bytes.length - 5 && bytes[end] === bytes[end - unit]) end++;
    if (end - at < 8) continue;
    const [before, match] = [lengthOf(at - literals), lengthOf(end - at - 4)];
    parts.push(
      (before.inToken << 4) | match.inToken,
      ...before.more,
      ...bytes.subarray(literals, at),
      unit,
      0,
      ...match.more,
    );
    literals = at = end;
  }
  const rest = lengthOf(bytes.length - literals);
  parts.push(rest.inToken << 4, ...rest.more, ...bytes.subarray(literals));
  return Buffer.from(parts);
}

test('literals, matches that overlap themselves, and lengths above 15 and 255', async (t) => {
  for (const [unit, name] of [
    [1, 'a'.repeat(9)],
    [1, `${'x'.repeat(600)}`],
    [3, 'abc'.repeat(200)],
    [2, `${'ab'.repeat(40)}${Array.from({ length: 400 }, (_, at) => at).join()}`],
    [1, 'hallo'],
  ] as const) {
    const block = primitiveBlock({ nodes: [{ id: 1, lat: 47, lng: 9, tags: { name } }] });
    const bytes = packed(block, unit);
    if (name.length > 100) assert.ok(bytes.length < block.length, 'some of it is matches');
    const [object] = await objectsOf(temporaryFile(t, 'x.osm.pbf', fileOf(bytes, block.length)));
    assert.deepEqual(object, { node: 1, lat: 470_000_000, lng: 90_000_000, tags: { name } });
  }
});

test('blocks that point outside themselves or end too early are refused', async (t) => {
  const text = (value: string) => [...Buffer.from(value)];
  for (const [bytes, size] of [
    [[0x50, ...text('hal')], 5],
    [[0x50, ...text('hallo')], 4],
    [[0x50, ...text('hallo')], 6],
    [[0x10, ...text('a'), 0, 0], 10],
    [[0x10, ...text('a'), 2, 0], 10],
    [[0x1f, ...text('a'), 1, 0, 255], 500],
    [[0x10, ...text('a'), 1], 10],
    [[0xf0], 20],
  ] as const) {
    const path = temporaryFile(t, 'x.osm.pbf', fileOf(Buffer.from(bytes), size));
    await assert.rejects(objectsOf(path), { name: 'SourceError', message: /LZ4/i }, bytes.join());
  }
});

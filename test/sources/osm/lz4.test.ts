import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unpackLz4Block } from '../../../src/sources/osm/pbf-file.ts';

const text = (value: string) => [...Buffer.from(value)];
const unpack = (bytes: number[], size: number) => unpackLz4Block(Buffer.from(bytes), size).toString();

// Written by hand from the format's description.
test('literals, matches that overlap themselves, and lengths above 15 and 255', () => {
  assert.equal(unpack([0x50, ...text('hallo')], 5), 'hallo');
  assert.equal(unpack([0x14, ...text('a'), 1, 0, 0x50, ...text('bbbbb')], 14), `${'a'.repeat(9)}bbbbb`);
  assert.equal(unpack([0x32, ...text('abc'), 3, 0, 0x10, ...text('.')], 10), 'abcabcabc.');
  const long = 15 + 255 + 10;
  assert.equal(unpack([0xf0, 255, 10, ...text('x'.repeat(long))], long), 'x'.repeat(long));
  const match = 4 + 15 + 255 + 3;
  assert.equal(unpack([0x1f, ...text('y'), 1, 0, 255, 3, 0x00], 1 + match), 'y'.repeat(1 + match));
  assert.equal(unpack([0x00], 0), '');
});

test('blocks that point outside themselves or end too early are refused', () => {
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
    assert.throws(() => unpackLz4Block(Buffer.from(bytes), size), RangeError);
  }
});

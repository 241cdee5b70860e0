/** Packed houses and lines whose bytes are damaged: read to their end or refused, never followed for ever. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  nearestVertexKm,
  packLines,
  unpackHouses,
  unpackLines,
  verticesOf,
} from '../../src/store/sqlite/house-block.ts';

const readers = [
  (bytes: Uint8Array) => verticesOf(bytes),
  (bytes: Uint8Array) => unpackLines(bytes),
  (bytes: Uint8Array) => nearestVertexKm(bytes, { lat: 1, lng: 2 }),
  (bytes: Uint8Array) => unpackHouses(bytes),
];

test('lines are read as they were written', () => {
  const lines = [Float64Array.of(9.5, 47.1, 9.6, 47.2), Float64Array.of(-179.5, -89)];
  assert.deepEqual(unpackLines(packLines(lines)), lines);
});

test('a record that announces more than it has is refused', () => {
  for (const read of readers.slice(0, 3)) assert.throws(() => read(Uint8Array.of(255, 255, 255, 255, 15)), RangeError);
  for (const read of readers) assert.throws(() => read(Uint8Array.of(1, 128)), RangeError);
});

test('any bytes are read or refused, in time', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.constantFrom(...readers), (bytes, read) => {
      try {
        read(bytes);
      } catch (error) {
        assert.ok(error instanceof RangeError, String(error));
      }
    }),
    { numRuns: 2000 },
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { simplifiedRing } from '../../src/core/simplify.ts';

/** A square of one degree with vertices on its sides, every second one `off` the line. */
function square(off: number): Float64Array {
  const xy: number[] = [];
  for (let at = 0; at < 100; at++) xy.push(at / 100, at % 2 === 1 ? off : 0);
  xy.push(1, 0, 1, 1, 0, 1);
  return Float64Array.from(xy);
}

test('vertices within the tolerance are removed, corners are kept', () => {
  assert.deepEqual([...simplifiedRing(square(0.001), 0.01)], [0, 0, 1, 0, 1, 1, 0, 1]);
  assert.equal(simplifiedRing(square(0.02), 0.01).length, square(0).length);
});

test('a ring of four vertices, and any without tolerance, is unchanged', () => {
  const box = Float64Array.of(0, 0, 1, 0, 1, 1, 0, 1);
  assert.equal(simplifiedRing(box, 10), box);
  const ring = square(0.001);
  assert.equal(simplifiedRing(ring, 0), ring);
});

test('of two vertices equally far off the first one is kept', () => {
  // A flat roof over a line of three degrees: with one of its corners the other is within the tolerance.
  const roof = Float64Array.of(0, 0, 1, 1, 2, 1, 3, 0, 1.5, -0.1);
  assert.deepEqual([...simplifiedRing(roof, 0.6)], [0, 0, 1, 1, 3, 0]);
});

/** Outlines for maps: how much one answer may hold, and what is reported of it. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Area } from '../../src/core/region-index/area.ts';
import { areaShapesFile, openAreaShapes, writeAreaShapes } from '../../src/store/packed/area-shapes.ts';
import { temporaryDirectory } from '../support/temporary.ts';

/** An island 20 degrees wide with that many headlands. */
function island(headlands: number): Area {
  const xy = new Float64Array(headlands * 4);
  for (let at = 0; at < headlands * 2; at++) {
    const angle = (Math.PI * at) / headlands;
    const radius = at % 2 === 0 ? 10 : 9.9;
    xy[2 * at] = radius * Math.cos(angle);
    xy[2 * at + 1] = radius * Math.sin(angle);
  }
  return { rings: [{ xy }] } as unknown as Area;
}

test('an outline of too many vertices is left out, and answered at the next tolerance that has fewer', (t) => {
  const directory = temporaryDirectory(t);
  writeAreaShapes(join(directory, areaShapesFile), [
    ['AA', island(6_000)],
    ['BB', island(100)],
  ]);
  const shapeOf = openAreaShapes(directory);
  const many = shapeOf('AA', 500)!;
  const vertices = many.coordinates.flat(2).length;
  assert.ok(vertices > 3 && vertices <= 8_001, String(vertices));
  assert.ok(many.toleranceM > 500);
  assert.equal(shapeOf('BB', 500)!.toleranceM, 500);
  assert.equal(shapeOf('BB', 999)!.toleranceM, 500);
  assert.equal(shapeOf('CC', 500), undefined);
});

test('islands smaller than the tolerance are left out, except for the largest, which keeps an area', (t) => {
  const directory = temporaryDirectory(t);
  const square = (west: number, degrees: number) => [
    west,
    0,
    west + degrees,
    0,
    west + degrees,
    degrees,
    west,
    degrees,
  ];
  const rings = [square(10, 0.02), square(20, 0.05), square(30, 0.01)].map((xy) => ({ xy: Float64Array.from(xy) }));
  writeAreaShapes(join(directory, areaShapesFile), [['AA', { rings } as unknown as Area]]);
  const shapeOf = openAreaShapes(directory);
  assert.equal(shapeOf('AA', 500)!.coordinates.length, 3);
  const [[ring], ...others] = shapeOf('AA', 64_000)!.coordinates;
  assert.deepEqual(others, []);
  assert.ok(ring.length >= 4, 'three vertices, the first one repeated');
  assert.ok(ring.every(([lng]) => lng >= 20 && lng <= 20.05));
});

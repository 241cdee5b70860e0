/** Outlines for maps: how much one answer may hold, and what is reported of it. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Area } from '../../src/core/region-index/area.ts';
import { areaShapesFile, openAreaShapes, writeAreaShapes } from '../../src/store/packed/area-shapes.ts';
import { temporaryDirectory } from '../support/temporary.ts';

/** An island with a coast of so many headlands, 20 degrees wide. */
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

test('an outline of too many vertices is answered at the next tolerance that has fewer', (t) => {
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
  assert.deepEqual(shapeOf('BB', 500), shapeOf('BB', 500), 'what is kept answers as what is read');
  assert.equal(shapeOf('CC', 500), undefined);
});

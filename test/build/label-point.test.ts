import assert from 'node:assert/strict';
import { test } from 'node:test';
import { labelPoint } from '../../src/build/layers/boundaries.ts';
import { orientedRing } from '../../src/core/region-index/ring.ts';

const areaOf = (...rings: number[][]) => ({
  value: 0,
  rings: rings.map((xy) => orientedRing(Float64Array.from(xy), false)),
});

test('the label of a crescent lies on it, not in its bay', () => {
  // A C that is open to the east: its centroid lies in the opening.
  const { lng, lat } = labelPoint(areaOf([0, 0, 10, 0, 10, 2, 3, 2, 3, 8, 10, 8, 10, 10, 0, 10]));
  const isInBay = lng > 3 && lat > 2 && lat < 8;
  assert.ok(!isInBay && lng > 0 && lng < 10 && lat > 0 && lat < 10, `${lng} ${lat}`);
});

test('the label of an archipelago lies on its largest island, however many others there are', () => {
  const { lng, lat, radius } = labelPoint(
    areaOf([0, 0, 1, 0, 1, 1, 0, 1], [20, 60, 28, 60, 28, 64, 20, 64], [30, 0, 31, 0, 31, 1, 30, 1]),
  );
  assert.ok(lng > 20 && lng < 28 && lat > 60 && lat < 64, `${lng} ${lat}`);
  // Half the breadth of an island of 8 degrees of longitude at 62 degrees north.
  assert.ok(Math.abs(radius - (8 * Math.cos((62 * Math.PI) / 180)) / 2) < 0.2, `${radius}`);
});

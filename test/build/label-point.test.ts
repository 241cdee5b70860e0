import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import type { Store } from '../../src/store/store.ts';
import { mapOf, ring } from '../support/drawn-map.ts';

let labels: Store['areaLabels'];
before(async (t) => {
  const { store } = await mapOf(t as TestContext, {
    countries: {
      // A C that is open to the east: its centroid lies in the opening.
      CC: [[ring(40, 0, 50, 0, 50, 2, 43, 2, 43, 8, 50, 8, 50, 10, 40, 10)]],
      II: [[ring(0, 0, 1, 0, 1, 1, 0, 1)], [ring(20, 60, 28, 60, 28, 64, 20, 64)], [ring(30, 0, 31, 0, 31, 1, 30, 1)]],
    },
  });
  labels = store.areaLabels;
});
const labelOf = (code: string) => labels!.find(({ country }) => country === code)!;

test('the label of a crescent lies on it, not in its bay', () => {
  const { lng, lat } = labelOf('CC');
  const isInBay = lng > 43 && lat > 2 && lat < 8;
  assert.ok(!isInBay && lng > 40 && lng < 50 && lat > 0 && lat < 10, `${lng} ${lat}`);
});

test('the label of an archipelago lies on its largest island, however many others there are', () => {
  const { lng, lat, radius } = labelOf('II');
  assert.ok(lng > 20 && lng < 28 && lat > 60 && lat < 64, `${lng} ${lat}`);
  // Half the breadth of an island of 8 degrees of longitude at 62 degrees north.
  assert.ok(Math.abs(radius - (8 * Math.cos((62 * Math.PI) / 180)) / 2) < 0.2, `${radius}`);
});

/** What it may cost to distinguish the houses of a street. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupStreets } from '../../src/store/sqlite/street-groups.ts';

test('thousands of houses of one number in a street, as "S/N" of a district, are compared with the last thousand each', (t) => {
  const houses = 3_000;
  const records = Array.from({ length: houses }, (_, at) => {
    const lat = (47 + at / 1_000).toFixed(6);
    return ['a', '0', 'Main Street', '', 'S/N', '', lat, '9.500000', '1', '', '', '', ''];
  });
  let distances = 0;
  const { cos } = Math;
  // Not by a mock, which would keep millions of calls.
  Math.cos = (radians) => {
    distances++;
    return cos(radians);
  };
  t.after(() => (Math.cos = cos));
  const [street] = groupStreets(
    records,
    () => {},
    () => true,
  );
  assert.equal(street.houseCount, houses);
  assert.ok(distances < 2 * 1_000 * houses, `${distances} cosines`);
});

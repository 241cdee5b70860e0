/** The curve that rows of street-level files follow: every position in a circle is in its ranges, few others are. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { distanceKm, earthRadiusKm } from '../../src/core/geo.ts';
import { curveAround, curveAt, curveLength } from '../../src/store/sqlite/house-block.ts';

/** A fixed sequence of numbers in [0, 1) (Park and Miller 1988). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48271) % 2147483647) / 2147483647;
}

const isOn = (place: number, stretches: readonly (readonly [number, number])[]) =>
  stretches.some(([first, last]) => first <= place && place <= last);

test('every position in a circle is in the ranges around it, also at the poles and the antimeridian', () => {
  const random = randomNumbers(7);
  let inside = 0;
  for (let turn = 0; turn < 20_000; turn++) {
    const middle = { lat: [0, 52, -85, 89.99, -90][turn % 5], lng: [13.4, 179.999, -180][turn % 3] };
    const radiusKm = [0.3, 1, 8, 50][turn % 4];
    const reach = (radiusKm / earthRadiusKm) * (180 / Math.PI);
    const lat = Math.max(-90, Math.min(90, middle.lat + (random() * 2 - 1) * reach));
    const east = (random() * 2 - 1) * Math.min(180, reach / Math.max(1e-9, Math.cos((lat * Math.PI) / 180)));
    const lng = ((middle.lng + east + 540) % 360) - 180;
    if (distanceKm(middle, { lat, lng }) > radiusKm) continue;
    inside++;
    assert.ok(
      isOn(curveAt({ lat, lng }), curveAround(middle, radiusKm)),
      JSON.stringify({ middle, radiusKm, lat, lng }),
    );
  }
  assert.ok(inside > 5000, `${inside} positions`);
});

test('the ranges of a circle are disjoint, in order, and cover little more than it', () => {
  for (const radiusKm of [0.5, 1, 5, 50]) {
    const stretches = curveAround({ lat: 48, lng: 11 }, radiusKm);
    for (const [at, [first, last]] of stretches.entries()) {
      assert.ok(first <= last && last < curveLength);
      assert.ok(at === 0 || first > stretches[at - 1][1] + 1);
    }
    const cells = stretches.reduce((sum, [first, last]) => sum + last - first + 1, 0);
    const cellKm = (360 / 2 ** 16) * 111.2;
    const area = cells * cellKm * cellKm * Math.cos((48 * Math.PI) / 180);
    assert.ok(area < 6 * Math.PI * Math.max(radiusKm, 0.5) ** 2, `${radiusKm} km: ${area} km²`);
  }
});

test('the ends of the world have places on the curve', () => {
  for (const lat of [-90, 90]) for (const lng of [-180, 0, 180]) assert.ok(curveAt({ lat, lng }) < curveLength);
  assert.equal(curveAt({ lat: 10, lng: 180 }), curveAt({ lat: 10, lng: -180 }));
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { centroidOfRings, isRing, lengthKm, pointAlong } from '../../src/core/geo.ts';

const ring = (...points: number[]) => Float64Array.from(points);

test('the centroid of a triangle is the mean of its corners, wherever it lies', () => {
  const size = fc.double({ min: 0.001, max: 1, noNaN: true });
  const anywhere = fc.tuple(
    fc.double({ min: -80, max: 79, noNaN: true }),
    fc.double({ min: -180, max: 180, noNaN: true }),
    size,
    size,
  );
  fc.assert(
    fc.property(anywhere, ([lat, lng, a, b]) => {
      const wrap = (value: number) => (value > 180 ? value - 360 : value);
      const triangle = ring(lng, lat, wrap(lng + a), lat, lng, lat + b, lng, lat);
      const centroid = centroidOfRings([triangle]);
      assert.ok(Math.abs(centroid.lat - (lat + b / 3)) < 1e-9);
      assert.ok(Math.abs(Math.sin(((centroid.lng - (lng + a / 3)) * Math.PI) / 360)) < 1e-9);
      assert.ok(centroid.lng >= -180 && centroid.lng <= 180);
    }),
  );
});

test('several rings are weighted by their areas', () => {
  const one = ring(0, 0, 1, 0, 1, 1, 0, 1, 0, 0);
  const four = ring(10, 0, 12, 0, 12, 2, 10, 2, 10, 0);
  const centroid = centroidOfRings([one, four]);
  assert.ok(Math.abs(centroid.lng - (0.5 + 4 * 11) / 5) < 1e-9);
  assert.ok(Math.abs(centroid.lat - (0.5 + 4 * 1) / 5) < 1e-9);
});

test('a ring without an area, such as a line there and back, has no part in the centroid of others', () => {
  const square = ring(0, 0, 2, 0, 2, 2, 0, 2, 0, 0);
  assert.deepEqual(centroidOfRings([square, ring(5, 5, 6, 5, 5, 5, 5, 5)]), { lat: 1, lng: 1 });
});

test('the centroid of four corners is that of their two triangles, each by its area', () => {
  const { lat, lng } = centroidOfRings([ring(10, 20, 14, 20, 13, 22, 11, 23, 10, 20)]);
  assert.ok(Math.abs(lng - (10 + 84 / 45)) < 1e-9 && Math.abs(lat - (20 + 51 / 45)) < 1e-9, `${lat}, ${lng}`);
});

test('a ring without an area has the middle of its line', () => {
  assert.deepEqual(centroidOfRings([ring(1, 1, 1, 1, 1, 1, 1, 1)]), { lat: 1, lng: 1 });
});

test('the middle of a line is half-way along it, not its middle vertex', () => {
  const middle = pointAlong(ring(0, 0, 0, 1, 0, 2, 0, 10));
  assert.ok(Math.abs(middle.lat - 5) < 1e-9);
  // A hundred metres, of which the first part has no length.
  const short = pointAlong(ring(0, 0, 0, 0, 0, 0.001));
  assert.ok(Math.abs(short.lat - 0.0005) < 1e-9);
  const across = pointAlong(ring(179, 0, -177, 0));
  assert.ok(Math.abs(across.lng - -179) < 1e-9);
  assert.deepEqual(pointAlong(ring(5, 6)), { lat: 6, lng: 5 });
});

test('one degree along the equator is 111.195 km', () => {
  assert.equal(lengthKm(ring(0, 0, 1, 0)).toFixed(3), '111.195');
});

test('a ring has four points or more and ends where it begins', () => {
  assert.equal(isRing(ring(0, 0, 1, 0, 1, 1, 0, 0)), true);
  assert.equal(isRing(ring(0, 0, 1, 0, 0, 0)), false);
  assert.equal(isRing(ring(0, 0, 1, 0, 1, 1, 0, 1)), false);
});

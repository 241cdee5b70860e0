import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { distanceKm, type LatLng } from '../../src/core/geo.ts';
import { buildSphereIndex, SphereIndex, sphereIndexOf } from '../../src/core/sphere-index.ts';

const position = fc.record({
  lat: fc.oneof(fc.constantFrom(-90, 0, 90), fc.double({ min: -90, max: 90, noNaN: true })),
  lng: fc.oneof(fc.constantFrom(-180, 0, 180), fc.double({ min: -180, max: 180, noNaN: true })),
});
// Mostly more than a leaf of the tree holds: fast-check's lists are short by default.
const positions = fc.array(position, { minLength: 1, maxLength: 200, size: 'max' });

const indexOf = (points: readonly LatLng[]) =>
  new SphereIndex(
    buildSphereIndex(points.length, (point) => points[point]),
    (point) => point,
  );

/** All points by distance, then number. */
const bruteForce = (points: readonly LatLng[], from: LatLng) =>
  points
    .map((point, index) => ({ index, distanceKm: distanceKm(from, point) }))
    .sort((left, right) => left.distanceKm - right.distanceKm || left.index - right.index);

/** In km. Either formula loses digits near the antipode, where the arc sine is steep. */
const tolerance = (km: number) => (km > 19_000 ? 1e-3 : 1e-6);

const closeTo = (got: number[], expected: number[]) => {
  assert.equal(got.length, expected.length);
  for (const [at, km] of got.entries())
    assert.ok(Math.abs(km - expected[at]) < tolerance(km), `${km} against ${expected[at]}`);
};

test('the nearest points are those that a full scan finds, poles and antimeridian included', () => {
  fc.assert(
    fc.property(positions, position, fc.integer({ min: 1, max: 20 }), (points, from, limit) => {
      const got = indexOf(points).nearest(from, limit);
      closeTo(
        got.map(({ distanceKm }) => distanceKm),
        bruteForce(points, from)
          .slice(0, limit)
          .map(({ distanceKm }) => distanceKm),
      );
      for (const { index, distanceKm: km } of got)
        assert.ok(Math.abs(distanceKm(from, points[index]) - km) < tolerance(km));
    }),
  );
});

test('a radius and a filter leave out exactly what they should', () => {
  fc.assert(
    fc.property(positions, position, fc.double({ min: 1, max: 20_000, noNaN: true }), (points, from, maxKm) => {
      const isEven = (index: number) => index % 2 === 0;
      const got = indexOf(points).nearest(from, points.length, maxKm, isEven);
      const expected = bruteForce(points, from).filter(({ index, distanceKm }) => isEven(index) && distanceKm <= maxKm);
      closeTo(
        got.map(({ distanceKm }) => distanceKm),
        expected.map(({ distanceKm }) => distanceKm),
      );
    }),
  );
});

test('a smaller limit returns a prefix of the larger one', () => {
  fc.assert(
    fc.property(positions, position, fc.integer({ min: 1, max: 10 }), (points, from, limit) => {
      const index = indexOf(points);
      assert.deepEqual(index.nearest(from, limit), index.nearest(from, limit + 7).slice(0, limit));
    }),
  );
});

test('points at one position come by their tie order', () => {
  const points = Array.from({ length: 30 }, () => ({ lat: 10, lng: 20 }));
  const index = new SphereIndex(
    buildSphereIndex(points.length, (point) => points[point]),
    (point) => -point,
  );
  assert.deepEqual(
    index.nearest({ lat: 10, lng: 20 }, 3).map(({ index }) => index),
    [29, 28, 27],
  );
});

test('an empty index has nothing near', () => {
  assert.deepEqual(indexOf([]).nearest({ lat: 0, lng: 0 }, 5), []);
});

test('an index of some points answers as a filter that admits only them', () => {
  fc.assert(
    fc.property(positions, position, fc.integer({ min: 1, max: 9 }), (points, from, share) => {
      const columns = buildSphereIndex(points.length, (point) => points[point]);
      const number = (point: number) => point;
      const admits = (point: number) => point % share === 0;
      assert.deepEqual(
        sphereIndexOf(columns, admits, number).nearest(from, 8),
        new SphereIndex(columns, number).nearest(from, 8, Number.POSITIVE_INFINITY, admits),
      );
    }),
  );
});

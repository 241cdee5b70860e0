import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import fc from 'fast-check';
import { bearingDegrees, distanceKm, earthRadiusKm, isNear, type LatLng, wrapLongitude } from '../../src/core/geo.ts';

const quarterKm = (earthRadiusKm * Math.PI) / 2;
const at = (lat: number, lng: number): LatLng => ({ lat, lng });
const position = fc.record({
  lat: fc.double({ min: -90, max: 90, noNaN: true }),
  lng: fc.double({ min: -180, max: 180, noNaN: true }),
});

/** The chord through the sphere, an independent way to the same distance; good away from the antipode. */
function byChord(from: LatLng, to: LatLng): number {
  const vector = ({ lat, lng }: LatLng) => {
    const [a, b] = [(lat * Math.PI) / 180, (lng * Math.PI) / 180];
    return [Math.cos(a) * Math.cos(b), Math.cos(a) * Math.sin(b), Math.sin(a)] as const;
  };
  const [p, q] = [vector(from), vector(to)];
  const cross = Math.hypot(p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]);
  return earthRadiusKm * Math.atan2(cross, p[0] * q[0] + p[1] * q[1] + p[2] * q[2]);
}

describe('distanceKm', () => {
  it('returns the quarter and the half of a great circle', () => {
    assert.equal(distanceKm(at(0, 0), at(0, 0)), 0);
    assert.ok(Math.abs(distanceKm(at(0, 0), at(0, 90)) - quarterKm) < 1e-9);
    assert.ok(Math.abs(distanceKm(at(90, 0), at(-90, 123)) - 2 * quarterKm) < 1e-9);
    assert.ok(Math.abs(distanceKm(at(0, 0), at(0, 180)) - 2 * quarterKm) < 1e-9);
    assert.ok(Math.abs(distanceKm(at(12.5, -60), at(-12.5, 120)) - 2 * quarterKm) < 1e-6);
  });

  it('crosses the antimeridian and the poles by the short way', () => {
    const oneDegree = quarterKm / 90;
    assert.ok(Math.abs(distanceKm(at(0, 179.5), at(0, -179.5)) - oneDegree) < 1e-9);
    assert.ok(distanceKm(at(10, 180), at(10, -180)) < 1e-9);
    assert.ok(Math.abs(distanceKm(at(89.5, 10), at(89.5, -170)) - oneDegree) < 1e-9);
    assert.ok(distanceKm(at(90, 10), at(90, -100)) < 1e-9);
  });

  it('keeps the millimetre one metre away from the antipode', () => {
    const metre = 1e-3 / (quarterKm / 90);
    const km = distanceKm(at(0, 0), at(0, 180 - metre));
    assert.ok(Math.abs(2 * quarterKm - km - 1e-3) < 1e-6, `${2 * quarterKm - km} km short of the antipode`);
  });

  it('agrees with the vector formula to a millimetre everywhere, and is symmetric', () => {
    fc.assert(
      fc.property(position, position, (from, to) => {
        const km = distanceKm(from, to);
        assert.ok(Math.abs(km - byChord(from, to)) < 1e-6);
        assert.ok(Math.abs(km - distanceKm(to, from)) < 1e-9);
        assert.ok(km >= 0 && km <= 2 * quarterKm + 1e-9);
      }),
    );
  });
});

test('positions are near within a distance, that one included', () => {
  assert.ok(isNear(at(48, 11), at(48, 11), 0));
  assert.ok(isNear(at(0, 10), at(0, 20), distanceKm(at(0, 10), at(0, 20))));
  fc.assert(
    fc.property(position, position, (one, other) => {
      const km = distanceKm(one, other);
      assert.ok(isNear(one, other, km + 1e-6) && !isNear(one, other, km - 1e-6));
    }),
  );
});

describe('bearingDegrees', () => {
  it('points along meridians and the equator', () => {
    assert.equal(bearingDegrees(at(0, 0), at(10, 0)), 0);
    assert.equal(bearingDegrees(at(0, 0), at(0, 10)), 90);
    assert.equal(bearingDegrees(at(0, 0), at(-10, 0)), 180);
    assert.equal(bearingDegrees(at(0, 0), at(0, -10)), 270);
    assert.equal(bearingDegrees(at(0, 179), at(0, -179)), 90);
  });

  it('is 0 where the direction is arbitrary: equal points, the same pole, antipodes', () => {
    assert.equal(bearingDegrees(at(52.5, 13.4), at(52.5, 13.4)), 0);
    assert.equal(bearingDegrees(at(52.5, 180), at(52.5, -180)), 0);
    assert.equal(bearingDegrees(at(90, 0), at(90, 50)), 0);
    assert.equal(bearingDegrees(at(12.5, -60), at(-12.5, 120)), 0);
  });

  it('leaves a pole along the meridian of the destination', () => {
    assert.ok(Math.abs(bearingDegrees(at(-90, 0), at(0, 30)) - 30) < 1e-9);
    assert.ok(Math.abs(bearingDegrees(at(90, 0), at(0, 30)) - 150) < 1e-9);
  });

  it('leads to the destination when followed for the distance', () => {
    fc.assert(
      fc.property(position, position, (from, to) => {
        const bearing = bearingDegrees(from, to);
        assert.ok(bearing >= 0 && bearing < 360);
        const angle = distanceKm(from, to) / earthRadiusKm;
        const [lat1, course] = [(from.lat * Math.PI) / 180, (bearing * Math.PI) / 180];
        const lat2 = Math.asin(
          Math.max(
            -1,
            Math.min(1, Math.sin(lat1) * Math.cos(angle) + Math.cos(lat1) * Math.sin(angle) * Math.cos(course)),
          ),
        );
        const turn = Math.atan2(
          Math.sin(course) * Math.sin(angle) * Math.cos(lat1),
          Math.cos(angle) - Math.sin(lat1) * Math.sin(lat2),
        );
        const reached = at((lat2 * 180) / Math.PI, wrapLongitude(from.lng + (turn * 180) / Math.PI));
        assert.ok(distanceKm(reached, to) < 0.01, `${distanceKm(reached, to)} km off`);
      }),
    );
  });
});

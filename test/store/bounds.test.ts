import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomNumbers } from '../../bench/quality/samples.ts';
import { distanceKm } from '../../src/core/geo.ts';
import { type Bounds, extended, touches } from '../../src/store/map-contract.ts';

test('a circle that holds a point of a rectangle always touches it, wherever both are', () => {
  const random = randomNumbers(7);
  const between = (min: number, max: number) => min + (max - min) * random();
  for (let turn = 0; turn < 20_000; turn++) {
    let bounds: Bounds | undefined;
    const points = Array.from({ length: 3 }, () => ({ lat: between(-90, 90), lng: between(-180, 180) }));
    for (const point of points) bounds = extended(bounds, point);
    const [point] = points;
    const center = { lat: between(-90, 90), lng: between(-180, 180) };
    const km = distanceKm(point, center) + 0.001;
    assert.ok(touches(bounds!, center, km), JSON.stringify({ point, center, km }));
  }
});

test('a circle far from a rectangle does not touch it', () => {
  const liechtenstein = { south: 47.04, west: 9.47, north: 47.28, east: 9.64 };
  assert.ok(touches(liechtenstein, { lat: 47.14, lng: 9.52 }, 1));
  assert.ok(touches(liechtenstein, { lat: 47.14, lng: 9.9 }, 30));
  for (const [lat, lng, km] of [
    [47.14, 9.9, 10],
    [43.73, 7.42, 100],
    [-33.9, 151.2, 500],
  ]) {
    assert.equal(touches(liechtenstein, { lat, lng }, km), false, `${lat}, ${lng}`);
  }
});

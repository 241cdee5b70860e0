/** Which city a position is in. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cityAt, cityReachKm } from '../../src/endpoints/position-context.ts';

const place = (index: number, distanceKm: number, population: number) => ({ index, distanceKm, population });
const at = (...cities: ReturnType<typeof place>[]) => cityAt(cities, ({ population }) => population)?.index;

test('a large city reaches beyond a nearer small one, but does not cover the small one itself', () => {
  const [paris, neuilly] = [place(1, 4.0, 2_138_551), place(2, 3.2, 60_000)];
  assert.equal(at(neuilly, paris), 1);
  assert.equal(at({ ...neuilly, distanceKm: 0.4 }, { ...paris, distanceKm: 6 }), 2);
});

test('in the countryside the nearest place is returned, not a city far away', () => {
  assert.equal(at(place(1, 30, 500_000), place(2, 4, 300)), 2);
});

test('no place, no city', () => {
  assert.equal(at(), undefined);
});

test('of two that reach equally far, or lie equally far beyond their reach, the first one is returned', () => {
  assert.equal(at(place(1, 3, 300_000), place(2, 3, 300_000)), 1);
  assert.equal(at(place(1, 30, 300), place(2, 30, 300)), 1);
});

test('a city of 1,100 people per km² reaches as far as a circle that holds them, a village 1.2 km', () => {
  assert.ok(Math.abs(cityReachKm(1100 * Math.PI * 4) - 2) < 1e-9);
  assert.ok(Math.abs(cityReachKm(1100 * Math.PI * 100) - 10) < 1e-9);
  assert.equal(cityReachKm(0), 1.2);
});

test('a village one stands in comes before the town next to it', () => {
  const [ewhurst, cranleigh] = [place(1, 0.914, 1_653), place(2, 2.293, 11_082)];
  assert.equal(at(cranleigh, ewhurst), 1);
});

/** Which records belong to a place whose name they do not have. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reachKm, supports } from '../../src/geocoding/address/support.ts';
import type { Place } from '../../src/store/store.ts';

const place = (name: string, population: number, km: number, type: Place['type'] = 'city'): Place => ({
  index: 0,
  layer: 'place',
  id: population,
  name,
  country: 'IE',
  admin1: -1,
  admin2: -1,
  lat: km / 111.2,
  lng: 0,
  timezone: 'Europe/Dublin',
  population,
  type,
  source: 'made',
});
const dublin = place('Dublin', 1_000_000, 0);
const places = [
  dublin,
  place('Suburbia', 90_000, 20),
  place('Rival', 700_000, 20),
  place('Hamlet', 300, 20),
  place('Quarter', 40_000, 20, 'suburb'),
];
const names = {
  resolve: (city: string) => places.find(({ name }) => name === city.split(',')[0]),
  countriesNamed: () => [],
  regionsNamed: () => [],
};
const named = (name: string) => names.resolve(name)!;
/** Whether a place has a record that lies so far north of Dublin, in a settlement by its own data. */
const has = (name: string, km: number, city: string | null) =>
  supports(named(name), { lat: km / 111.2, lng: 0 }, { city, admin1: null, country: 'IE', terms: [] }, names);

test('a metropolis has its suburbs within the radius of its population, and no city of its own size', () => {
  assert.ok(reachKm(dublin) > 22 && reachKm(dublin) < 24);
  assert.deepEqual([has('Dublin', 20, 'Suburbia'), has('Dublin', 30, 'Suburbia')], [true, false]);
  assert.equal(has('Dublin', 20, 'Rival'), false);
  assert.equal(has('Dublin', 11, 'Rival'), true);
  assert.equal(has('Dublin', 20, 'Unknown'), true);
});

test('a village has what is nearer to it than to the own settlement, a suburb what is within 12 km', () => {
  assert.deepEqual([has('Hamlet', 21, 'Dublin'), has('Hamlet', 9, 'Dublin')], [true, false]);
  assert.deepEqual([has('Quarter', 30, 'Dublin'), has('Quarter', 33, 'Dublin')], [true, false]);
  assert.deepEqual([has('Suburbia', 30, null), has('Suburbia', 33, null)], [true, false]);
});

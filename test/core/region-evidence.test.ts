/** The region of a position where the map errs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { regionByWitnesses } from '../../src/store/packed/boundaries.ts';

const [missouri, illinois] = [1, 2];
const witness = { region: missouri, mapped: illinois, isBehindBorder: () => false, distanceKm: 1, population: 300_000 };
const city = (distanceKm: number) => ({ ...witness, distanceKm });

test('a city that the map puts across the border takes its surroundings with it', () => {
  assert.equal(regionByWitnesses(illinois, [city(3)]), missouri);
});

test('not farther than its population reaches', () => {
  assert.equal(regionByWitnesses(illinois, [city(6)]), illinois);
  const hamlet = { ...witness, distanceKm: 1.1, population: 0 };
  assert.equal(regionByWitnesses(illinois, [hamlet]), illinois);
  assert.equal(regionByWitnesses(illinois, [{ ...hamlet, distanceKm: 0.9 }]), missouri);
});

test('not where a place that the map has right is nearer in proportion to its reach', () => {
  const eastside = { ...witness, region: illinois, distanceKm: 0.5, population: 26_000 };
  assert.equal(regionByWitnesses(illinois, [city(3), eastside]), illinois);
});

test('a place across the border is ignored, and so is one in no region', () => {
  const across = { ...witness, mapped: missouri, distanceKm: 0.2 };
  const nowhere = { ...witness, region: -1, distanceKm: 0.1 };
  assert.equal(regionByWitnesses(illinois, [across, nowhere]), illinois);
  assert.equal(regionByWitnesses(illinois, []), illinois);
});

test('close to the border a large city across it counts too, with half the weight', () => {
  const across = { ...witness, mapped: missouri, isBehindBorder: () => true, distanceKm: 2 };
  assert.equal(regionByWitnesses(illinois, [across]), missouri);
  assert.equal(regionByWitnesses(illinois, [across, { ...witness, region: illinois, distanceKm: 3 }]), illinois);
});

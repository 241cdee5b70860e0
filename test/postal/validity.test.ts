/** Whether a city and a postal code match. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namesakeTest, validityOf } from '../../src/endpoints/validate.ts';

const city = (distanceKm: number | undefined, population = 200_000) => ({ distanceKm, reachKm: 5, population });
const evidence = (cities: ReturnType<typeof city>[], more: { isShaped?: boolean; isNamed?: boolean } = {}) =>
  validityOf({ isShaped: true, isNamed: false, cities, ...more });

test('a place of the code with that name makes it valid, wherever the namesakes are', () => {
  assert.equal(evidence([city(1900)], { isNamed: true }), 'valid');
  assert.equal(evidence([], { isNamed: true }), 'valid');
});

test('so does a city that reaches to the code', () => {
  assert.equal(evidence([city(300), city(4.9)]), 'valid');
});

test('a town far from the code is a mismatch; a hamlet may have a namesake missing from the data', () => {
  assert.equal(evidence([city(36)]), 'mismatch');
  assert.equal(evidence([city(34)]), 'unknown');
  assert.equal(evidence([city(36, 900)]), 'unknown');
});

test('what is not known is unknown, but a code of another shape is a mismatch', () => {
  assert.equal(evidence([]), 'unknown');
  assert.equal(evidence([city(undefined)]), 'unknown');
  assert.equal(evidence([city(undefined)], { isShaped: false }), 'mismatch');
});

test('names are compared in all spellings, without additions', () => {
  for (const [place, name] of [
    ['Saint Louis', 'St. Louis'],
    ['Mt Vernon', 'mount vernon'],
    ['Paris 01', 'Paris'],
    ['Wien, Innere Stadt', 'WIEN'],
    ['Halle (Saale)', 'Halle'],
    ['APO AE', 'Apo'],
  ]) {
    assert.ok(namesakeTest(name)(place), `${place} ${name}`);
  }
  assert.ok(!namesakeTest('Saint')('Saint Louis'));
  assert.ok(!namesakeTest('')('Berlin'));
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import Type from 'typebox';
import { createOperation } from '../../src/api/execute.ts';
import { endpoints } from '../../src/endpoints/index.ts';
import { WhereaboutsError } from '../../src/errors.ts';

const { search, nearby, distance, sun } = endpoints;
const { limit, country, fuzzy, q } = search.parameters.default.properties;
const schema = Type.Object({
  q: { ...q, minLength: 2 },
  lat: Type.Optional(nearby.parameters.default.properties.lat),
  limit,
  country: Type.Optional(country),
  unit: distance.parameters.default.properties.unit,
  fuzzy,
  date: Type.Optional(sun.parameters.default.properties.date),
});
const parameters = { default: schema, a: schema, b: schema };
const compiled = createOperation('made', { ...endpoints.search, parameters }).read('default');
const isCountry = (iso2: string) => iso2 === 'DE';
const read = (raw: Record<string, unknown>) => compiled(raw, isCountry);

function refusal(raw: Record<string, unknown>): WhereaboutsError {
  try {
    read(raw);
  } catch (error) {
    if (error instanceof WhereaboutsError) return error;
    throw error;
  }
  return assert.fail(`${JSON.stringify(raw)} is taken`);
}

test('values are typed, defaults filled in, and unknown names reported', () => {
  const raw = { q: ' Paris ', lat: '-0.0', country: 'de', unit: 'KM', fuzzy: '1', date: '2024-02-29', x: '1', '': '2' };
  assert.deepEqual(read(raw), {
    parameters: { q: 'Paris', lat: 0, limit: 10, country: 'DE', unit: 'km', fuzzy: true, date: '2024-02-29' },
    ignored: ['x', ''],
  });
});

test('all bad and missing parameters are listed together', () => {
  const error = refusal({ lat: 'x', limit: '101', country: 'FR', unit: 'mile', fuzzy: 'yes', date: '2023-02-29' });
  assert.equal(error.code, 'invalid_parameter');
  assert.deepEqual(
    error.errors?.map(({ parameter }) => parameter),
    ['q', 'lat', 'limit', 'country', 'unit', 'fuzzy', 'date'],
  );
  assert.equal(refusal({}).code, 'missing_parameter');
});

test('numbers and booleans of a batch are read like their text', () => {
  const numbers = fc.double({ min: -90, max: 90, noNaN: true });
  fc.assert(
    fc.property(numbers, (lat) => assert.ok(Math.abs((read({ q: 'xx', lat }).parameters.lat as number) - lat) < 1e-9)),
  );
  assert.equal(read({ q: 10115, fuzzy: false }).parameters.q, '10115');
  assert.equal(read({ q: 'xx', fuzzy: 'False' }).parameters.fuzzy, false);
  for (const lat of [Number.NaN, Number.POSITIVE_INFINITY, null, [], {}, true]) refusal({ q: 'xx', lat });
});

test('an array is reported as an array', () => {
  assert.equal(refusal({ q: ['xx'] }).message, 'q is an array, expected one value');
  assert.equal(refusal({ q: ['xx', 'xx'] }).message, 'q was given 2 times, expected one value');
});

test('the length of a text is counted in characters after trimming and NFC', () => {
  assert.equal(refusal({ q: ' x ' }).code, 'invalid_parameter');
  assert.equal(read({ q: '🙂'.repeat(200) }).parameters.q, '🙂'.repeat(200));
  refusal({ q: '🙂'.repeat(201) });
  assert.equal(read({ q: 'e\u0301'.repeat(200) }).parameters.q, 'é'.repeat(200));
  assert.match(refusal({ q: 'x'.repeat(1_000_000) }).message, /1000000 characters, expected text of 2 to 200/);
});

test('lone surrogates become the replacement character', () => {
  assert.equal(read({ q: 'a\ud800b' }).parameters.q, 'a\ufffdb');
});

/** An island that is a region is one answer. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { endpoints } from '../../src/endpoints/index.ts';
import { ask } from '../support/ask.ts';
import type { NamedFeature } from '../support/build-layer.ts';
import { smallWorld } from '../support/small-world.ts';

const { autocomplete, search } = endpoints;

type Result = { name: string; layer: string };

const island = (name: string, region: string, prominence: number): NamedFeature => ({
  layer: 'island',
  source: 'test',
  sourceId: name,
  name,
  knownNames: [],
  otherNames: [],
  namesIn: {},
  country: 'ID',
  region,
  lat: -8.4,
  lng: 115.1,
  prominence,
});

/** Bali, an island and a region whose largest city has a number of inhabitants, and Java, an island of several regions. */
async function islands(t: TestContext, population: number, prominence: number) {
  const place = { lat: -8.65, lng: 115.2, country: 'ID', timezone: 'Asia/Makassar' };
  const { store, close } = await smallWorld(
    [
      { id: 1, name: 'Denpasar', ...place, population, admin1: '02' },
      { id: 2, name: 'Semarang', ...place, population: 1_600_000, admin1: '07' },
    ],
    undefined,
    [island('Bali', '02', prominence), island('Java', '07', prominence), island('Central Java Island', '07', 40)],
    {
      regions: [
        { country: 'ID', code: '02', name: 'Bali' },
        { country: 'ID', code: '07', name: 'Central Java' },
      ],
    },
  );
  t.after(close);
  return (endpoint: typeof search | typeof autocomplete, q: string, more: Record<string, unknown> = {}) =>
    (ask(endpoint, store, { q, ...more }).results as Result[])
      .filter(({ layer }) => layer !== 'place')
      .map(({ layer, name }) => `${layer} ${name}`);
}

for (const [name, endpoint] of [
  ['search', search],
  ['autocomplete', autocomplete],
] as const) {
  test(`${name}: an island and the region of its name are one answer, the better one`, async (t) => {
    const [famous, unknown] = [await islands(t, 700_000, 100), await islands(t, 9_000_000, 1)];
    assert.deepEqual(famous(endpoint, 'Bali'), ['island Bali']);
    assert.deepEqual(unknown(endpoint, 'Bali'), ['region Bali']);
  });

  test(`${name}: each of them is found in its layer, and an island of several regions beside them`, async (t) => {
    const found = await islands(t, 700_000, 100);
    assert.deepEqual(found(endpoint, 'Bali', { layers: 'region' }), ['region Bali']);
    assert.deepEqual(found(endpoint, 'Bali', { layers: 'island' }), ['island Bali']);
    // A search reads the middle of Java too.
    const central = found(endpoint, 'Central Java').filter((each) => each !== 'island Java');
    assert.deepEqual(central.sort(), ['island Central Java Island', 'region Central Java']);
  });
}

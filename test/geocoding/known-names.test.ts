/** Which of a place's alternative names count as names in use, and which cities a prefix means first. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { endpoints } from '../../src/endpoints/index.ts';
import { ask } from '../support/ask.ts';
import { type SmallPlace, smallWorld } from '../support/small-world.ts';

const { autocomplete, search } = endpoints;

const town = { lat: 49.35, lng: 8.14, country: 'DE', population: 50_000, timezone: 'Europe/Berlin' };

async function worldOf(t: TestContext, places: SmallPlace[]) {
  const { store, close } = await smallWorld(places);
  t.after(close);
  return store;
}

test('a main name with its river or hill ranks before a part of a nearby namesake', async (t) => {
  const village = { ...town, lat: 49.54, population: 1_700 };
  const store = await worldOf(t, [
    { ...town, id: 1, name: 'Neustadt', otherNames: 'Neustadt an der Weinstraße' },
    { ...village, id: 2, name: 'Kirchheim an der Weinstraße', otherNames: 'Kirchheim,Kirchheim Palatinate' },
  ]);
  const first = (q: string) => (ask(search, store, { q, limit: 1 }).results as { name: string }[])[0]?.name;
  assert.equal(first('neustadt weinstrasse'), 'Neustadt');
  assert.equal(first('kirchheim weinstrasse'), 'Kirchheim an der Weinstraße');
});

test('a large city comes before smaller ones with more names, unless the text is theirs', async (t) => {
  const famous = 'Florens,Firenca,Florenz,Florentia,Florencie,Florensa,Florenco,Firenze,Florensia';
  const store = await worldOf(t, [
    { ...town, id: 1, name: 'Florence', otherNames: famous, population: 80_000 },
    { ...town, id: 2, name: 'Florencia', population: 140_000 },
  ]);
  const suggested = (q: string) =>
    (ask(autocomplete, store, { q }).results as { name: string }[]).map(({ name }) => name);
  assert.deepEqual(suggested('flore'), ['Florencia', 'Florence']);
  assert.deepEqual(suggested('florence')[0], 'Florence');
});

test('a part of a city comes before a smaller town of its name only with the population of a city', async (t) => {
  const part = { ...town, featureCode: 'PPLX' };
  const store = await worldOf(t, [
    { ...town, id: 1, name: 'Hollywood', population: 150_000 },
    { ...part, id: 2, name: 'Hollywood', lat: 48.1, population: 1_000_000 },
    { ...town, id: 3, name: 'Westend', population: 30_000 },
    { ...part, id: 4, name: 'Westend', lat: 48.1, population: 99_000 },
    { ...town, id: 5, name: 'Eastend', population: 30_000 },
    { ...part, id: 6, name: 'Eastend', lat: 48.1, population: 100_000 },
  ]);
  const first = (q: string) => (ask(search, store, { q, limit: 1 }).results as { id: number }[])[0]?.id;
  assert.deepEqual([first('Hollywood'), first('Westend'), first('Eastend')], [2, 3, 6]);
});

test('a capital whose other name is that of its country is found by it, and not only as a place of the country', async (t) => {
  const macau = {
    ...town,
    id: 1,
    name: 'Macau',
    otherNames: 'Macao,Makao,Aomen,Macaum',
    country: 'MO',
    population: 600_000,
  };
  const store = await worldOf(t, [{ ...macau, lat: 22.2, lng: 113.5, featureCode: 'PPLC' }]);
  assert.equal(store.cities.resolve('Macao', 'MO')?.id, 1);
});

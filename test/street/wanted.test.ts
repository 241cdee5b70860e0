/** Searches for a category or brand at a place. */
import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { buildStreetLevel } from '../../src/build/layers/streets.ts';
import { endpoints } from '../../src/endpoints/index.ts';
import type { Store } from '../../src/store/store.ts';
import { ask } from '../support/ask.ts';
import { openLayers } from '../support/build-layer.ts';
import { buildSmallDataset, openSmallStore } from '../support/small-store.ts';
import { sourceOf } from '../support/small-streets.ts';
import { writeSmallWorld } from '../support/small-world.ts';
import { openStreets } from '../support/street-engines.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const { autocomplete, search } = endpoints;

let store: Store;
let remove: () => void;
before(async () => ({ store, remove } = await openSmallStore()));
after(() => remove());

type Row = Record<string, unknown>;
const found = (endpoint: typeof search | typeof autocomplete, parameters: Row) =>
  (ask(endpoint as typeof search, store, parameters).results as Row[]).map(({ name, layer }) => `${layer} ${name}`);
const bars = ['poi Sushi Bar', 'poi Trattoria Roma'];

test('/search answers a category with a place by the points there', () => {
  for (const q of ['restaurants in Berlin', 'Berlin restaurants', 'Restaurant bei Berlin', 'ресторан Berlin'])
    assert.deepEqual(found(search, { q }).sort(), bars, q);
  assert.deepEqual(found(search, { q: 'pizza in Berlin' }), ['poi Trattoria Roma']);
  const results = ask(search, store, { q: 'restaurant in Berlin' }).results as Row[];
  // A smaller limit is the beginning of the answer, with the same confidences.
  assert.deepEqual(ask(search, store, { q: 'restaurant in Berlin', limit: 1 }).results, results.slice(0, 1));
});

test('/search answers a brand with a place, and a category with a position', () => {
  assert.deepEqual(found(search, { q: 'Sushi Bar in Berlin' }), ['poi Sushi Bar']);
  assert.deepEqual(found(search, { q: 'restaurant near 52.52,13.41' }).sort(), bars);
  assert.deepEqual(found(search, { q: 'restaurant near me', lat: 52.52, lng: 13.41 }).sort(), bars);
  assert.ok(!found(search, { q: 'restaurant' }).some((each) => bars.includes(each)));
});

test('a place by its whole name comes first, and other layers and profiles have no points', () => {
  assert.equal(found(search, { q: 'Paris in Texas' })[0], 'place Paris');
  assert.ok(found(search, { q: 'restaurant in Berlin', layers: 'place' }).every((each) => each.startsWith('place')));
  const { results } = ask(search, store, { q: 'restaurant in Berlin' }, { profile: 'b' });
  assert.ok((results as Row[]).every(({ name }) => !bars.includes(`poi ${name}`)));
});

test('a mistyped place of a category is found, and the end of a name is not what the whole text names', () => {
  assert.deepEqual(found(search, { q: 'restaurants in Berln' }).sort(), bars);
  assert.deepEqual(found(search, { q: 'Restaurants Münchberg' }).sort(), ['poi Hotel Münchberg', 'poi Zur Post']);
});

test('/autocomplete completes the place, unless something is called so', () => {
  assert.deepEqual(found(autocomplete, { q: 'restaurant in Berl' }).sort(), bars);
  assert.equal(found(autocomplete, { q: 'gare du nor' })[0], 'landmark Gare du Nord');
});

test('in a small place a category needs no joining word either, unless something has the whole text as its name', () => {
  assert.deepEqual(found(search, { q: 'Restaurant Münchberg' }).sort(), ['poi Hotel Münchberg', 'poi Zur Post']);
  assert.equal(found(search, { q: 'Hotel Münchberg' })[0], 'poi Hotel Münchberg');
});

test('a point is found by its name, whatever else sounds like it, with its town before or behind it', () => {
  for (const q of ['Trattoria Roma', 'Trattoria Roma Berlin', 'Berlin Trattoria Roma', 'Trattoria Roma, Berlin'])
    assert.equal(found(search, { q })[0], 'poi Trattoria Roma', q);
  // An edit of a name is less than a whole one, and more than a part of one.
  assert.equal(found(search, { q: 'Parisa' })[0], 'poi Parisa');
  assert.equal(found(search, { q: 'Pariss' })[0], 'place Paris');
});

test('/autocomplete completes the town of a point, or the point behind its town', () => {
  for (const q of ['Trattoria Roma Berl', 'Berlin Trattoria Ro'])
    assert.deepEqual(found(autocomplete, { q }), ['poi Trattoria Roma'], q);
});

test('of points of one name, one in the village that is named is meant, and of several none is sure', async (t) => {
  const country = 'DE';
  const zobel = { category: 'shop', country, name: 'Zobel' } as const;
  const bakery = { ...zobel, name: 'Zobel Bakery' } as const;
  const village = (id: number, name: string, lat: number) => ({
    ...{ id, name, lat, lng: 11.8, country, population: 3_000, timezone: 'Europe/Berlin' },
  });
  const pois = [
    { ...zobel, lat: 50, lng: 11.801 },
    { ...zobel, lat: 50.06, lng: 11.801 },
    { ...bakery, lat: 50.061, lng: 11.804 },
  ];
  const directory = temporaryDirectory(t);
  const small = temporaryDirectory(t);
  await buildSmallDataset(small);
  for (const name of ['boundaries.pack', 'outlines.pack']) copyFileSync(join(small, name), join(directory, name));
  await writeSmallWorld(directory, [village(1, 'Adorf', 50), village(2, 'Bedorf', 50.06)]);
  await buildStreetLevel({ directory, progress() {} }, [sourceOf({ pois })]);
  const villages = openLayers(directory, ['world']);
  t.after(() => villages.close());
  const streetLevel = openStreets(directory, villages.cities, [{ name: '', number: 0 }]);
  t.after(() => streetLevel.close());
  const both = Object.create(villages, { pois: { value: streetLevel.pois } });
  const answers = (q: string, more: object = {}) =>
    (ask(search, both, { q, ...more }).results as Row[])
      .filter(({ layer }) => layer === 'poi')
      .map(({ name, lat, confidence }) => [name, lat, Number(confidence) > 90]);
  assert.deepEqual(answers('zobel adorf')[0], ['Zobel', 50, true]);
  assert.deepEqual(answers('zobel bedorf')[0], ['Zobel', 50.06, true]);
  for (const lat of [50, 50.06])
    assert.equal(answers('zobel', { layers: 'poi', lat, lng: 11.8 })[0][1], lat, 'the nearest');
  assert.deepEqual(
    answers('zobel adorf')
      .slice(1)
      .filter(([, , isSure]) => isSure),
    [],
  );
  assert.ok(answers('zobel').every(([, , isSure]) => !isSure));
});

/** How much of a vocabulary the words of one query may visit: nonsense must not cost more than an address. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searchable } from '../../src/api/street-level.ts';
import { complete } from '../../src/geocoding/geocode.ts';
import { openStreetFiles } from '../../src/store/sqlite/street-level.ts';
import type { CityNames } from '../../src/store/store.ts';
import { buildSmallDataset, openSmallStore } from '../support/small-store.ts';
import { temporaryDirectory } from '../support/temporary.ts';

test('nonsense words cost a bounded number of look-ups', async (t) => {
  const directory = temporaryDirectory(t);
  await buildSmallDataset(directory);
  const files = openStreetFiles(directory);
  t.after(() => files.close());
  let looked = 0;
  const { vocabulary } = files.streets[0];
  const { count, withPrefix, oneEdit } = vocabulary;
  vocabulary.count = (word) => {
    looked++;
    return count(word);
  };
  vocabulary.withPrefix = (text) => {
    looked++;
    return withPrefix(text);
  };
  vocabulary.oneEdit = (word) => {
    looked += word.length;
    return oneEdit(word);
  };
  const places = { resolve: () => undefined, countriesNamed: () => [], regionsNamed: () => [] };
  const { addresses } = searchable({ streets: files.streets.slice(0, 1), pois: [] }, places);
  const lookUps = (text: string) => {
    looked = 0;
    addresses.search({ text, limit: 10 });
    return looked;
  };
  const address = lookUps('улица Карпинскаго 6 корпус 3 квартира 5 Воронеж Россия');
  assert.ok(address > 80, `${address} look-ups for an address`);
  for (const text of [
    'щ'.repeat(200),
    Array.from({ length: 40 }, (_, at) => `щяжю${String.fromCharCode(0x430 + at)}`).join(' '),
  ])
    assert.ok(lookUps(text) < 2_000, `${looked} look-ups for ${text}`);
});

test('a text of many names and numbers asks an engine few questions, and one without a budget none', async (t) => {
  const directory = temporaryDirectory(t);
  await buildSmallDataset(directory);
  const files = openStreetFiles(directory);
  t.after(() => files.close());
  const [part] = files.streets;
  let [asked, resolved] = [0, 0];
  const { matching } = part;
  part.mayMatch = () => true;
  part.matching = (...given) => {
    asked++;
    return matching.apply(part, given);
  };
  const places: CityNames = {
    resolve: (_, __, budget) => {
      resolved++;
      budget!.left -= 200;
      return undefined;
    },
    countriesNamed: () => [],
    regionsNamed: () => [],
  };
  const { addresses, streets, pois } = searchable({ streets: [part], pois: files.pois }, places);
  const text = 'Zwick & Sons, 7 Landstrasse 3 Vaduz 5 Schaan 9, Vaduz 4 Mareestrasse 2, Triesen';
  addresses.search({ text, limit: 10 });
  assert.ok(asked > 20 && asked < 75, `${asked} questions`);
  assert.ok(resolved > 5 && resolved < 90, `${resolved} names`);
  asked = 0;
  const budget = { left: 0 };
  assert.deepEqual(addresses.search({ text: 'Landstrasse 1, Vaduz', limit: 10, budget }), []);
  assert.deepEqual(streets.search({ text: 'Landstrasse', radiusKm: 1, limit: 10, budget }), []);
  assert.deepEqual(streets.villages('Vaduz', { budget }), []);
  assert.deepEqual(pois.named('Vaduz', { fuzzy: true, isPrefix: true, budget }), []);
  assert.deepEqual(pois.have(['Vaduz'], budget), [false]);
  assert.equal(asked, 0);
});

test('points of a text are not each compared with all others', async (t) => {
  const { store, remove } = await openSmallStore();
  t.after(remove);
  let read = 0;
  const points = Array.from({ length: 400 }, (_, id) => ({
    id,
    get name() {
      read++;
      return `Markt ${id}`;
    },
    otherNames: [],
    lat: id / 10,
    lng: 0,
  }));
  const pois = { named: () => points, mayBegin: () => true } as unknown as NonNullable<typeof store.pois>;
  const options = { layers: new Set(['poi'] as const), limit: 5 };
  assert.equal(complete(Object.create(store, { pois: { value: pois } }), 'mar', options).length, 5);
  // By name, by its namesakes, and for its confidence; in pairs it would be 80,000 times.
  assert.ok(read <= 10 * points.length, `names were read ${read} times`);
});

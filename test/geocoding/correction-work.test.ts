/** How much of a vocabulary the words of one query may visit: nonsense must not cost more than an address. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searchable } from '../../src/api/street-level.ts';
import { complete } from '../../src/geocoding/geocode.ts';
import { openStreetFiles } from '../../src/store/sqlite/street-level.ts';
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

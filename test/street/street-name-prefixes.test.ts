/** Street search while a name is being typed. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { StreetLevel } from '../../src/api/open.ts';
import { buildStreetLevel } from '../../src/build/layers/streets.ts';
import { complete, geocode } from '../../src/geocoding/geocode.ts';
import { buildSmallDataset, openSmallStore } from '../support/small-store.ts';
import { sourceOf } from '../support/small-streets.ts';
import { citiesOf, openStreets } from '../support/street-engines.ts';

const directory = mkdtempSync(join(tmpdir(), 'whereabouts-prefixes-'));
const names = [
  'Pitt Street',
  'Pitt Lane',
  'Grand Street',
  'Grosser Bongert',
  '월드컵로',
  '월드컵로193번길',
  'Höf',
  'Höfle',
  'Avenida 18 de Julio',
  '4 de Julio',
  'Springfield',
];
let level: StreetLevel;

before(async () => {
  await buildSmallDataset(directory);
  for (const name of readdirSync(directory)) if (/^(streets|pois).*\.sqlite$/.test(name)) rmSync(join(directory, name));
  const streets = names.map((name, at) => {
    const [lat, lng] = [10 + at * 0.5, 10];
    return {
      name,
      pieceIds: [`w${at + 1}`],
      country: 'AU',
      city: 'Sydney',
      lat,
      lng,
      lines: [Float64Array.of(lng, lat, lng + 0.01, lat)],
    };
  });
  const house = { street: 'Julián Street', houseNumber: '18', city: 'Sydney', country: 'AU', lat: 14, lng: 10 };
  await buildStreetLevel({ directory, progress() {} }, [sourceOf({ streets, addresses: [house] })]);
  level = openStreets(directory, citiesOf(directory));
});
after(() => {
  level.close();
  rmSync(directory, { recursive: true });
});

const found = (text: string, limit = 10) => level.streets.search({ text, radiusKm: 5, limit }).map(({ name }) => name);

test('near a position, the kind of street alone and a letter or two are beginnings too', () => {
  const near = (text: string, lat = 10) =>
    level.streets.search({ text, near: { lat, lng: 10 }, radiusKm: 5, limit: 10 }).map(({ name }) => name);
  assert.deepEqual(near('Stre'), ['Pitt Street']);
  assert.deepEqual(near('Pitt S'), ['Pitt Street']);
  assert.deepEqual(near('p'), near('Pitt'));
  assert.deepEqual(near('Grosser B', 11.5), ['Grosser Bongert']);
  assert.deepEqual(found('Stre'), []);
});

test('the last word may be unfinished, the kind of street too', () => {
  assert.deepEqual(found('Pitt S'), ['Pitt Street']);
  assert.deepEqual(found('pitt l'), ['Pitt Lane']);
  assert.deepEqual(found('Grand Stre'), ['Grand Street']);
  assert.deepEqual(found('Grosser B'), ['Grosser Bongert']);
  assert.deepEqual(found('월드컵로19'), ['월드컵로193번길']);
});

test('a kind of street alone is not the beginning of every name with it', () => {
  assert.deepEqual(found('stre'), []);
});

test('names that are the text come first, those that it begins after them', () => {
  assert.deepEqual(found('Höf'), ['Höf', 'Höfle']);
  assert.deepEqual(found('Höf', 1), ['Höf']);
});

test('another number is another street, not a typing mistake', () => {
  assert.deepEqual(found('월드컵로194번길'), []);
});

test('a text that begins with a number is suggested as the beginning of a street before it is a house', async (t) => {
  const { store, remove } = await openSmallStore();
  t.after(remove);
  const { streets, addresses } = level;
  const options = { layers: new Set(['address', 'street'] as const), limit: 5 };
  const suggested = (text: string) =>
    complete({ ...store, streets, addresses }, text, options).map(({ address }) => address?.street);
  assert.deepEqual(suggested('18 de Jul'), ['Avenida 18 de Julio', 'Julián Street']);
  assert.deepEqual(suggested('18 de'), ['Avenida 18 de Julio']);
  assert.deepEqual(suggested('Julian Street 18'), ['Julián Street']);
});

test('a letter or two behind a street begin its name, or its town', async (t) => {
  const { store, remove } = await openSmallStore();
  t.after(remove);
  const { streets, addresses } = level;
  const options = { layers: new Set(['address', 'street'] as const), limit: 1 };
  const suggested = (text: string) => complete({ ...store, streets, addresses }, text, options)[0]?.address;
  // With its kind, also one that it lacks.
  for (const text of ['avenida 18 de j', 'av 18 de ju']) assert.equal(suggested(text)?.street, 'Avenida 18 de Julio');
  for (const text of ['calle 4 de j', 'calle 4 de jul']) assert.equal(suggested(text)?.street, '4 de Julio', text);
  assert.equal(suggested('grosser bongert s')?.street, 'Grosser Bongert');
  // No house has the letter.
  for (const text of ['julian street 18 s', 'julian street 18, syd']) {
    const { houseNumber, matchType } = suggested(text)!;
    assert.deepEqual([houseNumber, matchType], ['18', 'exact'], text);
  }
});

test('a street alone that may be a person or anything else is not sure; with its kind or town it is', async (t) => {
  const { store, remove } = await openSmallStore();
  t.after(remove);
  const { streets, addresses } = level;
  const options = {
    layers: new Set(['place'] as const),
    otherLayers: new Set(['street'] as const),
    fuzzy: true,
    limit: 1,
  };
  const [bare, inTown, ofKind] = ['Grosser Bongert', 'Grosser Bongert, Sydney', 'Pitt Lane'].map(
    (text) => geocode({ ...store, streets, addresses }, text, options)[0].confidence,
  );
  // Nor is it before two cities of that name, whose last letter is missing.
  const [first] = geocode({ ...store, streets, addresses }, 'Springfiel', options);
  assert.equal(first.layer, 'place');
  assert.ok(bare <= 50 && inTown >= 90 && ofKind >= 90, `${bare}, ${inTown}, ${ofKind}`);
});

test('a number in the name of a street tells it from others', () => {
  const streets = (text: string) => level.addresses.search({ text, limit: 5 }).map(({ street }) => street);
  assert.deepEqual(streets('18 de Julio, Sydney'), ['Avenida 18 de Julio']);
  assert.deepEqual(streets('4 de Julio, Sydney'), ['4 de Julio']);
});

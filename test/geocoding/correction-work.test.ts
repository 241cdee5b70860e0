/** How much of a vocabulary the words of one query may visit: nonsense must not cost more than an address. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searchable } from '../../src/api/open.ts';
import { buildStreetLevel } from '../../src/build/layers/streets.ts';
import { endpoints } from '../../src/endpoints/index.ts';
import { complete, geocode } from '../../src/geocoding/geocode.ts';
import { openStreetFiles } from '../../src/store/sqlite/street-level.ts';
import type { CityNames } from '../../src/store/store.ts';
import { ask } from '../support/ask.ts';
import { buildSmallDataset, openSmallStore } from '../support/small-store.ts';
import { sourceOf } from '../support/small-streets.ts';
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

test('around a position so many streets and points are read and no more, however few of them are answers', async (t) => {
  const directory = temporaryDirectory(t);
  await buildSmallDataset(directory);
  const at = (number: number) => ({ lat: 48 + (number % 110) / 1_000, lng: 10 + Math.floor(number / 110) / 1_000 });
  const place = { country: 'DE', city: 'Dorf' };
  const streets = Array.from({ length: 3_000 }, (_, number) => {
    const { lat, lng } = at(number);
    return { ...place, name: `Weg ${number}`, lat, lng, lines: [Float64Array.of(lng, lat, lng + 1e-4, lat)] };
  });
  const points = Array.from({ length: 11_000 }, (_, number) => ({
    ...place,
    category: 'shop' as const,
    name: `Laden ${number}`,
    ...at(number),
  }));
  await buildStreetLevel({ directory, progress() {}, part: 'dense' }, [sourceOf({ streets, pois: points })]);
  const files = openStreetFiles(directory, [{ name: 'dense', number: 1 }]);
  t.after(() => files.close());
  let [read, most] = [0, 0];
  const [part, pois] = [files.streets[0], files.pois[0]];
  const [{ streetFrom }, { matching }] = [part, pois];
  part.streetFrom = (...given) => {
    read++;
    return streetFrom(...given);
  };
  pois.matching = (...given) => {
    const found = matching(...given);
    most = Math.max(most, found.length);
    return found;
  };
  const none = { resolve: () => undefined, countriesNamed: () => [], regionsNamed: () => [] };
  const level = searchable({ streets: [part], pois: [pois] }, none);
  const near = { lat: 48.05, lng: 10.05 };
  assert.equal(level.streets.search({ text: 'Weg 7', near, radiusKm: 100, limit: 1 }).length, 1);
  read = 0;
  assert.deepEqual(level.streets.search({ text: 'Dorf', near, radiusKm: 100, limit: 10 }), []);
  assert.ok(read > 500 && read <= 2_000, `${read} streets`);
  const line = [9, 48.05, 11, 48.0500001] as const;
  level.pois.nearest(near, { radiusKm: 50, bbox: line, limit: 100 });
  assert.equal(most, 10_000);
  most = 0;
  assert.deepEqual(level.pois.nearest(near, { radiusKm: 50, bbox: [0, 0, 1, 1], limit: 1 }), []);
  assert.equal(most, 0, 'a box elsewhere');
});

test('houses that are unpacked count, and so do the ways to cut a text into a street and its town', async (t) => {
  const directory = temporaryDirectory(t);
  await buildSmallDataset(directory);
  const place = { country: 'UY', city: 'Villa' };
  const names = Array.from(
    { length: 48 },
    (_, at) => `Avenida Calle ${String.fromCharCode(65 + (at % 24)).repeat(4)}${at}`,
  );
  const streets = names.map((name, at) => ({ ...place, name, lat: -34 - at / 1_000, lng: -56, lines: [] }));
  const addresses = names.flatMap((street, at) =>
    Array.from({ length: 190 }, (_, number) => ({
      ...place,
      street,
      houseNumber: String(2 * number + 1),
      lat: -34 - at / 1_000,
      lng: -56 - number / 10_000,
    })),
  );
  await buildStreetLevel({ directory, progress() {}, part: 'long' }, [sourceOf({ streets, addresses })]);
  const files = openStreetFiles(directory, [{ name: 'long', number: 1 }]);
  t.after(() => files.close());
  const [part] = files.streets;
  let [unpacked, asked] = [0, 0];
  const { housesAt, housesAfter, matching } = part;
  const counted = (read: typeof housesAt) => (street: number, number: number) => {
    const houses = read(street, number);
    unpacked += houses.length;
    return houses;
  };
  Object.assign(part, { housesAt: counted(housesAt), housesAfter: counted(housesAfter) });
  part.matching = (...given) => {
    asked++;
    return matching(...given);
  };
  const none = { resolve: () => undefined, countriesNamed: () => [], regionsNamed: () => [] };
  const level = searchable({ streets: [part], pois: [] }, none);
  level.addresses.search({ text: 'avenida calle 18 e', limit: 10 });
  assert.ok(unpacked > 190 && unpacked <= 12_000, `${unpacked} houses`);
  const { store, remove } = await openSmallStore();
  t.after(remove);
  const asking = Object.create(store, { streets: { value: level.streets } });
  const budget = () => ({ places: { left: 1e9 }, streets: { left: 1e9 } });
  const streetsOf = (text: string) =>
    geocode(asking, text, { layers: new Set(['street']), fuzzy: true, limit: 10, budget: budget() });
  const questions = (kinds: number) => {
    asked = 0;
    streetsOf(`${'calle '.repeat(kinds)}d`);
    return asked;
  };
  const few = questions(2);
  assert.ok(questions(7) <= few + 20, `${few} questions for two words, ${asked} for seven`);
  const prefixes: string[] = [];
  const { withPrefix } = part.vocabulary;
  part.vocabulary.withPrefix = (text) => {
    prefixes.push(text);
    return withPrefix(text);
  };
  ask(endpoints.streets, asking, { q: 'calle aa avenida calle d' });
  assert.ok(prefixes.length > 0 && prefixes.length <= 2 * new Set(prefixes).size, `${prefixes} were looked up`);
});

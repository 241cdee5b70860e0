/** /reverse with `layers`, texts that are positions, and what the dataset says of layers that it lacks. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { endpoints } from '../../src/endpoints/index.ts';
import type { Store } from '../../src/store/store.ts';
import { ask, refusal } from '../support/ask.ts';
import { mapOf, square } from '../support/drawn-map.ts';
import { openSmallStore } from '../support/small-store.ts';
import { smallWorld } from '../support/small-world.ts';

const { address, autocomplete, place, reverse, search } = endpoints;

let store: Store;
let remove: () => void;
before(async () => ({ store, remove } = await openSmallStore()));
after(() => remove());

type Row = Record<string, unknown>;
const rows = (parameters: Row) => ask(reverse, store, parameters).results as Row[];
const names = (found: Row[]) => found.map(({ layer, name }) => `${layer} ${name}`);
/** Next to Hauptstraße 1 in Berlin. */
const at = { lat: 52.48005, lng: 13.35 };

test('layers chooses what is answered: one of each in the order of the list', () => {
  const found = rows({ ...at, layers: 'poi,address,street,postal,place,region,country' });
  assert.deepEqual(names(found), [
    'poi Trattoria Roma',
    'address Hauptstraße 1',
    'street Hauptstraße',
    'postal Berlin',
    'place Berlin',
    'region Berlin',
    'country Germany',
  ]);
  const [poi, house, street, postal, , region, country] = found;
  assert.equal(poi.category, 'restaurant');
  assert.deepEqual([house.house_number, house.postal_code, house.timezone], ['1', '10827', 'Europe/Berlin']);
  assert.ok((street.distance_km as number) < 0.2);
  assert.equal(postal.postal_code, '10115');
  assert.deepEqual([region.distance_km, country.distance_km], [0, 0]);
  assert.deepEqual(names(rows({ ...at, layers: 'Country' })), ['country Germany']);
});

test('a point of interest across a border has the country, region and city of its own position', () => {
  const [cafe] = rows({ lat: 49, lng: 6.001, layers: 'poi' });
  const { query_ms: _, ...record } = ask(place, store, { id: cafe.id });
  const { country, admin1, city, hierarchy } = record;
  assert.deepEqual([cafe.name, country], ['Café de la Frontière', 'FR']);
  assert.deepEqual(
    { country, admin1, city, hierarchy },
    {
      country: cafe.country,
      admin1: cafe.admin1,
      city: cafe.city,
      hierarchy: cafe.hierarchy,
    },
  );
});

test('records that are no places have no population, and every endpoint that returns an address has its city and zone', () => {
  for (const { id, layer, population } of rows({ ...at, layers: 'poi,address,street' })) {
    assert.equal(population, null, `${layer}`);
    assert.equal(ask(place, store, { id }).population, null, `${layer}`);
  }
  const [nearest] = rows({ ...at, layers: 'address' });
  const [found] = ask(search, store, { q: 'Hauptstraße 1 Berlin' }).results as Row[];
  const record = ask(place, store, { id: nearest.id });
  for (const row of [nearest, found, record]) {
    assert.deepEqual([row.id, row.city, row.timezone, row.population], [nearest.id, 'Berlin', 'Europe/Berlin', null]);
  }
  assert.equal(rows(at)[0].population, 3426354);
});

test('a limit beyond the number of layers adds the second nearest of each, and a smaller one is a prefix', () => {
  const all = rows({ ...at, layers: 'country,address', limit: 5 });
  assert.deepEqual(names(all), [
    'country Germany',
    'address Hauptstraße 1',
    'address Hauptstraße 3',
    'address Hauptstraße 7',
    'address Hauptstraße 12a',
  ]);
  for (const limit of [1, 2, 3]) {
    assert.deepEqual(rows({ ...at, layers: 'country,address', limit }), all.slice(0, limit));
  }
});

test('every answer leads to its record', () => {
  for (const { id, layer, lat, lng } of rows({ ...at, layers: 'poi,address,street,postal,place,region,country' })) {
    const found = ask(place, store, { id });
    assert.deepEqual([found.layer, found.lat, found.lng], [layer, lat, lng]);
  }
});

test('without layers the answer is the city, and is called a place; a layer that is none is refused', () => {
  assert.deepEqual(names(rows(at)), ['place Berlin']);
  assert.deepEqual(refusal(reverse, store, { ...at, layers: 'house' }).parameters, ['layers']);
  assert.ok(!('layer' in (ask(reverse, store, { ...at, layers: 'country' }, { profile: 'a' }).results as Row[])[0]));
});

test('where nothing was found in the requested layers, coverage reports what the dataset has of them', () => {
  const nowhere = ask(reverse, store, { lat: 39, lng: -100, layers: 'address,street' });
  assert.deepEqual(nowhere.results, []);
  assert.deepEqual(nowhere.coverage, {
    country: 'US',
    layers: [
      { layer: 'address', records: 6, level: 'partial' },
      { layer: 'street', records: 4, level: 'partial' },
    ],
  });
  // Off Africa, in no country; the dataset has all of them.
  const atSea = ask(reverse, store, { lat: 0, lng: 0, layers: 'country' });
  assert.deepEqual(atSea.results, []);
  assert.deepEqual(atSea.coverage, { country: null, layers: [{ layer: 'country', records: 5, level: 'full' }] });
  const inCountry = ask(search, store, { q: 'Zugspitze', layers: 'address', country: 'JP' });
  assert.deepEqual(inCountry.coverage, { country: 'JP', layers: [{ layer: 'address', records: 0, level: 'none' }] });
  const airport = ask(autocomplete, store, { q: 'zugspitze', layers: 'airport' }).coverage as Row;
  const [{ records, ...ofLayer }] = airport.layers as (Row & { records: number })[];
  assert.deepEqual([airport.country, ofLayer], [null, { layer: 'airport', level: 'partial' }]);
  assert.ok(records > 1000);
  assert.equal(ask(search, store, { q: 'Berlin', layers: 'place' }).coverage, undefined);
  assert.equal(ask(search, store, { q: 'Zugspitze' }).coverage, undefined);
});

test('a text that is a position answers as /reverse does there', () => {
  const [city] = rows(at);
  for (const q of ['52.48005, 13.35', 'geo:52.48005,13.35', "52°28'48.2\"N 13°21'E", 'F9J2+22 Berlin']) {
    const [found] = ask(search, store, { q }).results as Row[];
    assert.deepEqual([found?.id, found?.confidence], [city.id, 100], q);
    // The place, and the address whose street it shows.
    assert.deepEqual([found?.street, found?.sources], ['Hauptstraße', ['geonames', 'small']], q);
    const [suggested] = ask(autocomplete, store, { q }).results as Row[];
    assert.deepEqual([suggested?.id, suggested?.highlight], [city.id, []], q);
  }
  const q = '52.48005, 13.35';
  assert.deepEqual(names(ask(search, store, { q, layers: 'address,country', limit: 2 }).results as Row[]), [
    'address Hauptstraße 1',
    'country Germany',
  ]);
  const [house] = ask(address, store, { q }).results as Row[];
  assert.deepEqual([house.house_number, house.match_type], ['1', 'exact']);
  assert.deepEqual(ask(search, store, { q }, { profile: 'a' }).results, []);
});

test('points of interest are found by name, with their city, unfinished and mistyped, in the requested country', () => {
  const poi = { layer: 'poi', name: 'Trattoria Roma', city: 'Berlin', country: 'DE', population: null };
  for (const q of ['Trattoria Roma', 'Trattoria Roma, Berlin', 'roma trattoria berlin', 'Tratoria Roma']) {
    const found = ask(search, store, { q, layers: 'poi' }).results as Row[];
    assert.deepEqual(
      found.map(({ layer, name, city, country, population }) => ({ layer, name, city, country, population })),
      [poi],
      q,
    );
    assert.equal(ask(place, store, { id: found[0].id }).name, poi.name);
  }
  assert.deepEqual(names(ask(search, store, { q: 'Trattoria Roma' }).results as Row[]), ['poi Trattoria Roma']);
  assert.deepEqual(ask(search, store, { q: 'Trattoria Roma', layers: 'poi', country: 'FR' }).results, []);
  const [suggested] = ask(autocomplete, store, { q: 'trattoria ro' }).results as Row[];
  assert.deepEqual([suggested?.layer, suggested?.label], ['poi', 'Trattoria Roma, Berlin, Berlin, DE']);
  assert.deepEqual(ask(search, store, { q: 'Trattoria Roma' }, { profile: 'a' }).results, []);
});

test('variants a and b answer with the nearest place that is no suburb, however many suburbs are nearer', async () => {
  const city = { country: 'AU', timezone: 'Australia/Sydney' };
  const suburbs = Array.from({ length: 40 }, (_, at) => ({
    ...city,
    id: 10 + at,
    name: `Suburb ${at}`,
    lat: -33.9,
    lng: 151.2 + at / 1000,
    population: 9000,
    featureCode: 'PPLX',
  }));
  const sydney = { ...city, id: 1, name: 'Sydney', lat: -33.8, lng: 151, population: 4_000_000, featureCode: 'PPLA' };
  const world = await smallWorld([sydney, ...suburbs]);
  for (const profile of ['a', 'b', 'default'] as const) {
    const { results } = ask(reverse, world.store, { lat: -33.9, lng: 151.22 }, { profile });
    assert.deepEqual(
      (results as Row[]).map(({ name }) => name),
      ['Sydney'],
      profile,
    );
  }
  await world.close();
});

test('on an island without places the nearest one is of the country of the point, and of no region or town there', async (t) => {
  const { store: map } = await mapOf(t, { countries: { BV: [[square(3, -55, 1)]], AQ: [[square(89, -89, 2)]] } });
  const island = { lat: -54.5, lng: 3.5 };
  const [station] = ask(reverse, map, island).results as Row[];
  const { name, country, admin1, postal_code, hierarchy } = station;
  const layersOf = (entries: unknown) => (entries as Row[]).map(({ layer, code }) => `${layer} ${code}`);
  assert.deepEqual([name, country, admin1, postal_code], ['Station', 'BV', null, null]);
  assert.deepEqual(layersOf(hierarchy), ['country BV']);
  assert.deepEqual(ask(reverse, map, { ...island, layers: 'region,subregion,postal' }).results, []);
  const [there] = ask(reverse, map, { lat: -88, lng: 90 }).results as Row[];
  assert.deepEqual(layersOf(there.hierarchy), ['country AQ', 'place null']);
});

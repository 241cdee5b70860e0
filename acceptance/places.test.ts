/** Places of the default dataset: their order, kinds, positions and the lists that endpoints return of them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openDataset } from '../src/api/open.ts';
import { distanceKm } from '../src/core/geo.ts';
import { endpoints } from '../src/endpoints/index.ts';
import { ask } from '../test/support/ask.ts';
import { datasetMissing, defaultDataset } from '../test/support/dataset.ts';

const { cities, nearby, reverse } = endpoints;

const directory = defaultDataset();
const skip = directory === undefined && datasetMissing;
const store = skip ? undefined : openDataset(directory!);

type Listed = { id: number; name: string; country: string; admin1: string | null; population: number } & {
  distance_km: number;
  lat: number;
  lng: number;
};

test('every place has its country, zone and position, and is found by its id and its name', { skip }, () => {
  const { places, countries, regions } = store!;
  assert.ok(places.size >= 190_000);
  let withRegion = 0;
  for (let index = 0; index < places.size; index += 37) {
    const place = places.get(index);
    assert.ok(countries.get(place.country), place.country);
    assert.ok(Math.abs(place.lat) <= 90 && Math.abs(place.lng) <= 180);
    assert.ok(place.timezone === 'Asia/Hanoi' || new Intl.DateTimeFormat('en', { timeZone: place.timezone }));
    assert.equal(places.byId(place.id), index);
    assert.ok(places.named(place.name, place.country).includes(index), place.name);
    if (place.admin1 >= 0) {
      withRegion++;
      assert.equal(regions.get(place.admin1).country, place.country);
    }
  }
  assert.ok(withRegion / (places.size / 37) > 0.97, `${withRegion}`);
  assert.equal(places.byId(4_294_967_295), -1);
});

test('a city name means the best-known place with that name, in any language', { skip }, () => {
  for (const [name, country, id] of [
    ['London', undefined, 2643743],
    ['London', 'CA', 6058560],
    ['Wien', undefined, 2761369],
    ['東京', undefined, 1850147],
    ['münchen', 'DE', 2867714],
  ] as const) {
    assert.equal(store!.cities.resolve(name, country)?.id, id, name);
  }
  assert.equal(store!.cities.resolve('no such place anywhere'), undefined);
  assert.deepEqual(store!.places.named('no such place anywhere', 'DE'), []);
});

test('the nearest places are those that a full scan finds', { skip }, () => {
  const { places } = store!;
  const all = Array.from({ length: places.size }, (_, index) => places.get(index));
  for (const from of [
    { lat: 52.52, lng: 13.4 },
    { lat: 90, lng: 0 },
    { lat: -90, lng: 77 },
    { lat: -17, lng: 180 },
    { lat: 0, lng: -179.9 },
    { lat: -48.9, lng: -123.4 },
  ]) {
    const expected = all
      .map(({ id, lat, lng }) => ({ id, km: distanceKm(from, { lat, lng }) }))
      .sort((left, right) => left.km - right.km || left.id - right.id)
      .slice(0, 10);
    const got = places.nearest(from, { limit: 10 });
    assert.deepEqual(
      got.map(({ index }) => places.get(index).id),
      expected.map(({ id }) => id),
    );
    for (const [at, { distanceKm }] of got.entries()) assert.ok(Math.abs(distanceKm - expected[at].km) < 1e-6);
  }
});

test('cities come by falling population, inside a region by name or code', { skip }, () => {
  const list = (parameters: Record<string, unknown>) => ask(cities, store!, parameters).results as Listed[];
  const german = list({ country: 'de', limit: 100 });
  assert.deepEqual(
    german.slice(0, 3).map(({ name }) => name),
    ['Berlin', 'Hamburg', 'Munich'],
  );
  for (let at = 1; at < german.length; at++) assert.ok(german[at - 1].population >= german[at].population);
  const ids = (admin1: string) => list({ country: 'DE', admin1 }).map(({ id }) => id);
  for (const other of ['bavaria', 'BAYERN', 'DE-BY', 'BY']) assert.deepEqual(ids(other), ids('Bavaria'), other);
  assert.deepEqual(list({ country: 'DE', admin1: 'Narnia' }), []);
  const middling = list({ country: 'FR', min_population: 100_000, max_population: 200_000, limit: 100 });
  assert.ok(middling.length > 10);
  assert.ok(middling.every(({ population }) => population >= 100_000 && population <= 200_000));
});

test('nearby places come by distance, within the radius', { skip }, () => {
  const { results } = ask(nearby, store!, { lat: 48.8566, lng: 2.3522, radius: 20, limit: 100 });
  const found = results as Listed[];
  assert.ok(found.length > 5);
  for (const [at, { distance_km }] of found.entries()) {
    assert.ok(distance_km <= 20 && (at === 0 || distance_km >= found[at - 1].distance_km));
  }
});

test('reverse answers with the country that holds the point, also near a border and at sea', { skip }, () => {
  const at = (lat: number, lng: number) => (ask(reverse, store!, { lat, lng }).results as Listed[])[0];
  assert.equal(at(47.5596, 7.5886).country, 'CH', 'Basel');
  assert.equal(at(47.5939, 7.6206).country, 'DE', 'Lörrach side of Basel');
  assert.equal(at(49.0069, 8.4037).admin1, 'Baden-Wurttemberg');
  assert.ok(at(0, -140).distance_km > 500, 'in the Pacific');
});

test('a city name with its context means that place; a region or nonsense means none', { skip }, () => {
  assert.equal(store!.cities.resolve('Paris, Texas')?.country, 'US');
  assert.equal(store!.cities.resolve('San Francisco, California', 'US')?.name, 'San Francisco');
  for (const name of ['qwertyuiop', '', '...', 'Berln', 'Bavaria']) {
    assert.equal(store!.cities.resolve(name), undefined, name);
  }
});

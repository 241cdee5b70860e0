/** The city, region and postal code that /reverse returns at well-known points. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openDataset } from '../src/api/open.ts';
import { endpoints } from '../src/endpoints/index.ts';
import { ask } from '../test/support/ask.ts';
import { datasetMissing, defaultDataset } from '../test/support/dataset.ts';

const { reverse } = endpoints;

const directory = defaultDataset();
const skip = directory === undefined && datasetMissing;
const store = skip ? undefined : openDataset(directory!);

// biome-ignore lint/suspicious/noExplicitAny: the fields under test are named below.
const at = (lat: number, lng: number, profile: 'default' | 'a' = 'default'): any =>
  (ask(reverse, store!, { lat, lng }, { profile }).results as object[])[0];

const landmarks: [what: string, lat: number, lng: number, city: string, region: string][] = [
  ['Eiffel Tower', 48.8584, 2.2945, 'Paris', 'Île-de-France'],
  ['Empire State Building', 40.7484, -73.9857, 'New York City', 'New York'],
  ['Gateway Arch', 38.6247, -90.1848, 'St. Louis', 'Missouri'],
  ['Columbus, Georgia, by the river', 32.466, -84.991, 'Columbus', 'Georgia'],
  ['Cairo Tower', 30.0459, 31.2243, 'Cairo', 'Cairo'],
  ['Prague, Prosek', 50.12, 14.5, 'Prague', 'Prague'],
  ['Shibuya crossing', 35.6595, 139.7005, 'Tokyo', 'Tokyo'],
  ['Brandenburg Gate', 52.5163, 13.3777, 'Berlin', 'State of Berlin'],
  ['Sydney Opera House', -33.8568, 151.2153, 'Sydney', 'New South Wales'],
  ['Versailles, the palace', 48.8049, 2.1204, 'Versailles', 'Île-de-France'],
];

test('the containing city and its region, not the nearest centre', { skip }, () => {
  for (const [what, lat, lng, city, region] of landmarks) {
    const { name, admin1 } = at(lat, lng);
    assert.deepEqual([name, admin1], [city, region], what);
  }
});

test('a city whose region is unknown is found in the middle of it', { skip }, () => {
  assert.equal(at(22.1987, 113.5439).name, 'Macau');
  assert.equal(at(18.0858, -15.9785).name, 'Nouakchott');
});

test('the district around a city of its own region is not the city', { skip }, () => {
  assert.equal(at(56.2356, 27.1366).admin1, 'Rēzekne Municipality');
  assert.equal(at(56.5099, 27.3331).admin1, 'Rēzekne');
});

test('the region of every city of 100,000 is its own', { skip }, () => {
  const { places, boundaries } = store!;
  const wrong: string[] = [];
  for (let index = 0; index < places.size; index++) {
    const place = places.get(index);
    if (place.population < 100_000 || place.type === 'suburb' || place.admin1 < 0) continue;
    if (boundaries!.admin1At(place) !== place.admin1) wrong.push(`${place.name}, ${place.country}`);
  }
  assert.deepEqual(wrong, []);
});

test('suburb, postal code and what the city lies in', { skip }, () => {
  const { suburb, postal_code, timezone, country_name, hierarchy } = at(40.7484, -73.9857);
  assert.deepEqual(
    [suburb, postal_code, timezone, country_name],
    ['Times Square', '10118', 'America/New_York', 'United States'],
  );
  assert.deepEqual(
    hierarchy.map(({ layer, code, name }: Record<string, string>) => [layer, code, name]),
    [
      ['country', 'US', 'United States'],
      ['region', 'US-NY', 'New York'],
      ['place', null, 'New York City'],
      ['suburb', null, 'Times Square'],
    ],
  );
});

test('variants answer with the nearest place that is not a suburb', { skip }, () => {
  assert.equal(at(48.8747, 2.2944, 'a').name, 'Neuilly-sur-Seine');
});

test('a point in a village is in it, not in the town next to it, and in no suburb of that', { skip }, () => {
  const found = [at(51.14857, -0.45254), at(47.2385, 11.4307)].map(({ name, suburb }) => [name, suburb]);
  assert.deepEqual(found, [
    ['Ewhurst', null],
    ['Lans', null],
  ]);
});

/** What each place endpoint returns and refuses, in every profile, on a small dataset. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { endpoints } from '../../src/endpoints/index.ts';
import { complete, geocode } from '../../src/geocoding/geocode.ts';
import type { Store } from '../../src/store/store.ts';
import type { Endpoint, Profile } from '../support/ask.ts';
import { ask, refusal } from '../support/ask.ts';
import { openSmallStore } from '../support/small-store.ts';

const { autocomplete, cities, nearby, reverse, search } = endpoints;

/** All layers, as the parameter `layers` of a search has them. */
const layers = new Set([
  ...(['country', 'region', 'subregion', 'place', 'postal', 'street', 'address', 'poi', 'airport'] as const),
  ...(['peak', 'island', 'water', 'landmark', 'park', 'natural', 'continent'] as const),
]);
let store: Store;
let remove: () => void;
before(async () => {
  ({ store, remove } = await openSmallStore());
});
after(() => remove());

type Row = Record<string, unknown>;
const rows = (endpoint: Endpoint, raw: Row, profile: Profile = 'default') => {
  const { results, count } = ask(endpoint, store, raw, { profile }) as { results: Row[]; count: number };
  assert.equal(count, results.length);
  return results;
};
const names = (found: Row[]) => found.map(({ name }) => name);
/** Fields that a profile's schema lets through. */
const fields = (endpoint: Endpoint, profile: Profile) =>
  Object.keys(
    (endpoint.response[profile].properties.results as unknown as { items: { properties: object } }).items.properties,
  ).sort();

test('/search returns every field of a place', () => {
  const [berlin] = rows(search, { q: 'berlin' });
  assert.deepEqual(berlin, {
    id: 2950159,
    layer: 'place',
    name: 'Berlin',
    street: null,
    house_number: null,
    city: null,
    kind: null,
    // 19 km around, the circle of 3.4 million people at 3,000 per km².
    bbox: [13.128197, 52.348527, 13.691803, 52.691473],
    bbox_source: 'estimate',
    country: 'DE',
    admin1: 'Berlin',
    lat: 52.52,
    lng: 13.41,
    country_name: 'Germany',
    admin2: null,
    timezone: 'Europe/Berlin',
    population: 3426354,
    type: 'city',
    postal_code: '10115',
    osm_type: null,
    osm_id: null,
    osm_tag: null,
    confidence: 100,
    sources: ['geonames'],
  });
});

test('/search understands context, other languages, prefixes, typing mistakes and postal codes', () => {
  for (const [q, id] of [
    ['Paris, Texas', 4717560],
    ['paris', 2988507],
    ['Springfield IL', 4250542],
    ['springfield missouri', 4409896],
    ['München Bayern', 2867714],
    ['Лондон', 2643743],
    ['東京', 1850147],
    ['Shibuya Tokyo', 1850144],
    ['Londno', 2643743],
    ['washing', 4140963],
  ] as const) {
    assert.equal(rows(search, { q })[0]?.id, id, q);
  }
  for (const [q, id, code] of [
    ['10115 Berlin', 2950159, '10115'],
    ['Paris 75460', 4717560, '75460'],
  ] as const) {
    const [own] = rows(search, { q });
    assert.deepEqual([own.layer, own.postal_code], ['postal', code]);
    const [place] = rows(search, { q, layers: 'place' });
    assert.deepEqual([place.id, place.postal_code], [id, code]);
  }
});

test('/search keeps to the requested country, type and language', () => {
  assert.deepEqual(
    rows(search, { q: 'Paris', country: 'us', layers: 'place' }).map(({ country }) => country),
    ['US'],
  );
  assert.deepEqual(names(rows(search, { q: 'Shibuya', type: 'suburb' })), ['Shibuya']);
  assert.deepEqual(rows(search, { q: 'Shibuya', type: 'city' }), []);
  const [tokyo] = rows(search, { q: 'Tokyo', lang: 'ja' });
  assert.deepEqual([tokyo.name, tokyo.admin1, tokyo.country_name], ['東京', '東京都', '日本']);
});

test('/search refuses half a position', () => {
  assert.deepEqual(refusal(search, store, { q: 'Paris', lat: 1 }).parameters, ['lng']);
  assert.deepEqual(refusal(search, store, { q: 'Paris', lng: 1 }).parameters, ['lat']);
});

test('/autocomplete corrects typos from 4 characters on, if nothing else matches', () => {
  assert.deepEqual(names(rows(autocomplete, { q: 'sprongf' })).slice(0, 1), ['Springfield']);
  assert.deepEqual(names(rows(autocomplete, { q: 'bxr' })), []);
});

test('/autocomplete returns labels of name, region and country', () => {
  assert.deepEqual(
    rows(autocomplete, { q: 'paris tex' }).map(({ id, label, layer, highlight }) => ({ id, label, layer, highlight })),
    [
      {
        id: 4717560,
        label: 'Paris, Texas, US',
        layer: 'place',
        highlight: [0, 5, 7, 10],
      },
    ],
  );
  assert.deepEqual(names(rows(autocomplete, { q: 'mün', layers: 'place' })), ['Munich', 'Münchberg']);
  assert.equal(rows(autocomplete, { q: 'munic', lang: 'de' })[0].label, 'München, Bayern, DE', 'all levels in German');
  assert.match(String(rows(autocomplete, { q: 'toky', lang: 'ja' })[0].name), /東京/);
  for (const variant of ['a', 'b'] as const) {
    assert.equal(
      rows(autocomplete, { q: 'munic', lang: 'de' }, variant)[0].label,
      'Munich, Bavaria, DE',
      'no parameter there',
    );
  }
  assert.deepEqual(names(rows(autocomplete, { q: 'spring', limit: 1 })), ['Springfield']);
  assert.equal(refusal(autocomplete, store, { q: 'm' }).code, 'invalid_parameter');
  assert.equal(refusal(autocomplete, store, { q: 'mu', limit: 21 }).code, 'invalid_parameter');
});

test('/cities lists by population and refuses a range that ends before it begins', () => {
  assert.deepEqual(names(rows(cities, { country: 'DE' })), ['Berlin', 'Munich', 'Münchberg']);
  for (const admin1 of ['Bavaria', 'bayern', 'DE-BY', 'by']) {
    assert.deepEqual(names(rows(cities, { country: 'de', admin1 })), ['Munich', 'Münchberg'], admin1);
  }
  assert.deepEqual(names(rows(cities, { country: 'DE', max_population: 20_000 })), ['Münchberg']);
  assert.deepEqual(rows(cities, { country: 'DE', admin1: 'nowhere' }), []);
  const { parameters } = refusal(cities, store, { country: 'DE', min_population: 2, max_population: 1 });
  assert.deepEqual(parameters, ['min_population']);
});

test('/nearby has the radius of its profile', () => {
  const at = { lat: 52.52, lng: 13.41 };
  assert.deepEqual(names(rows(nearby, at)), ['Berlin']);
  assert.equal(refusal(nearby, store, { ...at, radius: 101 }, { profile: 'a' }).code, 'invalid_parameter');
  assert.equal(refusal(nearby, store, { ...at, radius: 2.5 }, { profile: 'a' }).code, 'invalid_parameter');
  assert.equal(refusal(nearby, store, { ...at, radius: 501 }, { profile: 'b' }).code, 'invalid_parameter');
  assert.equal(refusal(nearby, store, { ...at, radius: 501 }).code, 'invalid_parameter');
  const between = { lat: 50.5, lng: 12.5, radius: 500 };
  assert.deepEqual(names(rows(nearby, { ...between, min_population: 500_000 })), ['Berlin', 'Munich']);
  assert.deepEqual(names(rows(nearby, between)), ['Münchberg', 'Berlin', 'Munich']);
  assert.deepEqual(rows(nearby, { ...at, radius: 500, type: 'suburb' }), []);
});

test('/nearby reads the records of what it returns alone', () => {
  let read = 0;
  const get = (index: number) => {
    read++;
    return store.places.get(index);
  };
  const around = { lat: 50.5, lng: 12.5, radius: 500 };
  for (const [filter, expected] of [
    [{ min_population: 500_000 }, ['Berlin', 'Munich']],
    [{ type: 'city' }, ['Berlin', 'Munich']],
    [{ type: 'town' }, ['Münchberg']],
    [{ bbox: '13,52,14,53' }, ['Berlin']],
    [{ bbox: '0,0,1,1' }, []],
  ] as const) {
    read = 0;
    const { results } = ask(nearby, { ...store, places: { ...store.places, get } }, { ...around, ...filter }) as {
      results: Row[];
    };
    assert.deepEqual(names(results), expected);
    assert.equal(read, expected.length);
  }
});

test('/nearby has the fields of its profile', () => {
  const a = ['admin1', 'country', 'distance_km', 'lat', 'lng', 'name', 'population'];
  assert.deepEqual(fields(nearby, 'a'), a);
  assert.deepEqual(fields(nearby, 'b'), [...a, 'id'].sort());
  assert.deepEqual(fields(nearby, 'default'), [...a, 'id', 'type'].sort());
});

test('/reverse answers with the country that holds the point, then its nearest place', () => {
  const [munich] = rows(reverse, { lat: 48.1, lng: 11.6 });
  assert.deepEqual(Object.keys(munich).sort(), fields(reverse, 'default'));
  assert.deepEqual([munich.name, munich.country, munich.admin1], ['Munich', 'DE', 'Bavaria']);
  assert.deepEqual(
    (munich.hierarchy as { layer: string; code: string }[]).map(({ layer, code }) => code ?? layer),
    ['DE', 'DE-BY', 'DE.02.091', 'place'],
  );
  // 10 km west of the box that is Germany here, nearer to nothing French than to Munich.
  const [west] = rows(reverse, { lat: 48.5, lng: 5.9 });
  assert.deepEqual([west.name, west.country], ['Paris', 'FR']);
  const [sea] = rows(reverse, { lat: 0, lng: -30 });
  assert.ok((sea.distance_km as number) > 1000);
  assert.equal(rows(reverse, { lat: 48.1, lng: 11.6, limit: 2 }).length, 2);
  for (const profile of ['default', 'a', 'b'] as const) {
    const details = [
      'admin2',
      'bbox',
      'bbox_source',
      'category',
      'layer',
      'municipality',
      'country_name',
      'hierarchy',
      'house_number',
      'kind',
      'osm_id',
      'osm_tag',
      'osm_type',
      'population',
      'postal_code',
    ];
    const own = profile === 'default' ? ['city', ...details, 'street', 'suburb', 'timezone', 'type'] : [];
    const expected = ['admin1', 'country', 'distance_km', 'id', 'lat', 'lng', 'name', ...own];
    assert.deepEqual(fields(reverse, profile), expected.sort());
    assert.equal(rows(reverse, { lat: 48.1, lng: 11.6 }, profile).length, 1);
  }
});

test('whatever the query, searches and suggestions return records of the dataset', () => {
  const word = fc.oneof(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 30 }),
    fc.constantFrom(
      'Berlin',
      'paris',
      'tx',
      '10115',
      'st',
      ',',
      '(',
      ' ',
      'münch',
      '東京',
      'Springfield',
      '%',
      '\u202e',
    ),
  );
  const text = fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(' ').slice(0, 200));
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 20 }), (q, limit) => {
      const found = geocode(store, q, { layers, fuzzy: true, limit });
      assert.deepEqual(found, geocode(store, q, { layers, fuzzy: true, limit: 100 }).slice(0, limit));
      for (const { place, area, address, poi, confidence } of found) {
        const isRecord = area !== undefined || address !== undefined || poi?.name !== undefined;
        assert.ok(isRecord || store.places.get(place!).name !== '');
        assert.ok(Number.isInteger(confidence) && confidence >= 1 && confidence <= 100);
      }
      const suggested = complete(store, q, { layers, limit });
      assert.deepEqual(suggested, complete(store, q, { layers, limit: 20 }).slice(0, limit));
      assert.equal(
        new Set(suggested.map(({ place, area, address, poi }) => `${place} ${area} ${address?.id} ${poi?.id}`)).size,
        suggested.length,
      );
    }),
    { numRuns: 200, examples: [['st 𭁽 \u0000', 1]] },
  );
});

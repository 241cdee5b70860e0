/** Airports and other features of the gazetteer besides places: found by name, never treated as a place. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { airportFeature } from '../../src/build/layers/world/features.ts';
import { endpoints } from '../../src/endpoints/index.ts';
import type { Airport } from '../../src/sources/default-data.ts';
import { ask } from '../support/ask.ts';
import { smallWorld } from '../support/small-world.ts';

const { autocomplete, cities, nearby, place, search } = endpoints;

const london = { id: 1, name: 'London', lat: 51.51, lng: -0.13, country: 'GB', population: 8_900_000 };
const places = [
  { ...london, timezone: 'Europe/London', otherNames: 'Londres,Londra' },
  {
    ...london,
    id: 2,
    name: 'Heathrow',
    population: 5_000,
    country: 'US',
    lat: 28.8,
    lng: -81.4,
    timezone: 'America/New_York',
  },
  {
    ...london,
    id: 3,
    name: 'Man',
    population: 240_000,
    country: 'CI',
    lat: 7.4,
    lng: -7.6,
    timezone: 'Africa/Abidjan',
  },
  {
    id: 91,
    name: 'Osh',
    population: 3_000_000,
    country: 'KG',
    lat: 40.5,
    lng: 72.8,
    timezone: 'Asia/Bishkek',
  },
  {
    id: 92,
    name: 'Lira',
    population: 3_000_000,
    country: 'UG',
    lat: 2.2,
    lng: 32.9,
    timezone: 'Africa/Kampala',
  },
];
places.push({
  ...london,
  id: 93,
  name: 'Narita',
  population: 5_000,
  country: 'JP',
  lat: 35.8,
  lng: 140.3,
  otherNames: 'ナリタ,Нарита',
  timezone: 'Asia/Tokyo',
});
const heathrow: Airport = {
  ident: 'EGLL',
  name: 'London Heathrow Airport',
  lat: 51.47,
  lng: -0.46,
  country: 'GB',
  region: 'GB-ENG',
  municipality: 'London',
  isLarge: true,
  hasScheduledFlights: true,
  iata: 'LHR',
  icao: 'EGLL',
  keywords: ['LON', 'Londres'],
};
const ciampino = {
  ...heathrow,
  ident: 'LIRA',
  name: 'Ciampino Airport',
  municipality: 'Rome',
  lat: 41.8,
  lng: 12.6,
  iata: 'CIA',
};
const base = {
  ...heathrow,
  ident: 'NZPG',
  name: 'Phoenix Airfield',
  municipality: '',
  country: 'AQ',
  lat: -77.9,
  lng: 166.7,
};
const narita = {
  ...heathrow,
  ident: 'RJAA',
  name: 'Narita International Airport',
  municipality: 'Narita',
  country: 'JP',
  lat: 35.8,
  lng: 140.4,
  iata: 'NRT',
  icao: 'RJAA',
  keywords: [],
  otherNames: ['成田国際空港', 'مطار ناريتا الدولي', 'ท่าอากาศยานนานาชาตินะริตะ', 'Аэропорт Токио'],
};
const features = [
  heathrow,
  narita,
  { ...ciampino, icao: 'LIRA', country: 'IT', isLarge: false, keywords: [] },
  { ...base, iata: '', icao: 'NZFX', keywords: [] },
  { ...base, ident: 'EGCC', name: 'Manchester Airport', iata: 'MAN', icao: 'EGCC', keywords: [] },
  {
    ...base,
    ident: 'KOSH',
    name: 'Wittman Field',
    isLarge: false,
    hasScheduledFlights: false,
    iata: 'OSH',
    icao: 'KOSH',
    keywords: [],
  },
].map(airportFeature);

const { store, close } = await smallWorld(places, undefined, features);
after(close);
type Result = {
  id: number;
  name: string;
  layer: string;
  type: string | null;
  country: string;
  timezone: string | null;
};
const found = (q: string, more: Record<string, unknown> = {}, profile: 'default' | 'a' = 'default') =>
  ask(search, store, { q, ...more }, { profile }).results as Result[];
const names = (results: readonly { name: string; country: string }[]) =>
  results.map(({ name, country }) => `${name} ${country}`);

test('an airport is found by its name, parts of it, its codes, and with the word for airport', () => {
  const queries = [
    'London Heathrow Airport',
    'Heathrow',
    'LHR',
    'London Heathrow',
    'lhr airport',
    'Flughafen Heathrow',
  ];
  for (const q of [...queries, 'London airport', 'EGLL', 'Heatrow Airport']) {
    assert.deepEqual(names(found(q)).slice(0, 1), ['London Heathrow Airport GB'], q);
  }
});

test('its town’s name means the town, and so does a code that is a town’s name', () => {
  for (const q of ['London', 'Londres']) assert.equal(found(q)[0].name, 'London', q);
  assert.equal(found('Lira')[0].name, 'Lira');
});

test('a code in capitals is the airport’s, unless a more prominent city has that name', () => {
  assert.equal(found('CIA')[0].name, 'Ciampino Airport');
  assert.equal(found('LIRA')[0].name, 'Lira');
  const small = found('NZFX')[0];
  assert.equal(small.name, 'Phoenix Airfield');
});

test('the code of a large airport comes before a city of that name, that of a small one not before a city of millions', () => {
  assert.equal(found('MAN')[0].name, 'Manchester Airport');
  assert.equal(found('Man')[0].name, 'Man');
  assert.equal(found('OSH')[0].name, 'Osh');
});

test('layers choose airports, places or both; with a type only places answer', () => {
  assert.deepEqual(names(found('Heathrow')), ['London Heathrow Airport GB', 'Heathrow US']);
  assert.deepEqual(names(found('Heathrow', { layers: 'airport' })), ['London Heathrow Airport GB']);
  assert.deepEqual(names(found('Heathrow', { layers: 'place' })), ['Heathrow US']);
  assert.deepEqual(names(found('Heathrow', { layers: 'island,water,peak' })), []);
  assert.deepEqual(names(found('Heathrow', { type: 'town' })), ['Heathrow US']);
  assert.deepEqual(names(found('Heathrow', { country: 'GB' })), ['London Heathrow Airport GB']);
});

test('variants answer with places only', () => {
  assert.deepEqual(names(found('Heathrow', {}, 'a')), ['Heathrow US']);
  const suggested = ask(autocomplete, store, { q: 'heathr' }, { profile: 'a' }).results as Result[];
  assert.deepEqual(names(suggested), ['Heathrow US']);
});

test('suggestions include airports, after places with the same prefix', () => {
  const suggested = (q: string) => names(ask(autocomplete, store, { q }).results as Result[]);
  assert.deepEqual(suggested('lond').slice(0, 2), ['London GB', 'London Heathrow Airport GB']);
  assert.deepEqual(suggested('lhr'), ['London Heathrow Airport GB']);
});

test('an airport is found in other scripts: with another word for it, without `international`, by its town’s name', () => {
  for (const q of [
    '成田国際空港',
    '成田空港',
    '成田机场',
    'مطار ناريتا',
    'สนามบินนะริตะ',
    'ナリタ空港',
    'Нарита аэропорт',
  ])
    assert.deepEqual(names(found(q)).slice(0, 1), ['Narita International Airport JP'], q);
  const suggested = ask(autocomplete, store, { q: '成田空' }).results as Result[];
  assert.deepEqual(names(suggested), ['Narita International Airport JP']);
});

test('the whole name of an airport, or its code of three letters, suggests it before a smaller town and longer names', () => {
  const suggested = (q: string) => names(ask(autocomplete, store, { q }).results as Result[]);
  assert.deepEqual(suggested('heathrow'), ['London Heathrow Airport GB', 'Heathrow US']);
  assert.deepEqual(suggested('heathro'), ['Heathrow US', 'London Heathrow Airport GB']);
  for (const code of ['MAN', 'man']) assert.equal(suggested(code)[0], 'Manchester Airport AQ');
});

test('its record has layer, country and time zone, no type; its identifier leads to it, with its codes', () => {
  const [airport] = found('LHR');
  const { layer, type, country, timezone, id } = airport;
  assert.deepEqual(
    { layer, type, country, timezone },
    {
      layer: 'airport',
      type: null,
      country: 'GB',
      timezone: 'Europe/London',
    },
  );
  const record = ask(place, store, { id });
  assert.deepEqual(
    [record.name, record.layer, record.names],
    ['London Heathrow Airport', 'airport', { iata: 'LHR', icao: 'EGLL' }],
  );
});

test('nearest places, lists of cities and cities of that name are places', () => {
  const near = ask(nearby, store, { lat: 51.47, lng: -0.46, radius: 100 }).results as Result[];
  assert.deepEqual(names(near), ['London GB']);
  assert.deepEqual(names(ask(cities, store, { country: 'GB' }).results as Result[]), ['London GB']);
  assert.equal(store.cities.resolve('Heathrow')?.country, 'US');
  assert.equal(store.cities.resolve('LHR'), undefined);
  assert.deepEqual(store.places.named('LHR', 'GB'), []);
  assert.equal(store.places.size, 6);
});

test('a country with an airport and no place can be an answer, at the position of its airport', () => {
  const [country] = ask(search, store, { q: 'Antarctica' }).results as (Result & { lat: number })[];
  assert.deepEqual([country.layer, country.country, Math.round(country.lat)], ['country', 'AQ', -78]);
  assert.deepEqual(names(found('Phoenix Airfield')), ['Phoenix Airfield AQ']);
});

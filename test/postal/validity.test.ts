/** Whether a city and a postal code match, and which code a point in a city has. */
import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { endpoints } from '../../src/endpoints/index.ts';
import type { Store } from '../../src/store/store.ts';
import { ask } from '../support/ask.ts';
import { postalOf } from './small-postal.ts';

/** Latitude of a position so many kilometres north of the cities. */
const north = (km: number) => 46 + km / 111.195;
/** People of a city that reaches 5 km at 3,000 per km². */
const people = 235_620;
const town = { lat: 46, country: 'CH', population: 900, timezone: 'Europe/Zurich' };
const cities = [
  { name: 'Reach', population: people, lng: 7 },
  { name: 'Town', population: 15_000, lng: 8 },
  { name: 'Hamlet', population: 14_999, lng: 9 },
  { name: 'Twice', population: people, lng: 10 },
  { name: 'Twice', population: 900, lng: 90 },
  { name: 'Both', population: people, lng: 80 },
  { name: 'Both', population: 10, lng: 90 },
  { name: 'Left bank', population: people, lng: 60, admin1: '1' },
  { name: 'Right bank', population: people, lng: 60.01, admin1: '2' },
  // Within reach of each other.
  { name: 'Metropolis', population: 2_000_000, lng: 50 },
  { name: 'Old quarter', population: 90_000, lng: 50.01 },
  { name: 'Neighbour', population: 110_000, lng: 50.02 },
].map((city, at) => ({ ...town, ...city, id: at + 1 }));

/** Codes at a distance of a city, `undefined` where their position is not known; their places have other names. */
const near: readonly (readonly [code: string, lng: number, km: number | undefined])[] = [
  ['1001', 7, 4.99],
  ['1002', 7, 5.1],
  ['1003', 7, 34.9],
  ['1004', 7, 35.1],
  ['1005', 8, 32.9],
  ['1006', 8, 33.1],
  ['1007', 9, 33.1],
  ['1008', 7, undefined],
  ['1009', 10, 5.1],
  ['1010', 10, 4.9],
  ['1011', 10, 36],
];
/** Places of codes with the name that a city is asked by, and whether that is one. */
const named: readonly (readonly [place: string, city: string, isSo: boolean])[] = [
  ['Saint Louis', 'St. Louis', true],
  ['St Louis', 'Saint Louis', true],
  ['Mt Vernon', 'mount vernon', true],
  ['Paris 01', 'Paris', true],
  ['Wien, Innere Stadt', 'WIEN', true],
  ['Wien (Innere Stadt)', 'Wien', true],
  ['Halle (Saale)', 'Halle', true],
  ['APO AE', 'Apo', true],
  ['Wiener Neustadt', 'Wien', false],
  ['Graz', 'Wien', false],
  ['Saint Louis', 'Saint', false],
  ['-', 'Wien', false],
];
const codeOf = (at: number) => String(2001 + at);

let store: Store;
before(async (t) => {
  const row = (code: string, place: string, ...position: unknown[]) =>
    ['CH', code, place, '', '', '', '', '', '', ...(position.length ? position : ['', '']), ''].join('\t');
  const rows = [
    ...near.map(([code, lng, km]) => row(code, `Zone ${code}`, ...(km === undefined ? [] : [north(km), lng]))),
    ...named.map(([place], at) => row(codeOf(at), place, 10, 10)),
    // Of a city's name, and far from it.
    row('3001', 'Reach', 10, 10),
    ['CH', '4001', 'Right bank', 'Right', '', '', '', '', '', 46, 60, ''].join('\t'),
    ['CH', '4003', 'Zone 4003', 'Right', '', '', '', '', '', 46, 60, ''].join('\t'),
  ];
  for (const [at, city] of ['Metropolis', 'Old quarter', 'Neighbour'].entries())
    rows.push(row(`500${at + 1}`, city, 46, 50.01));
  const regions = [
    { country: 'CH', code: '1', name: 'Left' },
    { country: 'CH', code: '2', name: 'Right' },
  ];
  ({ store } = await postalOf(t as TestContext, cities, { rows, regions }));
});

const statusOf = (city: string, postal_code: string) =>
  ask(endpoints.validate, store, { city, postal_code, country: 'CH' }).status;

test('a city and a code match up to its reach, but not where a town lies 30 km beyond', () => {
  for (const [city, code, status] of [
    ['Reach', '1001', 'valid'],
    ['Reach', '1002', 'unknown'],
    ['Reach', '1003', 'unknown'],
    ['Reach', '1004', 'mismatch'],
    ['Town', '1005', 'unknown'],
    ['Town', '1006', 'mismatch'],
    // A hamlet may have a namesake that the data lack.
    ['Hamlet', '1007', 'unknown'],
    ['Reach', '1008', 'unknown'],
    ['Nowhere', '1001', 'unknown'],
  ])
    assert.equal(statusOf(city, code), status, `${city} ${code}`);
});

test('of several cities of a name any that reaches is enough, and any that is not far leaves it open', () => {
  assert.equal(statusOf('Twice', '1010'), 'valid');
  assert.equal(statusOf('Twice', '1009'), 'unknown');
  assert.equal(statusOf('Twice', '1011'), 'mismatch');
  assert.equal(statusOf('Both', '1001'), 'mismatch', 'one of them is a town');
});

test('a code is not that of a city in another region, if its place is known to be there', () => {
  assert.equal(statusOf('Left bank', '4001'), 'mismatch');
  assert.equal(statusOf('Right bank', '4001'), 'valid');
  assert.equal(statusOf('Left bank', '4003'), 'valid', 'a place that the data lack');
});

test('a code within the reach of a city is one of its codes, also where it has the name of another, as the contract has it', () => {
  for (const [city, code, status] of [
    ['Metropolis', '5001', 'valid'],
    ['Neighbour', '5001', 'valid'],
    ['Neighbour', '5003', 'valid'],
    ['Old quarter', '5001', 'valid'],
    ['Metropolis', '5003', 'valid'],
  ])
    assert.equal(statusOf(city, code), status, `${city} ${code}`);
});

test('a place of the code with that name makes it valid, wherever the namesakes are; another shape is a mismatch', () => {
  assert.equal(statusOf('Reach', '3001'), 'valid');
  assert.equal(statusOf('Nowhere', 'SW1A 1AA'), 'mismatch');
});

test('names are compared in all spellings, without additions', () => {
  for (const [at, [place, city, isSo]] of named.entries())
    assert.equal(statusOf(city, codeOf(at)), isSo ? 'valid' : 'unknown', `${city}: ${place}`);
});

test('the code of a suburb is that of a point there, unless one with another code is nearly as near', async (t) => {
  const suburb = { ...town, featureCode: 'PPLX', population: 0 };
  const places = [
    { ...town, id: 1, name: 'City', population: people, lng: 7 },
    { ...suburb, id: 2, name: 'East', lng: 7.01 },
    { ...suburb, id: 3, name: 'Far east', lng: 7.02 },
    { ...suburb, id: 4, name: 'North', lat: 46.02, lng: 7 },
  ];
  const row = (code: string, place: string, lat: number, lng: number) =>
    ['CH', code, place, '', '', '', '', '', '', lat, lng, 1].join('\t');
  const rows = [row('1000', 'East', 46, 7.01), row('1000', 'Far east', 46, 7.02), row('2000', 'North', 46.02, 7)];
  const { store } = await postalOf(t, places, { rows });
  const codeAt = (lat: number, lng: number) => {
    const [{ suburb, postal_code }] = ask(endpoints.reverse, store, { lat, lng }).results as Record<string, unknown>[];
    return [suburb, postal_code];
  };
  assert.deepEqual(codeAt(46.001, 7.014), ['East', '1000'], 'the next has the same');
  assert.deepEqual(codeAt(46.019, 7.001), ['North', '2000']);
  assert.deepEqual(codeAt(46.008, 7.005), ['East', null]);
});

test('a point is in the city that the nearest code names, where another reaches as far', async (t) => {
  const places = [
    { ...town, id: 1, name: 'Metropolis', population: 1_000_000, lng: 7 },
    { ...town, id: 2, name: 'Enclave', population: 20_000, lat: north(9), lng: 7 },
  ];
  const row = (code: string, place: string, km: number) =>
    ['CH', code, place, '', '', '', '', '', '', north(km), 7, 6].join('\t');
  const rows = [row('1000', 'Metropolis', 1), row('1001', 'Metropolis', 7), row('2000', 'Enclave', 7.6)];
  const { store } = await postalOf(t, places, { rows });
  const cityAt = (km: number) => {
    const [{ city, name }] = ask(endpoints.reverse, store, { lat: north(km), lng: 7 }).results as Record<
      string,
      unknown
    >[];
    return city ?? name;
  };
  // Metropolis is 0.45 of its reach away and Enclave 0.54, then 0.42 and 0.79.
  assert.equal(cityAt(7.7), 'Enclave');
  assert.equal(cityAt(7.1), 'Metropolis');
});

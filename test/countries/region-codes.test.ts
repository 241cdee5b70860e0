import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withNewerCodes } from '../../src/build/layers/world/region-codes.ts';
import { readCityRegions } from '../../src/sources/geonames-cities.ts';

const place = (country: string, lat: number, admin1Code: string, admin2Code = '1') => ({
  country,
  lat,
  lng: 10,
  admin1Code,
  admin2Code,
});
const newer = readCityRegions(
  JSON.stringify([
    { name: 'Hanoi', lat: '1', lng: '10', country: 'VN', admin1: '01', admin2: '' },
    { name: 'Quang Tri', lat: '2', lng: '10', country: 'VN', admin1: '44', admin2: '7' },
    { name: 'Asker', lat: '3', lng: '10', country: 'NO', admin1: '01', admin2: '' },
    { name: 'Moss', lat: '4', lng: '10', country: 'NO', admin1: '13', admin2: '' },
    { name: 'Berlin', lat: '5', lng: '10', country: 'DE', admin1: '16', admin2: '' },
    { name: 'Nowhere', lat: '6', lng: '10', country: 'DE', admin1: '', admin2: '' },
  ]),
);
const codes = (...places: ReturnType<typeof place>[]) =>
  withNewerCodes(places, newer).map(({ admin1Code, admin2Code }) => `${admin1Code}/${admin2Code}`);

test('a place of the newer table has its codes, also where the old ones mean another region now', () => {
  assert.deepEqual(codes(place('VN', 1, '44'), place('VN', 2, '54')), ['01/', '44/7']);
});

test('a place that the newer table lacks takes the code that its region became', () => {
  assert.deepEqual(codes(place('VN', 1, '44'), place('VN', 99, '44')), ['01/', '01/']);
});

test('it has none where its region was divided, and keeps its own where nothing is known or has changed', () => {
  assert.deepEqual(codes(place('NO', 3, '30'), place('NO', 4, '30'), place('NO', 99, '30')), ['01/', '13/', '/']);
  assert.deepEqual(codes(place('NO', 99, '46')), ['46/1']);
  assert.deepEqual(codes(place('DE', 5, '16'), place('DE', 99, '16')), ['16/1', '16/1']);
});

test('a newer table without a code for a place leaves it its own', () => {
  assert.deepEqual(codes(place('DE', 6, '02')), ['02/1']);
});

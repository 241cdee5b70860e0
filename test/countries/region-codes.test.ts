import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withNewerCodes } from '../../src/build/layers/world/completed-places.ts';
import { CityTable, type PlaceToFind, readCities } from '../../src/sources/place-lists.ts';

const place = (country: string, lat: number, admin1Code: string, admin2Code = '1', name = 'Somewhere') => ({
  country,
  name,
  lat,
  lng: 10,
  admin1Code,
  admin2Code,
});
/** Rows of the newer table: country, position, code of the first and of the second level. */
const rows: [country: string, lat: number, admin1: string, admin2: string][] = [
  ...[1, 2, 3].map((lat): (typeof rows)[number] => ['VN', lat, '01', '']),
  ['VN', 4, '44', '7'],
  ['NO', 1, '01', ''],
  ['NO', 2, '13', ''],
  ['NO', 3, '04', ''],
  ['DE', 1, '16', ''],
  ['DE', 2, '16', ''],
  ['DE', 3, '02', ''],
  ['DE', 4, '', ''],
  ['DE', 5, '00', ''],
];
const table = new CityTable(
  readCities(
    JSON.stringify(
      rows.map(([country, lat, admin1, admin2]) => ({
        name: `${country}${lat}`,
        lat: String(lat),
        lng: '10',
        country,
        admin1,
        admin2,
      })),
    ),
  ),
);
const newer = (place: PlaceToFind) => table.find(place);
const codes = (...places: ReturnType<typeof place>[]) =>
  withNewerCodes(places, newer).map(({ admin1Code, admin2Code }) => `${admin1Code}/${admin2Code}`);

test('a place of the newer table has its codes, also where the old ones mean another region now', () => {
  assert.deepEqual(codes(place('VN', 1, '44'), place('VN', 4, '54')), ['01/', '44/7']);
});

test('a place that the newer table lacks takes the code that its region became', () => {
  const hanoi = [1, 2, 3].map((lat) => place('VN', lat, '44'));
  assert.deepEqual(codes(...hanoi, place('VN', 99, '44')), ['01/', '01/', '01/', '01/']);
});

test('it has none where its region was split, or where the country has new codes and no neighbour shows which', () => {
  const viken = [1, 2, 3].map((lat) => place('NO', lat, '30'));
  assert.deepEqual(codes(...viken, place('NO', 99, '30')), ['01/', '13/', '04/', '/']);
  assert.deepEqual(codes(...viken, place('NO', 99, '46')).at(-1), '/');
});

test('it keeps its own where the country has kept its codes, whatever a single neighbour did', () => {
  const places = [place('DE', 1, '16'), place('DE', 2, '16'), place('DE', 3, '11'), place('DE', 99, '11')];
  assert.deepEqual(codes(...places), ['16/1', '16/1', '02/', '11/1']);
  assert.deepEqual(codes(place('FR', 1, '11')), ['11/1']);
});

test('a newer table without a region for a place leaves it its own', () => {
  assert.deepEqual(codes(place('DE', 4, '02'), place('DE', 5, '02')), ['02/1', '02/1']);
});

test('a place that was moved a little is found by its name, a namesake far away is not', () => {
  assert.deepEqual(codes(place('VN', 4.05, '54', '1', 'VN4')), ['44/7']);
  assert.deepEqual(codes(place('DE', 50, '11', '1', 'DE3')), ['11/1']);
});

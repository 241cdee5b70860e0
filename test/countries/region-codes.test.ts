import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type DefaultPlace, defaultPlaces } from '../support/default-places.ts';

const place = (country: string, lat: number, admin1: string, admin2 = '1', name = 'Somewhere') => ({
  ...{ country, name, lat, admin1, admin2 },
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
/** The codes of places, in their order, after the newer table; each code of theirs is one of a region. */
async function codes(t: TestContext, ...places: Omit<DefaultPlace, 'id'>[]): Promise<string[]> {
  const found = await defaultPlaces(t, {
    places: places.map((each, at) => ({ ...each, id: at + 1 })),
    newer: rows.map(([country, lat, admin1, admin2]) => ({
      ...{ name: `${country}${lat}`, country, lat, admin1, admin2 },
    })),
  });
  return found.slice(0, places.length).map((each) => each.codes);
}

test('a place of the newer table has its codes, also where the old ones mean another region now', async (t) => {
  assert.deepEqual(await codes(t, place('VN', 1, '44'), place('VN', 4, '54')), ['01/', '44/7']);
});

test('a place that the newer table lacks takes the code that its region became', async (t) => {
  const hanoi = [1, 2, 3].map((lat) => place('VN', lat, '44'));
  assert.deepEqual(await codes(t, ...hanoi, place('VN', 59, '44')), ['01/', '01/', '01/', '01/']);
});

test('it has none where its region was split, or where the country has new codes and no neighbour shows which', async (t) => {
  const viken = [1, 2, 3].map((lat) => place('NO', lat, '30'));
  assert.deepEqual(await codes(t, ...viken, place('NO', 59, '30')), ['01/', '13/', '04/', '/']);
  assert.deepEqual((await codes(t, ...viken, place('NO', 59, '46'))).at(-1), '/');
});

test('it keeps its own where the country has kept its codes, whatever a single neighbour did', async (t) => {
  const places = [place('DE', 1, '16'), place('DE', 2, '16'), place('DE', 3, '11'), place('DE', 59, '11')];
  assert.deepEqual(await codes(t, ...places), ['16/1', '16/1', '02/', '11/1']);
  assert.deepEqual(await codes(t, place('FR', 1, '11')), ['11/1']);
});

test('a newer table without a region for a place leaves it its own', async (t) => {
  assert.deepEqual(await codes(t, place('DE', 4, '02'), place('DE', 5, '02')), ['02/1', '02/1']);
});

test('a place that was moved a little is found by its name, a namesake far away is not', async (t) => {
  assert.deepEqual(await codes(t, place('VN', 4.05, '54', '1', 'VN4')), ['44/7']);
  assert.deepEqual(await codes(t, place('DE', 50, '11', '1', 'DE3')), ['11/1']);
});

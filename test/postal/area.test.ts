/** Where codes lie whose place the gazetteer lacks: among the places of codes with the same prefix, or nowhere. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { postalOf } from './small-postal.ts';

type Known = [code: string, name: string, lat: number, lng: number, population?: number];

/** What is known of a code of the place `Unknown`, beside codes of known ones in one region of Switzerland. */
async function codeAmong(t: TestContext, code: string, known: readonly Known[]) {
  const places = known.map(([, name, lat, lng, population = 900], index) => ({
    ...{ id: index + 1, name, lat, lng, population },
    ...{ country: 'CH', admin1: 'ZH', timezone: 'Europe/Zurich' },
  }));
  const rows = [...known, [code, 'Unknown']].map(([of, name]) => `${of}\t1\t${name}\t\tlocality\t1\n`);
  const regions = [{ country: 'CH', code: 'ZH', name: 'Zurich' }];
  const tables = { 'pelias-wof-admin-lookup/src/data/CHE.tsv': rows.join('') };
  const { postal } = await postalOf(t, places, { regions, tables });
  const [row] = postal.find('CH', code);
  return row;
}

const around: Known[] = [
  ['8401', 'A', 47.5, 8.7],
  ['8402', 'B', 47.52, 8.72],
  ['8403', 'C', 47.48, 8.74],
  ['8404', 'D', 47.51, 8.68],
  ['8405', 'E', 47.49, 8.71],
];

test('a code of an unknown place lies among the places of codes with the same prefix, and its radius covers them all', async (t) => {
  const area = await codeAmong(t, '8406', around);
  assert.equal(area.accuracy, 'area');
  assert.deepEqual([area.lat, area.lng], [47.5, 8.71]);
  assert.ok(area.radiusKm! >= 5 && area.radiusKm! < 10, String(area.radiusKm));
});

test('where one of these places is an island far off, or all codes are of one town, its position is unknown', async (t) => {
  const island = await codeAmong(t, '8406', [...around, ['8407', 'Island', 48.5, 8.7]]);
  const oneTown = await codeAmong(
    t,
    '8406',
    around.map(([code]) => [code, 'A', 47.5, 8.7]),
  );
  for (const { lat, lng, accuracy } of [island, oneTown]) assert.deepEqual([lat, lng, accuracy], [null, null, null]);
});

test('a place of the name that is far off in the same region is within the radius: the code may be its', async (t) => {
  const others = Array.from({ length: 25 }, (_, at): Known => [`84${20 + at}`, `T${at}`, 47.5, 8.7 + at / 1000]);
  const area = await codeAmong(t, '8406', [...around, ...others, ['9999', 'Unknown', 46.5, 8.7]]);
  assert.equal(area.accuracy, 'area');
  assert.ok(area.radiusKm! > 110, String(area.radiusKm));
});

test('a city stays the place of its name where neighbours are too far apart to say otherwise', async (t) => {
  const scattered = Array.from({ length: 6 }, (_, at): Known => [`8${at}00`, `T${at}`, 47, 8 + at]);
  const cities: Known[] = [
    ['8907', 'Unknown', 47, 6, 900_000],
    ['7000', 'Unknown', 47, 10],
  ];
  const { accuracy, lng } = await codeAmong(t, '8906', [...scattered, ...cities]);
  assert.deepEqual([accuracy, lng], ['place', 6]);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type GeonamesPlace, geonamesPlaces } from '../../src/sources/geonames.ts';
import { sharedData } from '../support/shared-data.ts';
import { temporaryFile } from '../support/temporary.ts';
import { zipFile } from '../support/zip-writer.ts';

const row = (changes: Record<number, string> = {}) => {
  const fields =
    '2950159\tBerlin\tBerlin\tBerlino,Берлин\t52.52437\t13.41053\tP\tPPLC\tDE\t\t16\t00\t11000\t11000000\t3426354\t74\t43\tEurope/Berlin\t2022-12-02'.split(
      '\t',
    );
  for (const [at, value] of Object.entries(changes)) fields[Number(at)] = value;
  return fields.join('\t');
};

async function read(path: string) {
  let dropped = 0;
  const places: GeonamesPlace[] = [];
  for await (const batch of geonamesPlaces(path, (_, count = 1) => (dropped += count))) places.push(...batch);
  return { places, dropped };
}

test('a row becomes a place', async (t) => {
  const { places } = await read(temporaryFile(t, 'DE.txt', `${row()}\n`));
  assert.deepEqual(places, [
    {
      id: 2950159,
      name: 'Berlin',
      asciiName: 'Berlin',
      alternateNames: ['Berlino', 'Берлин'],
      lat: 52.52437,
      lng: 13.41053,
      featureCode: 'PPLC',
      country: 'DE',
      admin1Code: '16',
      admin2Code: '00',
      population: 3426354,
      timezone: 'Europe/Berlin',
      modified: '2022-12-02',
    },
  ]);
});

test('only populated places are taken; broken rows are counted', async (t) => {
  const rows = [
    row(),
    row({ 6: 'T', 7: 'MT' }),
    row({ 6: 'H', 7: 'LK' }),
    row({ 4: '' }),
    row({ 4: '91' }),
    row({ 0: 'x' }),
    row({ 1: '' }),
    row({ 5: ' ' }),
    row({ 0: '1000000000' }),
    row({ 1: 'B'.repeat(401) }),
    'half a row\tof three\tcolumns',
  ];
  const { places, dropped } = await read(temporaryFile(t, 'XX.txt', `\ufeff${rows.join('\r\n')}`));
  assert.equal(places.length, 1);
  assert.equal(places[0].modified, '2022-12-02', 'without the carriage return');
  assert.equal(dropped, 8);
});

test('values beyond what GeoNames has are bounded', async (t) => {
  const path = temporaryFile(t, 'XX.txt', row({ 3: `Berlino,${'B'.repeat(401)}`, 14: '1e15', 18: 'zzzz' }));
  const [{ alternateNames, population, modified }] = (await read(path)).places;
  assert.deepEqual(
    { alternateNames, population, modified },
    { alternateNames: ['Berlino'], population: 2 ** 32 - 1, modified: '' },
  );
});

test('a zip is read without its readme', async (t) => {
  const zip = zipFile({ 'readme.txt': 'about\tthis', 'DE.txt': `${row()}\n` });
  const { places, dropped } = await read(temporaryFile(t, 'DE.zip', zip));
  assert.deepEqual([places.length, dropped], [1, 0]);
});

test('a damaged zip is refused by name', async (t) => {
  const path = temporaryFile(t, 'DE.zip', zipFile({ 'DE.txt': row() }).subarray(0, 60));
  await assert.rejects(read(path), /DE\.zip/);
});

test('the published cities15000 has its 33,711 places', async (t) => {
  const path = sharedData(t, 'geonames/cities15000-2026-05.zip');
  if (!path) return;
  const { places, dropped } = await read(path);
  assert.deepEqual([places.length, dropped], [33_711, 0]);
});

test("one country's published table yields its populated places", async (t) => {
  const path = sharedData(t, 'geonames/SG-pelias-test.zip');
  if (!path) return;
  const { places } = await read(path);
  assert.ok(places.length > 100 && places.every(({ country }) => country === 'SG'));
  assert.ok(places.some(({ name, featureCode }) => name === 'Singapore' && featureCode === 'PPLC'));
});

test('publishers’ samples are read', async (t) => {
  const path = sharedData(t, 'geonames/samples/test_GB.txt');
  if (!path) return;
  const { places } = await read(path);
  assert.ok(places.some(({ name }) => name === 'Worcester'));
});

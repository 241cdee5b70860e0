/** Places of the newer of GeoNames' two default tables. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import weights from '../../src/geocoding/weights.json' with { type: 'json' };
import { type DefaultPlace, defaultPlaces, type NewerRow } from '../support/default-places.ts';

const row = (name: string, lat: number): NewerRow => ({ name, lat, admin1: '01', admin2: '2' });
const known = (name: string, lat: number, more: Partial<DefaultPlace> = {}): DefaultPlace => ({
  ...{ id: Math.round(lat), name, lat, admin1: '01' },
  ...more,
});

test('a place that only the newer table has comes with the zone of its neighbour and an identifier that stays', async (t) => {
  const places = [known('Altdorf', 50), known('Fern', 40, { timezone: 'Europe/Rome', population: 9000 })];
  const found = (await defaultPlaces(t, { places, newer: [row('Neudorf', 50.1)] })).slice(2);
  const [{ id, name, timezone, codes, population, type }] = found;
  assert.equal(found.length, 1);
  assert.deepEqual([name, timezone, codes, population, type], ['Neudorf', 'Europe/Berlin', '01/2', 0, 'village']);
  const again = await defaultPlaces(t, { places, newer: [row('Neudorf', 50.1), row('Anderes Dorf', 51)] });
  assert.equal(again.find((place) => place.name === 'Neudorf')?.id, id);
  assert.ok(id >= 100_000_000 && id < 1_000_000_000);
});

test('a place that has moved, or is known under another name, is not added twice', async (t) => {
  const places = [known('München', 48, { alternateNames: ['Munich'] }), known('Kisselewsk', 54)];
  const sizeWith = async (newer: NewerRow[]) => (await defaultPlaces(t, { places, newer })).length;
  assert.equal(await sizeWith([row('Munich', 48.09), row('Kiselyovsk', 54.002)]), 2);
  assert.equal(await sizeWith([row('Munich', 48.5)]), 3);
});

test('a place within a city is a part of it', async (t) => {
  const places = [known('Großstadt', 50, { population: 1_000_000 })];
  const found = await defaultPlaces(t, { places, newer: [row('Viertel', 50.05), row('Dorf', 50.3)] });
  const typeOf = (name: string) => found.find((place) => place.name === name)?.type;
  assert.deepEqual([typeOf('Viertel'), typeOf('Dorf')], ['suburb', 'village']);
});

test('a newer main name replaces a place’s own if it was one of its names, and is another name otherwise', async (t) => {
  const found = await defaultPlaces(t, {
    places: [
      known('Bombay', 19, { alternateNames: ['Mumbai'] }),
      known('Gurgaon', 28),
      known('Nara', 34, { alternateNames: ['Nara-shi'] }),
      known('Fern', 40),
    ],
    newer: [row('Mumbai', 19), row('Gurugram', 28), row('Nara-shi', 34)],
  });
  assert.deepEqual(
    found.map(({ name, otherNames }) => [name, otherNames]),
    [
      ['Mumbai', []],
      ['Gurgaon', ['Gurugram']],
      ['Nara', ['Nara-shi']],
      ['Fern', []],
    ],
  );
  assert.deepEqual(
    [found[0].aliasWorth('Bombay'), found[1].aliasWorth('Gurugram'), found[2].aliasWorth('Nara-shi')],
    [0, -weights.knownName, -weights.knownName],
  );
});

test('a capital is called as the list of countries calls it, which ranks with its main name', async (t) => {
  const country = 'MN';
  const [capital, village] = await defaultPlaces(t, {
    capitals: { MN: 'Ulaanbaatar' },
    places: [
      known('Ulan Bator', 48, { country, alternateNames: ['Ulaanbaatar'], code: 'PPLC' }),
      known('Other', 50, { country, alternateNames: ['Ulaanbaatar', 'Khüree'] }),
    ],
  });
  assert.deepEqual([capital.name, capital.aliasWorth('Ulaanbaatar')], ['Ulan Bator', 0]);
  assert.ok(village.aliasWorth('Khüree') < 0);
});

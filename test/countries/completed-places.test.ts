/** Places of the newer of GeoNames' two default tables. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newerPlaces, withNewerName } from '../../src/build/layers/world/completed-places.ts';
import type { GeonamesPlace } from '../../src/sources/geonames.ts';
import { type City, CityTable } from '../../src/sources/place-lists.ts';

const row = (name: string, lat: number, lng = 10): City => ({
  country: 'DE',
  name,
  lat,
  lng,
  admin1: '01',
  admin2: '2',
});
const known = (name: string, lat: number, more: Partial<GeonamesPlace> = {}): GeonamesPlace => ({
  ...{ id: lat, name, asciiName: name, alternateNames: [], lat, lng: 10, featureCode: 'PPL', country: 'DE' },
  ...{ admin1Code: '01', admin2Code: '', population: 500, timezone: 'Europe/Berlin', modified: '' },
  ...more,
});

test('a place that only the newer table has comes with the zone of its neighbour and an identifier that stays', () => {
  const places = [known('Altdorf', 50), known('Fern', 40, { timezone: 'Europe/Rome', population: 9000 })];
  const [found, ...others] = newerPlaces([row('Neudorf', 50.1)], places);
  const { name, timezone, admin1Code, admin2Code, population, featureCode } = found;
  assert.deepEqual(others, []);
  assert.deepEqual(
    [name, timezone, admin1Code, admin2Code, population, featureCode],
    ['Neudorf', 'Europe/Berlin', '01', '2', 0, 'PPL'],
  );
  const [again] = newerPlaces([row('Anderes Dorf', 51), row('Neudorf', 50.1)].reverse(), places);
  assert.equal(again.id, found.id);
  assert.ok(found.id >= 100_000_000 && found.id < 1_000_000_000);
});

test('a place that has moved, or is known under another name, is not added twice', () => {
  const places = [known('München', 48, { alternateNames: ['Munich'] }), known('Kisselewsk', 54)];
  assert.deepEqual(newerPlaces([row('Munich', 48.09), row('Kiselyovsk', 54.002)], places), []);
  assert.equal(newerPlaces([row('Munich', 48.5)], places).length, 1);
});

test('a place within a city is a part of it', () => {
  const places = [known('Großstadt', 50, { population: 1_000_000 })];
  const types = newerPlaces([row('Viertel', 50.05), row('Dorf', 50.3)], places).map(({ featureCode }) => featureCode);
  assert.deepEqual(types, ['PPLX', 'PPL']);
});

test('a newer main name replaces a place’s own if it was one of its names, and is another name otherwise', () => {
  const table = new CityTable([row('Mumbai', 19), row('Gurugram', 28), row('Nara-shi', 34)]);
  const renamed = withNewerName(known('Bombay', 19, { alternateNames: ['Mumbai'] }), table);
  assert.deepEqual([renamed.name, renamed.asciiName, renamed.formerName], ['Mumbai', 'Mumbai', 'Bombay']);
  const { name, atlasNames } = withNewerName(known('Gurgaon', 28), table);
  assert.deepEqual([name, atlasNames], ['Gurgaon', ['Gurugram']]);
  assert.equal(withNewerName(known('Nara', 34, { alternateNames: ['Nara-shi'] }), table).name, 'Nara');
  const same = known('Fern', 40);
  assert.equal(withNewerName(same, table), same);
});

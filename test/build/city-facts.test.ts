/** What lists of the world's cities add to GeoNames' places. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placesOfAtlas, withCityFacts } from '../../src/build/layers/world/completed-places.ts';
import type { GeonamesPlace } from '../../src/sources/geonames.ts';
import { readAtlasCities, readSimplemapsCities, type WorldCity } from '../../src/sources/place-lists.ts';

const place = (name: string, lat: number, more: Partial<GeonamesPlace> = {}): GeonamesPlace => ({
  ...{ id: lat, name, asciiName: name, alternateNames: [], lat, lng: 10, featureCode: 'PPL', country: 'DE' },
  ...{ admin1Code: '01', admin2Code: '2', population: 500, timezone: 'Europe/Berlin', modified: '' },
  ...more,
});
const city = (name: string, lat: number, more: Partial<WorldCity> = {}): WorldCity => ({
  ...{ country: 'DE', names: [name], lat, lng: 10, population: 90_000, urbanPopulation: 120_000 },
  ...more,
});
const only = (places: GeonamesPlace[], rows: WorldCity[]) => withCityFacts(places, rows).places[0];

test('a list gives people to a place without, and leaves the number of a place that has one', () => {
  assert.equal(only([place('Altstadt', 50, { population: 0 })], [city('Altstadt', 50.1)]).population, 90_000);
  const counted = only([place('Altstadt', 50)], [city('Altstadt', 50.1)]);
  assert.deepEqual([counted.population, counted.urbanPopulation], [500, 120_000]);
});

test('a row is the largest place of its name within 25 km, in its country', () => {
  const places = [place('Neustadt', 50, { population: 10 }), place('Neustadt', 50.2), place('Neustadt', 51)];
  const { places: completed } = withCityFacts(places, [city('Neustadt', 50.01)]);
  assert.deepEqual(
    completed.map(({ urbanPopulation }) => urbanPopulation),
    [undefined, 120_000, undefined],
  );
  assert.equal(withCityFacts(places, [city('Neustadt', 50, { country: 'FR' })]).unknown.length, 1);
  assert.equal(withCityFacts(places, [city('Neustadt', 52)]).unknown.length, 1);
});

test('a row under another name of a place makes that a name in use', () => {
  const { atlasNames } = only([place('Köln', 51, { alternateNames: ['Cologne', 'Colonia'] })], [city('Cologne', 51)]);
  assert.deepEqual(atlasNames, ['Cologne']);
  assert.deepEqual(only([place('Köln', 51)], [city('Köln', 51, { names: ['Köln', 'Koln'] })]).atlasNames, ['Koln']);
});

test('a main name goes before another name of a larger place', () => {
  const places = [place('Großstadt', 50, { alternateNames: ['Dorf'], population: 1e6 }), place('Dorf', 50.1)];
  const { places: completed } = withCityFacts(places, [city('Dorf', 50.1)]);
  assert.deepEqual(
    completed.map(({ atlasNames }) => atlasNames),
    [undefined, []],
  );
});

test('what no place is called is added where none is near, in the region of the nearest', () => {
  const places = [place('Altstadt', 50, { admin1Code: '07' }), place('Fern', 59)];
  const { unknown } = withCityFacts(places, [city('Altstatt', 50.05), city('Einöde', 50.5)]);
  assert.deepEqual(
    placesOfAtlas(unknown, places).map(({ name, admin1, admin2 }) => [name, admin1, admin2]),
    [['Einöde', '07', '2']],
  );
  assert.equal(placesOfAtlas([city('Insel', 10)], places)[0].admin1, '');
});

test('rows of both lists, without China in the one and without rows of no country or position in the other', () => {
  const row = {
    city: 'Đồng Hới',
    city_ascii: 'Dong Hoi',
    lat: '17.4',
    lng: '106.6',
    iso2: 'VN',
    population: '160000.5',
  };
  const listed = readSimplemapsCities(JSON.stringify([row, { ...row, iso2: 'CN' }, { ...row, population: '' }]));
  assert.deepEqual(listed[0], {
    ...{ country: 'VN', names: ['Đồng Hới', 'Dong Hoi'], lat: 17.4, lng: 106.6 },
    ...{ population: 160_001, urbanPopulation: 160_001 },
  });
  assert.deepEqual([listed.length, listed[1].population], [2, 0]);
  const atlas = { city: 'Nord', city_ascii: 'Nord', lat: 81.7, lng: -17.8, iso2: 'GL', pop: 10 };
  const rows = readAtlasCities(
    JSON.stringify([atlas, { ...atlas, iso2: -99 }, { ...atlas, iso2: '' }, { ...atlas, lat: 0, lng: 0 }]),
  );
  assert.deepEqual(rows, [
    { country: 'GL', names: ['Nord'], lat: 81.7, lng: -17.8, population: 0, urbanPopulation: 10 },
  ]);
});

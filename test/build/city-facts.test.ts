/** What lists of the world's cities add to GeoNames' places. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type CityRow, type DefaultPlace, defaultPlaces, type FoundPlace } from '../support/default-places.ts';

const place = (name: string, lat: number, more: Partial<DefaultPlace> = {}): DefaultPlace => ({
  ...{ id: Math.round(lat * 100), name, lat, admin1: '01', admin2: '2' },
  ...more,
});
/** A row with the number of people that only prominence shows. */
const city = (name: string, lat: number, more: Partial<CityRow> = {}): CityRow => ({
  ...{ city: name, lat, people: 120_000 },
  ...more,
});
const atlasOf = (t: TestContext, places: DefaultPlace[], atlas: CityRow[]) => defaultPlaces(t, { places, atlas });
/** People whom a place without other names is as prominent as, rounded to two digits. */
const people = ({ prominence }: FoundPlace) => Number((10 ** (prominence / 10)).toPrecision(2));

test('a list gives people to a place without, and leaves the number of a place that has one', async (t) => {
  const simplemaps = [city('Altstadt', 50.1, { people: 90_000 })];
  const [empty] = await defaultPlaces(t, { places: [place('Altstadt', 50, { population: 0 })], simplemaps });
  assert.equal(empty.population, 90_000);
  const [counted] = await defaultPlaces(t, { places: [place('Altstadt', 50)], simplemaps });
  assert.deepEqual([counted.population, people(counted)], [500, 90_000]);
  const [ofAtlas] = await atlasOf(t, [place('Altstadt', 50)], [city('Altstadt', 50.1)]);
  assert.deepEqual([ofAtlas.population, people(ofAtlas)], [500, 120_000]);
});

test('a row is the largest place of its name within 25 km, in its country', async (t) => {
  const places = [place('Neustadt', 50, { population: 10 }), place('Neustadt', 50.2), place('Neustadt', 51)];
  const completed = await atlasOf(t, places, [city('Neustadt', 50.01)]);
  assert.deepEqual(completed.map(people), [10, 120_000, 500]);
  for (const [row, count] of [
    [city('Neustadt', 50, { country: 'FR' }), 4],
    [city('Neustadt', 52), 4],
  ] as const) {
    const others = await atlasOf(t, places, [row]);
    assert.deepEqual([others.length, ...others.slice(0, 3).map(people)], [count, 10, 500, 500]);
  }
});

test('a row under another name of a place makes that a name in use', async (t) => {
  const cologne = [place('Köln', 51, { alternateNames: ['Cologne', 'Colonia'] })];
  const [[named], [unnamed]] = [await atlasOf(t, cologne, [city('Cologne', 51)]), await atlasOf(t, cologne, [])];
  assert.ok(named.aliasWorth('Cologne') > unnamed.aliasWorth('Cologne'));
  assert.equal(named.aliasWorth('Colonia'), unnamed.aliasWorth('Colonia'));
  const [spelled] = await atlasOf(t, [place('Köln', 51)], [city('Köln', 51, { city_ascii: 'Koln' })]);
  assert.deepEqual(spelled.otherNames, ['Koln']);
});

test('a main name goes before another name of a larger place', async (t) => {
  const places = [place('Großstadt', 50, { alternateNames: ['Dorf'], population: 1e6 }), place('Dorf', 50.1)];
  const [, village] = await atlasOf(t, places, [city('Dorf', 50.1)]);
  assert.equal(people(village), 120_000);
  assert.deepEqual(village.otherNames, []);
});

test('what no place is called is added where none is near, in the region of the nearest', async (t) => {
  const places = [place('Altstadt', 50, { admin1: '07' }), place('Fern', 59)];
  const completed = await atlasOf(t, places, [city('Altstatt', 50.05), city('Einöde', 50.5), city('Insel', 10)]);
  assert.deepEqual(
    completed
      .slice(2)
      .map(({ name, codes }) => [name, codes])
      .sort(),
    [
      ['Einöde', '07/2'],
      ['Insel', '/'],
    ],
  );
});

test('rows of both lists, without China in the one and without rows of no country or position in the other', async (t) => {
  const row = { city: 'Đồng Hới', city_ascii: 'Dong Hoi', lat: 17.4, people: 160_000.5 };
  const empty = (id: number, country: string) => place('Đồng Hới', 17.4, { id, country, population: 0 });
  const listed = await defaultPlaces(t, {
    places: [empty(1, 'VN'), empty(2, 'CN'), empty(3, 'LA')],
    simplemaps: [
      { ...row, country: 'VN' },
      { ...row, country: 'CN' },
      { ...row, country: 'LA', people: Number.NaN },
    ],
  });
  assert.deepEqual(
    listed.map(({ population }) => population),
    [160_001, 0, 0],
  );
  assert.deepEqual(listed[0].otherNames, ['Dong Hoi']);
  const atlas = { city: 'Nord', lat: 81.7, people: 10 };
  const added = await defaultPlaces(t, {
    places: [place('Nord', 81.7, { country: 'GL', population: 0 })],
    atlas: [
      { ...atlas, country: 'GL' },
      { ...atlas, city: 'Niemand', country: '-99' },
      { ...atlas, city: 'Nirgends', country: '' },
      { ...atlas, city: 'Null', lat: 0, lng: 0, country: 'GL' },
    ],
  });
  assert.deepEqual(
    added.map((each) => [each.name, each.population, people(each)]),
    [['Nord', 0, 10]],
  );
});

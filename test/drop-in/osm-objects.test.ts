/** Objects of OpenStreetMap keep their type, id and tag from an extract to every interface; nothing else has any. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openDataset } from '../../src/api/open.ts';
import { currentVersion } from '../../src/store/manifest.ts';
import { dataDirectory } from '../support/data-directory.ts';
import { pbfFile, type TestMap } from '../support/osm-writer.ts';
import { testService } from '../support/service.ts';
import { sharedData } from '../support/shared-data.ts';
import { temporaryFile } from '../support/temporary.ts';
import { build } from '../support/town-build.ts';

const cafe = 5_000_000_001;
const quarter = { 'addr:city': 'Berlin', 'addr:country': 'DE' };
const map: TestMap = {
  nodes: [
    { id: cafe, lat: 52.5, lng: 13.4, tags: { amenity: 'cafe', name: 'Zum Wiedehopf' } },
    { id: 2, lat: 52.5003, lng: 13.4, tags: { shop: 'bakery;cafe', name: 'Backstube Wiedehopf' } },
    { id: 3, lat: 52.5, lng: 13.401, tags: { ...quarter, 'addr:street': 'Wiedehopfgasse', 'addr:housenumber': '7' } },
    { id: 8, lat: 52.5, lng: 13.402, tags: { ...quarter, 'addr:street': 'Berlin', 'addr:housenumber': '9' } },
    ...[10, 11, 12].map((id, at) => ({ id, lat: 52.5, lng: 13.4 + at * 0.002 })),
    ...[20, 21, 22].map((id, at) => ({ id, lat: 52.501 + (at === 1 ? 0.0001 : 0), lng: 13.401 + at * 0.0001 })),
  ],
  ways: [
    { id: 4, nodes: [10, 11], tags: { highway: 'living_street', name: 'Wiedehopfgasse' } },
    { id: 5, nodes: [11, 12], tags: { highway: 'living_street', name: 'Wiedehopfgasse' } },
    { id: 6, nodes: [20, 21, 22, 20] },
  ],
  relations: [
    {
      id: 7,
      members: [{ type: 'way', id: 6, role: 'outer' }],
      tags: {
        ...quarter,
        type: 'multipolygon',
        building: 'yes',
        'addr:street': 'Wiedehopfgasse',
        'addr:housenumber': '8',
      },
    },
  ],
};

/** The service over a dataset with an extract. */
async function withExtract(t: TestContext, file: string) {
  const directory = await dataDirectory(t);
  await build(directory, file);
  const store = openDataset(join(directory, currentVersion(directory)!));
  const service = await testService(t, { store: { current: store } });
  t.after(() => store.close());
  return async (path: string) => {
    const { status, body } = await service.ask(path);
    assert.equal(status, 200, `${path}: ${JSON.stringify(body)}`);
    return body;
  };
}

test('a house, a street, a point and an area have the type and id of their objects, and are looked up by them', async (t) => {
  const get = await withExtract(t, temporaryFile(t, 'birds.osm.pbf', pbfFile(map)));
  const objectOf = ({ osm_type, osm_id }: Record<string, unknown>) => [osm_type, osm_id];
  const address = async (number: string) => (await get(`/v1/address?q=Wiedehopfgasse ${number}, Berlin`)).results[0];
  assert.deepEqual(objectOf(await address('7')), ['node', 3]);
  assert.deepEqual(objectOf(await address('8')), ['relation', 7]);
  assert.deepEqual(objectOf(await address('')), ['way', 4]);
  const [street] = (await get('/v1/streets?q=Wiedehopfgasse')).results;
  assert.deepEqual(objectOf(street), ['way', 4]);
  const [poi] = (await get('/v1/pois?lat=52.5&lng=13.4')).results;
  assert.deepEqual(objectOf(poi), ['node', cafe]);
  const full = await get(`/v1/place/${poi.id}`);
  assert.deepEqual([...objectOf(full), full.osm_tag], ['node', cafe, 'amenity=cafe']);
  assert.equal((await get(`/v1/place/${street.id}`)).osm_tag, 'highway=living_street');
  const [berlin] = (await get('/v1/search?q=Berlin')).results;
  assert.deepEqual([...objectOf(berlin), berlin.osm_tag], [null, null, null]);
  // A node with the name of the town is the town, unless it is a house.
  assert.deepEqual(objectOf((await get('/v1/search?q=Berlin 9, Berlin')).results[0]), ['node', 8]);

  const ids = [`N${cafe}`, 'w5', 'W4', 'R7', 'N3', 'N2', 'N99', `N${berlin.id}`];
  const found = await get(`/nominatim/lookup?format=jsonv2&osm_ids=${ids}`);
  assert.deepEqual(
    found.map(({ osm_type, osm_id, category, type }: Record<string, unknown>) => [osm_type, osm_id, category, type]),
    [
      ['node', cafe, 'amenity', 'cafe'],
      // A street is found by any of its ways, and shows the first.
      ['way', 4, 'highway', 'living_street'],
      ['way', 4, 'highway', 'living_street'],
      ['relation', 7, 'place', 'house'],
      ['node', 3, 'place', 'house'],
      ['node', 2, 'shop', 'bakery'],
    ],
  );
  const search = '/nominatim/search?format=jsonv2&q=Zum Wiedehopf, Berlin&layer=poi';
  assert.deepEqual(objectOf((await get(search))[0]), ['node', cafe]);
  const others = await get(`${search}&exclude_place_ids=N${cafe}`);
  assert.ok(others.every(({ osm_id }: { osm_id?: number }) => osm_id !== cafe));
});

test("Photon's keys and values are those of the imported tag, and osm_tag filters by them", async (t) => {
  const get = await withExtract(t, temporaryFile(t, 'birds.osm.pbf', pbfFile(map)));
  const kinds = async (query: string) =>
    (await get(`/photon/${query}`)).features.map(({ properties }: { properties: Record<string, unknown> }) =>
      ['osm_type', 'osm_id', 'osm_key', 'osm_value'].map((name) => properties[name]),
    );
  const around = 'reverse?lat=52.5&lon=13.4&limit=10&radius=1';
  assert.deepEqual(await kinds(`${around}&osm_tag=amenity:cafe`), [['N', cafe, 'amenity', 'cafe']]);
  assert.deepEqual(await kinds(`${around}&osm_tag=shop`), [['N', 2, 'shop', 'bakery']]);
  assert.deepEqual(await kinds(`${around}&osm_tag=highway`), [['W', 4, 'highway', 'living_street']]);
  assert.deepEqual(await kinds('api?q=Wiedehopf&osm_tag=shop:bakery'), [['N', 2, 'shop', 'bakery']]);
  for (const [type, id] of await kinds('api?q=Berlin')) assert.deepEqual([type, id], [undefined, undefined]);
});

test('a reverse look-up by tag finds the shop behind a dozen cafés, in its city', async (t) => {
  const cafes = Array.from({ length: 12 }, (_, at) => at + 100).map((id) => ({
    ...{ id, lat: 52.5 + id / 1e6, lng: 13.4, tags: { amenity: 'cafe', name: `Café ${id}` } },
  }));
  const shops = ['books', 'optician'].map((shop, at) => ({
    ...{ id: at + 1, lat: 52.504 + at / 1000, lng: 13.4, tags: { shop, name: `Specht ${shop}` } },
  }));
  const get = await withExtract(t, temporaryFile(t, 'cafes.osm.pbf', pbfFile({ nodes: [...cafes, ...shops] })));
  const found = async (query: string) =>
    (await get(`/photon/reverse?lat=52.5&lon=13.4&${query}`)).features.map(
      ({ properties }: { properties: Record<string, unknown> }) => [properties.name, properties.city],
    );
  const [books, optician] = [
    ['Specht books', 'Berlin'],
    ['Specht optician', 'Berlin'],
  ];
  assert.deepEqual(await found('osm_tag=shop&limit=10'), [books, optician]);
  assert.deepEqual(await found('osm_tag=shop:optician'), [optician]);
  assert.deepEqual(await found('include=osm.shop.books&layer=house'), [books]);
  assert.deepEqual(await found('osm_tag=shop&radius=0.2'), []);
  const [point] = (await get('/v1/pois?lat=52.5&lng=13.4&category=shop&limit=1')).results;
  assert.equal(point.osm_tag, 'shop=books');
});

test('of a real extract, the objects of a sample of points and houses are found again', async (t) => {
  const file = sharedData(t, 'osm/de-dreieich.osm.gz');
  if (!file) return;
  const get = await withExtract(t, file);
  const { results } = await get('/v1/pois?lat=50.0&lng=8.713&radius=3&limit=100');
  const { results: houses } = await get('/v1/reverse?lat=50.0035&lng=8.713&layers=address&limit=10');
  const streets = (await get('/v1/streets?q=Straße&lat=50.0&lng=8.713&limit=20')).results;
  // A street that only addresses tell of is no object.
  const records = [...results, ...houses, ...streets].filter(({ osm_id }) => osm_id);
  assert.ok(records.length > 60, `${records.length}`);
  for (const { id, osm_type, osm_id, name } of records) {
    const [found] = await get(`/nominatim/lookup?format=jsonv2&osm_ids=${osm_type[0]}${osm_id}`);
    assert.deepEqual([found?.osm_type, found?.osm_id], [osm_type, osm_id], `${id} ${name}`);
  }
});

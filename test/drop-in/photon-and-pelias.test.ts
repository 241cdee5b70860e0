/** Photon's and Pelias' interfaces: forms, filters and errors as their documentation has them. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { distanceKm } from '../../src/core/geo.ts';
import { type TestService, testService } from '../support/service.ts';

let service: TestService;
before(async () => {
  service = await testService(undefined);
});
after(() => service?.close());

type Feature = { geometry: { coordinates: number[] }; properties: Record<string, unknown> };
const get = (path: string) => service.ask(path);
const featuresOf = async (path: string): Promise<Feature[]> => (await get(path)).body.features;

test('Photon: a search is a collection with keys and values of OpenStreetMap and an extent', async () => {
  const [{ geometry, properties }] = await featuresOf('/photon/api?q=berlin&limit=1');
  const { osm_key, osm_value, type, name, country, countrycode, extent } = properties;
  assert.deepEqual(
    [osm_key, osm_value, type, name, country, countrycode],
    ['place', 'city', 'city', 'Berlin', 'Germany', 'DE'],
  );
  const [west, north, east, south] = extent as number[];
  const [lng, lat] = geometry.coordinates;
  assert.ok(west < lng && lng < east && south < lat && lat < north);
});

test('Photon: osm_tag and layer let through what they name, and with ! all else', async () => {
  const values = async (query: string) =>
    new Set((await featuresOf(`/photon/api?q=paris&${query}`)).map(({ properties }) => properties.osm_value));
  const all = await values('');
  assert.ok(all.has('city'));
  assert.deepEqual(await values('osm_tag=place:city'), new Set(['city']));
  assert.ok(!(await values('osm_tag=!place:city')).has('city'));
  assert.ok(!(await values('osm_tag=place:!city')).has('city'));
  assert.equal((await values('osm_tag=highway')).size, 0);
  for (const { properties } of await featuresOf('/photon/api?q=germany&layer=country'))
    assert.equal(properties.type, 'country');
  assert.equal((await get('/photon/api?q=paris&layer=__proto__')).status, 400);
  assert.equal((await get('/pelias/v1/search?text=paris&layers=constructor')).status, 400);
  const wrong = await get('/photon/api?q=paris&layer=nonsense');
  assert.equal(wrong.status, 400);
  assert.match(wrong.body.message, /Invalid layer 'nonsense'/);
});

test('Photon: the first answer is that of the search, or where that is not sure the first suggestion', async () => {
  const firstOf = async (path: string, q: string) => {
    const [{ lng, lat }] = (await get(`${path}?q=${encodeURIComponent(q)}`)).body.results;
    return [lng, lat];
  };
  for (const [path, texts] of [
    ['/v1/search', ['berlin', 'londres', 'munchen', 'paris texas', 'Hauptstr 3 Berlin']],
    ['/v1/autocomplete', ['berl', 'trattoria ro']],
  ] as const) {
    for (const q of texts) {
      const [shown] = await featuresOf(`/photon/api?q=${encodeURIComponent(q)}`);
      assert.deepEqual(shown.geometry.coordinates, await firstOf(path, q), q);
    }
  }
});

test('Photon: the focus moves up what is near, as far as zoom and scale let it', async () => {
  const stateOfFirst = async (more: string) =>
    (await featuresOf(`/photon/api?q=paris&lat=33.66&lon=-95.55${more}`))[0].properties.state;
  assert.equal(await stateOfFirst(''), 'Texas');
  assert.notEqual(await stateOfFirst('&location_bias_scale=1'), 'Texas');
  assert.notEqual(await stateOfFirst('&zoom=4'), 'Texas');
  // photonScale: half as near, importance decides by default.
  const farther = async (scale: string) =>
    (await featuresOf(`/photon/api?q=paris&lat=34.9&lon=-95.55${scale}`))[0].properties.state;
  assert.deepEqual([await farther(''), await farther('&location_bias_scale=0')], ['Île-de-France', 'Texas']);
});

test('Photon: include and exclude filter by category', async () => {
  const values = async (query: string) =>
    new Set((await featuresOf(`/photon/api?q=paris&${query}`)).map(({ properties }) => properties.osm_value));
  assert.deepEqual(await values('include=osm.place.town,osm.place.city&include=osm.place.city'), new Set(['city']));
  assert.ok(!(await values('exclude=osm.place.city')).has('city'));
  assert.equal((await values('include=food.shop')).size, 0);
  assert.equal((await get('/photon/api?q=paris&include=osm')).status, 400);
  const many = (count: number) => `/photon/api?q=paris&exclude=${Array(count).fill('osm.shop').join(',')}`;
  assert.deepEqual([(await get(many(100))).status, (await get(many(101))).status], [200, 400]);
});

test('Photon: reverse, structured, and what is missing', async () => {
  const [there] = await featuresOf('/photon/reverse?lat=52.52&lon=13.405');
  assert.equal(there.properties.city ?? there.properties.name, 'Berlin');
  const [house] = await featuresOf('/photon/reverse?lat=52.48&lon=13.35');
  assert.equal(house.properties.housenumber, '1');
  assert.deepEqual(house.geometry.coordinates, [13.35, 52.48], 'the position of the house, not of its city');
  assert.deepEqual(await featuresOf('/photon/reverse?lat=0&lon=-30&radius=1'), []);
  const [texan] = await featuresOf('/photon/structured?city=paris&state=texas');
  assert.equal(texan.properties.state, 'Texas');
  assert.match((await get('/photon/api')).body.message, /missing search term/);
  const reverse = '/photon/reverse?lat=52.52&lon=13.405';
  const biased = '/photon/api?q=paris&lat=52&lon=13';
  const refused = [`${reverse}&radius=0`, `${reverse}&radius=bad`, `${reverse}&limit=NaN`, `${reverse}&osm_tag=a:b:c`];
  for (const path of [...refused, '/photon/api?q=paris&limit=NaN', `${biased}&location_bias_scale=bad`])
    assert.equal((await get(path)).status, 400, path);
});

test('Pelias: a search echoes the query, and returns labels, layers and identifiers that place accepts', async () => {
  const { body } = await get('/pelias/v1/search?text=berlin&size=1');
  assert.deepEqual(body.geocoding.query, { text: 'berlin', size: 1 });
  assert.equal(body.bbox.length, 4);
  const { label, layer, gid, confidence, country_a } = body.features[0].properties;
  assert.match(label, /^Berlin, .*Germany$/);
  assert.deepEqual([layer, confidence, country_a], ['locality', 1, 'DEU']);
  const [same] = await featuresOf(`/pelias/v1/place?ids=${gid}`);
  assert.equal(same.properties.name, 'Berlin');
});

test('Pelias: focus, boundaries, layers and country', async () => {
  const [near] = await featuresOf('/pelias/v1/search?text=paris&focus.point.lat=33.6&focus.point.lon=-95.5');
  assert.equal(near.properties.region, 'Texas');
  const inRect = await featuresOf(
    '/pelias/v1/search?text=paris&boundary.rect.min_lon=-100&boundary.rect.min_lat=30&boundary.rect.max_lon=-90&boundary.rect.max_lat=40',
  );
  assert.ok(inRect.length > 0 && inRect.every(({ geometry: { coordinates } }) => coordinates[0] < -90));
  const inCircle = await featuresOf(
    '/pelias/v1/search?text=paris&boundary.circle.lat=33.6&boundary.circle.lon=-95.5&boundary.circle.radius=30',
  );
  assert.ok(inCircle.length > 0 && inCircle.every(({ properties }) => properties.region === 'Texas'));
  for (const { properties } of await featuresOf('/pelias/v1/search?text=paris&boundary.country=USA')) {
    assert.equal(properties.country_a, 'USA');
  }
  const wrong = await get('/pelias/v1/search?text=paris&layers=nonsense');
  assert.equal(wrong.status, 400);
  assert.match(wrong.body.geocoding.errors[0], /'nonsense' is an invalid layers parameter/);
});

test('reverse look-ups have no record twice, and each with its own distance', async () => {
  for (const [path, idOf] of [
    ['/pelias/v1/reverse?point.lat=35.66&point.lon=139.701&size=10', 'gid'],
    ['/photon/reverse?lat=35.66&lon=139.701&limit=10', 'place_id'],
  ]) {
    const features = await featuresOf(path);
    const ids = features.map(({ properties }) => properties[idOf]);
    assert.ok(ids.length > 0);
    assert.equal(new Set(ids).size, ids.length);
    for (const { geometry, properties } of features) {
      if (properties.distance === undefined) continue;
      const [lng, lat] = geometry.coordinates;
      const km = distanceKm({ lat: 35.66, lng: 139.701 }, { lat, lng });
      assert.ok(Math.abs(km - (properties.distance as number)) < 1, `${properties.name}: ${km}`);
    }
  }
});

test('a filter leaves out what is elsewhere or of another layer before the results are counted', async () => {
  const circle = 'boundary.circle.lat=33.66&boundary.circle.lon=-95.55&boundary.circle.radius=50';
  for (const path of [`search?text=paris&${circle}&size=1`, `autocomplete?text=par&${circle}&size=1`]) {
    const [texan] = await featuresOf(`/pelias/v1/${path}`);
    assert.equal(texan?.properties.region, 'Texas', path);
  }
  const across = 'boundary.circle.lat=0&boundary.circle.lon=-179.9&boundary.circle.radius=100';
  assert.deepEqual(await featuresOf(`/pelias/v1/search?text=paris&${across}`), []);
  const around = 'point.lat=35.66&point.lon=139.701';
  const parts = await featuresOf(`/pelias/v1/reverse?${around}&layers=neighbourhood`);
  assert.deepEqual(
    parts.map(({ properties }) => [properties.layer, properties.name, properties.country]),
    [['neighbourhood', 'Shibuya', 'Japan']],
  );
  const [district] = await featuresOf('/photon/reverse?lat=35.66&lon=139.701&layer=district');
  assert.deepEqual([district.properties.name, district.properties.country], ['Shibuya', 'Japan']);
  for (const { properties } of await featuresOf(`/pelias/v1/reverse?${around}&layers=locality`))
    assert.equal(properties.layer, 'locality');
  assert.deepEqual(await featuresOf(`/pelias/v1/reverse?${around}&boundary.country=FRA`), []);
  assert.ok((await featuresOf(`/pelias/v1/reverse?${around}&boundary.country=jpn`)).length > 0);
});

test('beside a house, a city is called by its own name', async () => {
  const [city] = await featuresOf('/photon/reverse?lat=52.48&lon=13.35&layer=city');
  const { name, housenumber, street } = city.properties;
  assert.deepEqual([name, housenumber, street], ['Berlin', undefined, undefined]);
  const kinds = await featuresOf('/photon/reverse?lat=52.48&lon=13.35&layer=city&layer=house&limit=2');
  assert.deepEqual(
    kinds.map(({ properties }) => properties.type),
    ['house', 'house'],
  );
  const [locality] = await featuresOf('/pelias/v1/reverse?point.lat=52.48&point.lon=13.35&layers=locality&size=1');
  assert.deepEqual([locality.properties.name, locality.properties.housenumber], ['Berlin', undefined]);
});

test('half a position is refused by the name that its project has for the other half', async () => {
  const photon = await get('/photon/api?q=paris&lat=33.66');
  assert.deepEqual([photon.status, photon.body.message], [400, "Parameter 'lon' is missing beside 'lat'."]);
  const pelias = await get('/pelias/v1/search?text=paris&focus.point.lon=2');
  assert.match(pelias.body.geocoding.errors[0], /'focus.point.lat' is missing beside 'focus.point.lon'/);
});

test('on the open sea nothing is around, and a house number alone is not looked for', async () => {
  assert.deepEqual(await featuresOf('/photon/reverse?lat=0&lon=-30'), []);
  assert.deepEqual(await featuresOf('/pelias/v1/reverse?point.lat=0&point.lon=-30'), []);
  assert.equal((await get('/photon/structured?housenumber=5')).status, 400);
});

test('Pelias: a reverse look-up has the code of the region and identifiers of the areas, which place accepts', async () => {
  const [{ properties }] = await featuresOf('/pelias/v1/reverse?point.lat=52.48&point.lon=13.35&size=1');
  assert.deepEqual([properties.layer, properties.region_a], ['address', 'BE']);
  for (const [area, name] of [
    ['country', 'Germany'],
    ['region', 'Berlin'],
    ['locality', 'Berlin'],
  ]) {
    const [found] = await featuresOf(`/pelias/v1/place?ids=${properties[`${area}_gid`]}`);
    assert.deepEqual([found.properties.layer, found.properties.name], [area, name]);
  }
});

test('Pelias: of layers that hold a point the finest comes first; a label has no postal code', async () => {
  const found = async (query: string) =>
    (await featuresOf(`/pelias/v1/reverse?point.lat=52.48&point.lon=13.35&${query}`)).map((each) => each.properties);
  const layers = (await found('layers=country,region,locality&size=3')).map(({ layer }) => layer);
  assert.deepEqual(layers, ['locality', 'region', 'country']);
  const [coarse] = await found('layers=coarse&size=1');
  assert.deepEqual([coarse.layer, coarse.label], ['locality', 'Berlin, Germany']);
  const { status, body } = await get('/pelias/v1/search?text=berlin&boundary.rect.min_lat=33');
  assert.equal(status, 400);
  assert.match(body.geocoding.errors[0], /boundary\.rect\.min_lon/);
});

test('Pelias: Stadia Maps has the same routes below /geocoding', async () => {
  const { body } = await get('/pelias/geocoding/v1/search?text=berlin&size=1');
  assert.equal(body.features[0].properties.name, 'Berlin');
});

test('Pelias: autocomplete, structured and reverse', async () => {
  const [completed] = await featuresOf('/pelias/v1/autocomplete?text=berl');
  assert.equal(completed.properties.name, 'Berlin');
  const [texan] = await featuresOf('/pelias/v1/search/structured?locality=paris&region=texas');
  assert.equal(texan.properties.region, 'Texas');
  const [there] = await featuresOf('/pelias/v1/reverse?point.lat=52.52&point.lon=13.405');
  assert.equal(there.properties.locality, 'Berlin');
  assert.equal((await get('/pelias/v1/autocomplete?text=b')).status, 200);
  const { geocoding, features } = (await get('/pelias/v1/reverse')).body;
  assert.match(geocoding.errors[0], /point.lat/);
  assert.ok(geocoding.engine.name && geocoding.attribution && geocoding.timestamp > 0);
  assert.deepEqual(features, []);
});

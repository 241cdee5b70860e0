/** Vector tiles over HTTP: what they hold, what they cost, and what is refused. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { suite, test } from 'node:test';
import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import { searchable } from '../../src/api/open.ts';
import { type Tile, tileBounds } from '../../src/core/geo.ts';
import { type CityNames, Deferred } from '../../src/store/store.ts';
import { denseCity, openDenseCity } from '../support/dense-city.ts';
import { type TestService, testService } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { tileAt } from '../support/tile-at.ts';

const address = (layer: string, { z, x, y }: Tile) => `/tiles/${layer}/${z}/${x}/${y}.mvt`;

/** Features of a tile by its layer, positions as GeoJSON has them. */
async function featuresOf({ inject, key }: TestService, layer: string, tile: Tile, query = '') {
  const url = `${address(layer, tile)}${query}`;
  const { statusCode, headers, rawPayload } = await inject({ url, headers: { 'x-api-key': key } });
  if (statusCode === 204) return [];
  assert.equal(statusCode, 200, url);
  assert.equal(headers['content-type'], 'application/vnd.mapbox-vector-tile');
  const { layers } = new VectorTile(new PbfReader(rawPayload));
  assert.deepEqual(Object.keys(layers), [layer]);
  assert.equal(layers[layer].version, 2);
  const { length } = layers[layer];
  return Array.from({ length }, (_, at) => {
    const feature = layers[layer].feature(at);
    return { properties: { ...feature.properties }, geometry: feature.toGeoJSON(tile.x, tile.y, tile.z).geometry };
  });
}

suite('vector tiles', () => {
  test('streets are lines with name and class, where they lie', async (t) => {
    const service = await testService(t);
    const tile = tileAt(14, 52.48, 13.35);
    const [street] = await featuresOf(service, 'streets', tile);
    assert.deepEqual(street.properties, { name: 'Hauptstraße', highway: 'primary' });
    assert.equal(street.geometry.type, 'MultiLineString');
    const lines = street.geometry.type === 'MultiLineString' ? street.geometry.coordinates : [];
    const [[lng, lat]] = lines[0];
    assert.ok(Math.abs(lng - 13.35) < 1e-4 && Math.abs(lat - 52.479) < 1e-4, `${lng} ${lat}`);
  });

  test('main roads are drawn before others', async (t) => {
    const service = await testService(t);
    assert.equal((await featuresOf(service, 'streets', tileAt(10, 52.48, 13.35))).length, 1, 'primary');
    assert.equal((await featuresOf(service, 'streets', tileAt(12, 48.15, 11.46))).length, 0, 'residential');
    assert.equal((await featuresOf(service, 'streets', tileAt(13, 48.15, 11.46))).length, 1, 'residential');
  });

  test('houses are points with number and street', async (t) => {
    const service = await testService(t);
    const houses = await featuresOf(service, 'addresses', tileAt(16, 52.48, 13.35));
    const numbers = houses.map(({ properties }) => properties.number);
    assert.ok(numbers.includes('1') && numbers.includes('12a'), numbers.join());
    assert.ok(houses.every(({ properties }) => properties.street === 'Hauptstraße'));
  });

  test('points of interest and places have their fields; places a language', async (t) => {
    const service = await testService(t);
    const pois = await featuresOf(service, 'pois', tileAt(15, 52.481, 13.351));
    assert.ok(
      pois.some(({ properties: { name, category } }) => name === 'Trattoria Roma' && category === 'restaurant'),
    );
    const world = await featuresOf(service, 'places', { z: 0, x: 0, y: 0 });
    const { properties } = world.find(({ properties: { name } }) => name === 'Munich') ?? {};
    assert.equal(properties?.country, 'DE');
    assert.equal(properties?.type, 'city');
    assert.equal(Number.isInteger(properties?.rank), true);
    const japanese = await featuresOf(service, 'places', { z: 0, x: 0, y: 0 }, '?lang=ja');
    assert.ok(japanese.some(({ properties: { name } }) => name === '東京'));
  });

  test('features have a name where their extent or rank has room for it, in a language', async (t) => {
    const service = await testService(t);
    const names = async (zoom: number, lat: number, lng: number, query = '') =>
      (await featuresOf(service, 'features', tileAt(zoom, lat, lng), query)).map(({ properties }) => properties.name);
    assert.ok((await names(1, 0, -30)).includes('Atlantic Ocean'));
    assert.ok((await names(4, 46.5, 10)).includes('Alps'));
    assert.ok((await names(4, 46.5, 10, '?lang=de')).includes('Alpen'));
    assert.ok(!(await names(12, 46.5, 10)).includes('Alps'), 'far larger than what is shown');
    assert.ok((await names(12, 48.8584, 2.2945)).includes('Eiffel Tower'));
    assert.ok(!(await names(3, 48.8584, 2.2945)).includes('Eiffel Tower'));
  });

  test('zones are lines where the zone changes, and a name for each', async (t) => {
    const { inject, key } = await testService(t);
    const tile = tileAt(6, 50, 5.9);
    const { rawPayload } = await inject({ url: address('zones', tile), headers: { 'x-api-key': key } });
    const { layers } = new VectorTile(new PbfReader(rawPayload));
    const line = layers.zones.feature(0).toGeoJSON(tile.x, tile.y, tile.z).geometry;
    const positions = line.type === 'MultiLineString' ? line.coordinates.flat() : [];
    assert.ok(positions.length > 10);
    // The rectangles of Germany and France meet at 6 degrees east; the sea's zones are others.
    const between = positions.filter(([lng, lat]) => lat > 48 && lat < 50 && lng > 0);
    assert.ok(between.length > 10 && between.every(([lng]) => Math.abs(lng - 6) < 0.01), String(between[0]));
    const { length } = layers['zone-names'];
    const names = Array.from({ length }, (_, at) => layers['zone-names'].feature(at).properties.name);
    assert.deepEqual(names.filter((name) => !String(name).startsWith('Etc/')).sort(), [
      'Europe/Berlin',
      'Europe/Paris',
    ]);
  });

  test('names of countries and regions stand within them, when there is room, in a language', async (t) => {
    const service = await testService(t);
    const { boundaries } = service.holder.current!;
    const found = await featuresOf(service, 'areas', tileAt(7, 51, 10), '?lang=de');
    const all = [...found, ...(await featuresOf(service, 'areas', tileAt(5, 51, 10), '?lang=de'))];
    const country = all.find(({ properties: { level } }) => level === 0);
    assert.equal(country?.properties.name, 'Deutschland');
    const [lng, lat] = country.geometry.type === 'Point' ? country.geometry.coordinates : [];
    assert.equal(boundaries!.countryAt({ lat, lng }), 'DE');
    const world = await featuresOf(service, 'areas', { z: 0, x: 0, y: 0 });
    const countries = world.map(({ properties }) => properties.country);
    assert.ok(countries.includes('US') && !countries.includes('DE'), `by the room they have: ${countries}`);
  });

  test('every place is in the one tile of a zoom that holds it', async (t) => {
    const service = await testService(t);
    const { id, lat, lng } = service.holder.current!.places.get(0);
    for (const zoom of [1, 5, 9, 12]) {
      const tile = tileAt(zoom, lat, lng);
      const { west, east, north, south } = tileBounds(tile);
      assert.ok(west <= lng && lng <= east && south <= lat && lat <= north);
      const found = await featuresOf(service, 'places', tile);
      assert.ok(
        found.some(({ properties }) => properties.id === id),
        `zoom ${zoom}`,
      );
    }
  });

  test('an empty tile is 204; a repeated request 304; another language has another tag', async (t) => {
    const { ask, key } = await testService(t);
    const empty = await ask(address('streets', { z: 14, x: 0, y: 0 }));
    assert.equal(empty.status, 204);
    assert.match(empty.headers['cache-control'], /private, max-age=\d+/);
    assert.match(empty.headers.vary, /X-API-Key/);
    const url = address('places', { z: 0, x: 0, y: 0 });
    const { headers } = await ask(url);
    const again = await ask(url, { key, headers: { 'if-none-match': headers.etag } });
    assert.equal(again.status, 304);
    assert.equal(again.text, '');
    assert.notEqual((await ask(`${url}?lang=de`)).headers.etag, headers.etag);
    for (const lang of ['!!!', 'a', 'aaaaaaaa', 'x-aa']) assert.equal((await ask(`${url}?lang=${lang}`)).status, 400);
  });

  test('what is not a tile is refused, naming what is expected', async (t) => {
    const { ask } = await testService(t);
    for (const [path, parameter, expected] of [
      ['/tiles/streets/-1/0/0.mvt', 'z', /whole number/],
      ['/tiles/streets/a/0/0.mvt', 'z', /whole number/],
      ['/tiles/streets/3/0/1.5.mvt', 'y', /whole number/],
    ] as const) {
      const { status, body } = await ask(path);
      assert.equal(status, 400, path);
      assert.equal(body.code, 'invalid_parameter');
      assert.equal(body.errors[0].parameter, parameter, path);
      assert.match(body.detail, expected);
    }
    for (const [path, expected] of [
      ['/tiles/streets/15/0/0.mvt', 'z is 15, expected a whole number from 0 to 14'],
      ['/tiles/streets/3/8/0.mvt', 'x is 8, expected a whole number from 0 to 7 at zoom 3'],
      ['/tiles/streets/3/0/8.mvt', 'y is 8, expected a whole number from 0 to 7 at zoom 3'],
    ]) {
      const { status, body } = await ask(path);
      assert.deepEqual([status, body.code], [404, 'not_found'], path);
      assert.ok(body.detail.endsWith(expected), body.detail);
    }
    const unknown = await ask('/tiles/rivers/3/0/0.mvt');
    assert.equal(unknown.status, 404);
    assert.match(unknown.body.detail, /places, streets/);
    assert.equal((await ask('/tiles/streets/3/0/0.png')).status, 404);
    const without = await testService(t, { small: { without: ['streets', 'addresses', 'pois'] } });
    assert.equal((await without.ask('/tiles/streets/14/0/0.mvt')).body.code, 'dataset_missing');
  });

  test('a key is needed, in the header or as a parameter; below /v1 too', async (t) => {
    const { ask, key } = await testService(t);
    const url = address('places', { z: 0, x: 0, y: 0 });
    assert.equal((await ask(url, { key: null })).status, 401);
    assert.equal((await ask(`${url}?key=${key}`, { key: null })).status, 200);
    assert.equal((await ask(`/v1${url}`)).status, 200);
    assert.equal((await ask(`${url}?colour=red`)).headers['x-ignored-parameters'], 'colour');
  });

  test('the first of sixteen tiles costs a call, whichever they are; with the quota used up none is drawn', async (t) => {
    const { ask, makeKey } = await testService(t);
    const used = async (key: string) => (await ask('/v1/usage', { key })).body.used;
    const draw = async (key: string, x: number) => (await ask(address('places', { z: 6, x, y: 1 }), { key })).status;
    const key = makeKey({ plan: 'tiny' });
    // The same tile repeatedly, and each key separately.
    for (let tile = 0; tile < 16; tile++) assert.ok((await draw(key, 3)) < 300);
    assert.equal(await used(key), 1);
    await ask('/tiles/places.json', { key });
    assert.equal(await used(key), 1);
    const other = makeKey({ plan: 'tiny' });
    await draw(other, 3);
    assert.equal(await used(other), 1);
    for (let tile = 0; tile < 64; tile++) assert.ok((await draw(key, tile)) < 300);
    assert.equal(await used(key), 5);
    const { status, body } = await ask(address('places', { z: 6, x: 1, y: 1 }), { key });
    assert.deepEqual([status, body.code], [429, 'quota_exceeded']);
    assert.equal((await ask('/tiles/places.json', { key })).status, 200, 'which is free');
  });

  test('a tile that is refused with 503 and refunded pays for no others', async (t) => {
    const { ask } = await testService(t, { small: { without: ['streets', 'addresses', 'pois'] } });
    for (let round = 0; round < 2; round++) {
      assert.equal((await ask('/tiles/streets/14/0/0.mvt')).status, 503);
      for (let x = 0; x < 15; x++) assert.ok((await ask(address('places', { z: 6, x, y: 1 }))).status < 300);
    }
    assert.equal((await ask('/v1/usage')).body.used, 2);
  });

  test('tiles that wait together for the quota of their key are each charged, and what is paid too much is used by the next', async (t) => {
    const keysPath = join(temporaryDirectory(t), 'keys.sqlite');
    const { app, ask, makeKey } = await testService(t, { keysPath });
    const key = makeKey();
    const draw = (x: number) => ask(address('places', { z: 6, x, y: 1 }), { key });
    const other = new DatabaseSync(keysPath);
    t.after(() => other.close());
    other.exec('BEGIN IMMEDIATE');
    const together = [1, 2, 3, 4].map(draw);
    while (app.whereabouts.arrived < 4) await new Promise<void>((resolve) => process.nextTick(resolve));
    other.exec('COMMIT');
    await Promise.all(together);
    for (let tile = 4; tile < 64; tile++) assert.ok((await draw(tile)).status < 300);
    assert.equal((await ask('/v1/usage', { key })).body.used, 4);
  });

  test('TileJSON says where the tiles are, with the key that came as a parameter', async (t) => {
    const { ask, key } = await testService(t);
    const { body } = await ask(`/tiles/streets.json?key=${key}`, { key: null, headers: { host: 'maps.example:8080' } });
    assert.equal(body.tilejson, '3.0.0');
    assert.deepEqual([body.minzoom, body.maxzoom], [9, 14]);
    assert.deepEqual(body.tiles, [`http://maps.example:8080/tiles/streets/{z}/{x}/{y}.mvt?key=${key}`]);
    assert.equal(body.vector_layers[0].id, 'streets');
    const forwarded = { host: 'a.example', 'x-forwarded-host': 'b.example', 'x-forwarded-proto': 'https' };
    const stranger = await ask('/tiles/streets.json', { headers: forwarded });
    assert.deepEqual(stranger.body.tiles, ['http://a.example/tiles/streets/{z}/{x}/{y}.mvt']);
    const behindProxy = await testService(t, { trustedProxies: ['127.0.0.1'] });
    const proxied = await behindProxy.ask('/tiles/streets.json', { headers: forwarded });
    assert.deepEqual(proxied.body.tiles, ['https://b.example/tiles/streets/{z}/{x}/{y}.mvt']);
  });

  test('however much lies in a tile, it shows a bounded part of it, the streets with most houses and vertices first', async (t) => {
    const { store, remove } = await openDenseCity({ size: 48, houses: 12 });
    t.after(remove);
    const { lat, lng } = denseCity;
    const service = await testService(t, { store: { current: store } });
    const countOf = async (layer: string, zoom: number) =>
      (await featuresOf(service, layer, tileAt(zoom, lat, lng))).length;
    const [streets, points] = [await countOf('streets', 13), await countOf('pois', 13)];
    assert.ok(streets > 300 && streets <= 1000, `${streets} streets`);
    assert.ok(points > 100 && points <= 1500, `${points} points`);
    const houses = await countOf('addresses', 16);
    assert.ok(houses > 100, `${houses} houses`);
  });

  test('a tile that is full before the end waits for what is still being fetched', async (t) => {
    const service = await testService(t);
    let isThere = false;
    const waiting = new Deferred({ within: (search) => search(), fetch: async () => void (isThere = true) });
    const { lat, lng } = { lat: 52.48, lng: 13.35 };
    const motorway = { highway: 'motorway', bytes: 0, lines: () => [Float64Array.of(lng, lat, lng + 0.1, lat)] };
    const part = {
      streetsIn: () => [
        { ...motorway, name: isThere ? 'A 2' : 'A 1' },
        { ...motorway, bytes: 1_000_000 },
      ],
      settle() {
        if (!isThere) throw waiting;
      },
    };
    const { map } = searchable(
      { streets: [part as unknown as Parameters<typeof searchable>[0]['streets'][number]], pois: [] },
      {} as CityNames,
    );
    service.holder.current = Object.create(service.holder.current!, { map: { value: map } });
    const [{ properties }] = await featuresOf(service, 'streets', tileAt(10, lat, lng));
    assert.equal(properties.name, 'A 2');
  });

  test('they are described with the API', async (t) => {
    const { ask } = await testService(t);
    const { paths } = (await ask('/openapi.json')).body;
    const { get } = paths['/tiles/{layer}/{z}/{x}/{y}.mvt'];
    assert.deepEqual(Object.keys(get.responses[200].content), ['application/vnd.mapbox-vector-tile']);
    assert.ok(get.responses[204] && get.responses[304]);
    const names = get.parameters.map(({ name }: { name: string }) => name);
    assert.deepEqual(names, ['layer', 'z', 'x', 'y', 'lang', 'key', 'api_key']);
  });
});

/** Nominatim's interface: forms, parameters and errors as its documentation has them. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openLayers } from '../support/build-layer.ts';
import { mapOf, type Polygon, type Ring, square } from '../support/drawn-map.ts';
import { type TestService, testService } from '../support/service.ts';
import { writeSmallWorld } from '../support/small-world.ts';
import { temporaryDirectory } from '../support/temporary.ts';

let service: TestService;
before(async () => {
  service = await testService(undefined);
});
after(() => service?.close());

const get = (path: string, key?: string | null) => service.ask(path, key === undefined ? {} : { key });

test('a search is a list with positions as texts, a box around each, and the label from small to large', async () => {
  const { status, body } = await get('/nominatim/search?q=berlin&limit=1');
  assert.equal(status, 200);
  assert.equal(body.length, 1);
  const [{ lat, lon, boundingbox, display_name, category, type, addresstype, address, osm_type, osm_id }] = body;
  assert.ok(typeof lat === 'string' && typeof lon === 'string');
  const [south, north, west, east] = boundingbox.map(Number);
  assert.ok(south < Number(lat) && Number(lat) < north && west < Number(lon) && Number(lon) < east);
  assert.match(display_name, /^Berlin, .*Germany$/);
  assert.deepEqual([category, type, addresstype], ['place', 'city', 'city']);
  assert.deepEqual([osm_type, osm_id], [undefined, undefined], 'its source is not OpenStreetMap');
  assert.equal(address, undefined);
});

test('addressdetails, namedetails, extratags and outlines are returned on request', async () => {
  const query = 'addressdetails=1&namedetails=1&extratags=1&polygon_geojson=1&format=json';
  const [found] = (await get(`/nominatim/search?q=berlin&${query}`)).body;
  assert.equal(found.class, 'place');
  assert.equal(found.address.city, 'Berlin');
  assert.equal(found.address.country_code, 'de');
  assert.equal(found.namedetails.name, 'Berlin');
  assert.ok(Number(found.extratags.population) > 1_000_000);
  assert.deepEqual(found.geojson, { type: 'Point', coordinates: [Number(found.lon), Number(found.lat)] });
  const [inText] = (await get('/nominatim/search?q=berlin&polygon_text=1')).body;
  assert.equal(inText.geotext, `POINT(${found.lon} ${found.lat})`);
});

test('a structured query is the parts together; with q it is refused', async () => {
  const { body } = await get('/nominatim/search?city=paris&state=texas');
  assert.match(body[0].display_name, /Texas/);
  const refused = await get('/nominatim/search?q=paris&city=paris');
  assert.equal(refused.status, 400);
  assert.match(refused.body.error.message, /cannot be combined/);
  assert.equal((await get('/nominatim/search')).status, 400);
});

test('a postal code is labelled by itself, with its place', async () => {
  const [{ type, addresstype, name, display_name, address }] = (
    await get('/nominatim/search?postalcode=10115&countrycodes=de&addressdetails=1')
  ).body;
  assert.deepEqual([type, addresstype, name, address.postcode], ['postcode', 'postcode', '10115', '10115']);
  assert.equal(address.city, 'Berlin');
  assert.match(display_name, /^10115, Berlin, /);
});

test('countrycodes, viewbox with bounded, exclude_place_ids and limit leave out what they say', async () => {
  const all = (await get('/nominatim/search?q=paris&limit=40&addressdetails=1')).body;
  assert.ok(all.length > 1);
  const inUs = (await get('/nominatim/search?q=paris&countrycodes=us&addressdetails=1')).body;
  assert.ok(
    inUs.length > 0 && inUs.every(({ address }: { address: Record<string, string> }) => address.country_code === 'us'),
  );
  const both = (await get('/nominatim/search?q=paris&countrycodes=us,fr&addressdetails=1')).body;
  assert.deepEqual(
    new Set(both.map(({ address }: { address: Record<string, string> }) => address.country_code)),
    new Set(['us', 'fr']),
  );
  const ofMany = (await get('/nominatim/search?q=paris&countrycodes=us,de,at,ch,it&addressdetails=1')).body;
  assert.ok(ofMany.length > 0);
  assert.deepEqual(
    new Set(ofMany.map(({ address }: { address: Record<string, string> }) => address.country_code)),
    new Set(['us']),
  );
  const bounded = (await get('/nominatim/search?q=paris&viewbox=-100,30,-90,40&bounded=1')).body;
  assert.ok(
    bounded.length > 0 && bounded.every(({ lon }: { lon: string }) => Number(lon) >= -100 && Number(lon) <= -90),
  );
  const without = (await get(`/nominatim/search?q=paris&exclude_place_ids=${all[0].place_id}`)).body;
  assert.ok(without.every(({ place_id }: { place_id: number }) => place_id !== all[0].place_id));
});

test('a reverse look-up is one object with its address; geojson and geocodejson are collections', async () => {
  const { body } = await get('/nominatim/reverse?lat=52.52&lon=13.405&format=jsonv2');
  assert.equal(body.address.city, 'Berlin');
  const geojson = (await get('/nominatim/reverse?lat=52.52&lon=13.405&format=geojson')).body;
  assert.equal(geojson.type, 'FeatureCollection');
  assert.equal(geojson.features[0].properties.address.city, 'Berlin');
  assert.equal(geojson.features[0].bbox.length, 4);
  const geocodejson = (await get('/nominatim/reverse?lat=52.52&lon=13.405&format=geocodejson')).body;
  assert.equal(geocodejson.features[0].properties.geocoding.city, 'Berlin');
  const nowhere = await get('/nominatim/reverse?lat=95&lon=13.405&format=json');
  assert.deepEqual(nowhere.body, { error: 'Unable to geocode' });
  const wrong = await get('/nominatim/reverse?lat=52,5&lon=13.405&format=json');
  assert.equal(wrong.status, 400);
  assert.match(wrong.body.error.message, /lat/);
});

test('lookup takes objects of OpenStreetMap only, and omits invalid or unknown ones', async () => {
  const [found] = (await get('/nominatim/search?q=berlin')).body;
  const { body } = await get(`/nominatim/lookup?format=json&osm_ids=N${found.place_id},N1,N0,,X9,nonsense`);
  assert.deepEqual(body, []);
  const many = Array.from({ length: 51 }, (_, at) => `N${at + 1}`);
  assert.equal((await get(`/nominatim/lookup?osm_ids=${many}`)).status, 400);
});

test('status is a text, or JSON with the dataset', async () => {
  assert.equal((await get('/nominatim/status')).text, 'OK');
  assert.equal((await get('/nominatim/status.php')).text, 'OK');
  assert.equal((await get('/nominatim/search.php?q=berlin')).body[0].name, 'Berlin');
  const { body } = await get('/nominatim/status?format=json');
  assert.equal(body.status, 0);
  assert.match(body.data_updated, /T\d\d:\d\d:\d\d\+00:00$/);
});

test('an unknown format is refused by name; a callback wraps the answer', async () => {
  const html = await get('/nominatim/search?q=berlin&format=html');
  assert.equal(html.status, 400);
  assert.match(html.body.error.message, /xml, json, jsonv2, geojson, geocodejson/);
  const wrapped = await get('/nominatim/search?q=berlin&json_callback=show');
  assert.match(wrapped.headers['content-type'], /^application\/javascript/);
  assert.match(wrapped.text, /^show\(\[\{/);
  assert.equal((await get('/nominatim/search?q=berlin&json_callback=alert(1)//')).status, 400);
  assert.equal((await get(`/nominatim/search?q=berlin&json_callback=${'f'.repeat(101)}`)).status, 400);
});

test('keys come by header, parameter or path; without one the answer is 401 in the form of the project', async () => {
  const { key } = service;
  assert.equal((await get(`/nominatim/search?q=berlin&key=${key}`, null)).status, 200);
  assert.equal((await get(`/key/${key}/nominatim/search?q=berlin`, null)).status, 200);
  const without = await get('/nominatim/search?q=berlin', null);
  assert.equal(without.status, 401);
  assert.ok(without.body.error.message);
  assert.ok(without.headers['www-authenticate']);
});

test('a request costs a call, and a restricted key needs the endpoint behind the interface', async () => {
  const tiny = service.makeKey({ plan: 'tiny' });
  for (let call = 0; call < 5; call++) assert.equal((await get('/nominatim/search?q=berlin', tiny)).status, 200);
  const used = await get('/nominatim/search?q=berlin', tiny);
  assert.equal(used.status, 429);
  assert.ok(Number(used.headers['retry-after']) > 0);
  const restricted = service.makeKey({ endpoints: ['country'] });
  assert.equal((await get('/nominatim/search?q=berlin', restricted)).status, 403);
});

test('a text may stand in the path, and parameters in a form or a JSON object, at the cost that the address has', async () => {
  const names = ({ body }: { body: { name: string }[] }) => body[0]?.name;
  for (const path of ['/nominatim/search/Berlin', '/nominatim/search.php/Berlin,%20Germany']) {
    assert.equal(names(await get(`${path}?limit=1`)), 'Berlin', path);
  }
  const post = async (url: string, type: string, payload: string) => {
    const headers = { 'x-api-key': service.key, 'content-type': type };
    const { statusCode, body } = await service.inject({ method: 'POST', url, headers, payload });
    return { status: statusCode, body: JSON.parse(body) };
  };
  const form = 'application/x-www-form-urlencoded';
  assert.equal(names(await post('/nominatim/search', form, 'q=berlin&limit=1')), 'Berlin');
  assert.equal(names(await post('/nominatim/search?limit=1', 'application/json', '{"q":"berlin"}')), 'Berlin');
  const dear = await post('/nominatim/search', form, 'q=berlin&countrycodes=de,fr');
  assert.deepEqual([dear.status, dear.body.error.code], [400, 400]);
  assert.equal((await post('/nominatim/search?countrycodes=de,fr', form, 'q=berlin')).status, 200);
  assert.equal((await post('/nominatim/search', form, `q=${'a'.repeat(9000)}`)).status, 413);
  for (const body of [`"${'x'.repeat(8000)}"`, '{"q":{"toString":1}}'])
    assert.equal((await post('/nominatim/search', 'application/json', body)).status, 400);
  const many = Array.from({ length: 101 }, (_, at) => `n${at}=1`).join('&');
  assert.match(JSON.stringify((await post('/nominatim/search', form, many)).body), /has 101 parameters, at most 100/);
  const wrong = await post('/photon/api', form, 'q=berlin&limit=abc');
  assert.deepEqual([wrong.status, wrong.body], [400, { message: "Parameter 'limit' must be a number." }]);
});

test('what Home Assistant and QGIS send is answered with the fields that they read', async () => {
  const home = await get(
    '/nominatim/search.php?q=berlin&format=jsonv2&limit=1&addressdetails=1&accept-language=en&email=a@b.c',
  );
  const { place_id, lat, lon, category, address, boundingbox, display_name } = home.body[0];
  assert.ok(place_id && category && display_name && boundingbox.length === 4);
  assert.ok(Math.abs(lat - 52.5) < 0.1 && Math.abs(lon - 13.4) < 0.1);
  assert.deepEqual([address.country_code, address.country], ['de', 'Germany']);
  const there = await get('/nominatim/reverse.php?lat=52.52&lon=13.41&accept-language=en&zoom=18&format=jsonv2');
  assert.equal(there.body.address.country_code, 'de');
  const qgis = await get('/nominatim/search?format=json&addressdetails=1&viewbox=5,47,16,55&countrycodes=de&q=berlin');
  assert.deepEqual([qgis.body[0].class, qgis.body[0].address.country], ['place', 'Germany']);
});

test('accept-language selects the language of names, the parameter before the header', async () => {
  const inJapanese = await service.ask('/nominatim/search?q=tokyo', { headers: { 'accept-language': 'ja,en;q=0.5' } });
  assert.equal(inJapanese.body[0].name, '東京');
  const inEnglish = await service.ask('/nominatim/search?q=tokyo&accept-language=en', {
    headers: { 'accept-language': 'ja' },
  });
  assert.equal(inEnglish.body[0].name, 'Tokyo');
});

test('zoom of a reverse look-up chooses the detail, from the country to the house', async () => {
  const at = async (zoom: number) =>
    (await get(`/nominatim/reverse?lat=52.48&lon=13.35&zoom=${zoom}&format=json`)).body;
  const types = await Promise.all([0, 3, 5, 8, 10, 12, 16, 17, 18].map(async (zoom) => (await at(zoom)).addresstype));
  assert.deepEqual(types, ['country', 'country', 'state', 'state', 'city', 'city', 'road', 'road', 'place']);
  const country = await at(3);
  assert.equal(country.display_name, 'Germany');
  const house = await at(18);
  assert.equal(house.address.house_number, '1');
  assert.deepEqual([house.lat, house.lon], ['52.48', '13.35'], 'the position of the house, not of its city');
});

test('a point far out at sea has no result', async () => {
  for (const zoom of [3, 10, 18]) {
    const { body } = await get(`/nominatim/reverse?lat=0&lon=-30&zoom=${zoom}&format=json`);
    assert.deepEqual(body, { error: 'Unable to geocode' });
  }
});

test('a country has its outline in all forms, and its box', async () => {
  const forms = ['geojson', 'kml', 'svg', 'text'];
  const answers = await Promise.all(forms.map((form) => get(`/nominatim/search?q=germany&polygon_${form}=1`)));
  const [{ geojson, boundingbox }, { geokml }, { svg }, { geotext }] = answers.map(({ body }) => body[0]);
  const inXml = await get('/nominatim/search?q=germany&polygon_svg=1&format=xml');
  assert.ok(inXml.text.includes(`geosvg="${svg}"`));
  const two = await get('/nominatim/search?q=germany&polygon_kml=1&polygon_svg=1');
  assert.equal(two.body.error.message, 'Too many polygon output options selected.');
  const [feature] = (await get('/nominatim/search?q=germany&format=geojson&polygon_kml=1')).body.features;
  assert.deepEqual([feature.geometry.type, feature.properties.geokml], ['Point', undefined]);
  assert.equal(geojson.type, 'MultiPolygon');
  const [lng, lat] = geojson.coordinates[0][0][0];
  assert.match(geokml, /^<MultiGeometry><Polygon><outerBoundaryIs><LinearRing>/);
  assert.ok(svg.startsWith(`M ${lng} ${-lat} L `), svg);
  assert.ok(geotext.startsWith(`MULTIPOLYGON(((${lng} ${lat},`), geotext);
  const latitudes = geojson.coordinates.flat(2).map(([, degrees]: number[]) => degrees);
  assert.ok(Math.abs(Number(boundingbox[0]) - Math.min(...latitudes)) < 0.1);
});

test('the outline of a large country is a coarser one', async (t) => {
  /** A country whose western border has steps of 20 m to 50 km. */
  const stepped = (west: number, south: number, north: number): Ring => {
    const steps = 400;
    const points = Array.from({ length: steps }, (_, at) => [
      west + (at % 2 === 0 ? 0 : 0.0002 * 1.02 ** at),
      south + ((north - south) * at) / steps,
    ]);
    return [...points, [west + 2, north], [west + 2, south], points[0]];
  };
  const map = { CA: [[stepped(-100, 41.7, 83.1)]], LI: [[stepped(9, 47.05, 47.27)]] };
  const regions = Object.keys(map).map((code): [string, string, Polygon] => [code, `${code}-X`, [square(-60, 0, 1)]]);
  const { store } = await mapOf(t, { countries: map, regions });
  const drawn = await testService(t, { store: { current: store } });
  for (const [name, threshold, tolerance] of [
    ['Canada', 0, 4609],
    ['Canada', 0.1, 11_132],
    ['Liechtenstein', 0, 25],
  ] as const) {
    const search = `q=${name}&polygon_geojson=1&polygon_threshold=${threshold}&featuretype=country`;
    const [{ geojson }] = (await drawn.ask(`/nominatim/search?${search}`)).body;
    const [{ id }] = (await drawn.ask(`/v1/search?q=${name}&layers=country`)).body.results;
    const { geometry } = (await drawn.ask(`/v1/place/${id}/area?tolerance=${tolerance}`)).body;
    assert.deepEqual(geojson.coordinates, geometry.coordinates, name);
  }
});

test('XML: places with their attributes, an address in parts, and errors', async () => {
  const { headers, text } = await get('/nominatim/search?q=berlin&format=xml&addressdetails=1&limit=1');
  assert.match(headers['content-type'], /^text\/xml/);
  assert.match(text, /^<\?xml [^>]*>\n<searchresults [^>]*querystring="berlin"[^>]*><place place_id="\d+" lat=/);
  assert.match(text, /<city>Berlin<\/city>.*<country_code>de<\/country_code><\/place><\/searchresults>$/);
  const reverse = (await get('/nominatim/reverse?lat=52.48&lon=13.35&format=xml')).text;
  assert.match(reverse, /<reversegeocode [^>]*><result [^>]*>1, Hauptstraße, .*Germany<\/result><addressparts>/);
  const nowhere = (await get('/nominatim/reverse?lat=0&lon=-30&format=xml')).text;
  assert.match(nowhere, /<error>Unable to geocode<\/error>/);
  const quoted = (await get(`/nominatim/search?q=${encodeURIComponent('"<x>&')}&format=xml`)).text;
  assert.match(quoted, /querystring="&quot;&lt;x&gt;&amp;"/);
  const wrong = await get('/nominatim/search?format=xml');
  assert.match(wrong.text, /<error><code>400<\/code><message>Nothing to search for\.<\/message><\/error>$/);
});

test('the XML of a search says where the next results are, without the key', async () => {
  const shared = 'q=%3Cparis%3E&limit=1&exclude_place_ids=n7,w8&format=xml';
  const { text } = await get(`/nominatim/search?${shared}&viewboxlbrt=-96,33,-95,34.5&countrycodes=us,1&key=secret`);
  assert.match(text, / viewbox="-96,33,-95,34.5"/);
  assert.match(text, / exclude_place_ids="N7,W8,\d+"/);
  const [, more] = / more_url="([^"]*)"/.exec(text) ?? [];
  assert.match(more, /^\/nominatim\/search\?q=%3Cparis%3E&amp;.*countrycodes=us&amp;.*format=xml$/);
  assert.doesNotMatch(text, /secret/);
  const structured = await get('/nominatim/search?city=paris&state=texas&format=xml');
  assert.match(structured.text, / querystring="paris, texas"/);
});

test('reverse look-ups and look-ups by identifier answer in XML where no format is named, errors too', async () => {
  for (const path of ['reverse?lat=52.48&lon=13.35', 'lookup?osm_ids=N1', 'reverse?lat=52.48']) {
    const { headers, text } = await get(`/nominatim/${path}`);
    assert.match(headers['content-type'], /^text\/xml/, path);
    assert.match(text, /<(reversegeocode|searchresults|error)[ >]/);
  }
});

test('numbers, boxes and identifiers that Nominatim refuses are refused', async () => {
  const search = '/nominatim/search?q=paris';
  const refused: Record<string, RegExp> = {
    [`${search}&limit=);`]: /'limit' must be a number/,
    [`${search}&polygon_threshold=1m`]: /'polygon_threshold' must be a number/,
    [`${search}&viewbox=1,34,1,34`]: /Area must be larger than 0/,
    [`${search}&viewboxlbrt=1,34`]: /Expected four numbers/,
    [`${search}&exclude_place_ids=123,abc`]: /^Invalid exclude ID: abc$/,
    [`${search}&json_callback=1asd`]: /^Invalid json_callback value$/,
    '/nominatim/reverse?format=json&lat=52&lon=13&zoom=adfe': /'zoom' must be a number/,
    '/nominatim/reverse?format=json&lat=Nan&lon=13': /'lat' must be a number/,
  };
  for (const [path, message] of Object.entries(refused)) {
    const { status, body } = await get(path);
    assert.equal(status, 400, path);
    assert.match(body.error.message, message);
  }
  const before = process.threadCpuUsage();
  for (let time = 0; time < 4; time++) assert.equal((await get(`${search}&limit=${'1'.repeat(8000)}x`)).status, 400);
  const { user } = process.threadCpuUsage(before);
  assert.ok(user < 100_000, `a long number took ${user} µs`);
  assert.deepEqual((await get('/nominatim/search?q=')).body, []);
  assert.equal((await get(`${search}&polygon_threshold=-1`)).status, 200);
});

test('missing data are not replaced by another place that shares a word', async () => {
  const found = async (q: string) => (await get(`/nominatim/search?q=${encodeURIComponent(q)}`)).body;
  assert.ok((await found('berlin')).length > 0);
  assert.deepEqual(await found('hallesches tor, berlin'), []);
  assert.deepEqual(await found('grand tower, berlin'), []);
});

test('a point of interest has the key and value of its category', async () => {
  const { body } = await get('/nominatim/reverse?lat=52.48&lon=13.35&layer=poi&format=jsonv2');
  assert.deepEqual([body.category, body.type, body.addresstype], ['amenity', 'restaurant', 'amenity']);
});

test('the page for developers is well-formed', async () => {
  const { text } = await get('/nominatim/search?q=%3Cberlin%3E&debug=1');
  assert.match(text, /^<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"\/>.*<\/pre><\/body><\/html>$/s);
  assert.doesNotMatch(text, /<berlin>/);
});

test('a reverse look-up has the ISO code of the region, and a house no name', async () => {
  const [house, city] = [18, 10].map((zoom) =>
    get(`/nominatim/reverse?lat=52.48&lon=13.35&format=jsonv2&zoom=${zoom}`),
  );
  const { name, address } = (await house).body;
  assert.deepEqual([name, address.house_number, address['ISO3166-2-lvl4']], ['', '1', 'DE-BE']);
  assert.deepEqual([(await city).body.name, (await city).body.address['ISO3166-2-lvl4']], ['Berlin', 'DE-BE']);
});

test('within a country or box, towns of a name are found beside a famous one elsewhere, and guesses are not', async (t) => {
  const directory = temporaryDirectory(t);
  const paris = { name: 'Paris', timezone: '' };
  await writeSmallWorld(directory, [
    { ...paris, id: 1, lat: 48.85, lng: 2.35, country: 'FR', population: 2_100_000 },
    { ...paris, id: 2, lat: 33.66, lng: -95.55, country: 'US', population: 600 },
    { ...paris, id: 3, lat: 38.2, lng: -84.25, country: 'US', population: 500 },
  ]);
  const store = openLayers(directory, ['world']);
  t.after(() => store.close());
  const famous = await testService(t, { store: { current: store } });
  const found = async (query: string) =>
    (await famous.ask(`/nominatim/search?${query}`)).body.map(({ place_id }: { place_id: number }) => place_id).sort();
  const { results } = (await famous.ask('/v1/search?q=paris&country=us')).body;
  assert.ok(
    results.every(({ confidence }: { confidence: number }) => confidence < 50),
    JSON.stringify(results),
  );
  assert.deepEqual(await found('q=paris&countrycodes=us'), [2, 3]);
  assert.deepEqual(await found('city=paris&countrycodes=us&limit=1'), [2]);
  assert.deepEqual(await found('q=paris&viewbox=-100,40,-90,30&bounded=1'), [2]);
  assert.deepEqual(await found('q=paris'), [1]);
  assert.deepEqual(await found('q=paris&exclude_place_ids=1'), [2, 3], 'the next results');
  assert.deepEqual(await found('q=foobar paris&countrycodes=us'), []);
});

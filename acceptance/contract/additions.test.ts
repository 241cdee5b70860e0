/** Section 6 of the contract: what the profile `default` has beyond the specification. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { type Served, serve, skip } from './served.ts';

type Row = Record<string, unknown> & { id: number | string; lat: number; lng: number };
type Query = Record<string, string | number>;

suite('additions of the default profile', { skip }, () => {
  let served: Served;
  before(async () => {
    served = await serve();
  });
  after(() => served.close());
  const rows = async (path: string, query: Query): Promise<Row[]> => (await served.get(path, query)).results;

  test('/place/{id} has the record of every identifier that an endpoint returns, in any layer', async () => {
    const questions: [path: string, query: Query, layer?: string][] = [
      ['/search', { q: 'Springfield', limit: 20 }],
      ['/search', { q: 'Georgia', layers: 'country,region' }],
      ['/search', { q: '75001', layers: 'postal' }, 'postal'],
      ['/search', { q: 'Avenida 18 de Julio 1200', layers: 'address' }, 'address'],
      ['/search', { q: 'Avenida 18 de Julio', layers: 'street' }, 'street'],
      ['/autocomplete', { q: 'mont', limit: 20 }],
      ['/cities', { country: 'JP', limit: 20 }, 'place'],
      ['/nearby', { lat: -34.9, lng: -56.18, limit: 20 }, 'place'],
      ['/reverse', { lat: -34.9, lng: -56.18, limit: 10 }, 'place'],
      ['/search', { q: '10115', country: 'DE', layers: 'postal' }, 'postal'],
      ['/address', { q: 'Rivera 2000', city: 'Montevideo', limit: 20 }],
      ['/address', { q: 'Bahnhofstr', country: 'DE', limit: 20 }],
      ['/streets', { q: 'general', limit: 50 }, 'street'],
      ['/pois', { lat: -34.9, lng: -56.18, limit: 50 }, 'poi'],
    ];
    const records = new Map<string, string>();
    for (const [path, query, layer] of questions) {
      const results = await rows(path, query);
      assert.ok(results.length > 0, `${path} ${JSON.stringify(query)}`);
      for (const result of results) {
        const { status, body } = await served.ask(`/v1/place/${result.id}`);
        assert.equal(status, 200, `${path} ${JSON.stringify(result)}`);
        assert.deepEqual([body.lat, body.lng], [result.lat, result.lng], `${path} ${JSON.stringify(result)}`);
        assert.equal(body.layer, layer ?? result.layer ?? body.layer);
        if (body.layer === 'address') {
          assert.equal(body.house_number, result.house_number);
        } else if ('name' in result) assert.equal(body.name, result.name);
        assert.equal(body.hierarchy[0].layer, 'country');
        const { query_ms: _, ...record } = body;
        assert.equal(records.get(String(result.id)) ?? JSON.stringify(record), JSON.stringify(record));
        records.set(String(result.id), JSON.stringify(record));
        for (const { id, name } of body.hierarchy) assert.equal((await served.get(`/place/${id}`)).name, name);
      }
    }
    assert.ok(records.size > 150, String(records.size));
  });

  test('/place/{id} returns 404 place_not_found for anything that is not a record', async () => {
    for (const id of [7, 999_999_999, 1_099_999_999, 1_199_999_999, 2 ** 33, Number.MAX_SAFE_INTEGER]) {
      const { status, body } = await served.ask(`/v1/place/${id}`);
      assert.deepEqual([status, body.code], [404, 'place_not_found'], String(id));
    }
    assert.equal((await served.problem('/place/x', {})).said, '400 invalid_parameter id');
  });

  const lists: [path: string, query: Query][] = [
    ['/search', { q: 'Springfield', limit: 30 }],
    ['/autocomplete', { q: 'spring', limit: 20 }],
    ['/cities', { country: 'FJ', limit: 50 }],
    ['/nearby', { lat: -16.8, lng: 179.9, radius: 500, limit: 50 }],
    ['/streets', { q: 'general', limit: 50 }],
    ['/streets', { q: 'general', lat: -34.89, lng: -56.17, radius: 20, limit: 50 }],
    ['/address', { q: 'Bahnhofstr', country: 'DE', limit: 50 }],
    ['/pois', { lat: -34.9, lng: -56.18, radius: 5, limit: 100 }],
  ];
  const unplaced: typeof lists = [
    ['/countries', { limit: 249 }],
    ['/admin', { country: 'US' }],
    ['/postal', { code: '75001', country: 'FR' }],
  ];

  test('offset skips the first results of every list', async () => {
    for (const [path, query] of [...lists, ...unplaced]) {
      const all = await rows(path, query);
      const rest = await rows(path, { ...query, offset: 3 });
      assert.deepEqual(rest.slice(0, Math.max(0, all.length - 3)), all.slice(3), path);
      assert.equal((await served.problem(path, { ...query, offset: 1001 })).said, '400 invalid_parameter offset');
    }
  });

  test('bbox excludes what lies outside it, also across the antimeridian', async () => {
    const boxes = ['177,-20,-178,-15', '-90,37,-89,40', '-56.2,-34.95,-56.15,-34.85', '5,47,15,55', '-180,-90,180,90'];
    let found = 0;
    for (const [path, query] of lists) {
      for (const bbox of boxes) {
        const [west, south, east, north] = bbox.split(',').map(Number);
        const isInside = ({ lat, lng }: Row) =>
          lat >= south && lat <= north && (west <= east ? lng >= west && lng <= east : lng >= west || lng <= east);
        const inside = await rows(path, { ...query, bbox });
        assert.ok(inside.every(isInside), `${path} ${bbox}`);
        const expected = (await rows(path, query)).filter(isInside).map(({ id }) => id);
        assert.deepEqual(
          inside.slice(0, expected.length).map(({ id }) => id),
          expected,
          `${path} ${bbox}`,
        );
        found += inside.length;
      }
      assert.equal((await served.problem(path, { ...query, bbox: '1,2,3' })).said, '400 invalid_parameter bbox');
    }
    assert.ok(found > 200, String(found));
  });

  test('/reverse with layers returns what contains the point and what is nearest to it, from these layers', async () => {
    const at = { lat: -34.9058, lng: -56.1913 };
    const layers = ['poi', 'address', 'street', 'place', 'region', 'country'];
    const found = await rows('/reverse', { ...at, layers: layers.join(',') });
    assert.deepEqual(
      found.map(({ layer }) => layer),
      layers,
    );
    const [poi, house, street, , region, country] = found;
    assert.ok(poi.category && house.house_number && street.street);
    assert.deepEqual([country.name, region.admin1], ['Uruguay', 'Montevideo Department']);
    for (const { id, layer } of found) assert.equal((await served.get(`/place/${id}`)).layer, layer);
    assert.equal((await served.problem('/reverse', { ...at, layers: 'city' })).said, '400 invalid_parameter layers');
    assert.equal((await rows('/reverse', { lat: 51.5, lng: -0.1 }))[0].layer, 'place');
  });

  test('a text that is a position answers as /reverse does, in every form', async () => {
    const forms = ['48.8566, 2.3522', '48°51\'24"N 2°21\'8"E', 'geo:48.8566,2.3522', '8FW4V942+JV', 'V942+JV Paris'];
    const [city] = await rows('/reverse', { lat: 48.8566, lng: 2.3522 });
    for (const q of forms) {
      for (const path of ['/search', '/autocomplete']) {
        const [found] = await rows(path, { q });
        assert.equal(found?.id, city.id, `${path} ${q}`);
      }
    }
    const [house] = await rows('/address', { q: '-34.9058, -56.1913' });
    const [nearest] = await rows('/reverse', { lat: -34.9058, lng: -56.1913, layers: 'address' });
    assert.equal(house.id, nearest.id);
  });

  test('country, type and bbox hold for a text that is a position, and its other parameters are checked', async () => {
    const q = '47.59, 7.6';
    for (const path of ['/search', '/autocomplete']) {
      const found = await rows(path, { q, country: 'DE', limit: 10 });
      assert.ok(found.length > 1 && found.every(({ country }) => country === 'DE'), path);
      assert.deepEqual(await rows(path, { q, country: 'DE', limit: 1 }), found.slice(0, 1));
      assert.deepEqual(await rows(path, { q, country: 'US' }), []);
      assert.deepEqual(await rows(path, { q, bbox: '-10,-10,0,0' }), []);
      assert.equal((await served.problem(path, { q, lat: 1 })).said, '400 missing_parameter lng');
      assert.equal((await served.problem(path, { q, bbox: '1,2' })).said, '400 invalid_parameter bbox');
    }
    const suburbs = await rows('/search', { q: '48.8566, 2.3522', type: 'suburb' });
    assert.ok(suburbs.length > 0 && suburbs.every(({ type }) => type === 'suburb'));
    const house = '-34.9058, -56.1913';
    assert.deepEqual(await rows('/address', { q: house, country: 'DE' }), []);
    assert.deepEqual(await rows('/address', { q: house, bbox: '0,0,1,1' }), []);
    assert.deepEqual(await rows('/address', { q: house, country: 'UY' }), await rows('/address', { q: house }));
  });

  test('a postal code has the source of its row, wherever it is asked for', async () => {
    for (const code of ['10115', '75001', '90210']) {
      const found = await rows('/search', { q: code, layers: 'postal' });
      assert.ok(found.length > 0, code);
      for (const { id, sources } of found) assert.deepEqual((await served.get(`/place/${id}`)).sources, sources);
    }
  });

  test('when nothing is found, coverage reports what the dataset has of every requested layer', async () => {
    const london = await served.get('/address', { q: '10 Downing Street, London' });
    assert.deepEqual(london.coverage, { country: 'GB', addresses: 0, level: 'none' });
    const query = { q: '10 Downing Street, London', layers: 'address,street' };
    const searched = await served.get('/search', query);
    const none = ['address', 'street'].map((layer) => ({ layer, records: 0, level: 'none' }));
    assert.deepEqual([searched.results, searched.coverage], [[], { country: 'GB', layers: none }]);
    const reversed = await served.get('/reverse', { lat: 51.5034, lng: -0.1276, layers: 'address,street' });
    assert.deepEqual([reversed.results, reversed.coverage], [[], { country: 'GB', layers: none }]);
    const { body } = await served.ask('/status', {}, { key: null });
    const { GB, UA, DE } = body.dataset.coverage;
    assert.deepEqual([GB.addresses.level, UA.postal.level, DE.postal.level], ['none', 'partial', 'full']);
    assert.ok(UA.postal.share < 0.1, JSON.stringify(UA.postal));
  });

  test('/postal returns a radius with each position of a place or area, and no position where islands are far apart', async () => {
    const [berlin] = await rows('/postal', { code: '10115', country: 'DE' });
    assert.deepEqual([berlin.accuracy, berlin.radius_km], ['place', 19.1]);
    for (const [country, code] of [
      ['PF', '98755'],
      ['PF', '98742'],
      ['NO', '8064'],
      ['NO', '8063'],
    ]) {
      const [island] = await rows('/postal', { code, country });
      assert.deepEqual([island.accuracy, island.lat, island.radius_km], [null, null, null], `${country} ${code}`);
    }
    const [box] = await rows('/postal', { code: '10048', country: 'US' });
    assert.deepEqual([box.place, box.admin1, box.radius_km], ['Manhattan', 'New York', null]);
  });

  test('layers chooses what /search and /autocomplete answer from; a and b answer with places and ignore it', async () => {
    const texts: Record<string, string> = {
      ...{ country: 'Germany', region: 'Bavaria', subregion: 'Upper Bavaria', place: 'Berlin', postal: '10115' },
      ...{ street: 'Avenida 18 de Julio', address: 'Rivera 3000', poi: 'Heathrow', airport: 'Heathrow' },
      ...{ island: 'Luzon', water: 'Lake Constance', peak: 'Mont Blanc' },
    };
    for (const [layer, q] of Object.entries(texts)) {
      for (const path of ['/search', '/autocomplete']) {
        const found = await rows(path, { q, layers: layer });
        // Houses are found, but not suggested.
        assert.ok(found.length > 0 || (path === '/autocomplete' && layer === 'address'), `${path} ${layer}`);
        for (const row of found) {
          assert.equal(row.layer, layer, `${path} ${q}`);
          assert.ok([row.id, row.lat, row.lng].every(Number.isFinite), `${path} ${q}`);
        }
      }
      for (const profile of ['a', 'b'] as const) {
        const { body, headers } = await served.ask('/v1/search', { q, layers: layer }, { profile });
        assert.equal(headers['x-ignored-parameters'], 'layers');
        assert.ok(body.results.every(({ type }: { type: unknown }) => typeof type === 'string'));
      }
    }
    const both = await rows('/search', { q: 'New York', layers: 'region,place', limit: 20 });
    assert.deepEqual([...new Set(both.map(({ layer }) => layer))].sort(), ['place', 'region']);
    const said = (await served.problem('/search', { q: 'x', layers: 'place,city' })).said;
    assert.equal(said, '400 invalid_parameter layers');
    const usual = new Set((await rows('/search', { q: 'Heathrow', limit: 100 })).map(({ layer }) => layer));
    assert.ok(!usual.has('poi') && usual.has('airport'), [...usual].join());
  });

  test('a country or region alone comes first, then its best known places', async () => {
    for (const [q, first, then] of [
      ['France', 'country', 'Paris'],
      ['Deutschland', 'country', 'Berlin'],
      ['日本', 'country', 'Tokyo'],
      ['Bayern', 'region', 'Munich'],
    ]) {
      const [area, place] = await rows('/search', { q });
      assert.deepEqual([area.layer, place.layer, place.name], [first, 'place', then], q);
    }
  });

  test('/autocomplete highlights what was typed', async () => {
    for (const [q, parts] of [
      ['pari', ['Pari']],
      ['new yo', ['New', 'Yo']],
      ['munch', ['Münch']],
    ] as const) {
      const found = await rows('/autocomplete', { q, limit: 5 });
      const shown = found.map(({ highlight, label }) => {
        const at = highlight as number[];
        return at.flatMap((start, index) => (index % 2 ? [] : [String(label).slice(start, at[index + 1])]));
      });
      assert.ok(
        shown.some((each) => each.join() === parts.join()),
        `${q}: ${JSON.stringify(shown)}`,
      );
    }
  });

  test('outlines are GeoJSON with closed rings, at a tolerance of 1,000 m unless another is requested', async () => {
    type Outline = { type: string; geometry: { type: string; coordinates: [number, number][][][] } };
    const [{ id }] = await rows('/search', { q: 'Bavaria' });
    for (const path of ['country/de', 'country/XK', 'admin/DE-BE', 'admin/us-ca', `place/${id}`].map(
      (of) => `/${of}/area`,
    )) {
      const { type, geometry }: Outline = await served.get(path);
      assert.deepEqual([type, geometry.type], ['Feature', 'MultiPolygon'], path);
      for (const ring of geometry.coordinates.flat())
        assert.ok(ring.length > 3 && ring[0].join() === ring.at(-1)!.join(), path);
      assert.deepEqual((await served.get(path, { tolerance: 1000 })).geometry, geometry, path);
      const coarse: Outline = await served.get(path, { tolerance: 20_000 });
      const points = ({ geometry }: Outline) => geometry.coordinates.flat(2).length;
      assert.ok(points(coarse) < points({ type, geometry }), path);
    }
    assert.equal((await served.problem('/country/ZZ/area', {})).said, '404 country_not_found');
    assert.equal((await served.problem('/admin/DE-XX/area', {})).said, '404 place_not_found');
  });

  test('XK is a country to filter by, but none of the 249, and none of a and b', async () => {
    const cities = await rows('/cities', { country: 'xk' });
    assert.ok(cities.length > 5 && cities.every(({ country }) => country === 'XK'));
    assert.equal((await rows('/search', { q: 'Pristina', country: 'XK' }))[0].name, 'Pristina');
    assert.equal((await rows('/reverse', { lat: 42.66, lng: 21.16 }))[0].country, 'XK');
    assert.ok(!(await rows('/countries', { limit: 249 })).some(({ iso2 }) => iso2 === 'XK'));
    for (const profile of ['a', 'b'] as const)
      assert.equal(
        (await served.problem('/cities', { country: 'XK' }, { profile })).said,
        '400 invalid_parameter country',
      );
  });

  test('/validate has a status, and only valid is valid', async () => {
    for (const [city, country, postal_code, expected] of [
      ['Berlin', 'DE', '10115', 'valid'],
      ['Berlin', 'DE', '80331', 'mismatch'],
      ['Berlin', 'DE', 'abc', 'mismatch'],
      ['Berlin', 'DE', '99999', 'unknown'],
      ['Nowhereville', 'DE', '10115', 'unknown'],
    ]) {
      const { status, valid } = await served.get('/validate', { city, country, postal_code });
      assert.deepEqual([status, valid], [expected, expected === 'valid'], `${city} ${postal_code}`);
    }
  });

  test('the drop-in interfaces take the key in the header or as key=, and count one call', async () => {
    const key = served.makeKey();
    const paths = ['/nominatim/search?q=Berlin&x=1', '/photon/api?q=Berlin', '/pelias/v1/search?text=Berlin'];
    for (const path of paths) {
      const header = await served.ask(path, {}, { key });
      const parameter = await served.ask(`${path}&key=${key}`, {}, { key: null });
      assert.deepEqual([header.status, parameter.status], [200, 200], path);
      assert.equal((await served.ask(path, {}, { key: null })).status, 401, path);
    }
    assert.equal((await served.ask('/v1/usage', {}, { key })).body.used, 2 * paths.length);
  });
});

/** Section 5 of the contract about /address, /streets and /pois, on the street-level data of the default dataset. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Parameters } from './questions.ts';
import { profiles, type Served, serve, skip } from './served.ts';

type Row = Record<string, string | number | null>;
const center = { lat: -34.9059, lng: -56.1902 };
const categories = 'restaurant hotel hospital school bank shop transport tourism sport parking fuel'.split(' ');

suite('streets', { skip }, () => {
  let served: Served;
  before(async () => {
    served = await serve();
  });
  after(() => served.close());

  const rows = async (path: string, parameters: Parameters, more = {}): Promise<Row[]> => {
    const { status, body } = await served.ask(`/v1${path}`, parameters, more);
    assert.equal(status, 200, `${path} ${JSON.stringify(parameters)} ${JSON.stringify(body)}`);
    return body.results;
  };
  const found = async (q: string, more: Parameters = {}) => {
    const [row] = await rows('/address', { q, limit: 1, ...more });
    return row ? `${row.house_number ?? ''} ${row.street}, ${row.city} (${row.match_type})` : undefined;
  };

  test('/address reads a text in the order of its country, abbreviated either way, with unit and floor', async () => {
    const expected: [said: string, answer: string][] = [
      ['1745 T Street Southeast', '1745 T Street Southeast, Washington (exact)'],
      ['1745 T St SE Washington DC', '1745 T Street Southeast, Washington (exact)'],
      ['1745 T Street Southeast Apt 4B', '1745 T Street Southeast, Washington (exact)'],
      ['Rivera 3000', '3000 Rivera, Montevideo (exact)'],
      ['Bahnhofstr. 1 Chemnitz', '1 Bahnhofstr., Chemnitz (exact)'],
      ['Bahnhofstraße 1, 09111 Chemnitz', '1 Bahnhofstr., Chemnitz (exact)'],
      ['Av. 18 de Julio 1200', '1200 Avenida 18 de Julio, Montevideo (interpolated)'],
      ['18 de Julio 1200, Montevideo', '1200 Avenida 18 de Julio, Montevideo (interpolated)'],
      ['Avenida 18 de Julio 1200 apto 302', '1200 Avenida 18 de Julio, Montevideo (interpolated)'],
      ['Avenida 18 de Julio 99999', ' Avenida 18 de Julio, Montevideo (street)'],
    ];
    for (const [said, answer] of expected) assert.equal(await found(said), answer, said);
  });

  test('/address: an interpolated house lies between its neighbours', async () => {
    const [house] = await rows('/address', { q: 'Avenida 18 de Julio 1200', country: 'UY' });
    assert.equal(house.match_type, 'interpolated');
    const exactly = async (number: number) => {
      const [neighbour] = await rows('/address', { q: `Avenida 18 de Julio ${number}`, country: 'UY' });
      assert.equal(neighbour.match_type, 'exact');
      return neighbour;
    };
    const [before, after] = [await exactly(1194), await exactly(1202)];
    for (const axis of ['lat', 'lng']) {
      const [low, high] = [Number(before[axis]), Number(after[axis])].sort((left, right) => left - right);
      assert.ok(Number(house[axis]) > low && Number(house[axis]) < high, `${axis}: ${low} ${house[axis]} ${high}`);
    }
  });

  test('/address filters by city, country and postal code', async () => {
    assert.equal(await found('Bahnhofstr. 1', { city: 'Chemnitz' }), '1 Bahnhofstr., Chemnitz (exact)');
    assert.equal(await found('Bahnhofstr. 1', { postal_code: '09111' }), '1 Bahnhofstr., Chemnitz (exact)');
    for (const { country } of await rows('/address', { q: 'Bahnhofstr. 1', country: 'de', limit: 50 }))
      assert.equal(country, 'DE');
    assert.deepEqual(await rows('/address', { q: 'Bahnhofstr. 1', country: 'UY' }), []);
    for (const profile of ['a', 'default']) {
      const query = { q: 'Bahnhofstr. 1', country: 'DE', postal_code: '09111' };
      for (const { postal_code } of await rows('/address', query, { profile })) assert.equal(postal_code, '09111');
    }
  });

  test('/address ids are integers, in b their digits as text, of the same addresses', async () => {
    const query = { q: 'Bahnhofstr. 1', country: 'DE' };
    const ids = (await rows('/address', query)).map(({ id }) => id);
    assert.ok(ids.length > 1 && ids.every(Number.isSafeInteger));
    assert.deepEqual(
      (await rows('/address', query, { profile: 'a' })).map(({ id }) => id),
      ids,
    );
    assert.deepEqual(
      (await rows('/address', query, { profile: 'b' })).map(({ id }) => id),
      ids.map(String),
    );
  });

  test('/streets has one result per street and city, echoes q, and reports the distance only when there is a centre', async () => {
    const { body } = await served.ask('/v1/streets', { q: ' 18 de julio ' });
    assert.equal(body.query, '18 de julio');
    assert.deepEqual([body.results[0].name, body.results[0].distance_km], ['Avenida 18 de Julio', null]);
    const all = await rows('/streets', { q: 'general', limit: 50 });
    const named = all.map(({ name, city, admin1, country }) => [name, city, admin1, country].join());
    assert.equal(new Set(named).size, named.length);
    for (const profile of profiles) {
      const near = await rows('/streets', { q: 'general', ...center, limit: 50 }, { profile });
      assert.ok(near.length > 10);
      if (profile === 'b') continue;
      const distances = near.map(({ distance_km }) => Number(distance_km));
      assert.deepEqual(
        distances,
        [...distances].sort((left, right) => left - right),
      );
      assert.ok(distances.every((km) => km <= 5));
    }
    // Measured to the nearest vertex: houses on a long street are far from its middle, but not from it.
    const [house] = await rows('/address', { q: 'Avenida 18 de Julio 1202', country: 'UY' });
    const at = { q: '18 de julio', lat: Number(house.lat), lng: Number(house.lng) };
    const [street] = await rows('/streets', at);
    assert.ok(Number(street.distance_km) < 0.1, String(street.distance_km));
    assert.ok(Math.hypot(Number(street.lat) - at.lat, Number(street.lng) - at.lng) > 0.005, 'its middle is farther');
    const classes = (await rows('/streets', { q: 'general', country: 'UY', limit: 50 })).map((row) => row.highway_type);
    for (const type of ['residential', 'tertiary', 'secondary']) assert.ok(classes.includes(type), type);
    for (const type of classes) assert.match(type as string, /^[a-z_]+$/);
    assert.equal(body.results[0].highway_type, 'secondary');
    assert.equal((await served.ask('/v1/streets', { q: 'general', lat: 1 })).body.errors[0].parameter, 'lng');
  });

  test('/streets filters by city and country', async () => {
    const inCity = await rows('/streets', { q: 'general', city: 'montevideo', limit: 50 });
    assert.ok(inCity.length > 0 && inCity.every(({ city }) => city === 'Montevideo'));
    assert.deepEqual(await rows('/streets', { q: '18 de julio', city: 'Astana' }), []);
    assert.deepEqual(await rows('/streets', { q: '18 de julio', country: 'DE' }), []);
    assert.equal((await rows('/streets', { q: '18 de julio', country: 'uy' })).length, 1);
  });

  test('/pois come by distance within the radius, of one of the 11 categories, by name and cuisine', async () => {
    for (const category of categories) {
      const found = await rows('/pois', { ...center, radius: 3, category: category.toUpperCase(), limit: 100 });
      assert.ok(found.length > 0, category);
      const distances = found.map(({ distance_km }) => Number(distance_km));
      assert.deepEqual(
        distances,
        [...distances].sort((left, right) => left - right),
        category,
      );
      assert.ok(
        found.every((poi) => poi.category === category && Number(poi.distance_km) <= 3),
        category,
      );
    }
    const { status, body } = await served.ask('/v1/pois', { ...center, category: 'castle' });
    assert.equal(status, 400);
    for (const category of categories) assert.ok(body.detail.includes(category));
    const pizza = await rows('/pois', { ...center, radius: 5, cuisine: 'pizza' });
    assert.ok(pizza.length > 0 && pizza.every(({ cuisine }) => String(cuisine).split(';').includes('pizza')));
    const burger = await rows('/pois', { ...center, radius: 5, q: 'BURGER king' });
    assert.ok(burger.length > 0 && burger.every(({ name }) => /burger king/i.test(String(name))));
  });

  test('/pois and /streets answer at the poles and at the antimeridian', async () => {
    for (const lat of [-90, -89.999999, 89.9, 90, 0]) {
      for (const lng of [-180, 0, 180]) {
        for (const radius of [0, 1, 50]) {
          await rows('/pois', { lat, lng, radius });
          await rows('/streets', { q: 'general', lat, lng, radius });
        }
      }
    }
  });
});

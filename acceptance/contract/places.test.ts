/** Section 5 of the contract about /cities, /nearby, /reverse, /postal, /validate. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import type { Parameters } from './questions.ts';
import { profiles, type Served, serve, skip } from './served.ts';

type Row = Record<string, string | number | null>;

suite('places', { skip }, () => {
  let served: Served;
  before(async () => {
    served = await serve();
  });
  after(() => served.close());

  const rows = async (path: string, parameters: Parameters = {}): Promise<Row[]> =>
    (await served.get(path, parameters)).results;

  test('/cities come by falling population, filtered by region name or code and by population', async () => {
    for (const country of ['DE', 'US', 'IN']) {
      const populations = (await rows('/cities', { country, limit: 100 })).map(({ population }) => Number(population));
      assert.deepEqual(
        populations,
        [...populations].sort((left, right) => right - left),
      );
    }
    const bavaria = await rows('/cities', { country: 'DE', admin1: 'Bavaria', limit: 100 });
    assert.equal(bavaria[0].name, 'Munich');
    for (const admin1 of ['bayern', 'BAYERN', 'BY', 'by', 'DE-BY']) {
      assert.deepEqual(await rows('/cities', { country: 'DE', admin1, limit: 100 }), bavaria, admin1);
    }
    const paulo = await rows('/cities', { country: 'BR', admin1: 'São Paulo' });
    assert.deepEqual(await rows('/cities', { country: 'BR', admin1: 'SAO PAULO' }), paulo);
    for (const { population } of await rows('/cities', {
      country: 'DE',
      min_population: 1e5,
      max_population: 2e5,
      limit: 100,
    })) {
      assert.ok(Number(population) >= 1e5 && Number(population) <= 2e5);
    }
    assert.match(
      (await served.problem('/cities', { country: 'DE', min_population: 2, max_population: 1 })).said,
      /^400 .*population/,
    );
    assert.ok((await rows('/cities', { country: 'DE', min_population: 600, max_population: 600 })).length > 0);
  });

  test('/nearby comes by distance, then id, within the radius, filtered by population and type', async () => {
    for (const [lat, lng, radius] of [
      [52.52, 13.4, 30],
      [0, 179.99, 500],
      [-17.7, 179.99, 300],
      [89, 0, 500],
    ]) {
      const near = await rows('/nearby', { lat, lng, radius, limit: 100 });
      for (const [index, { distance_km, id }] of near.entries()) {
        assert.ok(Number(distance_km) <= radius);
        const next = near[index + 1];
        if (next)
          assert.ok(
            [Number(distance_km) - Number(next.distance_km), Number(id) - Number(next.id)].find((by) => by !== 0)! < 0,
          );
      }
    }
    const fiji = await rows('/nearby', { lat: -17.7, lng: 179.99, radius: 300, limit: 100 });
    assert.ok(fiji.some(({ lng }) => Number(lng) > 0) && fiji.some(({ lng }) => Number(lng) < 0), 'both sides of 180');
    const large = await rows('/nearby', { lat: 52.52, lng: 13.4, radius: 300, type: 'city', min_population: 1e6 });
    assert.deepEqual(
      large.map(({ name }) => name),
      ['Berlin', 'Hamburg', 'Prague'],
    );
  });

  test('/reverse answers with the country that holds the point, at every point of boundary-points.csv', async () => {
    const lines = readFileSync(join(import.meta.dirname, '../boundary-points.csv'), 'utf8').split('\n');
    const points = lines.filter((line) => line !== '' && !line.startsWith('#')).map((line) => line.split(';'));
    const wrong: string[] = [];
    for (const [country, , lat, lng, what] of points) {
      if (country === '-') continue;
      const [place] = await rows('/reverse', { lat, lng });
      if (place.country !== country) wrong.push(`${what}: ${place.country}, expected ${country}`);
    }
    // Countries in which nobody lives have no place to answer with.
    assert.deepEqual(
      wrong.filter((line) => !/expected (BV|HM|UM|IO|GS)/.test(line)),
      [],
    );
  });

  test('/reverse close to a border answers with the right country, in every profile', async () => {
    const points: [lat: number, lng: number, country: string, what: string][] = [
      [47.5812, 7.5898, 'CH', 'Basel, south of the border at Otterbach'],
      [47.5905, 7.5955, 'DE', 'Weil am Rhein, between Switzerland and France'],
      [31.7585, -106.4925, 'US', 'El Paso, north of the Rio Grande'],
      [31.7385, -106.487, 'MX', 'Ciudad Juárez, south of it'],
    ];
    for (const [lat, lng, country, what] of points) {
      for (const profile of profiles) {
        const { body } = await served.ask('/v1/reverse', { lat, lng }, { profile });
        assert.equal(body.results[0].country, country, what);
        assert.equal(body.count, 1);
      }
    }
  });

  test('/reverse at sea returns the nearest place with its distance; limit and lang in the default profile', async () => {
    const [atSea] = await rows('/reverse', { lat: 0, lng: -30 });
    const [nearest] = await rows('/reverse', { lat: 0, lng: -30, limit: 10 });
    assert.deepEqual(atSea, nearest);
    assert.ok(Number(atSea.distance_km) > 500 && atSea.country !== null);
    for (const [lat, lng] of [
      [49.3, -6.5],
      [0, 5],
      [0, 8],
      [-40, 150],
    ]) {
      const [place] = await rows('/reverse', { lat, lng });
      const [near] = await rows('/nearby', { lat, lng, radius: 500, limit: 1 });
      assert.deepEqual([place.id, place.distance_km], [near.id, near.distance_km], `${lat} ${lng}`);
    }
    assert.equal((await rows('/reverse', { lat: 52.52, lng: 13.4, limit: 10 })).length, 10);
    assert.equal((await rows('/reverse', { lat: 48.137, lng: 11.575, lang: 'de' }))[0].admin1, 'Bayern');
  });

  test('/postal takes any spacing, case and dash, and shortens a code to what the data has', async () => {
    const expected: [country: string, code: string, spellings: string[]][] = [
      ['GB', 'SW1A 1AA', ['sw1a1aa', 'SW1A 1AA', 'sw1a-1aa', ' Sw1A  1aA ']],
      ['JP', '100-0001', ['100-0001', '1000001', '100 0001']],
      ['US', '90210', ['90210', '90210-1234', '902101234', '90210 1234']],
      ['DE', '10115', ['10115', 'D-10115', 'de 10115', '10 115']],
      ['BR', '01310-100', ['01310-100', '01310100']],
      ['PL', '00-001', ['00-001', '00001']],
    ];
    for (const [country, code, spellings] of expected) {
      for (const spelling of spellings) {
        const found = await rows('/postal', { country, code: spelling });
        assert.ok(found.length > 0, spelling);
        for (const { postal_code } of found)
          assert.ok(code.startsWith(String(postal_code)), `${spelling}: ${postal_code}`);
      }
    }
    for (const [country, code] of [
      ['CA', 'K1A 0B1'],
      ['MT', 'VLT 1117'],
      ['IE', 'D02 AF30'],
      ['GB', 'EC1A 1BB'],
    ]) {
      const [place] = await rows('/postal', { country, code });
      assert.ok(code.startsWith(String(place.postal_code)), `${code}: ${place.postal_code}`);
    }
    for (const [country, code] of [
      ['AU', '2000'],
      ['IM', 'IM7'],
    ]) {
      const names = (await rows('/postal', { country, code })).map(({ place }) => String(place));
      assert.ok(names.length > 2, `${country} ${code}: ${names}`);
      assert.deepEqual(
        names,
        [...names].sort((left, right) => left.localeCompare(right, 'en')),
      );
    }
  });

  test('/validate says whether city and postal code match, and returns both in canonical form', async () => {
    const ask = async (parameters: Parameters) => {
      const { body } = await served.ask('/v1/validate', parameters);
      const { city, postal_code, admin1, country } = body.normalized;
      return [body.valid, city, postal_code, admin1, country];
    };
    const berlin = { city: 'berlin', country: 'de' };
    assert.deepEqual(await ask(berlin), [true, 'Berlin', null, 'State of Berlin', 'DE']);
    assert.deepEqual(await ask({ ...berlin, postal_code: 'd-10115' }), [
      true,
      'Berlin',
      '10115',
      'State of Berlin',
      'DE',
    ]);
    assert.deepEqual(await ask({ ...berlin, postal_code: '80331' }), [
      false,
      'Berlin',
      '80331',
      'State of Berlin',
      'DE',
    ]);
    assert.deepEqual(await ask({ ...berlin, postal_code: '99999' }), [false, 'Berlin', null, 'State of Berlin', 'DE']);
    assert.deepEqual(await ask({ city: 'Nowhereville', country: 'DE' }), [false, null, null, null, 'DE']);
    assert.deepEqual(await ask({ city: 'Berlin', country: 'FR' }), [false, null, null, null, 'FR']);
    for (const [city, country, postal_code] of [
      ['Munich', 'DE', '80331'],
      ['Мюнхен', 'DE', '80331'],
      ['Roma', 'IT', '00100'],
      ['Москва', 'RU', '101000'],
      ['London', 'GB', 'sw1a1aa'],
      ['Beverly Hills', 'US', '90210-1234'],
      // The code that /search has for the place, although none of the code's rows is called so.
      ['Andreas', 'IM', 'IM7'],
      ['Trinity', 'JE', 'JE3'],
    ]) {
      assert.equal((await ask({ city, country, postal_code }))[0], true, city);
    }
  });
});

/** What the specification's tables and the contract's common rules say of parameters, in every profile. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import {
  countryParameters,
  foreign,
  furtherCountries,
  numberRules,
  type Parameters,
  profilesOf,
  questions,
  required,
} from './questions.ts';
import { profiles, type Reply, type Served, serve, skip } from './served.ts';

const notDecimal = [
  '',
  ' ',
  ' 5',
  '5 ',
  '\t5',
  '1e3',
  '0x10',
  '0b1',
  'NaN',
  'Infinity',
  '-Infinity',
  '1,5',
  '٥',
  '５',
  '1_0',
  '--5',
  'five',
  'null',
];
const plain = ({ body }: Reply) => ({ ...body, query_ms: 0 });

suite('parameters', { skip }, () => {
  let served: Served;
  before(async () => {
    served = await serve();
  });
  after(() => served.close());

  /** Fails unless a reply is a 400 that names exactly one parameter. */
  function refused({ status, body }: Reply, name: string, where: string): string {
    assert.equal(status, 400, `${where}: ${status} ${JSON.stringify(body).slice(0, 200)}`);
    assert.equal(body.code, 'invalid_parameter', where);
    assert.deepEqual(
      body.errors.map(({ parameter }: { parameter: string }) => parameter),
      [name],
      where,
    );
    return body.errors[0].detail;
  }

  test('a number that is not decimal is refused, naming the parameter', async () => {
    for (const rule of numberRules) {
      for (const profile of profilesOf(rule)) {
        const values = rule.kind === 'integer' ? [...notDecimal, '5.5', '5.0'] : notDecimal;
        for (const value of values) {
          const query = { ...questions[rule.path], [rule.name]: value };
          const reply = await served.ask(`/v1${rule.path}`, query, { profile });
          refused(reply, rule.name, `${rule.path} ${rule.name}=${JSON.stringify(value)} in ${profile}`);
        }
      }
    }
  });

  test('a number out of range is refused with the range and never clamped; both ends are taken', async () => {
    for (const { path, name, min, max, ...rule } of numberRules) {
      for (const profile of profilesOf({ path, name, ...rule })) {
        const ask = (value: number) => served.ask(`/v1${path}`, { ...questions[path], [name]: value }, { profile });
        const bounds: [number | undefined, number][] = [
          [min, -1],
          [max, 1],
        ];
        for (const [bound, step] of bounds) {
          if (bound === undefined) continue;
          const where = `${path} ${name} in ${profile}`;
          const detail = refused(await ask(bound + step), name, where);
          assert.ok(detail.includes(String(bound)), `${where}: ${detail}`);
          assert.equal((await ask(bound)).status, 200, `${where}=${bound}`);
        }
      }
    }
  });

  test('a default is the value that the tables name, per profile', async () => {
    for (const { path, name, fallback, ...rule } of numberRules) {
      if (fallback === undefined) continue;
      for (const profile of profilesOf({ path, name, ...rule })) {
        const where = `${path} ${name} in ${profile}`;
        const maxLimit = path === '/streets' ? 50 : 100;
        const others: Parameters =
          name === 'radius' ? { limit: maxLimit, category: 'fuel' } : name === 'limit' ? { radius: 50 } : {};
        const silent = await served.ask(`/v1${path}`, { ...questions[path], ...others }, { profile });
        const query: Parameters = { ...questions[path], ...others, [name]: fallback };
        assert.deepEqual(plain(silent), plain(await served.ask(`/v1${path}`, query, { profile })), where);
        const another: number = name === 'level' ? 2 : name === 'radius' ? fallback / 2 : fallback * 2;
        const other = await served.ask(`/v1${path}`, { ...query, [name]: another }, { profile });
        assert.notDeepEqual(plain(silent), plain(other), `${where}: the value makes no difference`);
      }
    }
  });

  test('what is required by a variant is missing_parameter without it, all of them listed', async () => {
    for (const [path, profile, names] of required) {
      const { status, body } = await served.ask(`/v1${path}`, {}, { profile });
      assert.equal(status, 400, `${path} in ${profile}`);
      assert.equal(body.code, 'missing_parameter', `${path} in ${profile}`);
      const listed = body.errors.map(({ parameter }: { parameter: string }) => parameter);
      assert.deepEqual(listed, names, `${path} in ${profile}`);
    }
    const { body } = await served.ask('/v1/address', { q: 'Avenida 18 de Julio 1200' });
    assert.ok(body.count > 0, 'the country is optional by default');
    assert.equal((await served.ask('/v1/address', { q: 'Calle' }, { profile: 'b' })).status, 200);
  });

  test('missing and invalid parameters are listed together', async () => {
    for (const profile of profiles) {
      const { status, body } = await served.ask(
        '/v1/pois',
        { lng: 181, radius: 51, limit: 0, category: 'castle' },
        { profile },
      );
      assert.equal(status, 400);
      assert.equal(body.code, 'invalid_parameter');
      const listed = body.errors.map(({ parameter }: { parameter: string }) => parameter);
      assert.deepEqual(listed.sort(), ['category', 'lat', 'limit', 'lng', 'radius']);
    }
  });

  test('a country is two letters in any case, one of the 249 assigned', async () => {
    for (const [path, name] of countryParameters) {
      for (const profile of profiles) {
        const { country = 'DE', ...others } = questions[path];
        const ask = (value: string) => served.ask(`/v1${path}`, { ...others, [name]: value }, { profile });
        const upper = plain(await ask(String(country)));
        assert.deepEqual(plain(await ask(String(country).toLowerCase())), upper, `${path} in ${profile}`);
        for (const value of ['', 'D', 'DEU', 'XX', 'UK', 'EU', 'AN', 'D1', ' DE', 'DE ', 'ＤＥ', 'ıd', 'deß']) {
          refused(await ask(value), name, `${path} country=${value}`);
        }
      }
    }
    for (const [path, name, query, of] of furtherCountries) {
      for (const profile of of) {
        const ask = (value: string) => served.ask(`/v1${path}`, { ...query, [name]: value }, { profile });
        const upper = await ask('DE');
        assert.equal(upper.status, 200, `${path} ${name} in ${profile}`);
        assert.deepEqual(plain(await ask('de')), plain(upper), `${path} ${name} in ${profile}`);
        for (const value of ['', 'D', 'DEU', 'XX', 'UK', ' DE', 'ＤＥ'])
          refused(await ask(value), name, `${path} ${value}`);
      }
    }
  });

  test('a parameter given twice is refused, equal or not, in every profile', async () => {
    for (const [path, parameters] of Object.entries(questions)) {
      for (const profile of profiles) {
        for (const [name, value] of Object.entries(parameters)) {
          const query = new URLSearchParams(Object.entries(parameters).map(([key, of]) => [key, String(of)]));
          query.append(name, String(value));
          refused(
            await served.ask(`/v1${path}?${query}`, {}, { profile }),
            name,
            `${path} ${name} twice in ${profile}`,
          );
        }
      }
    }
  });

  test('unknown parameters change nothing and are named in X-Ignored-Parameters', async () => {
    for (const [path, parameters] of Object.entries(questions)) {
      for (const profile of profiles) {
        const usual = await served.ask(`/v1${path}`, parameters, { profile });
        const more = await served.ask(`/v1${path}`, { ...parameters, apikey: 'x', units: 'si' }, { profile });
        assert.equal(usual.headers['x-ignored-parameters'], undefined);
        assert.equal(more.headers['x-ignored-parameters'], 'apikey, units', `${path} in ${profile}`);
        const [left, right] = [plain(usual), plain(more)];
        for (const moving of ['local_time', 'current_time']) {
          delete left[moving];
          delete right[moving];
        }
        assert.deepEqual(left, right, `${path} in ${profile}`);
      }
    }
  });

  test('parameters of the other variant are ignored, and named', async () => {
    for (const [path, profile, more] of foreign) {
      const usual = await served.ask(`/v1${path}`, questions[path], { profile });
      const other = await served.ask(`/v1${path}`, { ...questions[path], ...more }, { profile });
      assert.equal(other.status, 200, `${path} in ${profile}: ${JSON.stringify(other.body)}`);
      assert.equal(other.headers['x-ignored-parameters'], Object.keys(more).join(', '), `${path} in ${profile}`);
      const [left, right] = [plain(usual), plain(other)];
      delete left.local_time;
      delete right.local_time;
      assert.deepEqual(left, right, `${path} in ${profile}`);
    }
  });

  test('q is trimmed, NFC, 1 to 200 characters; /autocomplete needs 2', async () => {
    for (const path of ['/search', '/autocomplete', '/address', '/streets']) {
      for (const profile of profiles) {
        const ask = (q: string) => served.ask(`/v1${path}`, { ...questions[path], q }, { profile });
        for (const q of ['', ' ', '\t\n', '\u3000', 'x'.repeat(201), '😀'.repeat(201)])
          refused(await ask(q), 'q', `${path} q=${q}`);
        for (const q of ['x'.repeat(200), '😀'.repeat(200)]) assert.equal((await ask(q)).status, 200, `${path} q=${q}`);
        const composed = { ...plain(await ask('S\u00e3o Jos\u00e9')), query: '' };
        assert.deepEqual({ ...plain(await ask('  Sa\u0303o Jose\u0301 ')), query: '' }, composed, path);
      }
    }
    for (const profile of profiles) {
      const ask = (q: string) => served.ask('/v1/autocomplete', { q }, { profile });
      for (const q of ['b', ' b ', '😀']) refused(await ask(q), 'q', q);
      // One character of Chinese, Japanese or Korean counts as two (§6), but not in the variants.
      if (profile === 'default') assert.equal((await ask('京')).status, 200);
      else refused(await ask('京'), 'q', '京');
      for (const q of ['be', ' be ', '東京', '😀😀']) assert.equal((await ask(q)).status, 200, q);
    }
  });

  test('a smaller limit returns the first results of the larger one, and equal requests get equal answers', async () => {
    const lists = numberRules.filter(({ name }) => name === 'limit');
    for (const { path, max, ...rule } of lists) {
      for (const profile of profilesOf({ path, ...rule })) {
        const ask = (limit: number) => served.ask(`/v1${path}`, { ...questions[path], limit }, { profile });
        const whole = await ask(max!);
        assert.deepEqual(plain(await ask(max!)), plain(whole), `${path} in ${profile}`);
        for (const limit of [1, 2, 3, 7, 10]) {
          if (limit > max!) continue;
          const { results, count } = (await ask(limit)).body;
          assert.deepEqual(results, whole.body.results.slice(0, limit), `${path} limit=${limit} in ${profile}`);
          assert.equal(count, results.length);
        }
      }
    }
  });

  test('an empty list is 200 with no results', async () => {
    const nothing: [string, Record<string, string | number>][] = [
      ['/search', { q: 'qqxzqqxzqq', fuzzy: 'false' }],
      ['/autocomplete', { q: 'qqxzqqxzqq' }],
      ['/cities', { country: 'DE', admin1: 'Nowhere' }],
      ['/nearby', { lat: 0, lng: -140, radius: 1 }],
      ['/address', { q: 'qqxzqqxz 1', country: 'UY' }],
      ['/postal', { code: '99999999', country: 'DE' }],
      ['/streets', { q: 'qqxzqqxz' }],
      ['/admin', { country: 'VA', level: 2 }],
      ['/pois', { lat: 0, lng: -140 }],
    ];
    for (const [path, parameters] of nothing) {
      for (const profile of profiles) {
        const { status, body } = await served.ask(`/v1${path}`, parameters, { profile });
        assert.equal(status, 200, path);
        assert.deepEqual([body.results, body.count], [[], 0], path);
      }
    }
  });

  test('coordinates have at most 6 decimals and distances 3', async () => {
    const decimals = (value: number) => (String(value).split('.')[1] ?? '').length;
    for (const [path, parameters] of Object.entries(questions)) {
      const { body } = await served.ask(`/v1${path}`, parameters);
      for (const record of body.results ?? [body]) {
        for (const name of ['lat', 'lng']) if (record[name] != null) assert.ok(decimals(record[name]) <= 6, path);
        for (const name of ['distance_km', 'distance_miles', 'distance_mi']) {
          if (record[name] != null) assert.ok(decimals(record[name]) <= 3, path);
        }
      }
    }
  });
});

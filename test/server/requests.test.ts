import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { endpoints } from '../../src/endpoints/index.ts';
import { type TestService, testService } from '../support/service.ts';

suite('guarantees for every request', () => {
  let service: TestService;
  before(async () => {
    service = await testService(undefined);
  });
  after(() => service.close());

  test('a successful answer is JSON in UTF-8 with an integer query_ms', async () => {
    const { status, headers, body } = await service.ask('/v1/country/DE');
    assert.equal(status, 200);
    assert.equal(headers['content-type'], 'application/json; charset=utf-8');
    assert.ok(Number.isInteger(body.query_ms) && body.query_ms >= 0);
    assert.equal(body.currency_symbol, '€');
  });

  test('an unknown name is named in a header wherever it is cut', async () => {
    for (const length of [58, 59, 60]) {
      const { status, headers } = await service.ask(`/v1/country/DE?${'a'.repeat(length)}%F0%9F%98%80=1`);
      assert.equal(status, 200);
      assert.match(headers['x-ignored-parameters'], /^a{58}/);
    }
  });

  test('behind twenty faults nothing is read: each takes longer than what is right', async () => {
    const wrong = await service.ask(`/photon/api?${'%ff&'.repeat(30)}key=${service.key}&q=bern`, { key: null });
    assert.equal(wrong.status, 401);
  });

  test('of many faults twenty are named', async () => {
    const { status, body } = await service.ask(`/v1/search?q=berlin&${'%&'.repeat(90)}`);
    assert.deepEqual([status, body.errors.length], [400, 20]);
  });

  test('an error lists every bad parameter, with code, detail, request_id and query_ms', async () => {
    const { status, headers, body } = await service.ask('/v1/timezone?lat=91&lng=1e3&variant=c', {
      headers: { 'x-request-id': 'my-request.1' },
    });
    assert.equal(status, 400);
    assert.equal(headers['content-type'], 'application/problem+json; charset=utf-8');
    assert.equal(headers['cache-control'], 'no-store');
    assert.equal(body.type, '/docs/errors/invalid_parameter');
    assert.equal(body.status, 400);
    assert.equal(body.code, 'invalid_parameter');
    assert.equal(body.request_id, 'my-request.1');
    assert.ok(Number.isInteger(body.query_ms));
    assert.deepEqual(
      body.errors.map(({ parameter }: { parameter: string }) => parameter),
      ['variant', 'lat', 'lng'],
    );
    assert.match(body.errors[1].detail, /"91".*from -90 to 90/);
  });

  test('missing parameters are missing_parameter, all of them listed', async () => {
    const { body } = await service.ask('/v1/postal');
    assert.equal(body.code, 'missing_parameter');
    assert.deepEqual(body.errors.map(({ parameter }: { parameter: string }) => parameter).sort(), ['code', 'country']);
    const { detail } = (await service.ask('/v1/reverse?lat=47.6&lon=7.6')).body;
    assert.match(detail, /^lng .*; "lon" is no parameter here$/);
  });

  test('numbers are decimal: exponents, hex, NaN, Infinity, blanks and nothing are refused', async () => {
    for (const value of ['1e1', '0x10', 'NaN', 'Infinity', '', '%20', '1%202', '1,5', '٣', '--1', '5.5']) {
      const { status, body } = await service.ask(`/v1/countries?limit=${value}`);
      assert.equal(status, 400, value);
      assert.equal(body.errors[0].parameter, 'limit');
    }
    assert.equal((await service.ask('/v1/countries?limit=%2B5')).body.count, 5);
  });

  test('a parameter given twice is refused, even with equal values', async () => {
    const { status, body } = await service.ask('/v1/countries?limit=5&limit=5');
    assert.equal(status, 400);
    assert.match(body.errors[0].detail, /2 times/);
  });

  test('a number out of range is refused with the range, not clamped', async () => {
    for (const value of ['0', '250', '-1', '99999999999999999999']) {
      const { status, body } = await service.ask(`/v1/countries?limit=${value}`);
      assert.equal(status, 400);
      assert.match(body.detail, /1 to 249/);
    }
  });

  test('a country that is not two letters or not assigned is refused, in any case it is taken', async () => {
    assert.equal((await service.ask('/v1/admin?country=de')).status, 200);
    for (const country of ['DEU', 'D', 'ZZ', '%C3%9F', '1A', '']) {
      const { status, body } = await service.ask(`/v1/admin?country=${country}`);
      assert.equal(status, 400, country);
      assert.equal(body.errors[0].parameter, 'country');
    }
  });

  test('text that is not percent-encoded UTF-8 is refused, in the query naming the parameter', async () => {
    for (const bad of ['%', '%zz', '%ff', '%c3', '%ed%a0%80']) {
      const inQuery = await service.ask(`/v1/postal?code=${bad}&country=DE`);
      assert.equal(inQuery.status, 400, bad);
      assert.deepEqual(
        inQuery.body.errors.map(({ parameter }: { parameter: string }) => parameter),
        ['code'],
      );
      const inPath = await service.ask(`/v1/country/${bad}`);
      assert.equal(inPath.status, 400, bad);
      assert.equal(inPath.body.code, 'malformed_request');
    }
  });

  test('unknown parameters are ignored and named in X-Ignored-Parameters', async () => {
    const { status, headers } = await service.ask('/v1/countries?foo=1&b%20ar=2&limit=3&__proto__=x&constructor=y');
    assert.equal(status, 200);
    assert.equal(headers['x-ignored-parameters'], 'foo, b%20ar, __proto__, constructor');
    assert.equal((await service.ask('/v1/countries?limit=3')).headers['x-ignored-parameters'], undefined);
  });

  test('variant is a profile and nothing around it', async () => {
    for (const variant of ['a%20', '%20b', 'c', '']) {
      const { status, body } = await service.ask(`/v1/countries?limit=3&variant=${variant}`);
      assert.equal(status, 400, variant);
      assert.match(body.detail, /expected one of a, b, default/);
    }
    assert.equal((await service.ask('/v1/countries?limit=3&variant=B')).status, 200);
  });

  test('a path parameter is not overruled by the query', async () => {
    const { body, headers } = await service.ask('/v1/country/DE?code=FR');
    assert.equal(body.iso2, 'DE');
    assert.equal(headers['x-ignored-parameters'], 'code');
  });

  test('a valid X-Request-Id is echoed, any other replaced', async () => {
    const idFor = async (id: string) =>
      (await service.ask('/v1/countries', { headers: { 'x-request-id': id } })).headers['x-request-id'];
    assert.equal(await idFor('abc-123_x.y:z'), 'abc-123_x.y:z');
    for (const id of ['', 'with blank', 'x'.repeat(129), '<script>', 'é']) {
      assert.match(await idFor(id), /^[\w-]{12}-\w+$/);
    }
  });

  test('unknown paths answer 404, known ones with a wrong method 405 with Allow', async () => {
    for (const url of ['/nowhere', '/v1/nowhere', '/v1', '/v1/', '/v1/country', '/v1/country/DE/x', '/V1/countries']) {
      const { status, body } = await service.ask(url);
      assert.equal(status, 404, url);
      assert.equal(body.code, 'not_found');
    }
    const { body } = await service.ask('/search?q=berlin');
    assert.equal(body.detail, 'there is no path "/search"; did you mean /v1/search?');
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const) {
      for (const url of ['/v1/countries', '/v1/country/DE', '/v1/usage', '/status', '/openapi.json']) {
        const { status, headers, body } = await service.ask(url, { method, body: '{}' });
        assert.equal(status, 405, `${method} ${url}`);
        assert.equal(body.code, 'method_not_allowed');
        assert.equal(headers.allow, 'GET, HEAD, OPTIONS');
      }
    }
    for (const method of ['GET', 'HEAD'] as const) {
      const batch = await service.ask('/v1/batch', { method });
      assert.equal(batch.status, 405);
      assert.equal(batch.headers.allow, 'POST, OPTIONS');
    }
  });

  test('a path ends with or without a slash', async () => {
    assert.equal((await service.ask('/v1/country/DE/')).body.iso2, 'DE');
    assert.equal((await service.ask('/v1/countries/?limit=2')).body.count, 2);
  });

  test('an address longer than is served answers 414', async () => {
    for (const path of ['/v1/countries?x=', '/v1/place/']) {
      const { status, body } = await service.ask(path + 'y'.repeat(9000));
      assert.deepEqual([status, body.code], [414, 'uri_too_long']);
    }
  });

  test('a query of more parameters than are read answers 400 with and without a key, also in the interfaces of others', async () => {
    const query = (count: number) => Array.from({ length: count }, (_, at) => `x${at}`).join('&');
    for (const path of ['/v1/countries', '/photon/api', '/nothing']) {
      const { status, text } = await service.ask(`${path}?${query(1_200)}&key=${'k'.repeat(9)}`);
      assert.equal(status, 400, path);
      assert.match(text, /more parameters than 100/, path);
    }
    assert.equal((await service.ask(`/v1/countries?${query(100)}`)).status, 200);
    assert.equal((await service.ask(`/v1/countries?${query(101)}`)).status, 400);
  });

  test('HEAD returns the headers of GET on every path, and no body', async () => {
    const paths = [...Object.values(endpoints).map(({ path }) => `/v1${path}`), '/v1/usage', '/status', '/docs', '/x'];
    for (const url of paths) {
      const [get, head] = [await service.ask(url), await service.ask(url, { method: 'HEAD' })];
      assert.equal(head.status, get.status, url);
      assert.equal(head.text, '');
      assert.deepEqual(Object.keys(head.headers).sort(), Object.keys(get.headers).sort(), url);
      assert.equal(head.headers['content-type'], get.headers['content-type']);
      assert.equal(head.headers.etag, get.headers.etag);
    }
  });

  test('a preflight needs no key, on every path, and allows what clients send', async () => {
    for (const url of ['/v1/countries', '/v1/batch', '/v1/nowhere', '/status']) {
      const { status, headers } = await service.ask(url, {
        method: 'OPTIONS',
        key: null,
        headers: {
          origin: 'https://a.example',
          'access-control-request-method': 'GET',
          'access-control-request-headers': 'x-api-key',
        },
      });
      assert.equal(status, 204, url);
      assert.equal(headers['access-control-allow-origin'], '*');
      assert.match(headers['access-control-allow-headers'], /X-API-Key.*X-API-Variant.*X-Owner-Code.*X-Requested-With/);
      assert.match(headers['access-control-allow-methods'], /GET.*POST.*PATCH/);
    }
  });

  test('OPTIONS that is no preflight: the methods of a path without a key, and 404 where there is no such path', async () => {
    for (const [url, allow] of [
      ['/v1/countries', 'GET, HEAD, OPTIONS'],
      ['/v1/batch', 'POST, OPTIONS'],
    ] as const) {
      const { status, headers } = await service.ask(url, { method: 'OPTIONS', key: null });
      assert.deepEqual([status, headers.allow], [204, allow]);
    }
    for (const url of ['/nowhere', '/v1/nowhere']) {
      const { status, headers, body } = await service.ask(url, { method: 'OPTIONS' });
      assert.deepEqual([status, body.code, headers.allow], [404, 'not_found', undefined], url);
    }
  });

  test('every answer may be read from any origin, its headers too, without credentials', async () => {
    for (const options of [{}, { key: null }]) {
      const { headers } = await service.ask('/v1/countries', { ...options, headers: { origin: 'https://a.example' } });
      assert.equal(headers['access-control-allow-origin'], '*');
      assert.equal(headers['access-control-allow-credentials'], undefined);
      assert.match(headers['access-control-expose-headers'], /RateLimit/);
      assert.equal(headers['x-content-type-options'], 'nosniff');
    }
  });

  test('bodies over 1 KiB are compressed on request, with the same content', async () => {
    const url = '/v1/countries/all';
    const plain = await service.ask(url);
    assert.equal(plain.headers['content-encoding'], undefined);
    assert.ok(plain.text.length < 1024, 'the small dataset is too small to be compressed');
    assert.equal(
      (await service.ask(url, { headers: { 'accept-encoding': 'gzip' } })).headers['content-encoding'],
      undefined,
    );
    const large = '/openapi.json';
    const expected = (await service.ask(large)).text;
    for (const [accepted, encoding] of [
      ['gzip', 'gzip'],
      ['gzip, br', 'br'],
      ['br;q=0.1, gzip', 'gzip'],
      ['gzip;q=0, *', 'br'],
      ['identity', undefined],
      ['deflate', undefined],
      ['br;q=0,gzip;q=0', undefined],
    ] as const) {
      const answer = await service.inject({ url: large, headers: { 'accept-encoding': accepted } });
      assert.equal(answer.headers['content-encoding'], encoding, accepted);
      const body =
        encoding === 'br'
          ? brotliDecompressSync(answer.rawPayload)
          : encoding === 'gzip'
            ? gunzipSync(answer.rawPayload)
            : answer.rawPayload;
      assert.equal(body.toString(), expected);
      assert.equal(Number(answer.headers['content-length']), answer.rawPayload.length);
    }
  });

  test('an internal error is logged in full and answered with 500 without its text', async (t) => {
    const lines: string[] = [];
    const broken = await testService(t, {
      logger: { level: 'error', stream: { write: (line: string) => lines.push(line) } },
    });
    const { store } = broken.holder.current ? { store: broken.holder.current } : assert.fail();
    broken.holder.current = Object.create(store, {
      countries: {
        get() {
          throw new Error('secret detail');
        },
      },
    });
    const key = broken.makeKey({ plan: 'tiny' });
    const { status, text, body, headers } = await broken.ask('/v1/countries', { key });
    assert.equal(status, 500);
    assert.equal(body.code, 'internal');
    assert.equal(text.includes('secret'), false);
    assert.equal(headers['x-ratelimit-remaining'], '5');
    assert.match(lines.join(), /secret detail/);
    assert.ok(lines.join().includes(body.request_id));
    broken.holder.current = store;
  });

  test('while no dataset is open endpoints answer 503 with Retry-After, cost nothing, and /health/ready says so', async (t) => {
    const starting = await testService(t);
    const store = starting.holder.current;
    starting.holder.current = undefined;
    const key = starting.makeKey({ plan: 'tiny' });
    const { status, body, headers } = await starting.ask('/v1/countries', { key });
    assert.equal(status, 503);
    assert.equal(body.code, 'unavailable');
    assert.equal(headers['retry-after'], '1');
    assert.equal(headers['x-ratelimit-remaining'], '5');
    assert.equal((await starting.ask('/health/ready')).status, 503);
    assert.equal((await starting.ask('/health/live')).status, 200);
    starting.holder.current = store;
    assert.equal((await starting.ask('/health/ready')).status, 200);
    starting.holder.isStopping = true;
    assert.equal((await starting.ask('/health/ready')).status, 503);
    assert.equal((await starting.ask('/v1/countries', { key })).status, 200);
  });
});

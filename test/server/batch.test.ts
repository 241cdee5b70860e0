import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { endpoints } from '../../src/endpoints/index.ts';
import { type TestService, testService } from '../support/service.ts';

type Entry = { index?: number; status: number; data?: Record<string, unknown>; body?: Record<string, unknown> };
const statuses = (results: Entry[]) => results.map(({ status }) => status);
const germany = { endpoint: 'country/DE', params: {} };

suite('POST /v1/batch', () => {
  let service: TestService;
  before(async () => {
    service = await testService(undefined);
  });
  after(() => service.close());

  test('entries keep their order and are answered as if sent alone', async () => {
    const { status, body } = await service.batch([
      { endpoint: 'country/FR', params: {} },
      { endpoint: 'countries', params: { limit: 2 } },
      { endpoint: 'distance', params: { from_lat: 52.52, from_lng: 13.41, to_lat: 48.85, to_lng: 2.35 } },
      { endpoint: 'country/DE/area', params: {} },
      { endpoint: 'country/FR/area', params: {} },
    ]);
    assert.equal(status, 200);
    const alone = [
      await service.ask('/v1/country/FR'),
      await service.ask('/v1/countries?limit=2'),
      await service.ask('/v1/distance?from_lat=52.52&from_lng=13.41&to_lat=48.85&to_lng=2.35'),
      await service.ask('/v1/country/DE/area'),
      await service.ask('/v1/country/FR/area'),
    ];
    for (const [index, entry] of (body.results as Entry[]).entries()) {
      assert.equal(entry.index, index);
      assert.equal(entry.status, 200);
      assert.deepEqual({ ...entry.data, query_ms: 0 }, { ...alone[index].body, query_ms: 0 });
    }
  });

  test('each profile has its own shape, and the entries have it too', async () => {
    const requests = [germany, { endpoint: 'nowhere', params: {} }];
    const shape = async (variant: string) =>
      (await service.batch(requests, { headers: { 'x-api-variant': variant } })).body;
    const [standard, a, b] = [await shape('default'), await shape('A'), await shape('b')];
    assert.deepEqual(Object.keys(standard), ['results', 'total', 'successful', 'failed', 'count', 'query_ms']);
    assert.deepEqual([standard.total, standard.successful, standard.failed, standard.count], [2, 1, 1, 2]);
    assert.deepEqual(Object.keys(a), ['results', 'total', 'successful', 'failed', 'query_ms']);
    assert.deepEqual(Object.keys(a.results[0]), ['index', 'status', 'data']);
    assert.deepEqual(Object.keys(b), ['results', 'count', 'query_ms']);
    assert.deepEqual(Object.keys(b.results[0]), ['status', 'body']);
    assert.ok('continent' in a.results[0].data && !('is_eu' in a.results[0].data));
    assert.ok('is_eu' in b.results[0].body && !('continent' in b.results[0].body));
  });

  test('an endpoint is named with or without slash and /v1', async () => {
    const names = [
      'country/DE',
      '/country/DE',
      'v1/country/DE',
      '/v1/country/DE',
      'country/de',
      '/country/%44E',
      'country/DE/',
    ];
    const { body } = await service.batch(names.map((endpoint) => ({ endpoint, params: {} })));
    assert.deepEqual(
      statuses(body.results),
      names.map(() => 200),
    );
    for (const { data } of body.results) assert.equal(data.iso2, 'DE');
  });

  test('every GET endpoint of the service can be an entry', async () => {
    const paths = [...Object.values(endpoints).map(({ path }) => path.replace('{code}', 'DE')), '/usage'];
    const { body } = await service.batch(paths.map((endpoint) => ({ endpoint, params: {} })));
    for (const [index, { status }] of (body.results as Entry[]).entries()) {
      assert.ok([200, 400, 404, 503].includes(status), `${paths[index]} ${status}`);
      if (status === 404) assert.notEqual(body.results[index].data.code, 'not_found', paths[index]);
    }
  });

  test('params may be strings, numbers and booleans; anything else is an error of the entry', async () => {
    const distance = (from_lat: unknown) => ({
      endpoint: 'distance',
      params: { from_lat, from_lng: '13.41', to_lat: 48.85, to_lng: 2.35 },
    });
    const { body } = await service.batch(
      [52.52, '52.52', 1e-7, '1e-7', null, [52], {}, true, '1e', '1e1'].map(distance),
    );
    assert.deepEqual(statuses(body.results), [200, 200, 200, 200, 400, 400, 400, 400, 400, 400]);
    for (const { data } of body.results.slice(4)) assert.equal(data.errors[0].parameter, 'from_lat');
  });

  test('an object that is no text fails its entry alone, whatever parameter it is', async () => {
    const odd = { toString: 1 };
    const from = { from_lat: 1, from_lng: 1, to_lat: 2, to_lng: 2 };
    const { body } = await service.batch([
      { endpoint: 'search', params: { q: 'berlin', explain: odd } },
      { endpoint: 'distance', params: { ...from, format: odd } },
      germany,
    ]);
    assert.deepEqual(statuses(body.results), [400, 400, 200]);
  });

  test('one bad entry fails no other: unknown endpoint 404, batch 400, bad parameters 400', async () => {
    const { status, body } = await service.batch([
      germany,
      { endpoint: 'nowhere', params: {} },
      { endpoint: '', params: {} },
      { endpoint: 'batch', params: {} },
      { endpoint: '/v1/batch', params: {} },
      { endpoint: 'countries', params: { limit: 0 } },
      { endpoint: 'country/ZZ', params: {} },
      { endpoint: 'countries?limit=1', params: {} },
      { endpoint: 'country/%zz', params: {} },
      { endpoint: '../status', params: {} },
      germany,
    ]);
    assert.equal(status, 200);
    assert.deepEqual(statuses(body.results), [200, 404, 404, 400, 400, 400, 404, 404, 404, 404, 200]);
    for (const { status: code, data } of body.results as { status: number; data: Record<string, unknown> }[]) {
      if (code !== 200)
        assert.deepEqual([data.status, typeof data.code, typeof data.detail], [code, 'string', 'string']);
    }
  });

  test('names of prototype members are names like any other', async () => {
    const body = `{"requests":[
      {"endpoint":"countries","params":{"__proto__":{"limit":1},"constructor":1,"toString":2}},
      {"endpoint":"__proto__","params":{}}, {"endpoint":"constructor","params":{}},
      {"__proto__":{"endpoint":"countries"},"endpoint":"country/DE","params":{}}],"__proto__":{"x":1}}`;
    const { status, body: answer } = await service.ask('/v1/batch', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    assert.equal(status, 200);
    assert.deepEqual(statuses(answer.results), [200, 404, 404, 200]);
    assert.equal(answer.results[0].data.count, (await service.ask('/v1/countries')).body.count);
    assert.equal(({} as Record<string, unknown>).x, undefined);
  });

  const manyNames = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`a${index}`, '']));

  test('a body of another shape fails as a whole with 400, saying where', async () => {
    const cases: [unknown, RegExp][] = [
      [[], /^body$/],
      ['text', /^body$/],
      [null, /^body$/],
      [{}, /^requests$/],
      [{ requests: {} }, /^requests$/],
      [{ requests: [germany, null] }, /^requests\[1\]$/],
      [{ requests: [{ params: {} }] }, /^requests\[0\]\.endpoint$/],
      [{ requests: [{ endpoint: 5, params: {} }] }, /^requests\[0\]\.endpoint$/],
      [{ requests: [{ endpoint: 'countries' }] }, /^requests\[0\]\.params$/],
      [{ requests: [{ endpoint: 'countries', params: [] }] }, /^requests\[0\]\.params$/],
      [{ requests: Array.from({ length: 101 }, () => germany) }, /^requests$/],
      [{ requests: [{ endpoint: 'countries', params: manyNames }] }, /^requests\[0\]\.params$/],
    ];
    for (const [body, parameter] of cases) {
      const answer = await service.ask('/v1/batch', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      assert.equal(answer.status, 400, JSON.stringify(body).slice(0, 80));
      assert.equal(answer.body.code, 'invalid_body');
      assert.match(answer.body.errors[0].parameter, parameter);
    }
  });

  test('100 entries are served, and so are none', async () => {
    assert.equal((await service.batch(Array.from({ length: 100 }, () => germany))).body.successful, 100);
    const { status, body } = await service.batch([]);
    assert.equal(status, 200);
    assert.deepEqual([body.results, body.total, body.count], [[], 0, 0]);
  });

  test('a body that is not JSON answers 400, of another type 415, too large 413', async () => {
    const post = (body: string, type = 'application/json', headers = {}) =>
      service.ask('/v1/batch', { method: 'POST', headers: { 'content-type': type, ...headers }, body });
    for (const body of ['', '{', '{"requests":[]}x', "{'requests':[]}", 'NaN']) {
      const answer = await post(body);
      assert.equal(answer.status, 400, body);
      assert.equal(answer.body.code, 'invalid_body');
    }
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/jsonx',
      'application/json; charset=latin1',
    ]) {
      assert.equal((await post('{"requests":[]}', type)).status, 415, type);
    }
    assert.equal((await post('{"requests":[]}', 'application/json', { 'content-encoding': 'gzip' })).status, 415);
    assert.equal((await post('{"requests":[]}', 'Application/JSON; Charset="UTF-8"')).status, 200);
    const large = await post(JSON.stringify({ requests: [], more: 'x'.repeat(1_100_000) }));
    assert.equal(large.status, 413);
    assert.equal(large.body.code, 'body_too_large');
  });

  test('the key is checked before the body', async () => {
    const answer = await service.ask('/v1/batch', { method: 'POST', key: null, body: 'x' });
    assert.equal(answer.status, 401);
  });

  test('each entry costs one call, one that names no endpoint and the batch nothing; entries past the quota have status 429', async () => {
    const key = service.makeKey({ plan: 'tiny' });
    const first = await service.batch(
      [germany, ...['usage', 'nowhere', '', 'batch', 'country'].map((endpoint) => ({ endpoint, params: {} }))],
      { key },
    );
    assert.equal(first.headers['x-ratelimit-remaining'], '4');
    const second = await service.batch(
      [germany, { endpoint: 'usage', params: {} }, germany, germany, germany, germany],
      { key },
    );
    assert.equal(second.status, 200);
    assert.deepEqual(statuses(second.body.results), [200, 200, 200, 200, 200, 429]);
    assert.equal(second.body.results[5].data.code, 'quota_exceeded');
    assert.equal(second.headers['x-ratelimit-remaining'], '0');
    const third = await service.batch([germany], { key });
    assert.equal(third.status, 429);
    assert.equal(third.body.code, 'quota_exceeded');
    assert.ok(third.headers['retry-after']);
  });

  test('a path of more than a thousand characters names no endpoint', async () => {
    const entry = (count: number) => ({ endpoint: `country/${'%25'.repeat(count)}`, params: {} });
    const { body } = await service.batch([entry(3), entry(400)]);
    assert.deepEqual(statuses(body.results), [400, 404]);
  });

  test("an entry has the batch's profile and no other", async () => {
    const params = { code: '10115', country: 'DE', variant: 'a' };
    const { body } = await service.batch([{ endpoint: 'postal', params }, germany]);
    assert.deepEqual(statuses(body.results), [400, 200]);
    assert.match(body.results[0].data.detail, /variant is that of the whole batch/);
  });

  test("a batch has at most the plan's number of entries", async () => {
    const key = service.makeKey({ plan: 'tiny' });
    const answer = await service.batch(
      Array.from({ length: 11 }, () => germany),
      { key },
    );
    assert.equal(answer.status, 400);
    assert.match(answer.body.detail, /11 entries, at most 10/);
    assert.equal(answer.headers['x-ratelimit-remaining'], '5');
  });

  test('other requests are answered during a batch', async (t) => {
    const sliced = await testService(t, { limits: { sliceMs: 0 } });
    let isBatchDone = false;
    const batch = sliced.batch(Array.from({ length: 100 }, () => germany)).then(() => {
      isBatchDone = true;
    });
    await sliced.ask('/v1/country/DE');
    assert.equal(isBatchDone, false);
    await batch;
  });
});

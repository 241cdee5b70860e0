/** POST /batch (4.19 of the specification) on the default dataset, over real HTTP. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { questions } from './questions.ts';
import { profiles, type Served, serve, skip } from './served.ts';

const still = (body: Record<string, unknown>) => ({ ...body, query_ms: 0, local_time: '', current_time: '' });

suite('/batch', { skip }, () => {
  let served: Served;
  before(async () => {
    served = await serve();
  });
  after(() => served.close());

  test('has exactly its fields in every profile, in order, with the answers that each entry has alone', async () => {
    const requests = Object.entries(questions).map(([path, params]) => ({ endpoint: path, params }));
    requests.push({ endpoint: '/country/XX', params: {} });
    for (const profile of profiles) {
      const { status, body } = await served.batch(requests, { profile });
      assert.equal(status, 200);
      const sums = {
        default: ['count', 'failed', 'query_ms', 'results', 'successful', 'total'],
        a: ['failed', 'query_ms', 'results', 'successful', 'total'],
        b: ['count', 'query_ms', 'results'],
      };
      assert.deepEqual(Object.keys(body).sort(), sums[profile]);
      if (profile !== 'b') {
        const { total, successful, failed } = body;
        assert.deepEqual([total, successful, failed], [requests.length, requests.length - 1, 1]);
      }
      if (profile !== 'a') assert.equal(body.count, requests.length);
      const data = profile === 'b' ? 'body' : 'data';
      for (const [index, { endpoint, params }] of requests.entries()) {
        const entry = body.results[index];
        assert.deepEqual(Object.keys(entry), profile === 'b' ? ['status', 'body'] : ['index', 'status', 'data']);
        if (profile !== 'b') assert.equal(entry.index, index);
        const alone = await served.ask(`/v1${endpoint}`, params, { profile });
        assert.equal(entry.status, alone.status, endpoint);
        assert.ok(Number.isInteger(entry[data].query_ms), endpoint);
        if (alone.status === 200) assert.deepEqual(still(entry[data]), still(alone.body), `${endpoint} in ${profile}`);
        else assert.equal(entry[data].code, alone.body.code);
      }
    }
  });

  test('paths come with or without slash and /v1; params as strings, numbers or booleans', async () => {
    const spellings = ['country/DE', '/country/DE', 'v1/country/DE', '/v1/country/DE'];
    const { body } = await served.batch(spellings.map((endpoint) => ({ endpoint, params: {} })));
    for (const entry of body.results) assert.deepEqual([entry.status, entry.data.iso2], [200, 'DE']);
    const same = await served.batch([
      { endpoint: 'search', params: { q: 'Berlin', limit: 3, fuzzy: false, lat: 52.5, lng: 1e-7 } },
      { endpoint: 'search', params: { q: 'Berlin', limit: '3', fuzzy: 'false', lat: '52.5', lng: '0.0000001' } },
      { endpoint: 'postal', params: { code: 10115, country: 'DE' } },
      { endpoint: 'timezone', params: { timezone: 'Europe/Berlin' } },
    ]);
    const [numbers, strings, postal, zone] = same.body.results;
    assert.deepEqual(still(numbers.data), still(strings.data));
    assert.equal(postal.data.results[0].place, 'Berlin');
    assert.equal(zone.data.timezone, 'Europe/Berlin');
  });

  test('one bad entry fails no other: unknown 404, a batch 400, bad parameters 400', async () => {
    const requests = [
      { endpoint: 'country/DE', params: {} },
      { endpoint: 'nothing', params: {} },
      { endpoint: '/batch', params: { requests: 'x' } },
      { endpoint: '/v1/batch', params: {} },
      { endpoint: 'search', params: {} },
      { endpoint: 'search', params: { q: null } },
      { endpoint: 'search', params: { q: ['a', 'b'] } },
      { endpoint: 'search', params: { q: { a: 1 } } },
      { endpoint: 'countries', params: { limit: 1.5 } },
      { endpoint: 'country/XX', params: {} },
      { endpoint: '', params: {} },
      { endpoint: '/', params: {} },
      { endpoint: '../status', params: {} },
      { endpoint: 'status', params: {} },
      { endpoint: 'country/../country/DE', params: {} },
      { endpoint: 'search?q=Berlin', params: {} },
      { endpoint: '__proto__', params: {} },
      { endpoint: 'countries/all', params: {} },
    ];
    const { status, body } = await served.batch(requests);
    assert.equal(status, 200);
    const statuses = [200, 404, 400, 400, 400, 400, 400, 400, 400, 404, 404, 404, 404, 404, 404, 404, 404, 200];
    assert.deepEqual(
      body.results.map((entry: { status: number }) => entry.status),
      statuses,
    );
    assert.deepEqual([body.successful, body.failed], [2, 16]);
  });

  test('over 100 entries or another shape, the whole is 400; 100 and 0 are served', async () => {
    const entry = { endpoint: 'country/DE', params: {} };
    for (const size of [0, 1, 100]) {
      const { status, body } = await served.batch(Array.from({ length: size }, () => entry));
      assert.deepEqual([status, body.count], [200, size]);
    }
    const wrong = [
      Array.from({ length: 101 }, () => entry),
      undefined,
      null,
      {},
      'country/DE',
      [null],
      ['country/DE'],
      [[entry]],
      [{ endpoint: 'country/DE' }],
      [{ params: {} }],
      [{ endpoint: 7, params: {} }],
      [{ endpoint: 'country/DE', params: [] }],
      [{ endpoint: 'country/DE', params: null }],
      [{ endpoint: 'country/DE', params: 'q=1' }],
      [entry, {}],
    ];
    for (const requests of wrong) {
      for (const profile of profiles) {
        const { status, body } = await served.batch(requests, { profile });
        assert.deepEqual([status, body.code], [400, 'invalid_body'], JSON.stringify(requests)?.slice(0, 80));
        assert.ok(body.errors.length > 0);
      }
    }
  });

  test('each entry costs one call, one that names no endpoint and the batch none; entries past the quota have status 429, the others their answer', async () => {
    const key = served.makeKey({ plan: 'tiny' });
    const used = async () => (await served.ask('/v1/usage', {}, { key })).body.used;
    const entry = { endpoint: 'country/DE', params: {} };
    await served.batch([entry, { endpoint: 'nothing', params: {} }, { endpoint: 'usage', params: {} }], { key });
    assert.equal(await used(), 1);
    const { status, body } = await served.batch(
      Array.from({ length: 5 }, () => entry),
      { key },
    );
    assert.equal(status, 200);
    assert.deepEqual(
      body.results.map((each: { status: number }) => each.status),
      [200, 200, 200, 200, 429],
    );
    assert.equal(body.results[4].data.code, 'quota_exceeded');
    assert.equal(await used(), 5);
    const none = await served.batch([entry], { key });
    assert.equal(none.status, 429);
    assert.ok(Number(none.headers['retry-after']) > 0);
  });
});

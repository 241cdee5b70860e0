import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { endpoints } from '../../src/endpoints/index.ts';
import { generateKey } from '../../src/keys/key-record.ts';
import { dayMs } from '../support/key-engines.ts';
import { type Answer, noon, type TestService, testService } from '../support/service.ts';

const countries = '/v1/countries';
const left = (answer: Answer) => Number(answer.headers['x-ratelimit-remaining']);

suite('keys over HTTP', () => {
  let service: TestService;
  before(async () => {
    service = await testService(undefined);
  });
  after(() => service.close());

  test('every endpoint, /usage and unknown paths below /v1 answer 401 without a key, with WWW-Authenticate', async () => {
    const paths = Object.values(endpoints).map(({ path }) => path.replace('{code}', 'DE'));
    for (const path of [...paths, '/usage', '/batch', '/nowhere']) {
      const { status, headers, body } = await service.ask(`/v1${path}`, { key: null });
      assert.equal(status, 401, path);
      assert.equal(body.code, 'missing_api_key');
      assert.match(headers['www-authenticate'], /X-API-Key/);
    }
  });

  test('malformed, unknown, revoked and expired keys answer 401 invalid_api_key', async () => {
    const revoked = service.makeKey();
    await service.keys.revoke((await service.keys.find(revoked)).id, 'test');
    const expired = service.makeKey({ expiresAt: noon });
    for (const key of ['x', `${service.key.slice(0, -1)}!`, generateKey(), revoked, expired, 'ключ', ' '.repeat(3)]) {
      const { status, headers, body } = await service.ask(countries, { key });
      assert.equal(status, 401, key);
      assert.match(body.code, /^(invalid|missing)_api_key$/);
      assert.ok(headers['www-authenticate']);
      assert.equal(headers['x-ratelimit-limit'], undefined);
    }
  });

  test('a key revoked while the service runs is refused at once', async () => {
    const key = service.makeKey();
    assert.equal((await service.ask(countries, { key })).status, 200);
    await service.keys.revoke((await service.keys.find(key)).id, 'test');
    assert.equal((await service.ask(countries, { key })).status, 401);
  });

  test('a plan changed while the service runs holds at once', async () => {
    const key = service.makeKey({ plan: 'free' });
    assert.equal((await service.ask(countries, { key })).headers['x-ratelimit-limit'], '1000');
    await service.keys.change((await service.keys.find(key)).id, { plan: 'pro' }, 'test');
    assert.equal((await service.ask(countries, { key })).headers['x-ratelimit-limit'], '100000');
  });

  test('a key that loses its plan, or is revoked, loses its share of the thread', async () => {
    const { lanes } = service.app.whereabouts;
    const key = service.makeKey({ plan: 'scale' });
    const { id } = await service.keys.find(key);
    const share = async () => {
      await service.ask(countries, { key });
      return lanes.shareOf([`key ${key}`]);
    };
    assert.ok((await share()) > 1);
    await service.keys.change(id, { plan: 'free' }, 'test');
    assert.equal(await share(), 1);
    await service.keys.change(id, { plan: 'scale' }, 'test');
    assert.ok((await share()) > 1);
    await service.keys.revoke(id, 'test');
    assert.equal(await share(), 1);
  });

  test('a key for certain origins answers 403 elsewhere, and costs nothing there', async () => {
    const key = service.makeKey({ plan: 'tiny', origins: ['https://a.example'] });
    for (const headers of [{}, { origin: 'https://b.example' }] as Record<string, string>[]) {
      const answer = await service.ask(countries, { key, headers });
      assert.equal(answer.status, 403);
      assert.equal(answer.body.code, 'key_not_allowed');
    }
    const allowed = await service.ask(countries, { key, headers: { origin: 'https://a.example' } });
    assert.equal(allowed.status, 200);
    assert.equal(left(allowed), 4);
  });

  test('a key for certain networks answers 403 from others', async () => {
    const key = service.makeKey({ networks: ['10.1.0.0/16', '2001:db8::/32'] });
    const from = async (remoteAddress: string) => (await service.ask(countries, { key, remoteAddress })).status;
    assert.deepEqual(
      await Promise.all(['10.1.2.3', '::ffff:10.1.9.9', '2001:db8::1', '10.2.0.1', '::1'].map(from)),
      [200, 200, 200, 403, 403],
    );
  });

  test('the networks of a key are taken apart once, not for each request', async (t) => {
    const key = service.makeKey({ networks: Array.from({ length: 20 }, (_, n) => `2001:db8:${n + 1}::/48`) });
    const ask = async () => (await service.ask(countries, { key, remoteAddress: '2001:db8:20::1' })).status;
    assert.equal(await ask(), 200);
    // Each address of IPv6 that is taken apart makes one.
    const { URL } = globalThis;
    let made = 0;
    globalThis.URL = class extends URL {
      constructor(...parts: ConstructorParameters<typeof URL>) {
        super(...parts);
        made++;
      }
    };
    t.after(() => (globalThis.URL = URL));
    assert.equal(await ask(), 200);
    // The request's own, and the client's address as often as it is looked at.
    assert.ok(made > 0 && made < 20, `${made}`);
  });

  test('a key for certain endpoints answers 403 on others, in a batch for the entry', async () => {
    const key = service.makeKey({ plan: 'tiny', endpoints: ['countries', 'batch'] });
    assert.equal((await service.ask(countries, { key })).status, 200);
    assert.equal((await service.ask('/v1/country/DE', { key })).status, 403);
    const answer = await service.batch(
      [
        { endpoint: 'countries', params: {} },
        { endpoint: 'country/DE', params: {} },
      ],
      { key },
    );
    assert.deepEqual(
      answer.body.results.map(({ status }: { status: number }) => status),
      [200, 403],
    );
    assert.equal(left(answer), 3);
  });
});

suite('quota and rate over HTTP', () => {
  let service: TestService;
  before(async () => {
    service = await testService(undefined);
  });
  after(() => service.close());

  test('a day has as many calls as the plan says; then 429 quota_exceeded with Retry-After until midnight UTC', async () => {
    const key = service.makeKey({ plan: 'tiny' });
    for (let i = 4; i >= 0; i--) {
      const answer = await service.ask(countries, { key });
      assert.equal(answer.status, 200);
      assert.equal(left(answer), i);
    }
    const over = await service.ask(countries, { key });
    assert.equal(over.status, 429);
    assert.equal(over.body.code, 'quota_exceeded');
    assert.equal(over.headers['retry-after'], '43200');
    assert.equal(left(over), 0);
    service.clock.now += dayMs / 2;
    assert.equal((await service.ask(countries, { key })).status, 200);
    service.clock.now = noon;
  });

  test('the quota is exact when requests come at once', async () => {
    const key = service.makeKey({ plan: 'tiny' });
    const answers = await Promise.all(Array.from({ length: 20 }, () => service.ask(countries, { key })));
    assert.equal(answers.filter(({ status }) => status === 200).length, 5);
    assert.equal(answers.filter(({ status }) => status === 429).length, 15);
  });

  test('4xx and 304 of an endpoint cost a call; 401, 404 and 405 of no endpoint, preflights and /usage cost none', async () => {
    const key = service.makeKey({ plan: 'free' });
    const first = await service.ask(countries, { key });
    assert.equal(left(first), 999);
    const free = [
      ['/v1/usage', 'GET'],
      [countries, 'OPTIONS'],
      ['/v1/nowhere', 'GET'],
      [countries, 'DELETE'],
      ['/v1/batch', 'GET'],
    ] as const;
    for (const [url, method] of free) await service.ask(url, { key, method });
    assert.equal(left(await service.ask('/v1/usage', { key })), 999);
    const costly = [
      ['/v1/countries?limit=0', 400, {}],
      ['/v1/country/ZZ', 404, {}],
      [countries, 304, { 'if-none-match': first.headers.etag }],
    ] as const;
    let expected = 999;
    for (const [url, status, headers] of costly) {
      const answer = await service.ask(url, { key, headers });
      assert.equal(answer.status, status);
      assert.equal(left(answer), --expected);
    }
  });

  test('an answer without an explanation costs one call, even when one was requested', async () => {
    const key = service.makeKey();
    const used = async () => (await service.ask('/v1/usage', { key })).body.used;
    assert.equal((await service.ask('/v1/search?q=berlin&explain=true&variant=a', { key })).status, 200);
    assert.equal(await used(), 1);
    assert.equal((await service.ask('/v1/search?explain=true', { key })).status, 400);
    assert.equal(await used(), 2);
    const entries = [{ q: 'berlin', explain: true }, { explain: true }].map((params) => ({
      endpoint: 'search',
      params,
    }));
    await service.batch(entries, { key });
    assert.equal(await used(), 5);
  });

  test('an answer that explains itself costs two calls, alone and in a batch', async () => {
    const used = async (key: string) => (await service.ask('/v1/usage', { key })).body.used;
    const key = service.makeKey({ plan: 'tiny' });
    assert.equal((await service.ask('/v1/search?q=berlin&explain=true', { key })).status, 200);
    assert.equal(await used(key), 2);
    // An endpoint that has no such parameter ignores it.
    assert.equal((await service.ask('/v1/country/DE?explain=true', { key })).status, 200);
    assert.equal(await used(key), 3);
    for (const explain of [true, 1, 'True']) {
      const explained = { endpoint: 'search', params: { q: 'berlin', explain } };
      const plain = { endpoint: 'country/DE', params: {} };
      const { body } = await service.batch(explain === true ? [plain, explained] : [explained], { key });
      const statuses = body.results.map(({ status }: { status: number }) => status);
      assert.deepEqual(statuses, explain === true ? [200, 429] : [429], `${explain}`);
    }
    assert.equal(await used(key), 4);
    assert.equal((await service.ask('/v1/search?q=berlin&explain=1', { key })).status, 429);
    assert.equal((await service.ask('/v1/search?q=berlin', { key })).status, 200);
    assert.equal(await used(key), 5);
  });

  test('an answer of 5xx costs nothing', async (t) => {
    const lacking = await testService(t, { small: { without: ['postal', 'ip'] } });
    const key = lacking.makeKey({ plan: 'tiny' });
    const answer = await lacking.ask('/v1/postal?code=10115&country=DE', { key });
    assert.equal(answer.status, 503);
    assert.equal(answer.body.code, 'dataset_missing');
    assert.equal(left(answer), 5);
    const batch = await lacking.batch([{ endpoint: 'postal', params: { code: '10115', country: 'DE' } }], { key });
    assert.equal(batch.body.results[0].status, 503);
    assert.equal(left(batch), 5);
  });

  test('more requests a second than the plan allows answer 429 rate_limited, and cost no call', async () => {
    const key = service.makeKey({ plan: 'slow' });
    const statuses: number[] = [];
    for (let i = 0; i < 5; i++) statuses.push((await service.ask(countries, { key })).status);
    assert.deepEqual(statuses, [200, 200, 200, 429, 429]);
    const over = await service.ask(countries, { key });
    assert.equal(over.body.code, 'rate_limited');
    assert.equal(over.headers['retry-after'], '1');
    assert.equal(left(over), 997);
    service.clock.now += 1000;
    assert.equal((await service.ask(countries, { key })).status, 200);
    service.clock.now = noon;
  });

  test('every answer to a valid key carries the RateLimit headers of draft 10 and X-RateLimit-*', async () => {
    const key = service.makeKey({ plan: 'free' });
    for (const url of [countries, '/v1/countries?limit=x', '/v1/country/ZZ', '/v1/nowhere', '/v1/usage']) {
      const { headers } = await service.ask(url, { key });
      assert.equal(headers['ratelimit-policy'], '"day";q=1000;w=86400, "burst";q=100;w=5', url);
      assert.match(headers.ratelimit, /^"day";r=\d+;t=43200, "burst";r=\d+;t=\d+$/);
      assert.equal(headers['x-ratelimit-limit'], '1000');
      assert.match(headers['x-ratelimit-remaining'], /^\d+$/);
      assert.equal(headers['x-ratelimit-reset'], '43200');
    }
  });

  test('/usage reports plan, use, what is left, reset and the last 30 days', async () => {
    const key = service.makeKey({ plan: 'free' });
    await service.ask(countries, { key });
    service.clock.now += dayMs;
    await service.ask(countries, { key });
    await service.ask('/v1/countries?limit=0', { key });
    const { status, body } = await service.ask('/v1/usage', { key });
    assert.equal(status, 200);
    const { days, query_ms, ...rest } = body;
    assert.deepEqual(rest, {
      plan: 'free',
      limit: 1000,
      used: 2,
      remaining: 998,
      reset: '2026-06-17T00:00:00.000Z',
      reset_seconds: 43_200,
      calls_per_second: 20,
      burst: 100,
      batch_size: 100,
    });
    assert.ok(Number.isInteger(query_ms));
    assert.equal(days.length, 30);
    assert.deepEqual(days.slice(0, 3), [
      { date: '2026-06-16', calls: 2 },
      { date: '2026-06-15', calls: 1 },
      { date: '2026-06-14', calls: 0 },
    ]);
    service.clock.now = noon;
  });
});

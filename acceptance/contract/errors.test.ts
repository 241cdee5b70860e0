/** Section 3 of the contract and section 5 of the specification: errors, keys, and what each costs, over real HTTP. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { problemErrors } from '../../test/support/answer-schema.ts';
import { noon } from '../../test/support/service.ts';
import { questions } from './questions.ts';
import { type AskOptions, profiles, type Reply, type Served, serve, skip } from './served.ts';

suite('errors and keys', { skip }, () => {
  let served: Served;
  let description: Parameters<typeof problemErrors>[0];
  before(async () => {
    served = await serve({ limits: { bodyBytes: 4096 } });
    description = (await served.ask('/openapi.json', {}, { key: null })).body;
  });
  after(() => served.close());

  /** Fails unless a reply is a problem document of a status and a code. */
  function isProblem({ status, headers, body }: Reply, expected: number, code: string, where: string): void {
    assert.equal(`${status} ${body?.code}`, `${expected} ${code}`, `${where}: ${JSON.stringify(body)}`);
    assert.equal(headers['content-type'], 'application/problem+json; charset=utf-8', where);
    assert.equal(problemErrors(description, body), '', where);
    assert.equal(body.status, status);
    assert.equal(body.request_id, headers['x-request-id']);
    assert.ok(body.detail.length > 10 && body.type.endsWith(code), where);
  }
  const used = async (key: string) => (await served.ask('/v1/usage', {}, { key })).body.used;

  test('every status and code of the table is a problem document', async () => {
    const posted = (body: string, type: string | undefined): AskOptions => ({
      method: 'POST',
      body,
      headers: type === undefined ? {} : { 'content-type': type },
    });
    const json = 'application/json';
    const rows: [path: string, options: AskOptions, status: number, code: string][] = [
      ['/v1/search', {}, 400, 'missing_parameter'],
      ['/v1/search?q=', {}, 400, 'invalid_parameter'],
      ['/v1/search?q=%FF', {}, 400, 'invalid_parameter'],
      ['/v1/country/DEU', {}, 400, 'invalid_parameter'],
      ['/v1/country/%C3%9F', {}, 400, 'invalid_parameter'],
      ['/v1/batch', posted('[]', json), 400, 'invalid_body'],
      ['/v1/batch', posted('{', json), 400, 'invalid_body'],
      ['/v1/search?q=x', { key: null }, 401, 'missing_api_key'],
      ['/v1/search?q=x', { key: 'wab_nonsense' }, 401, 'invalid_api_key'],
      ['/v1/search?q=x', { key: served.makeKey({ endpoints: ['country'] }) }, 403, 'key_not_allowed'],
      ['/v1/nothing', {}, 404, 'not_found'],
      ['/v1/country/XX', {}, 404, 'country_not_found'],
      ['/v1/country/XK', {}, 404, 'country_not_found'],
      ['/v1/sun?city=Nowhereville', {}, 404, 'place_not_found'],
      ['/v1/distance?from_city=Berlin&to_city=Nowhereville', {}, 404, 'place_not_found'],
      ['/v1/ip?ip=10.0.0.1', {}, 404, 'ip_not_found'],
      ['/v1/search?q=x', { method: 'POST' }, 405, 'method_not_allowed'],
      ['/v1/country/DE', { method: 'DELETE' }, 405, 'method_not_allowed'],
      ['/v1/batch', { method: 'GET' }, 405, 'method_not_allowed'],
      ['/v1/batch', posted(`{"requests":[${' '.repeat(5000)}]}`, json), 413, 'body_too_large'],
      ['/v1/batch', posted('{"requests":[]}', 'text/plain'), 415, 'unsupported_media_type'],
      ['/v1/batch', posted('{"requests":[]}', undefined), 415, 'unsupported_media_type'],
      ['/v1/batch', posted('{"requests":[]}', 'application/json; charset=latin1'), 415, 'unsupported_media_type'],
    ];
    for (const [path, options, status, code] of rows) {
      for (const profile of profiles) {
        if (profile === 'b' && /sun|distance/.test(path)) continue;
        isProblem(
          await served.ask(path, {}, { ...options, profile }),
          status,
          code,
          `${options.method ?? 'GET'} ${path}`,
        );
      }
    }
  });

  test('401 carries WWW-Authenticate, for no key, a malformed, an unknown, a revoked and an expired one', async () => {
    const expired = served.makeKey({ expiresAt: Date.now() - 1000 });
    const other = await serve();
    const unknown = other.makeKey();
    await other.close();
    const paths = [...Object.keys(questions).map((path) => `/v1${path}`), '/v1/usage', '/v1/batch', '/v1/nothing'];
    for (const path of paths) {
      for (const key of [null, '', 'x', unknown, expired, `${expired}x`]) {
        const reply = await served.ask(path, {}, { key, method: path === '/v1/batch' ? 'POST' : 'GET' });
        const code = key === null || key === '' ? 'missing_api_key' : 'invalid_api_key';
        isProblem(reply, 401, code, path);
        assert.match(reply.headers['www-authenticate'] ?? '', /^\w+ .*X-API-Key/, path);
        assert.equal(reply.headers['x-ratelimit-limit'], undefined);
      }
    }
  });

  test('no other authentication scheme is accepted', async () => {
    const key = served.makeKey();
    const headers = { authorization: `Bearer ${key}`, cookie: `X-API-Key=${key}`, 'api-key': key };
    isProblem(
      await served.ask(`/v1/country/DE?api_key=${key}&key=${key}`, {}, { key: null, headers }),
      401,
      'missing_api_key',
      'others',
    );
  });

  test('405 names the methods of the path in Allow', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const reply = await served.ask('/v1/countries', {}, { method });
      isProblem(reply, 405, 'method_not_allowed', method);
      assert.equal(reply.headers.allow, 'GET, HEAD, OPTIONS');
    }
    assert.equal((await served.ask('/v1/batch')).headers.allow, 'POST, OPTIONS');
  });

  test('429 quota_exceeded comes with Retry-After until midnight UTC, and the free plan has 1,000 calls a day', async () => {
    served.clock.now = noon;
    const key = served.makeKey({ plan: 'tiny' });
    for (let call = 0; call < 5; call++) assert.equal((await served.ask('/v1/country/DE', {}, { key })).status, 200);
    const reply = await served.ask('/v1/country/DE', {}, { key });
    isProblem(reply, 429, 'quota_exceeded', 'sixth call');
    assert.equal(reply.headers['retry-after'], String(12 * 3600));
    assert.equal(reply.headers['x-ratelimit-remaining'], '0');
    assert.equal(reply.headers['x-ratelimit-reset'], String(12 * 3600));
    isProblem(await served.batch([{ endpoint: 'country/DE', params: {} }], { key }), 429, 'quota_exceeded', 'batch');
    assert.equal((await served.ask('/v1/usage', {}, { key })).status, 200, 'usage is still told');
    served.clock.now = noon + 12 * 3_600_000;
    assert.equal((await served.ask('/v1/country/DE', {}, { key })).status, 200, 'the next UTC day');
    served.clock.now = undefined;
    const free = await served.ask('/v1/country/DE', {}, { key: served.makeKey({ plan: 'free' }) });
    assert.equal(free.headers['x-ratelimit-limit'], '1000');
    assert.equal(free.headers['x-ratelimit-remaining'], '999');
  });

  test('429 rate_limited comes with Retry-After and costs nothing', async () => {
    served.clock.now = noon;
    const key = served.makeKey({ plan: 'slow' });
    const replies = [];
    for (let call = 0; call < 5; call++) replies.push(await served.ask('/v1/country/DE', {}, { key }));
    assert.deepEqual(
      replies.map(({ status }) => status),
      [200, 200, 200, 429, 429],
    );
    isProblem(replies[4], 429, 'rate_limited', 'fifth call');
    assert.equal(replies[4].headers['retry-after'], '1');
    served.clock.now = noon + 1000;
    assert.equal(await used(key), 3);
    served.clock.now = undefined;
  });

  test('every answer to a valid key carries RateLimit headers, whatever it ends in', async () => {
    const key = served.makeKey({ plan: 'free' });
    for (const path of ['/v1/country/DE', '/v1/country/XX', '/v1/search', '/v1/nothing', '/v1/usage', '/v1/batch']) {
      const { headers } = await served.ask(path, {}, { key });
      assert.match(String(headers['ratelimit-policy']), /^"day";q=1000;w=86400, "burst";q=100;w=5$/, path);
      assert.match(String(headers.ratelimit), /^"day";r=\d+;t=\d+, "burst";r=\d+;t=\d+$/, path);
      for (const name of ['limit', 'remaining', 'reset']) assert.match(String(headers[`x-ratelimit-${name}`]), /^\d+$/);
    }
  });

  test('2xx, 304 and 4xx of an endpoint cost one call; 401, 403, 404 and 405 of none, preflights, open paths and /usage none', async () => {
    const key = served.makeKey();
    const limited = served.makeKey({ endpoints: ['search'] });
    const costs: [path: string, options: AskOptions, cost: number][] = [
      ['/v1/country/DE', {}, 1],
      ['/v1/country/DE', { headers: { 'if-none-match': '*' } }, 1],
      ['/v1/country/DE', { method: 'HEAD' }, 1],
      ['/v1/country/XX', {}, 1],
      ['/v1/search', {}, 1],
      ['/v1/ip?ip=10.0.0.1', {}, 1],
      ['/v1/country/DE?variant=c', {}, 1],
      ['/v1/nothing', {}, 0],
      ['/v1/search', { method: 'POST' }, 0],
      ['/v1/search', { method: 'OPTIONS' }, 0],
      ['/v1/usage', {}, 0],
      ['/status', {}, 0],
      ['/v1/batch', { method: 'POST', body: '{"requests":[]}', headers: { 'content-type': 'application/json' } }, 0],
      ['/v1/batch', { method: 'POST', body: '{"requests":7}', headers: { 'content-type': 'application/json' } }, 0],
    ];
    for (const [path, options, cost] of costs) {
      const before = await used(key);
      await served.ask(path, {}, { ...options, key });
      assert.equal((await used(key)) - before, cost, `${options.method ?? 'GET'} ${path}`);
    }
    await served.ask('/v1/country/DE', {}, { key: limited });
    const { headers } = await served.ask('/v1/country/DE', {}, { key: limited });
    assert.equal(headers['x-ratelimit-remaining'], headers['x-ratelimit-limit'], '403 costs nothing');
  });

  test('/usage reports plan, use, what is left, the reset and 30 days', async () => {
    served.clock.now = noon;
    const key = served.makeKey({ plan: 'free' });
    await served.batch(
      Array.from({ length: 7 }, () => ({ endpoint: 'countries', params: {} })),
      { key },
    );
    for (const profile of profiles) {
      const { body } = await served.ask('/v1/usage', {}, { key, profile });
      assert.deepEqual([body.plan, body.limit, body.used, body.remaining], ['free', 1000, 7, 993]);
      assert.deepEqual([body.reset, body.reset_seconds], ['2026-06-16T00:00:00.000Z', 12 * 3600]);
      assert.equal(body.days.length, 30);
      assert.deepEqual(body.days[0], { date: '2026-06-15', calls: 7 });
      assert.deepEqual(body.days[29], { date: '2026-05-17', calls: 0 });
    }
    served.clock.now = undefined;
  });
});

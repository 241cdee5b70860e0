/** Section 2 of the contract: methods, CORS, caching, compression and request ids, on every path. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { questions } from './questions.ts';
import { profiles, type Served, serve, skip } from './served.ts';

const open = ['/', '/docs', '/openapi.json', '/health/live', '/health/ready', '/status'];
const moving = new Set(['/ip', '/timezone']);

suite('HTTP', { skip }, () => {
  let served: Served;
  before(async () => {
    served = await serve();
  });
  after(() => served.close());

  const paths = [
    ...Object.entries(questions).map(([path, query]) => [`/v1${path}`, query] as const),
    ['/v1/usage', {}] as const,
  ];
  const others = [
    ...['/v1/place/2950159', '/v1/country/DE/area', '/v1/admin/DE-BE/area'],
    ...[
      '/nominatim/search?q=Berlin',
      '/photon/api?q=Berlin',
      '/pelias/v1/search?text=Berlin',
      '/v1/tiles/streets.json',
    ],
  ];

  test('JSON in UTF-8 with an integer query_ms, on every endpoint in every profile', async () => {
    for (const [path, query] of paths) {
      for (const profile of profiles) {
        const { status, headers, body, bytes } = await served.ask(path, query, { profile });
        assert.equal(status, 200, path);
        assert.equal(headers['content-type'], 'application/json; charset=utf-8', path);
        assert.equal(Number(headers['content-length']), bytes.length, path);
        assert.ok(Number.isInteger(body.query_ms) && body.query_ms >= 0, path);
        assert.doesNotThrow(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes), path);
      }
    }
  });

  test('HEAD answers as GET does, without a body', async () => {
    for (const [path, query] of [...paths, ...[...open, ...others].map((path) => [path, {}] as const)]) {
      const get = await served.ask(path, query);
      const head = await served.ask(path, query, { method: 'HEAD' });
      assert.equal(head.status, get.status, path);
      assert.equal(head.headers['content-type'], get.headers['content-type'], path);
      assert.equal(head.headers.etag, get.headers.etag, path);
      assert.ok(Number(head.headers['content-length']) > 0, path);
      assert.equal(head.bytes.length, 0, path);
    }
  });

  test('OPTIONS and preflights answer 204 without a key on every path', async () => {
    for (const path of [...paths.map(([path]) => path), ...open, ...others, '/v1/batch']) {
      const bare = await served.ask(path, {}, { method: 'OPTIONS', key: null });
      assert.equal(bare.status, 204, path);
      assert.ok(bare.headers.allow?.includes('OPTIONS'), path);
      const method = path === '/v1/batch' ? 'POST' : 'GET';
      assert.ok(bare.headers.allow?.includes(method), path);
      const requestHeaders = {
        origin: 'https://example.org',
        'access-control-request-method': method,
        'access-control-request-headers': 'x-api-key,x-api-variant,content-type,if-none-match',
      };
      const { status, headers } = await served.ask(path, {}, { method: 'OPTIONS', key: null, headers: requestHeaders });
      assert.equal(status, 204, path);
      assert.equal(headers['access-control-allow-origin'], '*');
      assert.ok(headers['access-control-allow-methods']?.includes(method));
      for (const name of requestHeaders['access-control-request-headers'].split(',')) {
        assert.ok(headers['access-control-allow-headers']?.toLowerCase().includes(name), `${path}: ${name}`);
      }
    }
  });

  test('CORS is open without credentials, on answers and on errors', async () => {
    const headers = { origin: 'https://example.org' };
    const replies = [
      await served.ask('/v1/country/DE', {}, { headers }),
      await served.ask('/v1/country/XX', {}, { headers }),
      await served.ask('/v1/country/DE', {}, { headers, key: null }),
      await served.ask('/v1/nothing', {}, { headers }),
      await served.batch([], { headers }),
      await served.ask('/status', {}, { headers, key: null }),
    ];
    for (const reply of replies) {
      assert.equal(reply.headers['access-control-allow-origin'], '*');
      assert.equal(reply.headers['access-control-allow-credentials'], undefined);
      const exposed = reply.headers['access-control-expose-headers']?.split(', ') ?? [];
      for (const name of [
        'ETag',
        'RateLimit',
        'RateLimit-Policy',
        'Retry-After',
        'X-Ignored-Parameters',
        'X-Request-Id',
      ])
        assert.ok(exposed.includes(name), name);
      for (const name of ['Limit', 'Remaining', 'Reset']) assert.ok(exposed.includes(`X-RateLimit-${name}`), name);
    }
  });

  test('what depends on the data only has a weak ETag and is private; If-None-Match returns 304', async () => {
    for (const [path, query] of paths) {
      const endpoint = path.slice(3);
      if (moving.has(endpoint) || endpoint === '/usage') continue;
      for (const profile of profiles) {
        const { headers } = await served.ask(path, query, { profile });
        assert.match(headers.etag ?? '', /^W\/"[^"]+"$/, path);
        assert.match(headers['cache-control'] ?? '', /^private, max-age=\d+$/, path);
        assert.match(headers.vary ?? '', /X-API-Key.*X-API-Variant/, path);
        for (const tag of [headers.etag!, headers.etag!.slice(2), `"x", ${headers.etag}`, '*']) {
          const again = await served.ask(path, query, { profile, headers: { 'if-none-match': tag } });
          assert.equal(again.status, 304, `${path} ${tag}`);
          assert.equal(again.bytes.length, 0);
          assert.equal(again.headers.etag, headers.etag);
        }
        const other = await served.ask(path, query, { profile, headers: { 'if-none-match': 'W/"other"' } });
        assert.equal(other.status, 200, path);
      }
    }
  });

  test('a tag is of the normalised request and of its profile', async () => {
    const tag = async (path: string) => (await served.ask(path)).headers.etag;
    assert.equal(
      await tag('/v1/search?q=Berlin&country=de'),
      await tag('/v1/search?country=DE&q=%20Berlin%20&limit=10&x=1'),
    );
    assert.equal(await tag('/v1/country/de'), await tag('/v1/country/DE/'));
    const different = await Promise.all(
      ['/v1/country/DE', '/v1/country/FR', '/v1/country/DE?variant=a', '/v1/country/DE?variant=b'].map(tag),
    );
    assert.equal(new Set(different).size, different.length);
  });

  test('/ip without ip, /timezone and /sun for now have no ETag and are not stored', async () => {
    const requestHeaders = { 'if-none-match': '*' };
    for (const path of [
      '/v1/timezone?lat=1&lng=1',
      '/v1/timezone?timezone=Europe/Berlin',
      '/v1/sun?lat=1&lng=1',
      '/v1/usage',
    ]) {
      for (const profile of profiles) {
        const { status, headers } = await served.ask(path, {}, { profile, headers: requestHeaders });
        assert.equal(status, 200, path);
        assert.equal(headers.etag, undefined, path);
        assert.equal(headers['cache-control'], 'no-store', path);
      }
    }
    const { status, headers } = await served.ask('/v1/ip', {}, { headers: requestHeaders });
    assert.equal(status, 404, 'the loopback is in no database');
    assert.equal(headers.etag, undefined);
    for (const path of [
      '/v1/timezone?lat=1&lng=1&at=0',
      '/v1/sun?lat=1&lng=1&date=2026-06-21',
      '/v1/ip?ip=8.8.8.8&variant=b',
    ]) {
      assert.match((await served.ask(path)).headers.etag ?? '', /^W\//, path);
    }
  });

  test('bodies over 1 KiB come as br or gzip on request, smaller ones never', async () => {
    const plain = await served.ask('/v1/countries/all');
    assert.equal(plain.headers['content-encoding'], undefined);
    const read = { br: brotliDecompressSync, gzip: gunzipSync };
    for (const encoding of ['br', 'gzip'] as const) {
      const { headers, bytes } = await served.ask(
        '/v1/countries/all',
        {},
        { headers: { 'accept-encoding': encoding } },
      );
      assert.equal(headers['content-encoding'], encoding);
      assert.equal(Number(headers['content-length']), bytes.length);
      assert.ok(bytes.length < plain.bytes.length / 2);
      assert.deepEqual(JSON.parse(read[encoding](bytes).toString()).results, plain.body.results);
      const small = await served.ask('/v1/country/DE', {}, { headers: { 'accept-encoding': encoding } });
      assert.ok(small.bytes.length < 1024);
      assert.equal(small.headers['content-encoding'], undefined);
    }
    for (const none of ['identity', 'br;q=0, gzip;q=0', 'zstd']) {
      const { headers } = await served.ask('/v1/countries/all', {}, { headers: { 'accept-encoding': none } });
      assert.equal(headers['content-encoding'], undefined, none);
    }
  });

  test('X-Request-Id is echoed, or made: in answers, errors and problem documents', async () => {
    for (const path of ['/v1/country/DE', '/v1/country/XX', '/v1/nothing', '/status']) {
      const answer = await served.ask(path, {}, { headers: { 'x-request-id': 'client-7:1' } });
      assert.equal(answer.headers['x-request-id'], 'client-7:1', path);
      if (answer.status >= 400) assert.equal(answer.body.request_id, 'client-7:1');
      const [one, two] = [await served.ask(path), await served.ask(path)];
      assert.ok(one.headers['x-request-id'], path);
      assert.notEqual(one.headers['x-request-id'], two.headers['x-request-id'], path);
    }
  });
});

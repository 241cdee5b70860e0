import assert from 'node:assert/strict';
import { request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { after, before, suite, test } from 'node:test';
import { type TestService, testService } from '../support/service.ts';

suite('over real sockets', () => {
  let service: TestService;
  let port: number;
  before(async () => {
    service = await testService(undefined, { trustedProxies: ['127.0.0.1', '::1', '10.0.0.0/8'] });
    await service.app.listen({ port: 0, host: '127.0.0.1' });
    port = (service.app.server.address() as AddressInfo).port;
  });
  after(() => service.close());

  /** Writes raw bytes and returns everything that comes back until the connection is closed. */
  function exchange(bytes: string, to = port): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = connect(to, '127.0.0.1', () => socket.write(bytes, 'latin1'));
      let text = '';
      socket.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      socket.on('close', () => resolve(text)).on('error', reject);
    });
  }
  const problemIn = (text: string) => JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4));

  test('what is not HTTP answers 400 as a problem document, and the connection is closed', async () => {
    for (const bytes of [
      'nonsense\r\n\r\n',
      'GET /v1/countries HTTP/9.9\r\n\r\n',
      'GET /\0 HTTP/1.1\r\n\r\n',
      'GET / HTTP/1.1\r\nbad header\r\n\r\n',
    ]) {
      const text = await exchange(bytes);
      assert.match(text, /^HTTP\/1\.1 400 /);
      assert.match(text, /application\/problem\+json/);
      const problem = problemIn(text);
      assert.equal(problem.code, 'malformed_request');
      assert.ok(text.includes(`X-Request-Id: ${problem.request_id}`));
    }
  });

  test('what is not HTTP is counted and logged like other answers', async (t) => {
    const counted: string[] = [];
    const lines: string[] = [];
    const { app } = await testService(t, {
      record: ({ endpoint }, status) => counted.push(`${endpoint} ${status}`),
      logRequests: { withAddresses: true },
      logger: { level: 'info', stream: { write: (line) => void lines.push(line) } },
    });
    await app.listen({ port: 0, host: '127.0.0.1' });
    const text = await exchange('nonsense\r\n\r\n', (app.server.address() as AddressInfo).port);
    assert.deepEqual(counted, ['other 400']);
    const { request_id, endpoint, status, address } = JSON.parse(lines.at(-1)!);
    assert.deepEqual([request_id, endpoint, status, address], [problemIn(text).request_id, 'other', 400, '127.0.0.1']);
  });

  test('an address with letters as they are typed is refused with the remedy', async () => {
    const bytes = Buffer.from('GET /v1/search?q=münchen HTTP/1.1\r\nHost: x\r\n\r\n').toString('latin1');
    const problem = problemIn(await exchange(bytes));
    assert.equal(problem.code, 'malformed_request');
    assert.match(problem.detail, /percent-encode.*--data-urlencode/);
  });

  test('headers larger than are read answer 431 as a problem document', async () => {
    for (const headers of [`X-Long: ${'y'.repeat(20_000)}\r\n`, 'X: 1\r\n'.repeat(150)]) {
      const text = await exchange(`GET /v1/countries HTTP/1.1\r\nHost: x\r\n${headers}\r\n`);
      assert.match(text, /^HTTP\/1\.1 431 /);
      assert.equal(problemIn(text).code, 'headers_too_large');
      assert.match(problemIn(text).detail, /16384 bytes together, or more than 100 lines/);
    }
  });

  test('unknown methods answer 405 on known paths', async () => {
    for (const method of ['PROPFIND', 'QUERY', 'TRACE']) {
      const text = await exchange(
        `${method} /v1/countries HTTP/1.1\r\nHost: x\r\nX-API-Key: ${service.key}\r\nConnection: close\r\n\r\n`,
      );
      assert.match(text, /^HTTP\/1\.1 405 /, method);
      assert.match(text, /\r\nallow: GET, HEAD, OPTIONS\r\n/i);
    }
  });

  test('a head that does not come answers 408 soon after its time', async (t) => {
    const limits = { headersTimeoutMs: 40, requestTimeoutMs: 80 };
    const slow = await testService(t, { limits });
    await slow.app.listen({ port: 0, host: '127.0.0.1' });
    const { port: slowPort } = slow.app.server.address() as AddressInfo;
    const text = await exchange('GET /v1/countries HTTP/1.1\r\nHost: x\r\n', slowPort);
    assert.equal(problemIn(text).code, 'request_timeout');
  });

  test('a sender that disconnects during its body is not an internal error', async (t) => {
    const answered = Promise.withResolvers<number>();
    const watched = await testService(t, { record: (_call, status) => answered.resolve(status) });
    await watched.app.listen({ port: 0, host: '127.0.0.1' });
    const { port: watchedPort } = watched.app.server.address() as AddressInfo;
    const head = `POST /v1/batch HTTP/1.1\r\nHost: x\r\nX-API-Key: ${watched.key}\r\nContent-Type: application/json\r\n`;
    const socket = connect(watchedPort, '127.0.0.1', () => socket.write(`${head}Content-Length: 100\r\n\r\n{`));
    watched.app.server.once('request', () => socket.resetAndDestroy());
    assert.equal(await answered.promise, 400);
  });

  test('an expectation that the service does not know is ignored, and the request limited as any other', async () => {
    const one = `GET /health/live HTTP/1.1\r\nHost: x\r\nExpect: nonsense\r\n`;
    const text = await exchange(`${`${one}\r\n`.repeat(3)}${one}Connection: close\r\n\r\n`);
    assert.equal(text.match(/HTTP\/1\.1 200 /g)?.length, 4, text);
    assert.match(text, /connection: close/i);
  });

  test('a request of HTTP/1.1 names its host once', async () => {
    for (const lines of ['', 'Host: a\r\nHost: b\r\n', 'Host: a\r\nhost: a\r\n']) {
      const text = await exchange(`GET /health/live HTTP/1.1\r\n${lines}Connection: close\r\n\r\n`);
      assert.match(text, /^HTTP\/1\.1 400 /, lines);
      assert.match(problemIn(text).detail, /[02] Host headers, expected one/);
    }
    assert.match(await exchange('GET /health/live HTTP/1.0\r\n\r\n'), /^HTTP\/1\.1 200 /);
  });

  test('a target that is not a path is not the home page; an absolute URL is its path', async () => {
    const status = async (method: string, target: string) =>
      (await exchange(`${method} ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)).slice(9, 12);
    assert.equal(await status('GET', '*'), '404');
    assert.equal(await status('OPTIONS', '*'), '204');
    for (const host of ['places.example.org', 'a_b-c.example:80', '[::1]:80', 'a'.repeat(250)]) {
      assert.equal(await status('GET', `http://${host}/health/live`), '200');
    }
    assert.equal(await status('GET', 'HTTPS://a?x'), '200');
    assert.equal(await status('DELETE', 'http://a/v1/search'), '401');
    for (const host of ['', 'x:a', '[::1', 'user@a', 'a'.repeat(300)]) {
      assert.equal(await status('GET', `http://${host}/health/live`), '404');
    }
  });

  test('the host of a target is not made Punycode, which takes the square of its letters', async () => {
    const letters = (count: number) =>
      Array.from({ length: count }, (_, index) => encodeURIComponent(String.fromCodePoint(0x4e00 + index))).join('');
    const before = process.threadCpuUsage();
    for (const [count, status] of Object.entries({ 880: '404', 1750: '414' })) {
      const request = `GET http://${letters(Number(count))}/ HTTP/1.1\r\nHost: x\r\n`;
      const text = await exchange(`${`${request}\r\n`.repeat(9)}${request}Connection: close\r\n\r\n`);
      assert.deepEqual(text.match(/(?<=HTTP\/1\.1 )\d+/g), Array(10).fill(status));
    }
    const ms = process.threadCpuUsage(before).user / 1000;
    assert.ok(ms < 90, `${ms} ms`);
  });

  test('a key in a path is not repeated', async () => {
    const encodedKey = service.key.replace(/./g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
    for (const path of [
      `/key/${service.key}/status`,
      `/key/wab_typo/status`,
      `/v1/${service.key}`,
      `/${service.key.replace('_', '%5F')}`,
      `/docs/${encodedKey}`,
    ]) {
      const text = await exchange(
        `DELETE ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${service.key}\r\nConnection: close\r\n\r\n`,
      );
      assert.match(text, /^HTTP\/1\.1 404 /);
      assert.ok(!text.includes(service.key.slice(4)) && !text.includes('wab_typo') && !text.includes(encodedKey), text);
    }
  });

  test('requests on one connection are answered in order', async () => {
    const one = (code: string, last: boolean) =>
      `GET /v1/country/${code} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${service.key}\r\n${last ? 'Connection: close\r\n' : ''}\r\n`;
    const text = await exchange(one('DE', false) + one('FR', false) + one('GB', true));
    assert.deepEqual(
      [...text.matchAll(/"iso2":"(..)"/g)].map(([, code]) => code),
      ['DE', 'FR', 'GB'],
    );
  });

  test('fetch gets a compressed answer and reads it', async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/openapi.json`);
    assert.match(answer.headers.get('content-encoding') ?? '', /^(br|gzip)$/);
    assert.equal(((await answer.json()) as { openapi: string }).openapi, '3.1.0');
  });

  test('HEAD has the Content-Length of GET and no body', async () => {
    const url = `http://127.0.0.1:${port}/v1/country/DE`;
    const headers = { 'x-api-key': service.key, 'accept-encoding': 'identity' };
    const get = await fetch(url, { headers });
    const length = Buffer.byteLength(await get.text());
    const head = await fetch(url, { headers, method: 'HEAD' });
    // Up to digits of query_ms.
    assert.ok(Math.abs(Number(head.headers.get('content-length')) - length) < 10);
    assert.equal(await head.text(), '');
  });

  test('a body sent in pieces is read whole; one over the limit answers 413 that its sender can read', async () => {
    const post = (chunks: string[]) =>
      new Promise<{ status: number; text: string }>((resolve, reject) => {
        const headers = { 'x-api-key': service.key, 'content-type': 'application/json' };
        const sent = request({ port, host: '127.0.0.1', path: '/v1/batch', method: 'POST', headers }, (answer) => {
          let text = '';
          answer.setEncoding('utf8').on('data', (chunk) => {
            text += chunk;
          });
          answer.on('end', () => resolve({ status: answer.statusCode!, text }));
        });
        sent.on('error', reject);
        for (const chunk of chunks) sent.write(chunk);
        sent.end();
      });
    const small = await post(['{"requests":[{"endpoint":"country/DE",', '"params":{}}', ']}']);
    assert.equal(JSON.parse(small.text).successful, 1);
    const large = await post(['{"requests":[', ...Array.from({ length: 30 }, () => ' '.repeat(100_000)), ']}']);
    assert.equal(large.status, 413);
  });

  test("behind trusted proxies the caller is X-Forwarded-For's last hop that is not one of them", async () => {
    const ipFor = async (forwarded: string) => {
      const answer = await fetch(`http://127.0.0.1:${port}/v1/ip`, {
        headers: { 'x-api-key': service.key, 'x-forwarded-for': forwarded },
      });
      const body = (await answer.json()) as { ip?: string; detail?: string };
      return body.ip ?? body.detail ?? '';
    };
    assert.equal(await ipFor('8.8.8.8'), '8.8.8.8');
    assert.equal(await ipFor('1.0.0.1, 8.8.8.8, 10.0.0.5'), '8.8.8.8');
    assert.equal(await ipFor('[::ffff:8.8.8.8]:4711'), '8.8.8.8');
    assert.match(await ipFor('8.8.8.8, unknown, 10.0.0.5'), /10\.0\.0\.5/);
  });

  test('a request that is being answered while the service closes gets its answer', async () => {
    const closing = await testService(undefined, { limits: { sliceMs: 0 } });
    await closing.app.listen({ port: 0, host: '127.0.0.1' });
    const own = (closing.app.server.address() as AddressInfo).port;
    let arrived = 0;
    const all = new Promise<void>((resolve) => {
      closing.app.server.on('request', () => ++arrived === 5 && resolve());
    });
    const requests = Array.from({ length: 100 }, () => ({ endpoint: 'country/DE', params: {} }));
    const pending = Array.from({ length: 5 }, () =>
      fetch(`http://127.0.0.1:${own}/v1/batch`, {
        method: 'POST',
        headers: { 'x-api-key': closing.key, 'content-type': 'application/json' },
        body: JSON.stringify({ requests }),
      }),
    );
    await all;
    await closing.close();
    for (const answer of await Promise.all(pending)) {
      assert.equal(answer.status, 200);
      assert.equal(((await answer.json()) as { successful: number }).successful, 100);
    }
  });
});

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { after, before, suite, test } from 'node:test';
import { createSendWhole } from '../../src/server/head.ts';
import { type TestService, testService } from '../support/service.ts';

/** One answer as it came over the wire. */
type Sent = { status: string; headers: [string, string][]; body: string };

suite('heads sent as text', () => {
  let service: TestService;
  let port: number;
  before(async () => {
    service = await testService(undefined);
    await service.app.listen({ port: 0, host: '127.0.0.1' });
    port = (service.app.server.address() as AddressInfo).port;
  });
  after(() => service.close());

  /**
   * The same request twice on one connection: the first leaves it open and is answered the quick way, the second closes
   * it and is answered by `writeHead`.
   */
  async function askTwice(start: string, more = ''): Promise<[Sent, Sent]> {
    const fields = `Host: x\r\nX-API-Key: ${service.key}\r\nX-Request-Id: same\r\n${more}`;
    const bytes = await new Promise<Buffer>((resolve, reject) => {
      const received: Buffer[] = [];
      const socket = connect(port, '127.0.0.1', () =>
        socket.write(`${start} HTTP/1.1\r\n${fields}\r\n${start} HTTP/1.1\r\n${fields}Connection: close\r\n\r\n`),
      );
      socket.on('data', (chunk) => received.push(Buffer.from(chunk)));
      socket.on('close', () => resolve(Buffer.concat(received))).on('error', reject);
    });
    const [first, rest] = take(bytes, start.startsWith('HEAD'));
    const [second, nothing] = take(rest, start.startsWith('HEAD'));
    assert.equal(nothing.length, 0);
    return [first, second];
  }

  function take(bytes: Buffer, isHead: boolean): [Sent, Buffer] {
    const end = bytes.indexOf('\r\n\r\n');
    const [status, ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
    const headers = lines.map((text) => text.split(/: (.*)/s, 2) as [string, string]);
    const length = isHead ? 0 : Number(headers.find(([name]) => name === 'Content-Length')?.[1]);
    const from = end + 4;
    return [{ status, headers, body: bytes.toString('utf8', from, from + length) }, bytes.subarray(from + length)];
  }

  const ofConnection = new Set(['Connection', 'Keep-Alive']);
  /** What both ways must have in common: everything except the remaining quota and the digits of query_ms. */
  const comparable = ({ headers }: Sent) =>
    headers
      .filter(([name]) => !ofConnection.has(name))
      .map(([name, value]) =>
        /^(RateLimit|X-RateLimit-Remaining|Content-Length)$/.test(name)
          ? [name, value.replace(/\d+/g, '#')]
          : name === 'Date'
            ? [name]
            : [name, value],
      )
      .sort();

  for (const [what, start, more] of [
    ['ASCII', 'GET /v1/distance?from_lat=1&from_lng=2&to_lat=3&to_lng=4&variant=b', ''],
    ['a body with letters beyond ASCII', 'GET /v1/country/DE', ''],
    ['an answer that is not kept', 'GET /v1/timezone?timezone=Europe/Berlin', ''],
    ['ignored parameters', 'GET /v1/country/DE?nonsense=%0D%0AX-Evil:%201&x=%C3%BC', ''],
    ['an origin', 'GET /v1/country/DE', 'Origin: https://example.org\r\n'],
    ['HEAD', 'HEAD /v1/country/DE', ''],
    ['CSV', 'GET /v1/search?q=berlin&format=csv', ''],
  ] as const) {
    test(`${what}: the same as by writeHead`, async () => {
      const [quick, slow] = await askTwice(start, more);
      assert.equal(quick.status, 'HTTP/1.1 200 OK');
      assert.equal(slow.status, quick.status);
      assert.deepEqual(comparable(quick), comparable(slow));
      assert.equal(quick.body.replace(/"query_ms":\d+/, ''), slow.body.replace(/"query_ms":\d+/, ''));
      assert.ok(start.startsWith('HEAD') ? quick.body === '' : quick.body.length > 0);
      const get = (name: string) => quick.headers.find(([found]) => found === name)?.[1];
      assert.equal(get('Connection'), 'keep-alive');
      assert.equal(get('Keep-Alive'), 'timeout=65');
      assert.ok(Math.abs(Date.parse(get('Date')!) - Date.now()) < 60_000);
      assert.equal(quick.headers.length, new Set(quick.headers.map(([name]) => name)).size, 'no header twice');
    });
  }
});

test('this Node takes a head as text', async (t) => {
  // Where one does not, answers are still right, but slower: see head.ts.
  const sendWhole = createSendWhole(5000);
  const server = createServer((_request, response) => {
    assert.ok(sendWhole(response, ['X-Told', 'yes'], 'X-Line: too\r\n', '{"ä":1}', 'utf8'));
  });
  t.after(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  assert.equal(answer.headers.get('x-told'), 'yes');
  assert.equal(answer.headers.get('x-line'), 'too');
  assert.equal(answer.headers.get('keep-alive'), 'timeout=5');
  assert.deepEqual(await answer.json(), { ä: 1 });
});

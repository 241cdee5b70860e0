/** Bodies within the size limit that would take long to parse or to check. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { listening } from '../support/listening.ts';
import { rawClient } from '../support/raw-client.ts';
import { type TestService, testService } from '../support/service.ts';

const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const named = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, number) => [`p${number}`, '1']));

suite('intricate bodies', () => {
  let service: TestService;
  before(async () => {
    service = await testService(undefined);
  });
  after(() => service.close());
  const post = (url: string, body: string) => service.ask(url, { method: 'POST', headers, body });

  for (const path of ['/v1/batch', '/mcp']) {
    test(`${path}: what nests deeply, or has thousands of values, is refused before it is parsed`, async () => {
      for (const [body, problem] of [
        [`{"requests":${'['.repeat(200_000)}`, /nests deeper than 32 levels/],
        [`{"requests":[{"endpoint":"search","params":${JSON.stringify(named(40_000))}`, /more than \d+ values/],
        [`[${'1,'.repeat(200_000)}`, /more than \d+ values/],
      ] as const) {
        const answer = await post(path, body);
        assert.equal(answer.status, 400);
        assert.equal(answer.body.code, 'invalid_body');
        assert.match(answer.body.detail, problem);
      }
    });
  }

  test('punctuation within strings does not count as values', async () => {
    const q = `${'[{,"\\'.repeat(60_000)}`;
    const answer = await service.batch([{ endpoint: 'search', params: { q } }]);
    assert.equal(answer.status, 200);
    assert.match(answer.body.results[0].data.detail, /300000 characters/);
  });

  test('an entry has at most 100 parameters', async () => {
    const answer = await service.batch([
      { endpoint: 'country/DE', params: named(100) },
      { endpoint: 'country/DE', params: named(101) },
    ]);
    assert.equal(answer.status, 400);
    assert.match(answer.body.detail, /^requests\[1\]\.params has 101 names, at most 100/);
    assert.equal((await service.batch([{ endpoint: 'country/DE', params: named(100) }])).body.successful, 1);
  });
});

test('a large body is parsed when it is its turn', async (t) => {
  const { app, port, key } = await listening(t, { limits: { sliceMs: 0 } });
  const client = await rawClient(port);
  const body = ' '.repeat(20_000);
  const head = `POST /v1/batch HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\n`;
  client.write(`${head}Content-Length: ${body.length + 1}\r\n\r\n${body}`);
  // Its head is answered for when this is.
  const other = await rawClient(port);
  other.write(`GET /v1/country/DE HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\n\r\n`);
  assert.equal((await other.answer())?.status, 200);
  // Only watched: it waits and has its turn in one turn of the event loop.
  const runs = t.mock.method(app.whereabouts.lanes, 'run');
  client.write('x');
  assert.equal((await client.answer())?.status, 400);
  assert.ok(runs.mock.callCount() > 0);
  for (const { socket } of [client, other]) socket.destroy();
});

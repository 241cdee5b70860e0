/**
 * Whatever a client does on a connection, it is closed afterwards or answers the next request; answers come in the order of
 * their requests. `FUZZ_SECONDS` says how long to try (10), `FUZZ_INPUTS` with how many requests, `FUZZ_SEED` (1) which.
 */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { listening } from '../support/listening.ts';
import { type RawAnswer, type RawClient, rawClient } from '../support/raw-client.ts';
import type { TestService } from '../support/service.ts';

const seconds = Number(process.env.FUZZ_SECONDS ?? 10);
const inputs = Number(process.env.FUZZ_INPUTS ?? Number.POSITIVE_INFINITY);
const seed = Number(process.env.FUZZ_SEED ?? 1);
/** Requests of a run, about: up to 60 exchanges of up to 12 each. */
const runRequests = 180;
const bodyBytes = 4096;
const headersTimeoutMs = 1000;
/** After this time an exchange counts as hung, ms. */
const timeoutMs = 180_000;

/** A request: its bytes for an id and a key, and the statuses it may be answered with. */
type Kind = {
  name: string;
  bytes: (id: string, key: string) => string;
  statuses: number[];
  isHead?: boolean;
  isLast?: boolean;
};

const head = (start: string, id: string, lines: readonly string[] = []) =>
  `${start} HTTP/1.1\r\nHost: x\r\nX-Request-Id: ${id}\r\n${lines.map((line) => `${line}\r\n`).join('')}\r\n`;
const bare = (name: string, start: string, statuses: number[], more: string[] = [], isHead = false): Kind => ({
  name,
  statuses,
  isHead,
  bytes: (id, key) => head(start, id, [`X-API-Key: ${key}`, ...more]),
});
const json = 'Content-Type: application/json';
const chunked = (body: string) =>
  `${(body.match(/[\s\S]{1,300}/g) ?? []).map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`).join('')}0\r\n\r\n`;

/** A request with a body, by its length or in chunks. */
function withBody(name: string, start: string, body: string, statuses: number[], type = json, key?: string): Kind[] {
  const lines = (own: string, framing: string) => [`X-API-Key: ${key ?? own}`, ...(type ? [type] : []), framing];
  return [
    {
      name: `${name}, with its length`,
      statuses,
      bytes: (id, own) => head(start, id, lines(own, `Content-Length: ${body.length}`)) + body,
    },
    {
      name: `${name}, in chunks`,
      statuses,
      bytes: (id, own) => head(start, id, lines(own, 'Transfer-Encoding: chunked')) + chunked(body),
    },
  ];
}

const batch = JSON.stringify({ requests: [{ endpoint: 'country/DE', params: {} }] });
const kinds: Kind[] = [
  bare('an answer at once', 'GET /v1/country/DE', [200]),
  bare('HEAD', 'HEAD /v1/country/DE', [200], [], true),
  bare('an answer compressed', 'GET /openapi.json', [200], ['Accept-Encoding: br']),
  bare('a large answer', 'GET /assets/map/maplibre-gl.mjs', [200]),
  bare('unchanged', 'GET /v1/country/DE', [304], ['If-None-Match: *']),
  bare('a preflight', 'OPTIONS /v1/batch', [204]),
  bare('no such path', 'GET /nowhere', [404]),
  bare('another method', 'DELETE /status', [405]),
  { ...bare('an upgrade', 'GET /health/live', [200], ['Connection: upgrade', 'Upgrade: websocket']), isLast: true },
  bare('an expectation nobody knows', 'GET /v1/country/DE', [200], ['Expect: nonsense']),
  bare('a long address', `GET /status?${'x'.repeat(9000)}`, [414]),
  { ...bare('the last one', 'GET /health/live', [200], ['Connection: close']), isLast: true },
  ...withBody('a batch', 'POST /v1/batch', batch, [200]),
  ...withBody('a batch that is none', 'POST /v1/batch', '{}', [400]),
  ...withBody('a body for GET', 'GET /v1/country/DE', 'x'.repeat(3000), [200]),
  ...withBody('another type', 'POST /v1/batch', 'x'.repeat(3000), [415], 'Content-Type: text/plain'),
  ...withBody('no key', 'POST /v1/batch', 'x'.repeat(3000), [401], json, 'wab_nonsense'),
  ...withBody('too large', 'POST /v1/batch', ' '.repeat(3 * bodyBytes), [413]),
  ...withBody('a large body nobody wants', 'POST /v1/nowhere', ' '.repeat(30 * bodyBytes), [404]),
  ...withBody('a sign-up too large', 'POST /account/sign-up', ' '.repeat(30 * bodyBytes), [413, 429]),
  ...withBody('a change of the key', 'PATCH /account/key', '{"name":"x"}', [200]),
  ...withBody('a message of MCP', 'POST /mcp', '{"jsonrpc":"2.0","id":1,"method":"ping"}', [200, 406]),
  {
    name: 'a body that waits to be asked for',
    statuses: [200],
    bytes: (id, key) =>
      head('POST /v1/batch', id, [
        `X-API-Key: ${key}`,
        json,
        'Expect: 100-continue',
        `Content-Length: ${batch.length}`,
      ]) + batch,
  },
];

/** How a client ends: with one more request, or so that the service has to close the connection. */
const endings = {
  probe: '',
  'half-close': '',
  abort: '',
  garbage: '\0nonsense\r\n\r\n',
  'torn head': 'GET /health/live HTTP/1.1\r\nHos',
  'torn body': `POST /v1/batch HTTP/1.1\r\nHost: x\r\n${json}\r\nContent-Length: 100\r\n\r\n{`,
  'torn chunk': `POST /v1/batch HTTP/1.1\r\nHost: x\r\n${json}\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{`,
  'wrong chunk': `POST /v1/batch HTTP/1.1\r\nHost: x\r\n${json}\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{`,
  'long head': `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
} as const;

const exchange = fc.record({
  requests: fc.array(fc.constantFrom(...kinds), { maxLength: 12, size: 'max' }),
  /** Whether each request waits for the answers before it. */
  isPipelined: fc.boolean(),
  /** Where the bytes are cut into pieces, each of which the service may see alone. */
  cuts: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 }),
  readsLate: fc.boolean(),
  ending: fc.constantFrom(...(Object.keys(endings) as (keyof typeof endings)[])),
});
type Exchange = typeof exchange extends fc.Arbitrary<infer T> ? T : never;

suite('after any exchange', () => {
  let service: TestService & { port: number };
  before(async () => {
    service = await listening(undefined, {
      limits: { bodyBytes, headersTimeoutMs, requestTimeoutMs: 2 * headersTimeoutMs },
      signUp: { mode: 'open' },
    });
  });
  after(async () => {
    await service.close();
  });

  test('a connection is closed or answers the next request, and others are answered', async () => {
    // In parallel, as interrupted ones take as long as a request may.
    const property = fc.asyncProperty(
      fc.array(exchange, { minLength: 1, maxLength: 60, size: 'max' }),
      async (exchanges) => {
        await Promise.all(exchanges.map((exchange) => run(service, exchange)));
        assert.equal((await service.ask('/health/live')).status, 200);
      },
    );
    await fc.assert(property, {
      seed,
      numRuns: Math.min(1_000_000, Math.ceil(inputs / runRequests)),
      interruptAfterTimeLimit: seconds * 1000,
      markInterruptAsFailure: false,
      timeout: timeoutMs,
      endOnFailure: false,
    });
    // Every slot is freed.
    while ((await connectionsOf(service)) > 0) await nextTurn();
  });
});

const connectionsOf = ({ app }: TestService) =>
  new Promise<number>((resolve, reject) => {
    app.server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });

async function run({ port, key }: TestService & { port: number }, exchange: Exchange): Promise<void> {
  const { isPipelined, readsLate } = exchange;
  // A client sends nothing behind its last request (RFC 9112, 9.6): unread, it would reset the connection.
  const last = exchange.requests.findIndex(({ isLast }) => isLast);
  const requests = last < 0 ? exchange.requests : exchange.requests.slice(0, last + 1);
  const ending = last < 0 ? exchange.ending : 'half-close';
  const client = await rawClient(port, { allowHalfOpen: true });
  if (readsLate && isPipelined) client.socket.pause();
  const startedAt = performance.now();
  /** Node's limits count the time that the machine was busy elsewhere: what took as long may end in 408. */
  const isLate = ({ status }: RawAnswer) => status === 408 && performance.now() - startedAt > headersTimeoutMs;
  const ids = requests.map((_kind, index) => `request-${index}`);
  let isOpen = true;
  if (isPipelined) {
    const bytes = requests.map((kind, index) => kind.bytes(ids[index], key)).join('');
    await writeCut(client, bytes + endings[ending], exchange.cuts);
    if (ending === 'half-close') client.socket.end();
    client.socket.resume();
  }
  for (const [index, kind] of requests.entries()) {
    if (!isPipelined) await writeCut(client, kind.bytes(ids[index], key), exchange.cuts);
    const answer = await client.answer(kind.isHead);
    assert.ok(answer, `${kind.name}: no answer`);
    if (!isLate(answer)) check(kind, ids[index], answer);
    if (answer.headers.connection === 'close') {
      isOpen = false;
      break;
    }
  }
  if (!isPipelined) await writeCut(client, endings[ending], exchange.cuts);
  if (ending === 'abort') {
    client.socket.resetAndDestroy();
    return;
  }
  if (ending === 'probe' && isOpen) {
    client.write(head('GET /health/live', 'probe'));
    const answer = await client.answer();
    if (answer && !isLate(answer)) assert.deepEqual([answer.status, answer.headers['x-request-id']], [200, 'probe']);
    client.socket.destroy();
  }
  if (ending === 'half-close') client.socket.end();
  // From here on the service alone ends the connection. Its end is enough: what it does not read may come as a reset.
  while (await client.answer());
  client.socket.destroy();
}

function check({ name, statuses }: Kind, id: string, { status, headers }: RawAnswer): void {
  assert.ok(statuses.includes(status), `${name}: ${status}`);
  assert.equal(headers['x-request-id'], id, name);
}

/** Writes bytes in pieces, with turns between them in which the service may read. */
async function writeCut(client: RawClient, bytes: string, cuts: readonly number[]): Promise<void> {
  const places = cuts.map((cut) => Math.floor(cut * bytes.length)).sort((a, b) => a - b);
  let from = 0;
  for (const place of [...places, bytes.length]) {
    client.write(bytes.slice(from, place));
    from = place;
    await nextTurn();
    await nextTurn();
  }
}

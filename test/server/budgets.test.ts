/** Memory, places and time that no caller uses up for others. */
import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Duplex } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { heldBytes } from '../../src/server/fairness.ts';
import { listening } from '../support/listening.ts';
import { rawClient } from '../support/raw-client.ts';
import { type TestService, testService } from '../support/service.ts';

const json = 'Host: x\r\nContent-Type: application/json\r\n';

test('a closed sign-up is refused before a byte of its body has come, and a body of more than 1 KiB by its length', async (t) => {
  const closed = await listening(t);
  const visitor = await rawClient(closed.port);
  visitor.write(`POST /account/sign-up HTTP/1.1\r\n${json}Content-Length: 500\r\n\r\n`);
  assert.equal((await visitor.answer())?.status, 403);
  visitor.socket.destroy();

  const open = await listening(t, { signUp: { mode: 'open' } });
  for (const path of ['/account/sign-up', '/account/sign-up/confirm']) {
    const large = await rawClient(open.port);
    large.write(`POST ${path} HTTP/1.1\r\n${json}Content-Length: 1025\r\n\r\n`);
    assert.equal((await large.answer())?.status, 413, path);
    large.socket.destroy();
  }
});

for (const [where, addressOf] of [
  ['one /60', (index: number) => `2001:db8:0:${(index % 16).toString(16)}::${index + 1}`],
  ['one /48', (index: number) => `2001:db8:0:${(index * 1000).toString(16)}::1`],
  ['as many /48', (index: number) => `2001:db8:${index + 1}::1`],
] as const) {
  test(`bodies: 64 IPv6 addresses of ${where} that hold half-sent ones have no batch of another refused`, async (t) => {
    const service = await listening(t, {
      trustedProxies: ['127.0.0.1'],
      limits: { bodyBytes: 30_000, heldBodyBytes: 90_000, heldBodyBytesPerCaller: 60_000 },
    });
    let refused = 0;
    const { promise: isFull, resolve: full } = Promise.withResolvers<void>();
    const holders = await Promise.all(
      Array.from({ length: 64 }, async (_, index) => {
        const client = await rawClient(service.port);
        const head = `POST /v1/batch HTTP/1.1\r\n${json}X-API-Key: ${service.makeKey()}\r\nX-Forwarded-For: ${addressOf(index)}\r\n`;
        client.write(`${head}Content-Length: 27001\r\n\r\n${' '.repeat(27_000)}`);
        void client.answer().then(() => ++refused === 60 && full());
        return client;
      }),
    );
    // Three of them fit: the others were cut or refused.
    await isFull;
    const paying = service.makeKey();
    const headers = { 'x-forwarded-for': '203.0.113.9' };
    const entry = { endpoint: 'country/DE', params: { x: 'x'.repeat(15_000) } };
    for (let count = 0; count < 76; count++) {
      const { status } = await service.batch([entry], { key: paying, headers });
      assert.equal(status, 200, `batch ${count}`);
    }
    for (const { socket } of holders) socket.destroy();
  });
}

/** A connection in memory of a client that never reads, once something is sent to it. */
function unreadConnection(
  { app }: TestService,
  remoteAddress: string,
  request: string,
): Promise<Duplex & { sent: string }> {
  return new Promise((resolve) => {
    const connection = Object.assign(
      new Duplex({
        read() {},
        // Not called back: nothing of it is taken.
        write: (chunk) => resolve(Object.assign(connection, { sent: String(chunk) })),
      }),
      { remoteAddress, sent: '' },
    );
    app.server.emit('connection', connection);
    connection.push(request);
  });
}

test('answers: six keys that read slowly have no large answer of another refused', async (t) => {
  const path = '/v1/countries/all';
  const { text } = await (await testService(t)).ask(path);
  const bytes = text.length;
  const service = await testService(t, {
    limits: { takenBytesPerSecond: 500, heldAnswerBytes: 3.5 * bytes, heldAnswerBytesPerCaller: 2.5 * bytes },
  });
  const slow: Duplex[] = [];
  for (let index = 0; index < 6; index++) {
    const head = `GET ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${service.makeKey()}\r\n\r\n`;
    slow.push(await unreadConnection(service, `203.0.113.${index}`, head));
  }
  t.after(() => {
    for (const each of slow) each.destroy();
  });
  // Three fit: holders of the most made room for those who held nothing.
  assert.equal(slow.filter(({ destroyed }) => destroyed).length, 3);
  for (let count = 0; count < 20; count++) {
    assert.equal((await service.ask(path, { remoteAddress: '203.0.113.99' })).status, 200);
  }
});

test('bodies: those that were read count until they are answered, and are not cut for others as large', async (t) => {
  const service = await testService(t, { limits: { bodyBytes: 30_000, heldBodyBytes: 90_000 } });
  const body = JSON.stringify({ requests: [{ endpoint: 'none', params: { q: 'x'.repeat(27_000) } }] });
  const unanswered: (Duplex & { sent: string })[] = [];
  for (let index = 0; index < 8; index++) {
    const head = `POST /v1/batch HTTP/1.1\r\n${json}X-API-Key: ${service.makeKey()}\r\nContent-Length: ${body.length}\r\n\r\n`;
    unanswered.push(await unreadConnection(service, `203.0.113.${index}`, head + body));
  }
  t.after(() => {
    for (const each of unanswered) each.destroy();
  });
  assert.equal(unanswered.filter(({ destroyed }) => destroyed).length, 0);
  const statuses = unanswered.map(({ sent }) => sent.slice(9, 12));
  assert.deepEqual(statuses, [...Array(3).fill('200'), ...Array(5).fill('503')]);
});

test('heads: large ones of requests that wait count as bodies do', async (t) => {
  const service = await testService(t, { limits: { sliceMs: 0, heldBodyBytes: 60_000 } });
  const ask = (length: number) =>
    service.ask('/v1/country/DE', { key: service.makeKey(), headers: { 'x-long': 'x'.repeat(length) } });
  const statusesOf = async (length: number) =>
    (await Promise.all(Array.from({ length: 12 }, () => ask(length)))).map(({ status }) => status).toSorted();
  assert.deepEqual(await statusesOf(1_000), Array(12).fill(200));
  const statuses = await statusesOf(8_000);
  assert.ok(statuses.includes(200) && statuses.filter((status) => status === 503).length >= 8, statuses.join());
  assert.deepEqual((await ask(8_000)).status, 200, 'what is answered holds nothing');
});

test('bodies: a large one is counted by its head, and begun in a turn of its own', async (t) => {
  const service = await testService(t, { limits: { heldBodyBytes: 90_000 } });
  const { bodies } = service.app.whereabouts;
  let turns = 0;
  const begun: number[] = [];
  // Only watched.
  const take = bodies.take.bind(bodies);
  t.mock.method(bodies, 'take', (...args: Parameters<typeof take>) => {
    begun.push(turns);
    return take(...args);
  });
  const sent: string[] = [];
  for (let index = 0; index < 8; index++) {
    const head = `POST /v1/batch HTTP/1.1\r\n${json}X-API-Key: ${service.makeKey()}\r\nContent-Length: 27000\r\n\r\n`;
    void unreadConnection(service, `203.0.113.${index}`, head).then((connection) => {
      sent.push(connection.sent.slice(9, 12));
      t.after(() => connection.destroy());
    });
  }
  for (; turns < 1_000; turns++) await nextTurn();
  assert.equal(new Set(begun).size, 8, 'each in a turn of its own');
  assert.deepEqual(sent, Array(5).fill('503'), 'three fit');
});

test('bodies: where who would hold less needs the room of one, what is not answered yet is refused and costs nothing', async (t) => {
  const service = await testService(t, { limits: { heldBodyBytes: 90_000 } });
  const { bodies, answers } = service.app.whereabouts;
  // Only watched: the first entry is answered.
  const take = answers.take.bind(answers);
  t.mock.method(answers, 'take', (...args: Parameters<typeof take>) => {
    assert.throws(() => bodies.take(['another'], 80_000, () => {}), /try again in a moment/);
    bodies.take(['another'], 40_000, () => {});
    return take(...args);
  });
  const entry = { endpoint: 'country/DE', params: { x: 'x'.repeat(20_000) } };
  const key = service.makeKey({ plan: 'free' });
  const { status, body } = await service.batch([entry, entry, entry], { key });
  assert.equal(status, 200);
  assert.deepEqual(
    body.results.map(({ status }: { status: number }) => status),
    [200, 503, 503],
  );
  assert.equal((await service.ask('/v1/usage', { key })).body.used, 1);
});

for (const [what, path, body] of [
  ['a batch', '/v1/batch', { requests: Array(3).fill({ endpoint: 'country/DE', params: {} }) }],
  [
    'a list of messages',
    '/mcp',
    [1, 2, 3].map((id) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name: 'find_place', arguments: { q: 'Berlin' } },
    })),
  ],
] as const) {
  test(`answers: ${what} whose answers are cut before it is sent is 503 and costs nothing, and its connection goes on`, async (t) => {
    const service = await listening(t, { limits: { heldAnswerBytes: 8_000 } });
    const { answers, keys } = service.app.whereabouts;
    const counted = t.mock.method(keys.meter, 'count');
    const take = answers.take.bind(answers);
    let times = 0;
    // Another takes more than is left, once two parts are answered.
    t.mock.method(answers, 'take', (...args: Parameters<typeof take>) => {
      if (++times === 3) for (let each = 0; each < 16; each++) take([`another ${each}`], 500, () => {});
      return take(...args);
    });
    const key = service.makeKey({ plan: 'free' });
    const text = JSON.stringify(body);
    const client = await rawClient(service.port);
    const bearer = `Authorization: Bearer ${key}\r\nAccept: application/json, text/event-stream\r\n`;
    const head = `POST ${path} HTTP/1.1\r\n${json}${bearer}X-API-Key: ${key}\r\nContent-Length: ${text.length}\r\n\r\n`;
    client.write(head + text);
    const answer = await client.answer();
    assert.deepEqual([answer?.status, answer?.headers['retry-after']], [503, '1']);
    client.write(`GET /v1/usage HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\n\r\n`);
    assert.equal(JSON.parse((await client.answer())!.body).used, 0);
    assert.equal(counted.mock.callCount(), 0);
    client.socket.destroy();
  });
}

test('memory is shared by the bytes: as many small holds make room for a large one as it needs, and no more', () => {
  const held = heldBytes('bodies', { all: 100, each: 100 }, () => 1);
  const cut: number[] = [];
  for (let each = 0; each < 10; each++) held.take(['many'], 10, () => void cut.push(each));
  held.take(['one'], 35, () => {});
  assert.deepEqual(cut, [0, 1, 2, 3]);
  held.take(['one'], 5, () => {});
  assert.deepEqual(cut, [0, 1, 2, 3]);
  assert.throws(() => held.take(['another'], 101, () => {}), /exceed 100 bytes/);
});

test('bodies: small ones of many values count as what these take', async (t) => {
  const service = await testService(t, { limits: { heldBodyBytes: 90_000 } });
  const statusOf = async (values: number) =>
    (await service.batch([{ endpoint: 'none', params: { q: Array(values).fill({ 30: 0 }) } }])).status;
  assert.equal(await statusOf(200), 200);
  assert.equal(await statusOf(800), 503);
  assert.equal(await statusOf(200), 200);
});

test('answers: those of free keys make room for each other, and not those of a larger plan, which may have more', async (t) => {
  const path = '/v1/countries/all';
  const { text } = await (await testService(t)).ask(path);
  const service = await testService(t, {
    limits: {
      takenBytesPerSecond: 500,
      heldAnswerBytes: 3.5 * text.length,
      heldAnswerBytesPerCaller: 2.5 * text.length,
    },
  });
  const take = (plan: string, address: string) =>
    unreadConnection(
      service,
      address,
      `GET ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${service.makeKey({ plan })}\r\n\r\n`,
    );
  const paying = [await take('scale', '203.0.113.99'), await take('scale', '203.0.113.99')];
  const free: Duplex[] = [];
  for (let index = 0; index < 6; index++) free.push(await take('free', `203.0.113.${index}`));
  t.after(() => {
    for (const each of [...paying, ...free]) each.destroy();
  });
  assert.deepEqual(
    [paying, free].map((connections) => connections.filter(({ destroyed }) => destroyed).length),
    [0, 5],
  );
});

test('answers: of a batch that is cut while an entry waits for its turn, that entry is not answered', async (t) => {
  const service = await testService(t, { limits: { sliceMs: 0, heldAnswerBytes: 450 } });
  const { answers } = service.app.whereabouts;
  const take = answers.take.bind(answers);
  // Only watched: another needs the room once the second entry waits.
  const { mock } = t.mock.method(answers, 'take', (...args: Parameters<typeof take>) => {
    setImmediate(() => take(['another'], 200, () => {}));
    return take(...args);
  });
  const entry = { endpoint: 'country/DE', params: {} };
  assert.equal((await service.batch([entry, entry, entry])).status, 503);
  assert.equal(mock.callCount(), 1);
});

test('a request that waits for its refusal keeps neither its body nor a large header', async (t) => {
  const { app, port } = await listening(t, { limits: { sliceMs: 0, waitingRequestsPerKey: 0 } });
  let request: IncomingMessage | undefined;
  app.server.once('request', (arrived) => (request = arrived));
  const client = await rawClient(port);
  const lines = `${json}Origin: https://example.org\r\nX-Long: ${'x'.repeat(5_000)}\r\nContent-Length: 5000\r\n\r\n`;
  client.write(`POST /v1/batch HTTP/1.1\r\n${lines}${' '.repeat(5_000)}`);
  const answer = await client.answer();
  assert.equal(answer?.status, 429);
  assert.equal(answer.headers['access-control-expose-headers']?.includes('Retry-After'), true);
  const { headers, rawHeaders, readableLength } = request!;
  assert.deepEqual([headers['x-long'], rawHeaders, readableLength], [undefined, [], 0]);
  client.socket.destroy();
});

test('an idle connection does not keep its last answer in memory', async (t) => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  const { app, port } = await listening(t);
  let answer: WeakRef<ServerResponse> | undefined;
  app.server.once('request', (_request, response) => (answer = new WeakRef(response)));
  const client = await rawClient(port);
  client.write('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n');
  assert.equal((await client.answer())?.status, 200);
  for (let times = 0; times < 20 && answer?.deref(); times++) {
    await nextTurn();
    collect();
  }
  assert.equal(answer!.deref(), undefined);
  client.socket.destroy();
});

test('a body that is too large to be compressed is sent in its parts, and whose client is cut before the first of them is no error of ours', async (t) => {
  const lines: string[] = [];
  const service = await listening(t, {
    logger: { level: 'info', stream: { write: (line) => void lines.push(line) } },
  });
  const { app, holder, key, port } = service;
  const { current } = holder;
  const name = 'é'.repeat(1e6);
  const get = (code: string) => ({ ...current!.countries.get(code)!, name });
  holder.current = Object.create(current!, { countries: { value: { ...current!.countries, get } } });
  const requests = Array(4).fill({ endpoint: 'country/DE', params: {} });
  const ask = (onRequest: (response: ServerResponse) => void) => {
    app.server.once('request', (_, response) => onRequest(response));
    const headers = { 'content-type': 'application/json', 'x-api-key': key };
    return fetch(`http://127.0.0.1:${port}/v1/batch`, { method: 'POST', headers, body: JSON.stringify({ requests }) });
  };
  const sent: number[] = [];
  const answer = await ask((response) => {
    const write = response.write.bind(response);
    t.mock.method(response, 'write', (...given: Parameters<typeof write>) => {
      sent.push(given[0].length);
      return write(...given);
    });
  });
  const { results } = (await answer.json()) as { results: { data: { name: string } }[] };
  assert.ok(results.length === 4 && results.every(({ data }) => data.name === name));
  assert.ok(Math.max(...sent) < 3e6, 'not in one');
  await assert.rejects(ask((response) => response.once('pipe', () => response.destroy())));
  await nextTurn();
  assert.deepEqual(lines, []);
});

/** The statuses of two requests of a key at once, of which one may wait, the second as `search` writes it, and of another's. */
async function twoAtOnce(t: TestContext, search: (key: string) => string): Promise<string> {
  const service = await testService(t, { limits: { sliceMs: 0, waitingRequestsPerKey: 1 } });
  const key = service.makeKey();
  const ask = (query: string) => service.ask(`/photon/api?q=x&${query}`, { key: null });
  const answers = await Promise.all([ask(`key=${key}`), ask(search(key)), ask(`key=${service.makeKey()}`)]);
  return answers.map(({ status }) => status).join(' ');
}

test('a key is one caller however its parameter is written', async (t) => {
  const usual = await twoAtOnce(t, (key) => `key=${key}`);
  assert.equal(usual, '200 429 200');
  for (const search of [
    (key: string) => `a=wab_${'x'.repeat(36)}&key=${key}`,
    (key: string) => `key=%77ab_${key.slice(4)}`,
    (key: string) => `%6Bey=${key}`,
    (key: string) => `key=nothing&api_key=${key}`,
  ]) {
    assert.equal(await twoAtOnce(t, search), usual, search('wab_…'));
  }
});

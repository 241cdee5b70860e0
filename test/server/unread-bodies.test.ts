/** Answers that come before a request's body has: the connection goes on or ends, and bodies hold a bounded part of the memory. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { listening } from '../support/listening.ts';
import { type RawClient, rawClient } from '../support/raw-client.ts';

const limit = 4096;
const posts: readonly (readonly [string, string])[] = [
  ['POST', '/v1/batch'],
  ['POST', '/mcp'],
  ['PATCH', '/account/key'],
  ['POST', '/account/sign-up'],
  ['POST', '/v1/nowhere'],
  ['GET', '/v1/country/DE'],
];

/** Writes until the service reads no more, `bytes` are written, or an answer has arrived. */
async function pour(client: RawClient, bytes: number): Promise<void> {
  const piece = 'x'.repeat(65_536);
  for (let sent = 0; sent < bytes && !client.socket.destroyed; sent += piece.length) {
    const isTaken = client.socket.write(piece, 'latin1');
    if (!isTaken) await Promise.race([new Promise((resolve) => client.socket.once('drain', resolve)), client.closed]);
  }
}

for (const [method, path] of posts) {
  test(`${method} ${path}: a body over all limits is answered, and the connection ends`, async (t) => {
    const service = await listening(t, {
      limits: { bodyBytes: limit, lingerMs: 60_000 },
      signUp: { mode: 'open' },
    });
    const client = await rawClient(service.port);
    const bytes = 40_000_000;
    client.write(
      `${method} ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${service.key}\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n`,
    );
    const answered = client.answer();
    await pour(client, bytes);
    const answer = await answered;
    assert.ok(answer, 'an answer came');
    await client.closed;
  });

  test(`${method} ${path}: after a complete body the connection ends or continues`, async (t) => {
    const service = await listening(t, { limits: { bodyBytes: limit } });
    for (const key of [service.key, 'wab_nonsense']) {
      const client = await rawClient(service.port);
      const body = ' '.repeat(limit);
      client.write(
        `${method} ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: ${limit}\r\n\r\n${body}`,
      );
      const answer = await client.answer();
      assert.ok(answer);
      client.write('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n');
      const after = await client.answer();
      assert.equal(after?.status, answer.headers.connection === 'close' ? undefined : 200);
      client.socket.destroy();
    }
  });
}

test('an answer reaches a client that still sends, and what it sends behind a body that ends is answered', async (t) => {
  const service = await listening(t, { limits: { bodyBytes: limit } });
  const chunk = `12c\r\n${' '.repeat(300)}\r\n`;
  const post = `POST /nowhere HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${chunk.repeat(400)}0\r\n\r\n`;
  for (let count = 0; count < 30; count++) {
    const client = await rawClient(service.port, { allowHalfOpen: true });
    // What has come before the rest is sent differs from time to time.
    for (const piece of [post.slice(0, 60_000), post.slice(60_000) + post, post]) {
      client.write(piece);
      await nextTurn();
    }
    client.socket.end();
    for (let left = 3; left > 0; left--) assert.equal((await client.answer())?.status, 404);
    assert.equal(await client.answer(), undefined);
    await client.closed;
  }
});

for (const [name, start, status] of [
  ['a body in chunks that is too large', 'Transfer-Encoding: chunked\r\n', 413],
  ['a body that came before it was asked for', 'Expect: 100-continue\r\nTransfer-Encoding: chunked\r\n', 200],
] as const) {
  test(`${name} ends no connection on which answers are on their way`, async (t) => {
    const service = await listening(t, { limits: { bodyBytes: limit } });
    const isLarge = status === 413;
    const batch = '{"requests":[{"endpoint":"country/DE","params":{}}]}';
    const body = isLarge ? `12c\r\n${' '.repeat(300)}\r\n`.repeat(400) : `${batch.length.toString(16)}\r\n${batch}\r\n`;
    const client = await rawClient(service.port, { allowHalfOpen: true });
    const large = 'GET /assets/map/maplibre-gl.mjs HTTP/1.1\r\nHost: x\r\n\r\n';
    client.write(
      `${large}POST /v1/batch HTTP/1.1\r\nHost: x\r\nX-API-Key: ${service.key}\r\nContent-Type: application/json\r\n${start}\r\n${body}0\r\n\r\n` +
        `POST /nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: 200000\r\n\r\n${' '.repeat(200_000)}`,
    );
    client.socket.end();
    const statuses: (number | undefined)[] = [];
    while (statuses.length < 3) statuses.push((await client.answer())?.status);
    assert.deepEqual(statuses, [200, status, 404]);
    await client.closed;
  });
}

test('a request with a type and no body, which its head need not say, is answered', async (t) => {
  const service = await listening(t, { signUp: { mode: 'open' } });
  const form = 'application/x-www-form-urlencoded';
  for (const [method, path, type, status] of [
    ['POST', '/v1/batch', 'application/json', 400],
    ['POST', '/mcp', 'application/json', 400],
    ['PATCH', '/account/key', 'application/json', 400],
    ['POST', '/account/sign-up', 'application/json', 400],
    ['DELETE', '/v1/jobs/ffffffffffffffffffffffff', 'application/json', 503],
    ['POST', '/nominatim/search?q=bern', 'application/json', 400],
    ['POST', '/nominatim/search?q=bern', form, 200],
    ['GET', '/v1/country/DE', 'application/json', 200],
  ] as const) {
    const client = await rawClient(service.port);
    client.write(
      `${method} ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${service.key}\r\nAuthorization: Bearer ${service.key}\r\nContent-Type: ${type}\r\n\r\n`,
    );
    assert.equal((await client.answer())?.status, status, `${method} ${path} ${type}`);
    client.socket.destroy();
  }
});

test('of a proxy a large body that is refused is not read: the answer says that its connection ends', async (t) => {
  const service = await listening(t, { trustedProxies: ['127.0.0.1'], limits: { lingerMs: 300, sliceMs: 0 } });
  // Several pieces of the latter have come when it is answered.
  for (const body of [
    `Content-Length: 40000000\r\n\r\n${' '.repeat(40_000_000)}`,
    `Transfer-Encoding: chunked\r\n\r\n${`1388\r\n${' '.repeat(5_000)}\r\n`.repeat(8_000)}`,
  ]) {
    const connected = once(service.app.server, 'connection') as Promise<[Socket]>;
    const client = await rawClient(service.port);
    const [socket] = await connected;
    client.write(`POST /nowhere HTTP/1.1\r\nHost: x\r\n${body}`);
    const answer = await client.answer();
    assert.deepEqual([answer?.status, answer?.headers.connection], [404, 'close']);
    await once(socket, 'close');
    assert.ok(socket.bytesRead < 1_000_000, `${socket.bytesRead} bytes`);
  }

  const small = await rawClient(service.port);
  for (let times = 0; times < 2; times++) {
    small.write('POST /nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: 8000\r\n\r\n');
    assert.equal((await small.answer())?.headers.connection, 'keep-alive');
    small.write(' '.repeat(8_000));
  }
  small.socket.destroy();
});

test('behind a body that is refused with its last chunk the next request is answered', async (t) => {
  for (const trustedProxies of [[], ['127.0.0.1']]) {
    const service = await listening(t, { limits: { bodyBytes: limit }, trustedProxies });
    const client = await rawClient(service.port);
    const head = `POST /v1/batch HTTP/1.1\r\nHost: x\r\nX-API-Key: ${service.key}\r\nContent-Type: application/json\r\n`;
    const chunk = `bb8\r\n${' '.repeat(3000)}\r\n`;
    client.write(`${head}Transfer-Encoding: chunked\r\n\r\n${chunk}${chunk}0\r\n\r\n`);
    const refused = await client.answer();
    assert.deepEqual([refused?.status, refused?.headers.connection], [413, 'keep-alive']);
    client.write('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n');
    assert.equal((await client.answer())?.status, 200);
    client.socket.destroy();
  }
});

test('a body that does not end is not waited for once its request is answered', async (t) => {
  const service = await listening(t, { limits: { lingerMs: 20 } });
  const client = await rawClient(service.port);
  client.write('POST /nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nx');
  assert.equal((await client.answer())?.status, 404);
  await client.closed;
});

test('a body in tiny chunks that nobody reads ends its connection; who sends many gets no new connections', async (t) => {
  const service = await listening(t, { limits: { lingerMs: 60_000 } });
  const send = async () => {
    const client = await rawClient(service.port);
    client.write('POST /nowhere HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n');
    const answer = await client.answer();
    client.write('1\r\na\r\n'.repeat(600));
    await client.closed;
    return answer?.status;
  };
  const statusOf = async (from: string) => {
    const client = await rawClient(service.port, { from });
    client.write('GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    return (await client.answer())?.status;
  };
  assert.equal(await send(), 404);
  assert.equal(await statusOf('127.0.0.1'), 200);
  const sendMany = () => Promise.all(Array.from({ length: 19 }, send));
  assert.deepEqual(await sendMany(), Array(19).fill(404));
  while ((await statusOf('127.0.0.1')) === 200) await sendMany();
  assert.equal(await statusOf('127.0.0.2'), 200);
});

test('bodies in progress are bounded for a caller; in all, who holds the most makes room for who holds nothing', async (t) => {
  const service = await listening(t, {
    limits: { bodyBytes: 30_000, heldBodyBytes: 90_000, heldBodyBytesPerCaller: 60_000 },
  });
  const begin = async (key: string, from = '127.0.0.1') => {
    const client = await rawClient(service.port, { from });
    client.write(
      `POST /v1/batch HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: 27001\r\n\r\n${' '.repeat(27_000)}`,
    );
    return client;
  };
  /** The status of a whole batch of about that many bytes. */
  const whole = (key: string, bytes: number, remoteAddress = '127.0.0.1') =>
    service.batch([{ endpoint: 'country/DE', params: { x: 'x'.repeat(bytes) } }], { key, remoteAddress });
  const other = service.makeKey();
  const third = service.makeKey();
  const holder = async () => {
    const client = await begin(service.key);
    const held = { client, isAnswered: false, answer: client.answer() };
    void held.answer.then(() => {
      held.isAnswered = true;
    });
    return held;
  };
  const holders = [await holder(), await holder()];
  // Until both are counted, there is room for one more, which may leave none for the rest of a body that arrives in pieces.
  for (;;) {
    for (const [at, { isAnswered }] of holders.entries()) if (isAnswered) holders[at] = await holder();
    // Bodies arrive meanwhile, and are not always refused for this one.
    for (let turns = 0; turns < 50; turns++) await nextTurn();
    const { status, headers, body } = await whole(service.key, 9_000);
    if (status === 200) continue;
    assert.equal(status, 429);
    assert.equal(body.code, 'rate_limited');
    assert.equal(headers['retry-after'], '1');
    break;
  }
  // Another key of the same sender has no share of its own, and the same key elsewhere none either.
  assert.equal((await whole(other, 9_000)).status, 429);
  assert.equal((await whole(service.key, 9_000, '127.0.0.3')).status, 429);
  assert.equal((await whole(third, 1, '127.0.0.3')).status, 200, 'a small body comes through');
  const late = await begin(other, '127.0.0.2');
  const cut = Promise.race(holders.map(({ answer }) => answer));
  while (!holders.some(({ isAnswered }) => isAnswered)) {
    assert.equal((await whole(third, 15_000, '127.0.0.3')).status, 200, 'who holds nothing gets a place');
    await nextTurn();
  }
  assert.equal((await cut)?.status, 503);
  // Answered and abandoned requests hold nothing.
  for (const { client } of holders) client.socket.destroy();
  late.write('{');
  assert.equal((await late.answer())?.status, 400);
  while ((await whole(service.key, 20_000)).status !== 200) await nextTurn();
  late.socket.destroy();
});

test('a body in pieces of one byte counts no more than its bytes', async (t) => {
  const service = await listening(t, {
    limits: { bodyBytes: 300, heldBodyBytes: 300, heldBodyBytesPerCaller: 300 },
  });
  const client = await rawClient(service.port);
  client.write(
    `POST /v1/batch HTTP/1.1\r\nHost: x\r\nX-API-Key: ${service.key}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
  );
  const body = JSON.stringify({ requests: [{ endpoint: 'country/DE', params: {} }] });
  client.write([...body].map((letter) => `1\r\n${letter}\r\n`).join(''));
  client.write('0\r\n\r\n');
  assert.equal((await client.answer())?.status, 200);
  client.socket.destroy();
});

test('answers to batches are bounded until they are read, and refused ones are not charged', async (t) => {
  const service = await listening(t, { limits: { heldAnswerBytesPerCaller: 3000 } });
  const entries = Array.from({ length: 20 }, () => ({ endpoint: 'country/DE', params: {} }));
  const { body } = await service.batch(entries);
  const statuses = body.results.map(({ status }: { status: number }) => status);
  assert.ok(statuses.includes(200) && statuses.includes(429), statuses.join());
  assert.ok(statuses.every((status: number) => status === 200 || status === 429));
  const used = await service.ask('/v1/usage');
  assert.equal(used.body.used, statuses.filter((status: number) => status === 200).length);
  // What was read holds nothing.
  assert.equal((await service.batch(entries.slice(0, 1))).body.results[0].status, 200);
});

test('once an answer of a batch is refused for its size, no further one is made for nothing', async (t) => {
  const service = await listening(t, { limits: { heldAnswerBytesPerCaller: 800 } });
  const entries = ['country/DE', 'countries/all', 'country/DE'].map((endpoint) => ({ endpoint, params: {} }));
  const { body } = await service.batch(entries);
  assert.deepEqual(
    body.results.map(({ status }: { status: number }) => status),
    [200, 429, 429],
  );
});

test('any large answer counts until it is read; small ones and shared files are always served', async (t) => {
  const takenBytesPerSecond = 500;
  const ask = async (heldAnswerBytesPerCaller: number, url: string) => {
    const { status, text } = await (
      await listening(t, { limits: { takenBytesPerSecond, heldAnswerBytesPerCaller } })
    ).ask(url);
    return { status, bytes: text.length };
  };
  const large = '/v1/countries/all';
  const { status, bytes } = await ask(2 ** 20, large);
  /** The same answer is longer or shorter by digits of query_ms. */
  const digits = 10;
  assert.ok(status === 200 && bytes > takenBytesPerSecond, `${bytes} bytes`);
  assert.equal((await ask(bytes - digits, large)).status, 429);
  assert.equal((await ask(10, '/v1/country/DE')).status, 200);
  assert.equal((await ask(10, '/openapi.json')).status, 200);
  const limits = { takenBytesPerSecond, heldAnswerBytesPerCaller: bytes + digits };
  const { ask: askAgain } = await listening(t, { limits });
  for (let time = 0; time < 3; time++)
    assert.equal((await askAgain(large)).status, 200, 'what was taken holds nothing');
});

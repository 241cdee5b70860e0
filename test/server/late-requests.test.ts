/** A client's time to send a request counts only while the service waits for it. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { listening } from '../support/listening.ts';
import { rawClient } from '../support/raw-client.ts';

/** Blocks the event loop for that time, ms. */
function block(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

/** A service and a client, with the service's end of its connection. */
async function connected(t: TestContext) {
  const limits = { headersTimeoutMs: 40, requestTimeoutMs: 80, lingerMs: 20, sliceMs: 0 };
  const service = await listening(t, { limits });
  const arrives = once(service.app.server, 'connection');
  const client = await rawClient(service.port, { allowHalfOpen: true });
  t.after(() => client.socket.destroy());
  const [socket] = (await arrives) as [Socket];
  return { service, client, socket };
}

const body = (entries: number) =>
  JSON.stringify({ requests: Array(entries).fill({ endpoint: 'country/DE', params: {} }) });
const batch = (key: string, entries: number) =>
  `POST /v1/batch HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body(entries).length}\r\n\r\n${body(entries)}`;

const probe = 'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n';

for (const [part, missing] of [
  ['head', 80],
  ['body', 10],
] as const) {
  test(`a ${part} whose rest came while the process was busy beyond its timeout is in time`, async (t) => {
    const { service, client, socket } = await connected(t);
    const bytes = batch(service.key, 1);
    const first = bytes.slice(0, -missing);
    client.write(first);
    while (socket.bytesRead < first.length) await nextTurn();
    client.write(bytes.slice(-missing));
    block(200);
    assert.equal((await client.answer())?.status, 200);
  });
}

test('a body that is not read because an earlier request takes longer than the timeout is in time', async (t) => {
  const { service, client } = await connected(t);
  const { current } = service.holder;
  Object.defineProperty(service.holder, 'current', {
    get() {
      block(2);
      return current;
    },
  });
  const second = batch(service.key, 1);
  client.write(batch(service.key, 100) + second.slice(0, -10));
  assert.equal((await client.answer())?.status, 200);
  client.write(second.slice(-10) + probe);
  for (let count = 0; count < 2; count++) assert.equal((await client.answer())?.status, 200);
});

test('an incomplete head or body is given up, also after a request that was answered', async (t) => {
  const { service } = await connected(t);
  for (const rest of ['GET /hea', batch(service.key, 1).slice(0, -10)]) {
    for (const before of ['', probe]) {
      const client = await rawClient(service.port, { allowHalfOpen: true });
      client.write(before + rest);
      if (before !== '') assert.equal((await client.answer())?.status, 200);
      assert.equal((await client.answer())?.status, 408);
      assert.equal(await client.answer(), undefined);
      client.socket.destroy();
    }
  }
});

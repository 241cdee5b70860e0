/**
 * Clients that take the answer to a large batch slowly: the connection ends after a time that suffices for any client.
 */
import assert from 'node:assert/strict';
import { Duplex } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { testService } from '../support/service.ts';

const requestTimeoutMs = 2000;
const body = JSON.stringify({ requests: Array.from({ length: 20 }, () => ({ endpoint: 'country/DE', params: {} })) });

/**
 * Sends a batch over a connection in memory whose client reads when `take` is called; the clock of timers stands still
 * until it is advanced. Returns the answer's length, bytes.
 */
async function sendBatch(t: TestContext, takenBytesPerSecond: number) {
  const service = await testService(t, { limits: { takenBytesPerSecond, requestTimeoutMs } });
  let isTaking = false;
  let take = () => {};
  const { promise: sent, resolve } = Promise.withResolvers<string>();
  const connection = new Duplex({
    read() {},
    write(chunk, _encoding, done) {
      // Head and body may come apart.
      if (isTaking) done();
      take = done;
      resolve(String(chunk));
    },
  });
  t.after(() => connection.destroy());
  t.mock.timers.enable({ apis: ['setTimeout'] });
  service.app.server.emit('connection', connection);
  connection.push(
    `POST /v1/batch HTTP/1.1\r\nHost: x\r\nX-API-Key: ${service.key}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${body.length}\r\n\r\n${body}`,
  );
  const length = Number(/content-length: (\d+)/i.exec(await sent)![1]);
  return {
    connection,
    length,
    take() {
      isTaking = true;
      take();
    },
  };
}

test('a client that takes a large answer slower than it may is cut off, and not before', async (t) => {
  const { connection, length } = await sendBatch(t, 1000);
  // What stands around the entries does not count: less than 50 bytes of each.
  t.mock.timers.tick(requestTimeoutMs + length - 20 * 50);
  assert.equal(connection.destroyed, false);
  t.mock.timers.tick(20 * 50);
  assert.equal(connection.destroyed, true);
});

test('a client that has taken it keeps its connection', async (t) => {
  const { connection, take } = await sendBatch(t, 1000);
  take();
  await new Promise((resolve) => setImmediate(resolve));
  t.mock.timers.tick(1e6);
  assert.equal(connection.destroyed, false);
});

test('a small answer has no such bound', async (t) => {
  const { connection } = await sendBatch(t, 1e6);
  t.mock.timers.tick(1e6);
  assert.equal(connection.destroyed, false);
});

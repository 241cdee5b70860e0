/**
 * What one turn of the event loop reads is bounded: other addresses wait for one slice, not for everything that was
 * sent.
 */
import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { listening } from '../support/listening.ts';
import { type RawClient, rawClient } from '../support/raw-client.ts';

const lines = Array.from({ length: 97 }, (_, index) => `a${index}: \r\n`).join('');
const post = (more: string) => `POST /nowhere HTTP/1.1\r\nHost: x\r\n${more}\r\n\r\n`;
/** What is expensive to read, and how many answers it has. */
const streams: Record<string, { bytes: string; answers: number }> = {
  'heads of many lines': { bytes: `GET /nowhere HTTP/1.1\r\nHost: x\r\n${lines}\r\n`.repeat(16), answers: 16 },
  'chunks of few bytes': {
    bytes: `${post('Transfer-Encoding: chunked')}${`10\r\n${' '.repeat(16)}\r\n`.repeat(2500)}0\r\n\r\n`,
    answers: 1,
  },
  'large bodies': { bytes: `${post('Content-Length: 60000')}${' '.repeat(60_000)}`, answers: 1 },
};

for (const [kind, { bytes, answers }] of Object.entries(streams)) {
  test(`${kind} on many connections are read in rounds, and all of them are answered`, async (t) => {
    const service = await listening(t, { limits: { sliceMs: 0.1 } });
    const accepted: Socket[] = [];
    service.app.server.on('connection', (socket: Socket) => accepted.push(socket));
    const clients: RawClient[] = [];
    for (let count = 0; count < 60; count++) clients.push(await rawClient(service.port, { from: '127.0.0.2' }));
    const other = await rawClient(service.port, { from: '127.0.0.3' });
    while (accepted.length < 61) await nextTurn();
    for (const client of clients) client.write(bytes);
    other.write(`GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n`);
    assert.equal((await other.answer())?.status, 200);
    const unread = accepted.filter(({ bytesRead }) => bytesRead === 0).length;
    assert.ok(unread > 0, 'everything was read before another address was answered');
    for (const client of clients) {
      for (let count = 0; count < answers; count++) assert.equal((await client.answer())?.status, 404);
    }
    for (const { socket } of [...clients, other]) socket.destroy();
  });
}

test('a body in thousands of chunks of one byte is refused before it is read', async (t) => {
  const service = await listening(t, {});
  const client = await rawClient(service.port);
  client.write(
    `POST /v1/batch HTTP/1.1\r\nHost: x\r\nX-API-Key: ${service.key}\r\nContent-Type: application/json\r\n` +
      `Transfer-Encoding: chunked\r\n\r\n${'1\r\n \r\n'.repeat(10_000)}`,
  );
  const answer = await client.answer();
  assert.equal(answer?.status, 400);
  assert.match(answer.body, /send larger ones/);
  await client.closed;
});

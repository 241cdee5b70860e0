/** How the service takes connections. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { rawClient } from '../support/raw-client.ts';
import { testService } from '../support/service.ts';

const host = '127.0.0.1';
const skip = process.platform === 'linux' ? false : 'the system does not share a port among sockets';

async function listeningOn(t: TestContext, sockets: number) {
  const { app } = await testService(t);
  await app.listen({ host, port: 0, sockets });
  return { app, port: (app.server.address() as AddressInfo).port };
}

/** Opens that many connections at once; returns the maximum accepted in one turn of the event loop. */
async function maxPerTurn(t: TestContext, sockets: number, count: number): Promise<number> {
  const { app, port } = await listeningOn(t, sockets);
  let max = 0;
  let inTurn = 0;
  let left = count;
  const all = new Promise<void>((resolve) => {
    app.server.on('connection', (socket: Socket) => {
      if (inTurn++ === 0) setImmediate(() => (inTurn = 0));
      max = Math.max(max, inTurn);
      if (--left === 0) resolve();
      socket.destroy();
    });
  });
  const clients = await Promise.all(Array.from({ length: count }, () => rawClient(port)));
  await all;
  for (const { socket } of clients) socket.destroy();
  return max;
}

test('with several sockets several connections are taken in a turn, with one socket one', { skip }, async (t) => {
  assert.equal(await maxPerTurn(t, 1, 100), 1);
  assert.ok((await maxPerTurn(t, 8, 100)) > 1);
});

test('connections of every socket are served, counted and ended with the service', { skip }, async (t) => {
  const { app, port } = await listeningOn(t, 8);
  const clients = await Promise.all(Array.from({ length: 40 }, () => rawClient(port)));
  for (const { write, answer } of clients) {
    write('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n');
    assert.equal((await answer())?.status, 200);
  }
  assert.equal(app.connections, 40);
  await app.close();
  for (const { closed } of clients) await closed;
  // None of them holds the port any more.
  const next = createServer().listen({ host, port, exclusive: true });
  await once(next, 'listening');
  next.close();
});

test('where a system cannot share a port, one socket listens; a port that is taken is an error', async (t) => {
  const { app } = await testService(t);
  const { listen } = app.server;
  app.server.listen = ((options: { reusePort?: boolean }, done: () => void) =>
    options.reusePort
      ? process.nextTick(() => app.server.emit('error', new Error('ENOTSUP')))
      : listen.call(app.server, options, done)) as typeof listen;
  await app.listen({ host, port: 0, sockets: 8 });
  const { port } = app.server.address() as AddressInfo;
  const client = await rawClient(port);
  client.write('GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  assert.equal((await client.answer())?.status, 200);
  const { app: second } = await testService(t);
  await assert.rejects(second.listen({ host, port, sockets: 8 }), /EADDRINUSE/);
});

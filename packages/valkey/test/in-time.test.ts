import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { inTime } from '../src/connection.ts';
import { openKeyEngine } from '../src/index.ts';

test('a question that a busy process sends late has its time from then on', async (t) => {
  const server = createServer((socket) => socket.pipe(socket)).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  t.after(() => client.destroy());
  await once(client, 'connect');
  const answer = inTime(once(client.setEncoding('utf8'), 'data'), 100);
  // Behind what else has arrived, as the first requests of a new process, which take long.
  setImmediate(() => client.write('question'));
  const end = performance.now() + 200;
  while (performance.now() < end);
  assert.deepEqual(await answer, ['question']);
});

test('an answer that came while the process was busy beyond the limit is in time; none at all is not', async (t) => {
  const server = createServer().listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  t.after(() => client.destroy());
  const [[socket]] = (await Promise.all([once(server, 'connection'), once(client, 'connect')])) as [[Socket], unknown];
  await nextTurn();
  const answer = inTime(once(client.setEncoding('utf8'), 'data'), 10);
  socket.write('answer');
  const end = performance.now() + 50;
  while (performance.now() < end);
  assert.deepEqual(await answer, ['answer']);
  await assert.rejects(inTime(once(client, 'data'), 10), /no answer within 10 ms/);
});

/** A server that answers each command with what `answer` gives; its connections are numbered from 1. */
async function answering(t: TestContext, answer: (command: string, connection: number) => string): Promise<string> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    const connection = sockets.push(socket.on('error', () => {}));
    socket.on('data', (data) => {
      for (const [, command] of String(data).matchAll(/\*\d+\r\n\$\d+\r\n(\w+)/g))
        socket.write(command === 'HELLO' ? '-ERR unknown command\r\n' : answer(command, connection));
    });
  }).listen(0, '127.0.0.1');
  t.after(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  await once(server, 'listening');
  return `redis://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('a server that answers more than it was asked is connected to anew: what follows would answer other commands', async (t) => {
  const extra = (command: string, connection: number) =>
    '$1\r\n7\r\n'.repeat(command === 'GET' && connection === 1 ? 1000 : 1);
  const engine = await openKeyEngine(await answering(t, extra), {});
  t.after(() => engine.close());
  const isUpAgain = new Promise<void>((resolve) => engine.watch({ onUp: resolve, onDown() {} }));
  await engine.generation();
  await isUpAgain;
  assert.equal(await engine.generation(), '7');
  assert.equal(engine.isUp(), true);
});

test('a server that answers a report with something else than numbers is away', async (t) => {
  const address = await answering(t, (command) => (command === 'EVALSHA' ? '+abc\r\n' : '+OK\r\n'));
  const engine = await openKeyEngine(address, {});
  t.after(() => engine.close());
  const report = {
    keyId: 1,
    day: 1,
    holder: 'a',
    spent: 0,
    held: 0,
    requests: 1,
    endpoints: undefined,
    wanted: 1,
    limit: 9,
  };
  const [answer] = await engine.exchange([report]);
  assert.match(String((answer as Error).cause), /something else than four numbers/);
});

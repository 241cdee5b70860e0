import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
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

test('a server that answers a report with something else than numbers is away', async (t) => {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (data) => {
      for (const [command] of String(data).matchAll(/\*\d+\r\n\$\d+\r\n\w+/g))
        socket.write(
          /EVAL/i.test(command) ? '+abc\r\n' : /HELLO/i.test(command) ? '-ERR unknown command\r\n' : '+OK\r\n',
        );
    });
  }).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const engine = await openKeyEngine(`redis://127.0.0.1:${(server.address() as AddressInfo).port}`, {});
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

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { inTime } from '../src/connection.ts';

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

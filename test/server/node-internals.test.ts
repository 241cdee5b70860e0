/**
 * What the service uses of Node that Node does not promise (docs/internal/decisions/http-framework.md). Without any of
 * it the service answers as before, more slowly or with weaker bounds, and nothing else would show it: where this fails
 * after an update of Node, look for its new place.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { test } from 'node:test';

type Handle = { reading: boolean; readStop(): void; readStart(): void; onconnection: unknown };
type Parser = Record<string, unknown>;

test('connections, parsers and heads have the parts that the service uses', async (t) => {
  const server = createServer((_request, response) => response.end());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const { _handle: listening } = server as unknown as { _handle: Handle };
  assert.equal(typeof listening.onconnection, 'function', 'what a listening socket hands a connection on to');

  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  t.after(() => client.destroy());
  const [socket] = (await once(server, 'connection')) as [Socket & { _handle: Handle; parser: Parser }];
  for (const name of ['readStop', 'readStart'] as const) assert.equal(typeof socket._handle[name], 'function', name);
  assert.equal(typeof socket._handle.reading, 'boolean');
  assert.equal(typeof socket.parser.onIncoming, 'function', 'what a parser asks about each head');
  const onExecute = Object.values(socket.parser).filter(
    (value) => typeof value === 'function' && value.name === 'bound onParserExecute',
  );
  assert.equal(onExecute.length, 1, 'what is called with the bytes that were parsed');

  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  const [request] = await once(server, 'request');
  const response = new ServerResponse(request);
  (response as unknown as { _header: string })._header = 'HTTP/1.1 200 OK\r\n\r\n';
  assert.equal(response.headersSent, true, 'a head that is given as text');
});

/**
 * During a flood from one address, of each kind that occupies resources, a client at another address is still served.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { listening } from '../support/listening.ts';
import { type RawClient, rawClient } from '../support/raw-client.ts';

const json = 'Content-Type: application/json';
const signUp = (more: string) => `POST /account/sign-up HTTP/1.1\r\nHost: x\r\n${json}\r\n${more}\r\n\r\n`;
const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;

/** What each connection of a flood writes; none of them reads. */
const floods: Record<string, string> = {
  silence: '',
  'half a head': 'GET /health/live HTTP/1.1\r\nHost',
  'answers that nobody reads': get('/assets/map/maplibre-gl.mjs').repeat(100),
  'compressed answers that nobody reads': get('/openapi.json', 'Accept-Encoding: br\r\n').repeat(800),
  'bodies that do not end': `${signUp('Content-Length: 15000')}${' '.repeat(14_000)}`,
  'bodies over every limit': `${signUp('Content-Length: 900000000')}${' '.repeat(1_000_000)}`,
  'what is not HTTP': '\0'.repeat(20_000),
  'thousands of requests in one piece': get('/health/live').repeat(2000),
};

for (const [kind, bytes] of Object.entries(floods)) {
  test(`${kind}: another address is served`, async (t) => {
    const service = await listening(t, {
      limits: { connections: 60, connectionsPerAddress: 50, heldBodyBytesPerCaller: 100_000 },
      signUp: { mode: 'open' },
    });
    const clients: RawClient[] = [];
    for (let count = 0; count < 120; count++) {
      const client = await rawClient(service.port, { from: '127.0.0.2', isReading: false, allowHalfOpen: true });
      client.write(bytes);
      clients.push(client);
    }
    const other = await rawClient(service.port, { from: '127.0.0.3' });
    for (let count = 0; count < 50; count++) {
      other.write(get('/v1/country/DE', `X-API-Key: ${service.key}\r\n`));
      assert.equal((await other.answer())?.status, 200);
      await nextTurn();
    }
    // A sign-up has a body: the bodies of the flood must not use up the share of others.
    other.write(`${signUp('Content-Length: 2')}{}`);
    assert.equal((await other.answer())?.status, 201);
    for (const { socket } of [...clients, other]) socket.destroy();
  });
}

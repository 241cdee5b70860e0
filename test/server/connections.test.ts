/** Limits of connections: slots are freed, answers do not pile up, and no address takes all slots. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { clientNetworks } from '../../src/core/ip/address.ts';
import { listening } from '../support/listening.ts';
import { type RawClient, rawClient } from '../support/raw-client.ts';
import type { TestService } from '../support/service.ts';

/** A batch of that many entries, as bytes. */
function batchOf(entries: number, key: string): string {
  const body = JSON.stringify({ requests: Array(entries).fill({ endpoint: 'country/DE', params: {} }) });
  const head = `Host: x\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
  return `POST /v1/batch HTTP/1.1\r\n${head}\r\n\r\n${body}`;
}

/** Resolves when the server has closed that many of its connections. */
function serverCloses({ app }: TestService, count = 1): Promise<void> {
  return new Promise((resolve) => {
    app.server.on('connection', (socket) => socket.once('close', () => --count === 0 && resolve()));
  });
}

const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;

test('a silent client that keeps its end open occupies its slot no longer than the linger after its 408', async (t) => {
  const service = await listening(t, { limits: { headersTimeoutMs: 40, requestTimeoutMs: 80, lingerMs: 20 } });
  const closes = serverCloses(service);
  const client = await rawClient(service.port, { allowHalfOpen: true });
  assert.equal((await client.answer())?.status, 408);
  // The client never ends its side: only the service can free the slot.
  await closes;
  client.socket.destroy();
});

test('a client that reads nothing of its answer is disconnected, and one that reads slowly is not', async (t) => {
  const service = await listening(t, { limits: { stalledMs: 60 } });
  const closes = serverCloses(service);
  const stalled = await rawClient(service.port, { isReading: false });
  stalled.write(get('/assets/map/maplibre-gl.mjs').repeat(20));
  await closes;
  stalled.socket.destroy();
});

test('a client whose answer takes the service longer than the stall limit is not disconnected', async (t) => {
  const service = await listening(t, { limits: { stalledMs: 150, sliceMs: 0 } });
  const { current } = service.holder;
  Object.defineProperty(service.holder, 'current', {
    get() {
      const end = performance.now() + 3;
      while (performance.now() < end);
      return current;
    },
  });
  const client = await rawClient(service.port);
  client.write(batchOf(100, service.key));
  assert.equal((await client.answer())?.status, 200);
  client.socket.destroy();
});

test('pending answers are sent even when the client has ended its side', async (t) => {
  const service = await listening(t, { limits: { sliceMs: 0 } });
  const owed = async (bytes: string, statuses: number[]) => {
    const client = await rawClient(service.port, { allowHalfOpen: true });
    client.socket.end(bytes, 'latin1');
    for (const status of statuses) assert.equal((await client.answer())?.status, status);
    assert.equal(await client.answer(), undefined);
    client.socket.destroy();
  };
  for (let count = 0; count < 20; count++) {
    await owed(get('/health/live').repeat(10), Array(10).fill(200));
    await owed(batchOf(20, service.key), [200]);
    await owed(get('/openapi.json', 'Accept-Encoding: br\r\n').repeat(3), [200, 200, 200]);
  }
});

test('a batch whose client has gone is not answered to its end, though closing looks like ending one side', async (t) => {
  const service = await listening(t, { limits: { sliceMs: 0 } });
  const left = async () => Number((await service.ask('/v1/country/DE')).headers['x-ratelimit-remaining']);
  const before = await left();
  const closes = serverCloses(service);
  const client = await rawClient(service.port);
  client.socket.write(batchOf(100, service.key), () => client.socket.destroy());
  await closes;
  let used = 100;
  // What was not asked for is refunded once the entry that was being answered is done.
  for (let asked = 1; used >= 100 && asked < 20; asked++) used = before - (await left()) - asked;
  assert.ok(used < 100, `${used}`);
});

test('what waits of a connection that a proxy has ended is not answered: its client has gone', async (t) => {
  let answered = 0;
  const service = await listening(t, {
    trustedProxies: ['127.0.0.1'],
    record: () => answered++,
    limits: { sliceMs: 0 },
  });
  const { lanes } = service.app.whereabouts;
  const ended: Promise<unknown>[] = [];
  service.app.server.on('connection', (socket) => ended.push(once(socket, 'end')));
  let isHeld = true;
  // Another caller always comes first.
  const hold = () => isHeld && lanes.wait(['another'], hold, assert.fail);
  lanes.count(clientNetworks('192.0.2.1'), 1e6);
  hold();
  for (let count = 0; count < 20; count++) {
    const client = await rawClient(service.port);
    client.socket.end(get('/v1/country/DE', 'X-Forwarded-For: 192.0.2.1\r\n'));
  }
  while (ended.length < 20) await setImmediate();
  await Promise.all(ended);
  isHeld = false;
  while (lanes.waiting > 0) await setImmediate();
  assert.equal(answered, 0);
});

test('pipelined requests are answered in order, whether answers come at once or later', async (t) => {
  const service = await listening(t, { limits: { pipelinedRequests: 100 } });
  const client = await rawClient(service.port);
  const paths = ['/v1/country/DE', '/openapi.json', '/v1/country/FR', '/nowhere', '/v1/country/GB'];
  const lines = `X-API-Key: ${service.key}\r\nAccept-Encoding: br\r\n`;
  client.write(Array.from({ length: 20 }, () => paths.map((path) => get(path, lines)).join('')).join(''));
  for (let round = 0; round < 20; round++) {
    for (const [index, status] of [200, 200, 200, 404, 200].entries()) {
      const answer = await client.answer();
      assert.equal(answer?.status, status);
      if (index % 4 === 0) assert.match(answer.body, [/"DE"/, /"GB"/][index / 4]);
    }
  }
  client.socket.destroy();
});

test('what is not HTTP after a request is answered in turn', async (t) => {
  const service = await listening(t, {});
  const client = await rawClient(service.port);
  client.write(`${get('/openapi.json', 'Accept-Encoding: br\r\n')}nonsense\r\n\r\n`);
  assert.equal((await client.answer())?.status, 200);
  assert.equal((await client.answer())?.status, 400);
  await client.closed;
});

test('what comes behind a broken request is neither read nor kept while an answer before it waits', async (t) => {
  const service = await listening(t);
  const { lanes } = service.app.whereabouts;
  let isHeld = true;
  const hold = () => isHeld && lanes.wait(['another'], hold, assert.fail);
  t.after(() => (isHeld = false));
  lanes.count(clientNetworks('127.0.0.1'), 1e6);
  hold();
  const connected = once(service.app.server, 'connection') as Promise<[Socket]>;
  const client = await rawClient(service.port);
  const [socket] = await connected;
  client.write(get('/v1/country/DE'));
  client.write('\x01'.repeat(8 * 1024 * 1024));
  const [error] = await once(service.app.server, 'clientError');
  assert.equal(error.code, 'HPE_INVALID_METHOD');
  for (let turn = 0; turn < 50; turn++) await setImmediate();
  assert.ok(socket.bytesRead < 1024 * 1024, `${socket.bytesRead} bytes were read`);
  isHeld = false;
  assert.equal((await client.answer())?.status, 401);
  assert.equal((await client.answer())?.status, 400);
  client.socket.destroy();
});

test('a client with more requests in progress than may wait is disconnected', async (t) => {
  const service = await listening(t, { limits: { pipelinedRequests: 10 } });
  const client = await rawClient(service.port);
  client.write(get('/openapi.json', 'Accept-Encoding: br\r\n').repeat(12));
  await client.closed;
});

for (const path of ['/openapi.json', '/%ff', 'http://', 'http://x:a/', 'http://[::1/', 'https://x/#/'])
  test(`of thousands of requests for ${path} that come in one piece, no more are answered than may wait`, async (t) => {
    let answered = 0;
    const service = await listening(t, { record: () => answered++, limits: { pipelinedRequests: 10, sliceMs: 0 } });
    const client = await rawClient(service.port);
    client.write(get(path, 'Accept-Encoding: br\r\n').repeat(500));
    await client.closed;
    assert.ok(answered <= 12, `${answered} were answered`);
  });

test('what was read of a connection that is cut reaches no hook; who has many cut gets no new connections', async (t) => {
  const { port } = await listening(t, { limits: { pipelinedRequests: 10, sliceMs: 0 } });
  /** The number of the request in its identifier: how many there were. */
  const requestsSoFar = async (from: string) => {
    const client = await rawClient(port, { from });
    client.write(get('/health/live', 'Connection: close\r\n'));
    const id = (await client.answer())?.headers['x-request-id'];
    return id === undefined ? undefined : Number.parseInt(id.slice(id.lastIndexOf('-') + 1), 36);
  };
  const flood = async () => {
    const client = await rawClient(port);
    client.write(`${get('/v1/country/DE', 'Content-Length: 1\r\n')}a`.repeat(700));
    await client.closed;
  };
  const before = (await requestsSoFar('127.0.0.1'))!;
  await flood();
  const requests = (await requestsSoFar('127.0.0.1'))! - before;
  assert.ok(requests <= 20, `${requests} were routed`);
  const floodMuch = () => Promise.all(Array.from({ length: 19 }, flood));
  await floodMuch();
  for (let round = 0; (await requestsSoFar('127.0.0.1')) !== undefined; round++) {
    assert.ok(round < 20, 'the address still gets connections');
    await floodMuch();
  }
  assert.notEqual(await requestsSoFar('127.0.0.2'), undefined);
});

test('an address has its share of the slots, and another address the rest; trusted proxies may have them all', async (t) => {
  const service = await listening(t, {
    limits: { connections: 5, connectionsPerAddress: 2 },
    trustedProxies: ['127.0.0.9'],
  });
  const served = async (from: string) => {
    const client = await rawClient(service.port, { from });
    client.write(get('/health/live'));
    const status = (await client.answer())?.status;
    return { client, status };
  };
  const first = [await served('127.0.0.2'), await served('127.0.0.2')];
  assert.deepEqual(
    first.map(({ status }) => status),
    [200, 200],
  );
  assert.equal((await served('127.0.0.2')).status, undefined);
  assert.equal((await served('127.0.0.3')).status, 200);
  const closes = new Promise((resolve) => first[0].client.socket.once('close', resolve));
  first[0].client.socket.destroy();
  await closes;
  // The server notices a moment later.
  while ((await served('127.0.0.2')).status === undefined);
});

test('behind a proxy, an address has its share of the requests in progress; others, and who comes without one, have theirs', async (t) => {
  const service = await listening(t, {
    limits: { proxiedRequestsPerAddress: 2 },
    trustedProxies: ['127.0.0.1', '10.0.0.0/8'],
  });
  const ask = async (address: string, from?: string) => {
    const client = await rawClient(service.port, { from });
    client.write(get('/health/live', `X-Forwarded-For: ${address}\r\n`));
    const answer = await client.answer();
    client.socket.destroy();
    return answer;
  };
  const halves = await Promise.all(
    ['192.0.2.1', '192.0.2.1', '2001:db8::1', '2001:db8::2', '10.0.0.1', '10.0.0.1'].map(async (address) => {
      const client = await rawClient(service.port);
      client.write(batchOf(1, service.key).replace('Host: x', `Host: x\r\nX-Forwarded-For: ${address}`).slice(0, -1));
      return client;
    }),
  );
  while (service.app.whereabouts.arrived < halves.length) await setImmediate();
  // Only watched: in the time of refusals, or who asks again at once would leave none for those who are answered.
  const refuse = t.mock.method(service.app.whereabouts.lanes, 'refuse');
  const refused = await ask('192.0.2.1');
  assert.equal(refused?.status, 503);
  assert.equal(refused?.headers['retry-after'], '1');
  assert.equal(JSON.parse(refused!.body).code, 'unavailable');
  assert.equal((await ask('2001:db8::3'))?.status, 503);
  const sender = await rawClient(service.port);
  for (const body of ['', 'x'.repeat(5_000)]) {
    sender.write(
      `POST /photon/api HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 192.0.2.1\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    assert.equal((await sender.answer())?.status, 503);
  }
  sender.socket.destroy();
  assert.equal(refuse.mock.callCount(), 4);
  for (const other of ['192.0.2.2', '2001:db8:0:1::', '10.0.0.1']) assert.equal((await ask(other))?.status, 200);
  assert.equal((await ask('192.0.2.1', '127.0.0.2'))?.status, 200);
  for (const client of halves) {
    client.write('}');
    assert.equal((await client.answer())?.status, 200);
    client.socket.destroy();
  }
  assert.equal((await ask('192.0.2.1'))?.status, 200);
});

/** A client whose request has been answered, and which keeps its connection. */
async function served(port: number, from: string): Promise<RawClient & { status: number | undefined }> {
  const client = await rawClient(port, { from });
  client.write(get('/health/live'));
  return { ...client, status: (await client.answer())?.status };
}

test('when all slots are taken, the address with the most connections loses its oldest', async (t) => {
  const { port, app, key } = await listening(t, { limits: { connections: 3 } });
  const idle = await served(port, '127.0.0.2');
  const last = await served(port, '127.0.0.2');
  const other = await served(port, '127.0.0.3');
  const newcomer = await served(port, '127.0.0.4');
  assert.equal(newcomer.status, 200);
  await idle.closed;
  assert.equal(app.whereabouts.connections, 3);
  for (const client of [last, other, newcomer]) {
    client.write(get('/v1/country/DE', `X-API-Key: ${key}\r\n`));
    assert.equal((await client.answer())?.status, 200);
  }
  assert.equal((await served(port, '127.0.0.2')).status, undefined, 'who has as many gets none of the others');
});

test('when all slots are taken by pending answers, an address with more than its share loses one', async (t) => {
  const { port } = await listening(t, { limits: { connections: 2 } });
  const busy = async (from: string) => {
    const client = await rawClient(port, { from, isReading: false });
    client.write(get('/assets/map/maplibre-gl.mjs').repeat(16));
    return client;
  };
  const clients = [await busy('127.0.0.2'), await busy('127.0.0.2')];
  assert.equal((await served(port, '127.0.0.3')).status, 200);
  for (const { socket } of clients) socket.destroy();
});

test('connections that wait to be accepted do not each wait for the requests of those before them', async (t) => {
  const service = await listening(t);
  const current = service.holder.current!;
  const now = performance.now.bind(performance);
  let usedMs = 0;
  t.mock.method(performance, 'now', () => now() + usedMs);
  let reads = 0;
  const zones = () => {
    reads++;
    usedMs += 4;
    return current.zones;
  };
  service.holder.current = Object.create(current, { zones: { get: zones } });
  t.after(() => (service.holder.current = current));
  const readsAt: number[] = [];
  service.app.server.on('connection', () => readsAt.push(reads));
  const request = `GET /v1/timezone?lat=52.5&lng=13.4 HTTP/1.1\r\nHost: x\r\nX-API-Key: ${service.key}\r\nConnection: close\r\n\r\n`;
  const clients = await Promise.all(
    Array.from({ length: 40 }, async () => {
      const client = await rawClient(service.port);
      client.write(request);
      return client;
    }),
  );
  for (const client of clients) assert.equal((await client.answer())?.status, 200);
  // On a busy machine some clients connect late.
  assert.ok(readsAt.at(-1)! < 80, `${readsAt.at(-1)} reads of 120 before the last connection was accepted`);
});

test('no more connections are accepted before a turn of requests than the time of a slice allows', async (t) => {
  const { app, port } = await listening(t);
  let accepted = 0;
  const ran = new Promise<number>((resolve) => {
    // What a connection sends is parsed in the turn that accepts it.
    app.server.on('connection', () => {
      if (++accepted === 1) app.whereabouts.lanes.wait(['another'], () => resolve(accepted), assert.fail);
      for (const end = performance.now() + 8; performance.now() < end; );
    });
  });
  const clients = await Promise.all(Array.from({ length: 30 }, () => rawClient(port)));
  assert.ok((await ran) < 10, `${await ran} of 30 were accepted before it`);
  for (const { socket } of clients) socket.destroy();
});

/** The order of work when more has arrived than the thread can do at once. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Caller, Lanes } from '../../src/server/fairness.ts';
import { defaultLimits } from '../../src/server/limits.ts';
import { listening } from '../support/listening.ts';
import { rawClient } from '../support/raw-client.ts';
import { type TestService, testService } from '../support/service.ts';

const caller = (network: string, key = ''): Caller => (key === '' ? [network] : [network, `key ${key}`]);

/** Turns with a clock of their own, and an event loop that the test turns; a task of a caller takes `ms`. */
function clockwork(limits = {}) {
  let now = 0;
  let later: (() => void)[] = [];
  const done: string[] = [];
  const turns = new Lanes(
    { ...defaultLimits, sliceMs: 10, maxWaitMs: 1000, waitingRequests: 1000, waitingRequestsPerKey: 100, ...limits },
    { now: () => now, nextTurn: (run) => void later.push(run) },
  );
  return {
    turns,
    done,
    wait(ms: number) {
      now += ms;
    },
    /** Work that starts at once. */
    spend(ms: number) {
      turns.run(
        () => [],
        () => void (now += ms),
      );
    },
    add(name: string, of: Caller, ms: number, times = 1) {
      for (let count = 0; count < times; count++) {
        turns.wait(of, () => {
          now += ms;
          done.push(name);
        });
      }
    },
    /** One turn of the event loop. */
    turn() {
      const due = later;
      later = [];
      for (const run of due) run();
    },
  };
}

test('work is done at once until a slice is used up, and again in the next turn', () => {
  const { turns, turn, spend } = clockwork();
  assert.ok(turns.isFree());
  spend(9);
  assert.ok(turns.isFree());
  spend(2);
  assert.ok(!turns.isFree());
  turn();
  assert.ok(turns.isFree());
});

test('long tasks of one network do not delay another: time is shared, not turns', () => {
  const { done, turn, add } = clockwork();
  add('long', caller('a', 'k'), 50, 100);
  turn();
  add('short', caller('b', 'l'), 0.1, 100);
  for (let count = 0; count < 4; count++) turn();
  assert.equal(done.filter((name) => name === 'short').length, 100);
  assert.ok(done.filter((name) => name === 'long').length < 5);
});

test('keys of one network share its time, and a network does not get more by having many keys', () => {
  const { done, turn, add } = clockwork();
  for (let key = 0; key < 50; key++) add('many', caller('a', `key ${key}`), 5, 4);
  add('one of them', caller('a', 'quiet'), 5);
  add('other', caller('b', 'k'), 5, 20);
  for (let count = 0; count < 20; count++) turn();
  const others = done.filter((name) => name === 'other').length;
  assert.ok(others >= 18, `${others} of the other network's 20`);
  for (let count = 0; count < 60; count++) turn();
  assert.ok(done.includes('one of them'));
});

test('one key at many addresses is one caller, and a caller with little recent use does not wait behind it', () => {
  const { done, turn, add } = clockwork();
  for (let address = 0; address < 30; address++) add('dear', caller(`a ${address}`, 'k'), 100, 3);
  add('other', caller('b', 'l'), 5);
  for (let count = 0; count < 3; count++) turn();
  assert.ok(done.includes('other'), 'as one that comes first');
  for (let count = 0; count < 20; count++) {
    for (let address = 0; address < 30; address++) add('dear', caller(`a ${address}`, 'k'), 100);
    add('other', caller('b', 'l'), 5);
    const before = done.length;
    turn();
    assert.ok(done.indexOf('other', before) >= 0, `not in turn ${count}`);
  }
});

test('past use delays no other caller', () => {
  const { done, turn, add, wait } = clockwork();
  add('heavy', caller('a', 'k'), 500, 2);
  turn();
  turn();
  wait(120_000);
  add('heavy', caller('a', 'k'), 20, 2);
  add('other', caller('b', 'l'), 20, 2);
  for (let count = 0; count < 2; count++) turn();
  assert.deepEqual(done.slice(2), ['heavy', 'other']);
});

test('further requests of a caller whose oldest has waited too long are refused, those of others are not', () => {
  const { turns, turn, add } = clockwork({ maxWaitMs: 100 });
  add('a', caller('a', 'k'), 60, 4);
  assert.equal(turns.refusal(caller('a', 'k')), undefined);
  turn();
  assert.equal(turns.refusal(caller('a', 'k')), undefined);
  turn();
  assert.equal(turns.refusal(caller('a', 'k')), 'all');
  assert.equal(turns.refusal(caller('a', 'l')), undefined);
  assert.equal(turns.refusal(caller('b', 'k')), undefined);
  turn();
  turn();
  assert.equal(turns.refusal(caller('a', 'k')), undefined, 'nothing waits any more');
});

test('the number of waiting requests is bounded for a key at an address, and in all', () => {
  const { turns, add } = clockwork({ waitingRequests: 10, waitingRequestsPerKey: 4 });
  add('', caller('a', 'k'), 1, 4);
  assert.equal(turns.refusal(caller('a', 'k')), 'own');
  assert.equal(turns.refusal(caller('c', 'l')), undefined);
  add('', caller('c'), 1, 6);
  assert.equal(turns.refusal(caller('c', 'l')), 'all');
});

test('an exception of a task reaches its caller, whether it ran at once or later', async () => {
  const { turns, turn, spend } = clockwork();
  const fails = () => {
    throw new Error('no');
  };
  assert.throws(() => turns.run(() => caller('a'), fails), /no/);
  spend(20);
  const later = turns.run(() => caller('a'), fails);
  turn();
  await assert.rejects(Promise.resolve(later), /no/);
});

/** Has the service's clock of durations pass by `eachMs` when it is read, and when the test says so. */
function durations(t: TestContext, eachMs = 0) {
  let now = performance.now();
  t.mock.method(performance, 'now', () => (now += eachMs));
  return { pass: (ms: number) => void (now += ms) };
}

/** Lets a request arrive, without a turn of the event loop in which it would be answered. */
async function arrive({ app }: TestService, count: number): Promise<void> {
  while (app.whereabouts.lanes.waiting < count) await new Promise<void>((resolve) => process.nextTick(resolve));
}

test('an overloaded service answers 503 with Retry-After, and still reports that it is live; a refused call costs nothing', async (t) => {
  const { pass } = durations(t);
  const service = await testService(t, { limits: { sliceMs: 0, maxWaitMs: 1 } });
  const first = service.ask('/v1/countries');
  await arrive(service, 1);
  pass(5);
  const others = [
    service.ask('/v1/countries'),
    service.batch([]),
    service.ask('/nominatim/search?q=x'),
    service.ask('/health/live'),
    service.ask('/v1/countries', { key: service.makeKey() }),
  ];
  await arrive(service, 2);
  const [refused, batch, dropIn, live, other] = await Promise.all(others);
  assert.equal((await first).status, 200);
  assert.equal(refused.status, 503);
  assert.equal(refused.body.code, 'unavailable');
  assert.equal(refused.headers['retry-after'], '2');
  assert.equal(batch.status, 503);
  assert.equal(dropIn.status, 503);
  assert.equal(live.status, 200);
  assert.equal(other.status, 200, 'another key has its own place');
  const reserved = await service.keys.reserve(service.key, 0, service.clock.now);
  assert.ok(typeof reserved !== 'string');
  assert.equal(service.keys.meter.used(reserved.account, service.clock.now), 1);
});

test('a key has its own queue wherever it is sent', async (t) => {
  const { pass } = durations(t);
  const service = await testService(t, { limits: { sliceMs: 0, maxWaitMs: 1 } });
  const [busy, quiet] = [service.makeKey(), service.makeKey()];
  const ask = (url: string, headers = {}) => service.ask(url, { key: null, headers });
  const first = ask(`/photon/api?q=x&key=${busy}`);
  await arrive(service, 1);
  pass(5);
  const others = [
    ask(`/photon/api?q=x&key=${busy}`),
    ask(`/photon/api?q=x&api_key=${quiet}`),
    ask(`/key/${quiet}/photon/api?q=x`),
    ask('/nowhere', { authorization: `Bearer ${quiet}` }),
  ];
  const [refused, parameter, path, bearer] = await Promise.all(others);
  assert.deepEqual([refused.status, parameter.status, path.status, bearer.status], [503, 200, 200, 404]);
  await first;
});

test('a bound of 0 refuses nothing', async (t) => {
  const { pass } = durations(t);
  const service = await testService(t, { limits: { sliceMs: 0, maxWaitMs: 0 } });
  const first = service.ask('/v1/countries');
  await arrive(service, 1);
  pass(5);
  assert.equal((await service.ask('/v1/countries')).status, 200);
  assert.equal((await first).status, 200);
});

test('the batches of one address do not delay another', async (t) => {
  durations(t, 0.01);
  const service = await testService(t, { limits: { sliceMs: 0 } });
  const entries = Array.from({ length: 100 }, () => ({ endpoint: 'country/DE', params: {} }));
  let done = 0;
  const batches = Array.from({ length: 20 }, () => service.batch(entries).then(() => done++));
  await arrive(service, 20);
  const other = await service.ask('/v1/country/FR', { key: service.makeKey(), remoteAddress: '127.0.0.3' });
  assert.equal(other.status, 200);
  assert.equal(done, 0);
  await Promise.all(batches);
});

test('what goes on behind a body, and each message of MCP, has a turn of its own', async (t) => {
  const service = await listening(t, { limits: { sliceMs: 0 } });
  const counted = t.mock.method(service.keys.meter, 'count');
  /** The most answers that were counted between two turns of the event loop, until there are so many. */
  const mostInTurn = async (count: number) => {
    let most = 0;
    for (let before = 0; before < count; ) {
      await nextTurn();
      const now = counted.mock.callCount();
      most = Math.max(most, now - before);
      before = now;
    }
    counted.mock.resetCalls();
    return most;
  };
  const times = 20;
  const head = (path: string) => `POST ${path} HTTP/1.1\r\nHost: x\r\n`;
  const form = 'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 8';
  const clients = await Promise.all(Array.from({ length: times }, () => rawClient(service.port)));
  for (const client of clients) client.write(`${head(`/photon/api?key=${service.key}`)}${form}\r\n\r\nq=ber`);
  while (service.app.whereabouts.arrived < times) await nextTurn();
  for (const client of clients) client.write('lin');
  assert.ok((await mostInTurn(times)) <= 3);
  for (const { socket } of clients) socket.destroy();

  const call = (id: number) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: 'find_place', arguments: { q: 'berlin' } },
  });
  const messages = service.ask('/mcp', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-03-26',
    },
    body: JSON.stringify(Array.from({ length: times }, (_, id) => call(id))),
  });
  assert.ok((await mostInTurn(times)) <= 3);
  assert.equal((await messages).status, 200);
});

/** The order of work when more has arrived than the thread can do at once. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type Caller, recentUse, sharedTime } from '../../src/server/fairness.ts';
import { Deferred, type LookUps } from '../../src/store/store.ts';
import { listening } from '../support/listening.ts';
import { rawClient } from '../support/raw-client.ts';
import { type TestService, testService } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const caller = (network: string, key = ''): Caller => (key === '' ? [network] : [network, `key ${key}`]);

/** Turns with a clock of their own, and an event loop that the test turns; a task of a caller takes `ms`. */
function clockwork(limits = {}) {
  let now = 0;
  let later: (() => void)[] = [];
  let resting: (() => void)[] = [];
  const done: string[] = [];
  const refused: string[] = [];
  const turns = sharedTime(
    { sliceMs: 10, maxWaitMs: 1000, waitingRequests: 1000, waitingRequestsPerKey: 100, ...limits },
    {
      now: () => now,
      nextTurn: (run) => void later.push(run),
      later: (run) => void resting.push(run),
      afterPromises: (run) => run(),
    },
  );
  return {
    turns,
    done,
    refused,
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
    add(name: string, of: Caller, ms: number, times = 1, kind?: string) {
      for (let count = 0; count < times; count++) {
        const run = () => {
          now += ms;
          done.push(name);
        };
        turns.wait(of, run, ({ code }) => void refused.push(`${name} ${code}`), kind);
      }
    },
    /** One turn of the event loop, after which rests are over unless they go on. */
    turn({ restsGoOn = false } = {}) {
      const due = later;
      later = [];
      for (const run of due) run();
      if (restsGoOn) return;
      for (const run of resting) run();
      resting = [];
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

test('dear requests of callers who come anew are not all before those who are at work', () => {
  const { done, turn, add, turns } = clockwork();
  turns.count(caller('b'), 100);
  turn();
  for (let address = 0; address < 24; address++) add('dear', caller(`a ${address}`), 70, 1, 'outline');
  add('at work', caller('b'), 1, 1, 'search');
  add('busy', caller('c'), 1, 1, 'search');
  turns.count(caller('c'), 2_000);
  for (let count = 0; count < 30; count++) turn();
  assert.ok(done.indexOf('at work') <= 2, `${done}`);
  assert.equal(done.at(-1), 'busy');
});

test('who was at work while nobody waited is even with those who come anew, and with each of them in turn', () => {
  const { done, turn, add, turns, wait } = clockwork();
  turns.run(
    () => caller('a'),
    () => wait(1_000),
  );
  turn();
  for (let address = 0; address < 24; address++) add('new', caller(`b ${address}`), 9, 25, 'nearby');
  for (let request = 0; request < 4; request++) {
    add('at work', caller('a'), 6, 1, 'outline');
    const before = done.length;
    for (let count = 0; count < 40 && !done.includes('at work', before); count++) turn();
    assert.ok(done.length - before <= 2 * 24, `${done.length - before} before request ${request}`);
  }
});

test('a key of a larger plan has a larger share: what it asks for does not wait for one dear task of each newcomer', () => {
  const { done, turn, add, turns } = clockwork();
  turns.setShare('key paid', 16);
  add('dear', caller('a'), 70, 1, 'outline');
  turn();
  for (let address = 0; address < 24; address++) add('new', caller(`b ${address}`, `key ${address}`), 70, 3, 'outline');
  for (let request = 0; request < 10; request++) {
    add('paid', caller('c', 'paid'), 6, 1, 'outline');
    const before = done.length;
    for (let count = 0; count < 40 && !done.includes('paid', before); count++) turn();
    assert.ok(done.length - before <= 2, `${done.length - before} before request ${request}`);
  }
});

test('dear requests are not put off for as long as others send light ones', () => {
  const { done, turn, add } = clockwork();
  add('dear', caller('a'), 70, 2, 'outline');
  turn();
  for (let count = 0; count < 80 && done.filter((name) => name === 'dear').length < 2; count++) {
    for (let address = 0; address < 5; address++) add('light', caller(`b ${address}`), 2, 1, 'search');
    turn();
  }
  assert.ok(done.filter((name) => name === 'dear').length === 2, `${done.length}`);
});

test('what comes back in many turns does not have a dear task of another in each', () => {
  const { done, turn, add } = clockwork();
  add('dear', caller('a'), 70, 10, 'outline');
  turn({ restsGoOn: true });
  for (let entry = 0; entry < 100; entry++) {
    add('entry', caller('b'), 0.1, 1, 'country');
    turn({ restsGoOn: true });
  }
  assert.deepEqual(
    [done.filter((name) => name === 'entry').length, done.filter((name) => name === 'dear').length],
    [100, 1],
  );
  turn();
  turn();
  assert.equal(done.at(-1), 'dear');
});

test('what goes on behind a promise is expected to take what its kind took, however many light tasks of it came since', async () => {
  const { done, turn, add, turns, wait, spend } = clockwork();
  const entry = (address: string, name: string, ms: number) =>
    turns.run(
      () => caller(address),
      () => {
        wait(ms);
        done.push(name);
      },
      'outline',
    );
  entry('a', 'dear', 70);
  turn();
  for (let count = 0; count < 8; count++) {
    entry('a', 'light', 0.1);
    turn();
  }
  turns.count(caller('c'), 100);
  turn();
  spend(20);
  for (let address = 0; address < 24; address++) entry(`b ${address}`, 'dear', 70);
  add('at work', caller('c'), 1, 1, 'search');
  done.length = 0;
  for (let count = 0; count < 30; count++) turn();
  assert.ok(done.indexOf('at work') <= 1, `${done}`);
});

test('what is refused when a slice is used up is refused in the next turns', () => {
  const { turns, turn, spend, wait, add, done } = clockwork();
  spend(10);
  let refused = 0;
  for (let count = 0; count < 5; count++) {
    turns.refuse(caller('a'), () => {
      wait(3);
      refused++;
    });
  }
  add('other', caller('b'), 1);
  assert.equal(refused, 0);
  turn();
  assert.deepEqual([refused, done], [2, ['other']]);
  turn();
  turn();
  assert.equal(refused, 5);
});

test('what was used is forgotten by halves', () => {
  let now = 0;
  const used = recentUse(() => now);
  for (let at = 0; at < 3; at++) {
    used.add('a', 1_000);
    used.add(`key ${at}`, 1_000);
  }
  now = 5_000;
  used.add('b', 5);
  assert.deepEqual(
    ['a', 'key 1', 'b'].map((name) => used.of(name)),
    [1_500, 500, 5],
  );
  now = 120_000;
  assert.deepEqual([used.of('a'), used.of('key 1')], [0, 0]);
});

test('who used time is forgotten when all others have used as much, also where somebody always waits', () => {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const heapMb = () => {
    collect();
    return process.memoryUsage().heapUsed / 1e6;
  };
  const { turns, add, turn, done } = clockwork();
  const before = heapMb();
  for (let n = 0; n < 50_000; n++) {
    add('one', caller('one', `${n}`.padEnd(36)), 1);
    if (n > 5 && n % 10 === 0) turn();
    done.length = 0;
  }
  assert.ok(turns.waiting > 0);
  const grown = heapMb() - before;
  assert.ok(grown < 2.5, `${Math.round(grown)} MB`);
});

test('a light request waits for nobody who used more, however many share a network or a key with who was at work', () => {
  const { add, turn, done } = clockwork({ waitingRequests: 10_000 });
  const callers = Array.from({ length: 4_000 }, (_, n) => caller(`of ${n % 40}`, `${Math.floor(n / 40)}`));
  for (const [n, of] of callers.entries()) add(`${n}`, of, 20, 1, 'dear');
  let waited = 0;
  let longest = 0;
  for (let turns = 0; turns < 1_000; turns++) {
    // Behind those in which it becomes known what dear ones take.
    if (waited === 0 && turns >= 100) add('light', caller('light'), 0.3, 1, 'light');
    if (turns >= 100) waited++;
    turn();
    for (const name of done.splice(0)) {
      if (name === 'light') [longest, waited] = [Math.max(longest, waited), 0];
      else add(name, callers[Number(name)], 20, 1, 'dear');
    }
  }
  assert.ok(longest <= 2, `${longest} turns`);
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
  turn();
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
  assert.equal(turns.refusal(caller('a', 'k'))?.code, 'unavailable');
  assert.equal(turns.refusal(caller('a', 'l')), undefined);
  assert.equal(turns.refusal(caller('b', 'k')), undefined);
  turn();
  turn();
  assert.equal(turns.refusal(caller('a', 'k')), undefined, 'nothing waits any more');
});

test('the number of waiting requests is bounded for a key at an address, and in all', () => {
  const { turns, add } = clockwork({ waitingRequests: 10, waitingRequestsPerKey: 4 });
  add('', caller('a', 'k'), 1, 4);
  assert.equal(turns.refusal(caller('a', 'k'))?.code, 'rate_limited');
  assert.equal(turns.refusal(caller('c', 'l')), undefined);
  add('', caller('b'), 1, 3);
  add('', caller('c'), 1, 3);
  add('', caller('a', 'l'), 1);
  assert.equal(turns.waiting, 11 - 1, 'one made room');
  assert.equal(turns.refusal(caller('a', 'm'))?.code, 'unavailable', 'nobody has more than its network');
});

test('who has nothing in a full queue gets a place, and who has the most loses its newest: by all of its names', () => {
  const { turns, done, refused, turn, add } = clockwork({ waitingRequests: 12 });
  // A /48 with four /64 of two tasks and one, against two addresses of three and two.
  for (const subnet of [1, 2, 3]) add(`wide ${subnet}`, [`/64 ${subnet}`, '/48'], 20, 2);
  add('wide 4', ['/64 4', '/48'], 20);
  add('a', caller('a'), 20, 3);
  add('b', caller('b'), 20, 2);
  for (const name of ['x', 'y', 'z', 'u']) {
    assert.equal(turns.refusal(caller(name)), undefined);
    add(name, caller(name), 1);
  }
  assert.deepEqual(
    refused,
    [1, 2, 3, 1].map((subnet) => `wide ${subnet} unavailable`),
  );
  assert.equal(turns.waiting, 12);
  for (let count = 0; count < 20; count++) turn();
  assert.deepEqual([done.length, turns.waiting], [12, 0]);
  for (const name of ['x', 'y', 'z', 'u']) assert.ok(done.includes(name));
});

test('a place in a full queue takes as many looks at callers however many wait', () => {
  let looks = 0;
  const counted = (name: string): Caller =>
    new Proxy([name], {
      get(names, property, receiver) {
        looks++;
        return Reflect.get(names, property, receiver);
      },
    });
  const looksOf = (waitingRequests: number) => {
    const { refused, add } = clockwork({ waitingRequests });
    for (let count = 0; count < waitingRequests - 100; count++) add('one of many', counted(`${count}`), 1);
    for (let count = 0; count < 50; count++) add('flood', [`/64 ${count}`, '/48'], 1, 2);
    looks = 0;
    for (let count = 0; count < 50; count++) add('other', caller(`other ${count}`), 1);
    assert.deepEqual(refused, Array(50).fill('flood unavailable'));
    return looks;
  };
  assert.equal(looksOf(4_000), looksOf(200));
});

test('refusing takes time too, and it is the time of who is refused', () => {
  const { turns, done, wait, turn, add } = clockwork({ waitingRequests: 4 });
  add('victim', caller('v'), 100);
  turn();
  add('flood', caller('f'), 1, 4);
  for (let count = 0; count < 20; count++) {
    assert.ok(turns.refusal(caller('f')));
    turns.refuse(caller('f'), () => wait(10));
  }
  add('victim', caller('v'), 1);
  turn();
  assert.deepEqual(done.slice(0, 2), ['victim', 'victim']);
});

test('what goes on behind a promise ends the turn of the event loop; what a task starts has its turn already', async () => {
  const { turns, turn } = clockwork();
  const began: string[] = [];
  const start = (name: string) =>
    turns.run(
      () => caller('a', name),
      async () => void began.push(name),
    );
  const all = ['first', 'second', 'third'].map(start);
  assert.deepEqual(began, ['first']);
  turn();
  assert.deepEqual(began, ['first', 'second']);
  turn();
  assert.equal(began.length, 3);
  await Promise.all(all);
  turn();
  turns.run(
    () => [],
    () => {
      turns.run(
        () => [],
        () => {
          began.push('outer');
          void start('inner');
        },
      );
    },
  );
  assert.deepEqual(began.slice(3), ['outer', 'inner']);
  assert.ok(!turns.isFree());
});

test('what goes on behind a promise before the next turn is the time of its caller', async () => {
  let now = 0;
  const limits = { sliceMs: 10, maxWaitMs: 1000, waitingRequests: 1000, waitingRequestsPerKey: 100 };
  const turns = sharedTime(limits, { now: () => now });
  const task = async () => {
    now += 1;
    await null;
    now += 20;
  };
  turns.run(
    () => caller('b'),
    () => void (now += 9),
  );
  turns.run(() => caller('a'), task);
  const began: string[] = [];
  for (const name of ['a', 'b']) turns.wait(caller(name), () => began.push(name), assert.fail);
  await nextTurn();
  await nextTurn();
  assert.deepEqual(began, ['b', 'a']);
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

test('probes wait for probes alone, and nobody for more than one of them', async (t) => {
  durations(t, 0.01);
  const service = await testService(t, { limits: { sliceMs: 0 } });
  let live = 0;
  const probes = Array.from({ length: 100 }, () =>
    service.ask('/health/live', { key: null, remoteAddress: '127.0.0.2' }).then(() => live++),
  );
  await arrive(service, 100);
  await service.ask('/v1/countries', { remoteAddress: '127.0.0.3' });
  assert.ok(live < 5, `${live} probes before it`);
  const others = Array.from({ length: 100 }, () => service.ask('/v1/countries', { remoteAddress: '127.0.0.4' }));
  await arrive(service, 150);
  await service.ask('/health/live', { key: null, remoteAddress: '127.0.0.4' });
  assert.ok(service.app.whereabouts.lanes.waiting > 90);
  await Promise.all([...probes, ...others]);
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

test('who is refused with the text of a key that others use takes neither their time nor their places', async (t) => {
  const { pass } = durations(t);
  const ended: string[] = [];
  const record = (call: { endpoint: string }, status: number) => {
    ended.push(status === 200 ? call.endpoint : `${status}`);
    pass(20);
  };
  const service = await testService(t, { record, limits: { sliceMs: 0, waitingRequests: 41 } });
  const headers = { origin: 'https://shop.example' };
  for (const restriction of [{ origins: [headers.origin] }, { networks: ['127.0.3.0/24'] }]) {
    const key = service.makeKey(restriction);
    const user = { key, headers, remoteAddress: '127.0.3.1' };
    assert.equal((await service.ask('/v1/countries', user)).status, 200);
    ended.length = 0;
    const strangers = Array.from({ length: 20 }, (_, at) =>
      service.ask('/v1/countries', { key, remoteAddress: `127.0.4.${at}` }),
    );
    const others = Array.from({ length: 20 }, () => service.ask('/v1/country/DE', { remoteAddress: '127.0.5.1' }));
    await arrive(service, 40);
    const own = [service.ask('/v1/countries', user), service.ask('/v1/countries', user)];
    for (const { status } of await Promise.all(own)) assert.equal(status, 200);
    await Promise.all([...strangers, ...others]);
    assert.equal(ended.filter((name) => name === '403').length, 20);
    assert.ok(ended.indexOf('countries') <= 22, `${ended}`);
  }
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

/** The most answers in one turn of the event loop until a number of them is sent. */
async function mostInATurn(answered: () => number, count: number): Promise<number> {
  let most = 0;
  for (let before = answered(); before < count; ) {
    await nextTurn();
    most = Math.max(most, answered() - before);
    before = answered();
  }
  return most;
}

test('requests whose bodies arrive together are answered each in its turn', async (t) => {
  let answered = 0;
  const { app, port, key } = await listening(t, { limits: { sliceMs: 0 }, record: () => void answered++ });
  const clients = await Promise.all(Array.from({ length: 20 }, () => rawClient(port)));
  const types = ['application/x-www-form-urlencoded', 'application/json'];
  for (const [index, client] of clients.entries()) {
    const head = `POST /photon/api HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Type: ${types[index % 2]}\r\n`;
    client.write(`${head}Content-Length: ${['q=bern', '{"q":"bern"}'][index % 2].length}\r\n\r\n`);
  }
  while (app.whereabouts.arrived < clients.length || app.whereabouts.lanes.waiting > 0) await nextTurn();
  for (const [index, client] of clients.entries()) client.write(['q=bern', '{"q":"bern"}'][index % 2]);
  assert.equal(await mostInATurn(() => answered, clients.length), 1);
  for (const client of clients) {
    const answer = await client.answer();
    assert.equal(answer?.status, 200);
    client.socket.destroy();
  }
});

test('the searches of one request for several countries, or kinds around a position, have a turn each', async (t) => {
  durations(t, 3);
  const service = await testService(t, { limits: { sliceMs: 0 } });
  const other = { key: service.makeKey(), remoteAddress: '127.0.0.3' };
  const around = '/photon/reverse?lat=46.95&lon=7.44&radius=50&osm_tag=place:city';
  for (const path of [
    '/photon/api?q=bern&countrycode=DE,FR,US',
    '/nominatim/search?q=bern&countrycodes=DE,FR,US',
    around,
  ]) {
    let isDone = false;
    const several = service.ask(path).finally(() => (isDone = true));
    await arrive(service, 1);
    for (let turn = 1; turn < 3; turn++) {
      assert.equal((await service.ask('/v1/country/FR', other)).status, 200);
      assert.ok(!isDone, `${path}: before turn ${turn} of another`);
    }
    assert.equal((await several).status, 200);
  }
});

test('work in progress goes on before others of its caller start, so that few answers are half made', async (t) => {
  durations(t, 3);
  const service = await testService(t, { limits: { sliceMs: 0 } });
  const further = t.mock.method(service.app.whereabouts.lanes, 'turn');
  const path = '/nominatim/search?q=bern&countrycodes=DE,FR,US';
  const turnsBefore: number[] = [];
  const all = Array.from({ length: 10 }, async () => {
    await service.ask(path);
    turnsBefore.push(further.mock.callCount());
  });
  await Promise.all(all);
  assert.equal(turnsBefore.at(-1), 20);
  assert.ok(
    turnsBefore[0] < 8,
    `${turnsBefore[0]} further turns were waited for before the first request was answered`,
  );
});

test('requests that waited for the same calls of a quota are answered each in its turn', async (t) => {
  // Each answer takes longer than a slice; nothing else takes time.
  const { pass } = durations(t);
  let answered = 0;
  const record = () => {
    answered++;
    pass(20);
  };
  const keysPath = join(temporaryDirectory(t), 'keys.sqlite');
  const service = await testService(t, { keysPath, record });
  const { whereabouts } = service.app;
  const other = new DatabaseSync(keysPath);
  t.after(() => other.close());
  other.exec('BEGIN IMMEDIATE');
  const answers = Array.from({ length: 20 }, () => service.ask('/v1/country/DE'));
  while (whereabouts.arrived < answers.length) await new Promise<void>((resolve) => process.nextTick(resolve));
  assert.equal(answered, 0);
  other.exec('COMMIT');
  assert.equal(await mostInATurn(() => answered, answers.length), 1);
  for (const { status } of await Promise.all(answers)) assert.equal(status, 200);
});

test('requests that waited for calls of a quota are expected to take what their route took', async (t) => {
  const { pass } = durations(t);
  const worker = { key: '', remoteAddress: '127.0.0.3' };
  const ended: string[] = [];
  let atWork: ReturnType<typeof service.ask> | undefined;
  const record = ({ endpoint }: { endpoint: string }) => {
    ended.push(endpoint);
    pass(endpoint === 'country' ? 70 : 1);
    if (ended.length === 3) atWork = service.ask('/v1/countries', worker);
  };
  const keysPath = join(temporaryDirectory(t), 'keys.sqlite');
  const service = await testService(t, { keysPath, record });
  const { whereabouts } = service.app;
  worker.key = service.makeKey();
  const keys = Array.from({ length: 20 }, () => service.makeKey());
  await service.ask('/v1/countries', worker);
  await service.ask('/v1/country/DE', { key: service.makeKey() });
  whereabouts.lanes.count([worker.remoteAddress], 100);
  const other = new DatabaseSync(keysPath);
  t.after(() => other.close());
  other.exec('BEGIN IMMEDIATE');
  const answers = keys.map((key, at) => service.ask('/v1/country/DE', { key, remoteAddress: `127.0.1.${at}` }));
  while (whereabouts.arrived < 22) await new Promise<void>((resolve) => process.nextTick(resolve));
  other.exec('COMMIT');
  for (const { status } of await Promise.all(answers)) assert.equal(status, 200);
  assert.equal((await atWork!).status, 200);
  assert.ok(ended.lastIndexOf('countries') <= 4, `${ended}`);
});

test('addresses of one network that fill the queue have no request of another refused', async (t) => {
  const service = await testService(t, { limits: { sliceMs: 0, waitingRequests: 32 }, trustedProxies: ['127.0.0.1'] });
  const ask = (address: string) =>
    service.ask('/portal/v1/country/DE', { key: null, headers: { 'x-forwarded-for': address } });
  const flood = Array.from({ length: 48 }, (_, index) => ask(`2001:db8:0:${(index % 16).toString(16)}::1`));
  await arrive(service, 32);
  while (service.app.whereabouts.arrived < 48) await new Promise<void>((resolve) => process.nextTick(resolve));
  assert.equal((await ask('203.0.113.9')).status, 200);
  const statuses = (await Promise.all(flood)).map(({ status }) => status);
  assert.equal(statuses.filter((status) => status === 503).length, 17);
  assert.equal(statuses.filter((status) => status === 200).length, 31);
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

test('what requests do behind their look-ups is done in turns: as many answers that come at once do not delay others', async (t) => {
  const service = await testService(t, { limits: { sliceMs: 2 } });
  const current = service.holder.current!;
  const come = Promise.withResolvers<void>();
  let asked = 0;
  let done = 0;
  const lookUps: LookUps = {
    fetch() {
      asked++;
      return come.promise;
    },
    within(search) {
      const until = performance.now() + 4;
      while (performance.now() < until);
      done++;
      return search();
    },
  };
  const countries = () => {
    throw new Deferred(lookUps);
  };
  const key = service.makeKey();
  service.holder.current = Object.create(current, { countries: { get: countries } });
  const count = 16;
  const ends = Array.from({ length: count }, () => service.ask('/v1/country/DE', { key }));
  while (asked < count) await nextTurn();
  service.holder.current = current;
  come.resolve();
  await service.ask('/v1/distance?from_lat=0&from_lng=0&to_lat=1&to_lng=1', { remoteAddress: '203.0.113.7' });
  assert.ok(done <= 4, `${done} of ${count} before it`);
  for (const { status } of await Promise.all(ends)) assert.equal(status, 200);
});

test('look-ups at other machines are shared: a burst of one key is not before the one of another', async (t) => {
  const service = await testService(t);
  const current = service.holder.current!;
  const opened = Promise.withResolvers<void>();
  const started: { of: string; end(): void }[] = [];
  const askAs = (of: string) => {
    const fetch = () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      started.push({ of, end: resolve });
      return Promise.race([promise, opened.promise]);
    };
    const countries = () => {
      throw new Deferred({ fetch, within: (search) => search() });
    };
    service.holder.current = Object.create(current, { countries: { get: countries } });
    return service.ask('/v1/country/DE', { key: service.makeKey(), remoteAddress: of });
  };
  const key = service.makeKey();
  const burst = askAs('203.0.113.1');
  const more = Array.from({ length: 299 }, () => service.ask('/v1/country/DE', { key, remoteAddress: '203.0.113.1' }));
  while (service.app.whereabouts.arrived < 300) await nextTurn();
  for (let turn = 0; turn < 400; turn++) await nextTurn();
  const before = started.length;
  assert.ok(before <= 16, `${before} at once`);
  const other = askAs('203.0.113.2');
  while (service.app.whereabouts.arrived < 301) await nextTurn();
  for (let turn = 0; turn < 400; turn++) await nextTurn();
  service.holder.current = current;
  // On a busy machine the other one may get to its look-up a few of them later.
  for (let ended = 0; !started.some(({ of }) => of === '203.0.113.2'); ended++) {
    assert.ok(ended < before, `behind ${ended} of the burst`);
    const { length } = started;
    started[ended].end();
    while (started.length === length) await nextTurn();
    for (let turn = 0; turn < 100; turn++) await nextTurn();
  }
  opened.resolve();
  assert.equal((await other).status, 200);
  assert.equal((await burst).status, 200);
  const statuses = (await Promise.all(more)).map(({ status }) => status);
  assert.ok(statuses.every((status) => status === 200 || status === 503));
  assert.ok(statuses.includes(503), 'no more wait than that');
});

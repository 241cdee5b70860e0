/** Keys and quotas on a real Valkey or Redis server, as several nodes use it. */
import assert from 'node:assert/strict';
import { suite, type TestContext, test } from 'node:test';
import { UsageError, WhereaboutsError } from '../../src/errors.ts';
import { generateKey } from '../../src/keys/key-format.ts';
import type { Keys } from '../../src/keys/keys.ts';
import { type Account, dayMs, dayOf } from '../../src/keys/meter.ts';
import { defaultPlans } from '../../src/keys/plans.ts';
import { openValkeyKeys } from '../../src/keys/valkey/valkey-keys.ts';
import { noRedisServer, type RedisServer, redisServer } from '../support/redis-server.ts';
import { until } from '../support/served.ts';

const plans = {
  ...defaultPlans,
  hundred: { callsPerDay: 100, callsPerSecond: 1e6, burst: 1e6, batchSize: 100 },
  large: { callsPerDay: 5000, callsPerSecond: 1e6, burst: 1e6, batchSize: 100 },
  slow: { callsPerDay: 5000, callsPerSecond: 0.001, burst: 10, batchSize: 100 },
};

type Node = Keys & { errors: unknown[] };

async function open(t: TestContext, server: RedisServer, whenAway: 'deny' | 'allow' = 'deny', now?: () => number) {
  const errors: unknown[] = [];
  const onError = (error: unknown) => errors.push(error);
  const keys = await openValkeyKeys(server.url, { plans, whenAway, onError, ...(now ? { now } : {}) });
  t.after(() => keys.close());
  return Object.assign(keys, { errors }) as Node;
}

/** Waits until a node has what a request needs, then does with the account what the request would. */
function request<T>(
  keys: Keys,
  key: string,
  calls: number,
  use: (account: Account) => T,
  now = Date.now(),
): Promise<T> {
  return new Promise((resolve, reject) => {
    const go = (error?: unknown) => {
      if (error) return reject(error);
      const account = keys.authenticate(key, now);
      if (typeof account === 'string') return reject(new Error(account));
      return resolve(use(account));
    };
    if (keys.prepare!(key, calls, now, go)) go();
  });
}

const take = (keys: Keys, key: string, calls = 1, now = Date.now()) =>
  request(keys, key, calls, (account) => keys.meter.take(account, calls, now), now);
const used = (keys: Keys, key: string) => request(keys, key, 0, (account) => keys.meter.used(account, Date.now()));
const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);

suite('keys on a server', { skip: noRedisServer }, () => {
  test('a key made on one node works on the other, has its restrictions, and is listed and found there', async (t) => {
    const server = await redisServer(t);
    const [one, two] = [await open(t, server), await open(t, server)];
    const given = { name: 'shop', plan: 'pro', networks: ['10.0.0.0/8'], origins: ['https://example.org'] };
    const { key, record } = await one.create(given);
    const seen = await request(two, key, 0, (account) => account.key);
    assert.deepEqual(seen, record);
    assert.deepEqual(await two.list(), [record]);
    for (const reference of [String(record.id), key.slice(0, 12), key]) {
      assert.deepEqual(await two.find(reference), record);
    }
    await assert.rejects(async () => two.find(generateKey()), UsageError);
    await assert.rejects(async () => two.create({ plan: 'gold' }), UsageError);
    await assert.rejects(take(two, generateKey()), /unknown/);
    assert.equal(two.authenticate('wab_nonsense', Date.now()), 'malformed');
  });

  test('a change, a rotation and a revocation reach the other node within a second or so', async (t) => {
    const server = await redisServer(t);
    const [one, two] = [await open(t, server), await open(t, server)];
    const { key, record } = await one.create();
    assert.equal(await request(two, key, 0, ({ plan }) => plan.callsPerDay), 1000);
    await one.change(record.id, { plan: 'pro' });
    await until('the plan', async () => (await request(two, key, 0, ({ plan }) => plan.callsPerDay)) === 100_000);
    const rotated = await one.rotation.rotate(record.id, 3_600_000);
    assert.equal(await request(two, rotated, 0, (account) => account.key.id), record.id);
    assert.equal(await request(two, key, 0, (account) => account.key.id), record.id);
    assert.deepEqual(
      (await two.rotation.formerTexts(record.id)).map(({ display }) => display),
      [key.slice(0, 12)],
    );
    const again = await one.rotation.rotate(record.id, 0);
    await until('the end of a former text', async () => {
      const end = await request(two, rotated, 0, () => 'valid').catch((error: Error) => error.message);
      return end === 'expired';
    });
    await one.revoke(record.id);
    await until('the revocation', async () => {
      const end = await request(two, again, 0, () => 'valid').catch((error: Error) => error.message);
      return end === 'revoked';
    });
  });

  test("a key's owner's code is kept as a hash", async (t) => {
    const keys = await open(t, await redisServer(t));
    const { record } = await keys.create();
    assert.equal(await keys.rotation.isProtected(record.id), false);
    const code = await keys.rotation.protect(record.id);
    assert.equal(await keys.rotation.isOwner(record.id, code), true);
    assert.equal(await keys.rotation.isOwner(record.id, generateKey()), false);
    await keys.rotation.unprotect(record.id);
    assert.equal(await keys.rotation.isProtected(record.id), false);
  });

  test('two nodes give out the last 100 calls exactly once, however they come', async (t) => {
    const server = await redisServer(t);
    const nodes = [await open(t, server), await open(t, server)];
    const { key } = await nodes[0].create({ plan: 'hundred' });
    const asked = Array.from({ length: 300 }, (_, index) => take(nodes[index % 10 === 0 ? 1 : 0], key));
    assert.equal(sum(await Promise.all(asked)), 100);
    await until('both know', async () => (await used(nodes[0], key)) === 100 && (await used(nodes[1], key)) === 100);
    assert.equal(await take(nodes[1], key, 5), 0);
  });

  test('leases of many calls are given back when they lie idle; in sum the quota is spent exactly', async (t) => {
    const server = await redisServer(t);
    const [one, two] = [await open(t, server), await open(t, server)];
    const { key } = await one.create({ plan: 'large' });
    assert.equal(await take(one, key), 1);
    assert.equal(await take(two, key, 100), 100);
    let got = 101;
    await until('all is spent by one node', async () => {
      got += sum(await Promise.all(Array.from({ length: 500 }, () => take(two, key))));
      return got >= 5000;
    });
    assert.equal(got, 5000);
    assert.equal(await take(one, key), 0);
  });

  test('a batch gets what is left and no more; a call given back can be spent again', async (t) => {
    const server = await redisServer(t);
    const [one, two] = [await open(t, server), await open(t, server)];
    const { key } = await one.create({ plan: 'hundred' });
    assert.equal(await take(one, key, 90), 90);
    assert.equal(await take(two, key, 50), 10);
    await request(two, key, 0, (account) => two.meter.refund(account, 3, Date.now()));
    let got = 0;
    await until('three calls', async () => (got += await take(one, key)) === 3);
    assert.equal(await take(one, key), 0);
  });

  test('what a client does on one node counts against its rate on the other', async (t) => {
    const server = await redisServer(t);
    const [one, two] = [await open(t, server), await open(t, server)];
    const { key } = await one.create({ plan: 'slow' });
    const admit = (keys: Keys) => request(keys, key, 0, (account) => keys.meter.admit(account, Date.now()) === 0);
    assert.equal(await admit(two), true);
    let admitted = 0;
    while (await admit(one)) admitted++;
    assert.ok(admitted <= 10);
    // Bound: a burst on each node. What one admitted is owed by the other as soon as it is told.
    await until('the other node is out too', async () => !(await admit(two)));
  });

  test('a new day begins with a full quota, and the day before is in the history of every node', async (t) => {
    const server = await redisServer(t);
    const clock = { now: Date.UTC(2026, 5, 15, 23, 59) };
    const [one, two] = [await open(t, server, 'deny', () => clock.now), await open(t, server, 'deny', () => clock.now)];
    const { key } = await one.create({ plan: 'hundred' });
    assert.equal(await take(one, key, 100, clock.now), 100);
    const yesterday = dayOf(clock.now);
    clock.now += dayMs / 2;
    assert.equal(await take(one, key, 7, clock.now), 7);
    await one.flush();
    await until('the history', async () => {
      const days = await request(two, key, 0, (account) => two.usageSince(account, yesterday, clock.now), clock.now);
      return days.get(yesterday) === 100 && days.get(yesterday + 1) === 7;
    }).catch(async (error) => {
      const days = await request(two, key, 0, (account) => two.usageSince(account, yesterday, clock.now), clock.now);
      assert.fail(`${error.message}: ${JSON.stringify([...days])}`);
    });
  });

  for (const [what, stop, back] of [
    ['is killed', (server: RedisServer) => server.kill(), (server: RedisServer) => server.start()],
    ['hangs', async (server: RedisServer) => server.pause(), async (server: RedisServer) => server.resume()],
  ] as const) {
    test(`deny: while the server ${what}, requests are refused as unavailable; when it is back all counts are right`, async (t) => {
      const server = await redisServer(t);
      const [one, two] = [await open(t, server), await open(t, server)];
      const { key } = await one.create({ plan: 'hundred' });
      assert.equal(await take(one, key, 40), 40);
      assert.equal(await take(two, key, 20), 20);
      await stop(server);
      const refusal = await take(one, key).catch((error) => error);
      assert.ok(refusal instanceof WhereaboutsError);
      assert.equal(refusal.code, 'unavailable');
      assert.ok(refusal.retryAfterSeconds! >= 1);
      await until('it is noticed', () => one.isHealthy!() === false);
      assert.ok(one.errors.length > 0);
      await back(server);
      await until('it is back', () => one.isHealthy!() && two.isHealthy!());
      const rest = await Promise.all(Array.from({ length: 100 }, (_, index) => take([one, two][index % 2], key)));
      assert.equal(sum(rest), 40);
    });
  }

  test('allow: a node alone serves known keys within the quota it knows of, and what it served is counted later', async (t) => {
    const server = await redisServer(t);
    const [one, two] = [await open(t, server, 'allow'), await open(t, server, 'allow')];
    const { key } = await one.create({ plan: 'hundred' });
    const stranger = await one.create({ plan: 'hundred' });
    assert.equal(await take(one, key, 40), 40);
    assert.equal(await take(two, key, 10), 10);
    await until('both know', async () => (await used(one, key)) === 50);
    await server.kill();
    await until('it is noticed', () => one.isHealthy!() === false);
    // Each node for itself may reach the whole quota: with two nodes at most twice what was left.
    assert.equal(sum(await Promise.all(Array.from({ length: 100 }, () => take(one, key)))), 50);
    await assert.rejects(take(one, stranger.key), { code: 'unavailable' });
    await server.start();
    await until('it is counted', async () => (await used(two, key)) === 100);
    assert.equal(await take(two, key), 0);
  });

  test('a node that starts while the server is away serves as soon as it is there', async (t) => {
    const server = await redisServer(t);
    const first = await open(t, server);
    const { key } = await first.create({ plan: 'hundred' });
    await server.kill();
    const late = await open(t, server);
    await assert.rejects(take(late, key), { code: 'unavailable' });
    await server.start();
    await until('it is there', () => late.isHealthy!());
    assert.equal(await take(late, key), 1);
  });
});

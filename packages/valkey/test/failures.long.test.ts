/** Keys on a real Valkey or Redis server that comes and goes. */
import assert from 'node:assert/strict';
import { suite, type TestContext, test } from 'node:test';
import { WhereaboutsError } from '../../../src/errors.ts';
import type { KeyStore } from '../../../src/keys/key-store.ts';
import { clockFromNoon as now, keyPlans as plans, reserve } from '../../../test/support/key-engines.ts';
import { until } from '../../../test/support/served.ts';
import { noRedisServer, type RedisServer, redisServer } from './support/redis-server.ts';
import { openValkeyKeys } from './support/server-engines.ts';

type Node = KeyStore & { errors: unknown[] };

async function open(t: TestContext, server: RedisServer, whenUnavailable: 'deny' | 'allow' = 'deny', timeoutMs = 5000) {
  const errors: unknown[] = [];
  const keys = await openValkeyKeys(server.url, {
    plans,
    whenUnavailable,
    now,
    timeoutMs,
    onChange: (change) => errors.push(change),
  });
  t.after(() => keys.close());
  return Object.assign(keys, { errors }) as Node;
}

const take = async (keys: KeyStore, key: string, calls = 1) => (await reserve(keys, key, calls, now())).granted;
const used = async (keys: KeyStore, key: string) => {
  const { account } = await reserve(keys, key, 0, now());
  return keys.meter.used(account, now());
};
const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);

suite('keys on a server', { skip: noRedisServer }, () => {
  for (const [what, stop, back] of [
    ['is killed', (server: RedisServer) => server.kill(), (server: RedisServer) => server.start()],
    ['hangs', async (server: RedisServer) => server.pause(), async (server: RedisServer) => server.resume()],
  ] as const) {
    test(`deny: while the server ${what}, requests are refused as unavailable; when it is back all counts are right`, async (t) => {
      const server = await redisServer(t);
      const [one, two] = [await open(t, server), await open(t, server)];
      const { key } = await one.create({ plan: 'hundred' }, 'test');
      assert.equal(await take(one, key, 40), 40);
      assert.equal(await take(two, key, 20), 20);
      await stop(server);
      const refusal = await take(one, key).catch((error) => error);
      assert.ok(refusal instanceof WhereaboutsError);
      assert.equal(refusal.code, 'unavailable');
      assert.ok(refusal.retryAfterSeconds! >= 1);
      await until('it is noticed', () => one.isHealthy() === false);
      assert.ok(one.errors.length > 0);
      await back(server);
      await until('it is back', () => one.isHealthy() && two.isHealthy());
      const rest = await Promise.all(Array.from({ length: 100 }, (_, index) => take([one, two][index % 2], key)));
      assert.equal(sum(rest), 40);
    });
  }

  test('allow: a node alone serves known keys within the quota it knows of, and what it served is counted later', async (t) => {
    const server = await redisServer(t);
    const [one, two] = [await open(t, server, 'allow'), await open(t, server, 'allow')];
    const { key } = await one.create({ plan: 'hundred' }, 'test');
    const stranger = await one.create({ plan: 'hundred' }, 'test');
    assert.equal(await take(one, key, 40), 40);
    assert.equal(await take(two, key, 10), 10);
    await until('both know', async () => (await used(one, key)) === 50);
    await server.kill();
    await until('it is noticed', () => one.isHealthy() === false);
    // Each node for itself may reach the whole quota: with two nodes at most twice what was left.
    assert.equal(sum(await Promise.all(Array.from({ length: 100 }, () => take(one, key)))), 50);
    await assert.rejects(take(one, stranger.key), { code: 'unavailable' });
    await server.start();
    await until('it is counted', async () => (await used(two, key)) === 100);
    assert.equal(await take(two, key), 0);
  });

  test('a node that starts while the server is away serves as soon as it is up', async (t) => {
    const server = await redisServer(t);
    const first = await open(t, server);
    const { key } = await first.create({ plan: 'hundred' }, 'test');
    await server.kill();
    const late = await open(t, server, 'deny', 1000);
    await assert.rejects(take(late, key), { code: 'unavailable' });
    await server.start();
    await until('it is there', () => late.isHealthy());
    assert.equal(await take(late, key), 1);
  });
});

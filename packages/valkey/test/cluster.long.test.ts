/** A real Redis cluster whose masters die under load: what is granted, and what an acknowledged write is worth. */
import assert from 'node:assert/strict';
import { suite, type TestContext, test } from 'node:test';
import type { KeyEngineChange, KeyStore, KeyStoreOptions } from '../../../src/keys/key-store.ts';
import { dayOf } from '../../../src/keys/meter.ts';
import { clockFromNoon as now, keyPlans as plans, reserve } from '../../../test/support/key-engines.ts';
import { until } from '../../../test/support/served.ts';
import { names } from '../src/index.ts';
import { type RedisCluster, redisCluster } from './support/redis-cluster.ts';
import { noRedisServer, type RedisServer } from './support/redis-server.ts';
import { openValkeyKeys } from './support/server-engines.ts';

async function open(t: TestContext, { url }: RedisCluster, replicas: number, more: Partial<KeyStoreOptions> = {}) {
  const options = { plans, whenUnavailable: 'deny', replicas, now, timeoutMs: 6000, ...more } as const;
  const keys = await openValkeyKeys(url, options);
  t.after(() => keys.close());
  await until('it is up', () => keys.isHealthy());
  return keys;
}

const take = async (keys: KeyStore, key: string, calls = 1) => (await reserve(keys, key, calls, now())).granted;
/** Calls granted; 0 where the request was refused as unavailable. */
const tried = (keys: KeyStore, key: string, calls = 1) =>
  take(keys, key, calls).catch((error: Error & { code?: string }) => {
    assert.equal(error.code, 'unavailable', String(error));
    return 0;
  });

/** The replica of a master. */
async function replicaOf(cluster: RedisCluster, master: RedisServer): Promise<RedisServer> {
  const id = await cluster.ask(master, 'CLUSTER', 'MYID');
  const line = (await cluster.ask(master, 'CLUSTER', 'NODES'))
    .split('\n')
    .find((found) => found.includes(`slave ${id}`));
  return cluster.nodes.find(({ port }) => line?.includes(`127.0.0.1:${port}@`))!;
}

suite('keys in a cluster whose nodes die', { skip: noRedisServer }, () => {
  test('a master is killed under load: exactly the quota is granted, and no key is lost', async (t) => {
    const cluster = await redisCluster(t);
    const nodes = [await open(t, cluster, 1), await open(t, cluster, 1)];
    // Keys on all masters, all in use.
    const made = await Promise.all(Array.from({ length: 9 }, () => nodes[0].create({ plan: 'thousand' }, 'test')));
    const granted = new Map(made.map(({ key }) => [key, 0]));
    let round = 0;
    let isLoaded = true;
    const spend = async (keys: KeyStore, key: string, calls = 1) => {
      const got = await tried(keys, key, calls);
      granted.set(key, granted.get(key)! + got);
    };
    const load = async (keys: KeyStore, key: string) => {
      while (isLoaded) {
        await spend(keys, key);
        round++;
        await new Promise(setImmediate);
      }
    };
    const running = nodes.flatMap((keys) => made.map(({ key }) => load(keys, key)));
    await until('load', () => round > 500);
    const victim = await cluster.masterOf(names.key(made[0].record.id));
    await victim.kill();
    await until('another is the master', async () => {
      const master = await cluster.masterOf(names.key(made[0].record.id)).catch(() => victim);
      return master !== victim;
    });
    await until('all keys are served again', async () => {
      const answers = await Promise.all(
        nodes.flatMap((keys) =>
          made.map(({ key }) => keys.reserve(key, 0, now())).map((found) => Promise.resolve(found).catch(() => 'away')),
        ),
      );
      return answers.every((answer) => typeof answer === 'object');
    });
    isLoaded = false;
    await Promise.all(running);
    // The rest of each quota, when the nodes have returned what they reserved and did not use.
    await victim.start();
    await cluster.isWhole(3);
    for (const { key } of made) {
      await until('the quota is spent', async () => {
        for (const keys of nodes) await spend(keys, key, 50);
        return granted.get(key)! >= 1000;
      });
    }
    for (let again = 0; again < 3; again++) {
      for (const keys of nodes) await keys.flush();
      for (const { key } of made) for (const keys of nodes) await spend(keys, key);
    }
    assert.deepEqual(
      [...granted.values()],
      made.map(() => 1000),
    );
    assert.equal((await nodes[1].list()).length, 9);
  });

  test('with two replicas, keys can be made and used again before a dead master is back, and none that was shown is lost', async (t) => {
    const cluster = await redisCluster(t, { replicas: 2 });
    const keys = await open(t, cluster, 1);
    const spent = new Map<string, number>();
    for (let at = 0; at < 9; at++) spent.set((await keys.create({ plan: 'thousand' }, 'test')).key, 0);
    const refusals: number[] = [];
    let isOver = false;
    const shown = new Set<number>();
    const making = (async () => {
      for (; !isOver; await new Promise(setImmediate))
        await keys.create({ plan: 'hundred' }, 'test').then(
          ({ record }) => shown.add(record.id),
          () => refusals.push(performance.now()),
        );
    })();
    const spending = [...spent.keys()].map(async (key) => {
      for (; !isOver; await new Promise(setImmediate)) spent.set(key, spent.get(key)! + (await tried(keys, key)));
    });
    await until('load', () => shown.size > 100);
    const victim = await cluster.masterOf(names.key((await keys.list())[0].id));
    await victim.kill();
    const killedAt = performance.now();
    await until('keys were refused', () => refusals.length > 0);
    // Every third key is on the shard of the dead master.
    await until('keys are made again', async () => {
      const [before, refused] = [shown.size, refusals.length];
      await until('some more', () => shown.size > before + 50 || refusals.length > refused);
      return refusals.length === refused;
    });
    t.diagnostic(`keys were refused for ${Math.round(refusals.at(-1)! - killedAt)} ms after the death of a master`);
    isOver = true;
    await Promise.all([making, ...spending]);
    const known = new Set((await keys.list()).map(({ id }) => id));
    assert.deepEqual(
      [...shown].filter((id) => !known.has(id)),
      [],
    );
    for (const key of spent.keys())
      await until('the quota is spent', async () => {
        spent.set(key, spent.get(key)! + (await tried(keys, key, 50)));
        await keys.flush();
        return spent.get(key)! >= 1000;
      });
    assert.deepEqual(
      [...spent.values()],
      [...spent].map(() => 1000),
    );
  });

  test('with keyReplicas a lease counts only when a replica has it: without an answer from one there is none', async (t) => {
    const cluster = await redisCluster(t);
    const keys = await open(t, cluster, 1);
    const { key, record } = await keys.create({ plan: 'hundred' }, 'test');
    assert.equal(await take(keys, key, 10), 10);
    const replica = await replicaOf(cluster, await cluster.masterOf(names.key(record.id)));
    replica.pause();
    assert.equal(await tried(keys, key, 10), 0);
    await assert.rejects(keys.change(record.id, { name: 'shop' }, 'test'), { code: 'unavailable' });
    replica.resume();
    await until('it is served again', async () => (await tried(keys, key, 10)) === 10);
    assert.equal(await take(keys, key, 200), 80);
  });

  test('without it a failover may lose a lease; its holder reports it again, so that it is granted once', async (t) => {
    const cluster = await redisCluster(t);
    const [one, two] = [await open(t, cluster, 0), await open(t, cluster, 0)];
    const { key, record } = await one.create({ plan: 'hundred' }, 'test');
    for (const keys of [one, two]) assert.equal(await take(keys, key, 1), 1);
    const master = await cluster.masterOf(names.key(record.id));
    const replica = await replicaOf(cluster, master);
    // The replica hears of nothing any more, not even by what its socket has received: 40 calls die with the master.
    replica.pause();
    await cluster.ask(master, 'CLIENT', 'KILL', 'TYPE', 'replica');
    assert.equal(await take(one, key, 40), 40);
    await one.flush();
    await master.kill();
    replica.resume();
    await until(
      'the replica is the master',
      async () => (await cluster.masterOf(names.key(record.id)).catch(() => 0)) === replica,
    );
    const calls = async () => Number(await cluster.ask(replica, 'HGET', names.use(record.id), String(dayOf(now()))));
    await until('it is reported again', async () => (await calls()) === 42);
    let rest = 0;
    await until('the rest is given out', async () => (rest += await tried(two, key, 100)) >= 58);
    assert.equal(rest, 58);
    assert.equal(await tried(one, key, 1), 0);
  });

  test('while a master and its replica are away each reason is reported once, and how many failed when they are back', async (t) => {
    const cluster = await redisCluster(t);
    let aheadMs = 0;
    const changes: KeyEngineChange[] = [];
    const keys = await open(t, cluster, 0, {
      now: () => now() + aheadMs,
      onChange: (change) => changes.push(change),
    });
    const made = await Promise.all(Array.from({ length: 9 }, () => keys.create({ plan: 'thousand' }, 'test')));
    const master = await cluster.masterOf(names.key(made[0].record.id));
    const gone = [await replicaOf(cluster, master), master];
    for (const node of gone) await node.kill();
    let failures = 0;
    await until('many have failed', async () => {
      for (const { key } of made) if ((await tried(keys, key)) === 0) failures++;
      return failures > 300;
    });
    for (const node of gone) await node.start();
    await until('they are back', async () => {
      const granted = await Promise.all(made.map(({ key }) => tried(keys, key)));
      return granted.every((calls) => calls === 1);
    });
    const reasons = changes.map((change) => change.state === 'away' && String(change.error));
    assert.deepEqual(reasons, [...new Set(reasons)]);
    assert.ok(reasons.length > 0 && reasons.length <= 5, reasons.join());
    aheadMs = 10_000;
    await until('it is reported', () => changes.at(-1)?.state === 'back');
    const { failures: reported } = changes.at(-1) as Extract<KeyEngineChange, { state: 'back' }>;
    assert.ok(reported > reasons.length, String(reported));
    assert.equal(changes.length, reasons.length + 1);
  });
});

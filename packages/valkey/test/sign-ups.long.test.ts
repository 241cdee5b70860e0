/** Limits of sign-ups on a real Valkey or Redis server that machines share. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, type TestContext, test } from 'node:test';
import { serve, servedPlans, smallData, until } from '../../../test/support/served.ts';
import { connect } from '../src/connection.ts';
import { noRedisServer, type RedisServer, redisServer } from './support/redis-server.ts';
import { openValkeyKeys } from './support/server-engines.ts';

const limits = { perNetwork: 3, perEmail: 2, linkMs: 3_600_000 };

async function signUpsOf(t: TestContext, server: RedisServer) {
  const keys = await openValkeyKeys(server.url.replace(/^redis/, 'valkey'), {
    plans: servedPlans,
    whenUnavailable: 'deny',
    signUpLimits: limits,
    timeoutMs: 20_000,
  });
  t.after(() => keys.close());
  return keys.signUps;
}

suite('sign-ups on a server', { skip: noRedisServer }, () => {
  test('neither addresses nor links are on the server, and everything but the secret expires', async (t) => {
    const server = await redisServer(t);
    const one = await signUpsOf(t, server);
    await one.admit('203.0.113.7', 'someone@example.org');
    const token = await one.makeLink();
    assert.equal(await one.useLink(token), true);
    const connection = await connect(server.url, { onUp: () => {}, onDown: () => {} });
    t.after(() => connection.close());
    const names = (await connection.read('KEYS', '*')) as string[];
    assert.equal(names.length, 4);
    for (const name of names) {
      const ttl = (await connection.read('TTL', name)) as number;
      assert.equal(ttl > 0, !name.endsWith(':secret'), name);
    }
    const file = readFileSync(server.file(), 'latin1');
    for (const text of ['someone', 'example.org', '203.0.113.7', token]) assert.ok(!file.includes(text), text);
  });

  test('while the server is away sign-ups are refused as unavailable, and work again when it is back', async (t) => {
    const server = await redisServer(t);
    const one = await signUpsOf(t, server);
    assert.equal(await one.admit('203.0.113.7', undefined), 0);
    await server.kill();
    await assert.rejects(async () => one.admit('203.0.113.7', undefined), { code: 'unavailable' });
    await server.start();
    const admitted = () => Promise.resolve(one.admit('203.0.113.7', undefined)).catch(() => undefined);
    await until('it is back', async () => (await admitted()) === 0);
  });

  test('two services with one server share the limit, and a key of the one works on the other', async (t) => {
    const server = await redisServer(t);
    const settings = { keys: server.url, signUp: 'open' };
    const nodes = [await serve(t, await smallData(t), settings), await serve(t, await smallData(t), settings)];
    const signUp = (index: number) =>
      fetch(`${nodes[index].url}/account/sign-up`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{}',
      });
    const answers = await Promise.all(Array.from({ length: 12 }, (_, index) => signUp(index % 2)));
    assert.equal(answers.filter(({ status }) => status === 201).length, 10);
    const refused = answers.filter(({ status }) => status === 429);
    assert.equal(refused.length, 2);
    assert.ok(Number(refused[0].headers.get('retry-after')) > 80_000);
    const { key } = (await answers.find(({ status }) => status === 201)!.json()) as { key: string };
    for (const { url } of nodes) {
      const answer = await fetch(`${url}/v1/countries`, { headers: { 'x-api-key': key, connection: 'close' } });
      assert.equal(answer.status, 200);
    }
  });
});

/** Limits of sign-ups on a real Valkey or Redis server that machines share. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, type TestContext, test } from 'node:test';
import { connect } from '../../src/keys/valkey/connection.ts';
import { openValkeySignUps } from '../../src/keys/valkey/sign-ups.ts';
import { noRedisServer, type RedisServer, redisServer } from '../support/redis-server.ts';
import { serve, smallData, until } from '../support/served.ts';

const dayMs = 86_400_000;
const limits = { perNetwork: 3, perEmail: 2, linkMs: 3_600_000 };

/** Two machines with one server and one clock. */
function machines(t: TestContext, server: RedisServer, given = limits) {
  const clock = { now: Date.now() };
  const pair = [0, 1].map(() => openValkeySignUps(server.url, { now: () => clock.now, limits: given }));
  for (const machine of pair) t.after(() => machine.close());
  return { clock, one: pair[0], two: pair[1] };
}

suite('sign-ups on a server', { skip: noRedisServer }, () => {
  test('a network has its share of a day on all machines together, and gets it back a day after', async (t) => {
    const { one, two, clock } = machines(t, await redisServer(t));
    for (const machine of [one, two, one]) assert.equal(await machine.admit('203.0.113.7', undefined), 0);
    clock.now += 1000;
    assert.equal(await two.admit('203.0.113.7', undefined), 86_399);
    assert.equal(await two.admit('203.0.113.8', undefined), 0);
    clock.now += dayMs;
    assert.equal(await two.admit('203.0.113.7', undefined), 0);
  });

  test('many tries at once on both machines are admitted as often as is allowed', async (t) => {
    const { one, two } = machines(t, await redisServer(t));
    const tries = Array.from({ length: 40 }, (_, index) => (index % 2 ? one : two).admit('2001:db8::1', undefined));
    assert.equal((await Promise.all(tries)).filter((wait) => wait === 0).length, 3);
  });

  test('an e-mail address has its share too; a refused try counts for nothing', async (t) => {
    const { one, two } = machines(t, await redisServer(t));
    assert.equal(await one.admit('192.0.2.1', 'someone@example.org'), 0);
    assert.equal(await two.admit('192.0.2.2', 'Someone+keys@EXAMPLE.org'), 0);
    for (let i = 0; i < 5; i++) assert.ok((await two.admit('192.0.2.3', 'someone@example.org')) > 0);
    for (let i = 0; i < 3; i++) assert.equal(await one.admit('192.0.2.3', undefined), 0);
  });

  test('a link of one machine works once on the other, and not after its time', async (t) => {
    const server = await redisServer(t);
    const { one, two } = machines(t, server);
    const token = await one.makeLink();
    assert.equal(await two.useLink(`${token}x`), false);
    const used = await Promise.all([one.useLink(token), two.useLink(token), two.useLink(token)]);
    assert.equal(used.filter(Boolean).length, 1);
    const brief = machines(t, server, { ...limits, linkMs: 1 }).one;
    const late = await brief.makeLink();
    const connection = await connect(server.url, { onUp: () => {}, onDown: () => {} });
    t.after(() => connection.close());
    await until('it is over', async () => !JSON.stringify(await connection.send('KEYS', '*')).includes(':link:'));
    assert.equal(await two.useLink(late), false);
  });

  test('neither addresses nor links are on the server, and all of it but the secret has an end', async (t) => {
    const server = await redisServer(t);
    const { one } = machines(t, server);
    await one.admit('203.0.113.7', 'someone@example.org');
    const token = await one.makeLink();
    const connection = await connect(server.url, { onUp: () => {}, onDown: () => {} });
    t.after(() => connection.close());
    const names = (await connection.send('KEYS', '*')) as string[];
    assert.equal(names.length, 4);
    for (const name of names) {
      const ttl = (await connection.send('TTL', name)) as number;
      assert.equal(ttl > 0, !name.endsWith(':secret'), name);
    }
    const file = readFileSync(server.file(), 'latin1');
    for (const text of ['someone', 'example.org', '203.0.113.7', token]) assert.ok(!file.includes(text), text);
  });

  test('while the server is away sign-ups are refused as unavailable, and go on when it is back', async (t) => {
    const server = await redisServer(t);
    const { one } = machines(t, server);
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

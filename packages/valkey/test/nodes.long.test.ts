/** Two nodes that share one Valkey or Redis server, as real processes under real load. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { startLoad, tally } from '../../../test/support/clients.ts';
import { makeKey, type Served, serve, smallData, until } from '../../../test/support/served.ts';
import { noRedisServer, redisServer } from './support/redis-server.ts';

const path = '/v1/distance?from_lat=0&from_lng=0&to_lat=1&to_lng=1';

async function usage({ url }: Served, key: string): Promise<number> {
  const answer = await fetch(`${url}/v1/usage`, { headers: { 'x-api-key': key, connection: 'close' } });
  return ((await answer.json()) as { used: number }).used;
}

suite('two nodes with one server of keys', { skip: noRedisServer, concurrency: false }, () => {
  test('100 clients on both nodes, one of them with two workers, get exactly the quota', async (t) => {
    const server = await redisServer(t);
    const settings = { keys: server.url };
    const [first, second] = [await smallData(t), await smallData(t)];
    const key = await makeKey(first, 'thousand', settings);
    const nodes = [await serve(t, first, { ...settings, workers: 2 }), await serve(t, second, settings)];
    const load = startLoad((index) => nodes[index % 2].url + path, key, { clients: 100, maxRequests: 1600 });
    // An answer of the server that comes too late on a busy machine is a 503, which costs nothing.
    const { 200: granted = 0, 429: _, 503: __, ...others } = tally(await load.done);
    assert.deepEqual(others, {});
    let got = granted;
    // What a process had reserved when the load ended is returned within a moment.
    await until('the rest is given out', async () => {
      for (const { url } of nodes) {
        const answer = await fetch(url + path, { headers: { 'x-api-key': key, connection: 'close' } });
        if (answer.status === 200) got++;
      }
      return got >= 1000;
    });
    assert.equal(got, 1000);
    await until('both nodes know', async () => {
      const reported = await Promise.all(nodes.map((node) => usage(node, key)));
      return reported.every((calls) => calls === 1000);
    });
  });

  test('the server of keys is killed and comes back under load: every refusal says when to try again, every call counts', async (t) => {
    const server = await redisServer(t);
    const settings = { keys: server.url, whenKeysAway: 'deny' };
    const [first, second] = [await smallData(t), await smallData(t)];
    const key = await makeKey(first, 'million', settings);
    const nodes = [await serve(t, first, settings), await serve(t, second, settings)];
    const load = startLoad((index) => nodes[index % 2].url + path, key);
    await until('load', () => load.outcomes.length > 300);
    await server.kill();
    await until('refusals', () => load.outcomes.some(({ status }) => status === 503));
    const refused = load.outcomes.length;
    await server.start();
    await until('answers again', () => load.outcomes.slice(refused).some(({ status }) => status === 200));
    const outcomes = await load.stop();
    const counts = tally(outcomes);
    assert.deepEqual(Object.keys(counts).sort(), ['200', '503']);
    for (const { status, retryAfter } of outcomes) if (status === 503) assert.ok(Number(retryAfter) >= 1);
    await until('every call is counted, and none twice', async () => {
      const reported = await Promise.all(nodes.map((node) => usage(node, key)));
      return reported.every((calls) => calls === counts[200]);
    });
  });

  test('a node that starts while the server of keys is away says why, and serves as soon as it is up', async (t) => {
    const server = await redisServer(t);
    const settings = { keys: server.url };
    const data = await smallData(t);
    const key = await makeKey(data, 'million', settings);
    await server.kill();
    const node = await serve(t, data, settings);
    const ask = () => fetch(node.url + path, { headers: { 'x-api-key': key, connection: 'close' } });
    const refused = await ask();
    assert.equal(refused.status, 503);
    assert.ok(Number(refused.headers.get('retry-after')) >= 1);
    const {
      pid: _,
      time: __,
      hostname: ___,
      ...line
    } = await node.logged(({ msg }) => msg.startsWith('the key server'));
    const { host } = new URL(server.url);
    assert.deepEqual(line, {
      level: 50,
      endpoint: `redis://${host}`,
      reason: `connect ECONNREFUSED ${host}`,
      remedy: 'start the server, or correct its address in the setting "keys"',
      msg: 'the key server does not answer; retrying',
    });
    await server.start();
    await until('it serves', async () => (await ask()).status === 200);
  });

  test('allow: no request fails while the server of keys is away, and all of them are counted when it is back', async (t) => {
    const server = await redisServer(t);
    const settings = { keys: server.url, whenKeysAway: 'allow' };
    const data = await smallData(t);
    const key = await makeKey(data, 'million', settings);
    const node = await serve(t, data, settings);
    const load = startLoad(() => node.url + path, key);
    await until('load', () => load.outcomes.length > 300);
    await server.kill();
    const before = load.outcomes.length;
    await until('load without the server', () => load.outcomes.length > before + 3000);
    await server.start();
    const counts = tally(await load.stop());
    assert.deepEqual(Object.keys(counts), ['200']);
    await until('every call is counted', async () => (await usage(node, key)) === counts[200]);
  });

  test('a node is killed under load: the other serves on, and no more calls are lost than it had reserved', async (t) => {
    const server = await redisServer(t);
    const settings = { keys: server.url };
    const [first, second] = [await smallData(t), await smallData(t)];
    const key = await makeKey(first, 'thousand', settings);
    const [victim, survivor] = [await serve(t, first, settings), await serve(t, second, settings)];
    const load = startLoad(() => victim.url + path, key, { clients: 8, maxRequests: 200 });
    const { 200: onVictim = 0 } = tally(await load.done);
    victim.child.kill('SIGKILL');
    const rest = startLoad(() => survivor.url + path, key, { clients: 20, maxRequests: 1000 });
    let { 200: onSurvivor = 0 } = tally(await rest.done);
    await until('nothing is left', async () => {
      const { status } = await fetch(survivor.url + path, { headers: { 'x-api-key': key } });
      if (status === 200) onSurvivor++;
      return status === 429;
    });
    // A lease is at most an eighth of what is left above 200: (1000 − 200) / 8.
    assert.ok(onVictim + onSurvivor <= 1000, `${onVictim} + ${onSurvivor}`);
    assert.ok(onVictim + onSurvivor >= 900, `${onVictim} + ${onSurvivor}`);
  });
});

/** Two workers on one port, under real load. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { startLoad, tally } from '../../support/clients.ts';
import { addDataset, makeCurrent, makeKey, type Served, serve, smallData, until } from '../../support/served.ts';

const path = '/v1/distance?from_lat=0&from_lng=0&to_lat=1&to_lng=1';
const ask = async (served: Served, key: string, url = path) =>
  fetch(served.url + url, { headers: { 'x-api-key': key, connection: 'close' } });

/** Pids of the workers, as the metrics name them. */
async function pids({ metrics }: Served): Promise<number[]> {
  const text = await (await fetch(metrics)).text();
  return [...text.matchAll(/^whereabouts_key_store_up\{pid="(\d+)"\} 1$/gm)].map(([, pid]) => Number(pid));
}

/**
 * Waits until a killed process has closed all of its sockets. It closes them one after another, so a connection made at
 * once may still reach the socket it listens on.
 */
const isGone = (pid: number) =>
  until(`process ${pid} is gone`, async () => {
    try {
      process.kill(pid, 0);
      return false;
    } catch {
      return true;
    }
  });

/** Waits until both workers have reported what they spent, then returns the key's use as each answer reports it. */
async function usedAtLast(served: Served, key: string, expected: number): Promise<void> {
  await until(`use is ${expected}`, async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask(served, key, '/v1/usage')));
    const bodies = (await Promise.all(answers.map((answer) => answer.json()))) as { used: number }[];
    return bodies.every(({ used }) => used === expected);
  });
}

suite('two workers', { concurrency: false }, () => {
  test('100 clients that race for the last 100 calls get exactly 100', async (t) => {
    const data = await smallData(t);
    const key = await makeKey(data, 'hundred');
    const served = await serve(t, data, { workers: 2 });
    assert.equal((await pids(served)).length, 2);
    const load = startLoad(() => served.url + path, key, { clients: 100, maxRequests: 300 });
    assert.deepEqual(tally(await load.done), { 200: 100, 429: 200 });
    await usedAtLast(served, key, 100);
  });

  test('a quota large enough for leases of many calls is spent to the last call, and no further', async (t) => {
    const data = await smallData(t);
    const key = await makeKey(data, 'thousand');
    const served = await serve(t, data, { workers: 2 });
    const load = startLoad(() => served.url + path, key, { clients: 40, maxRequests: 900 });
    assert.deepEqual(tally(await load.done), { 200: 900 });
    const last = startLoad(() => served.url + path, key, { clients: 40, maxRequests: 300 });
    const counts = tally(await last.done);
    let got = counts[200];
    assert.ok(got <= 100, JSON.stringify(counts));
    // What one worker had reserved when the load ended is returned within a moment.
    await until('the rest is given out', async () => {
      const answer = await ask(served, key);
      if (answer.status === 200) got++;
      return got >= 100;
    });
    assert.equal((await ask(served, key)).status, 429);
    await usedAtLast(served, key, 1000);
  });

  test('a worker that is killed under load is replaced; a GET sent once more when it is gone is answered', async (t) => {
    const data = await smallData(t);
    const key = await makeKey(data, 'open');
    const served = await serve(t, data, { workers: 2 });
    const [victim] = await pids(served);
    const load = startLoad(() => served.url + path, key, { beforeRetry: () => isGone(victim) });
    await until('load', () => load.outcomes.length > 200);
    process.kill(victim, 'SIGKILL');
    load.goEasy();
    await served.logged(({ msg, worker }) => worker === victim && /starting another/.test(msg));
    await until('two workers again', async () => {
      const alive = await pids(served);
      return alive.length === 2 && !alive.includes(victim);
    });
    const counts = tally(await load.stop());
    assert.deepEqual(Object.keys(counts), ['200'], JSON.stringify(counts));
    // No more is lost to the key than one lease, and none is granted twice.
    const text = await (await fetch(served.metrics)).text();
    assert.match(text, /^whereabouts_process_restarts_total 1$/m);
  });

  test('a stopped worker finishes its requests, and is replaced', async (t) => {
    const data = await smallData(t);
    const key = await makeKey(data, 'open');
    const served = await serve(t, data, { workers: 2 });
    const load = startLoad(() => served.url + path, key, { beforeRetry: async () => undefined });
    await until('load', () => load.outcomes.length > 200);
    const [victim] = await pids(served);
    process.kill(victim, 'SIGTERM');
    load.goEasy();
    await until('two workers again', async () => {
      const alive = await pids(served);
      return alive.length === 2 && !alive.includes(victim);
    });
    assert.deepEqual(Object.keys(tally(await load.stop())), ['200']);
  });

  test('a new dataset is loaded by every worker without a failed request, a broken one by none', async (t) => {
    const data = await smallData(t);
    const key = await makeKey(data, 'open');
    const served = await serve(t, data, { workers: 2 });
    const load = startLoad(() => served.url + path, key);
    await until('load', () => load.outcomes.length > 200);
    await addDataset(data, 'two');
    makeCurrent(data, 'two');
    const isServedBy = (version: string, count: number) => async () =>
      (await (await fetch(served.metrics)).text()).includes(
        `whereabouts_dataset_info{dataset="${version}"} ${count}\n`,
      );
    await until('two is served', isServedBy('two', 2));
    makeCurrent(data, 'three-that-is-not-there');
    await served.logged(({ msg }) => /cannot be opened; the old one stays/.test(msg));
    makeCurrent(data, 'two');
    served.child.kill('SIGHUP');
    const outcomes = await load.stop();
    assert.deepEqual(Object.keys(tally(outcomes)), ['200']);
    await until('two is still served', isServedBy('two', 2));
  });

  test('a worker that ends as a new dataset arrives does not delay it; its replacement serves it too', async (t) => {
    const data = await smallData(t);
    const served = await serve(t, data, { workers: 2, openTimeoutSeconds: 600 });
    await addDataset(data, 'two');
    // The first worker that is asked to load it.
    const [victim] = (await pids(served)).sort((one, other) => one - other);
    makeCurrent(data, 'two');
    process.kill(victim, 'SIGKILL');
    await until('two is served by both', async () =>
      (await (await fetch(served.metrics)).text()).includes('whereabouts_dataset_info{dataset="two"} 2\n'),
    );
    assert.equal(await served.stop(), 0);
  });

  test('SIGTERM under load breaks no answer: each is whole, or the connection was refused or closed before it', async (t) => {
    const data = await smallData(t);
    const key = await makeKey(data, 'open');
    const served = await serve(t, data, { workers: 2 });
    const load = startLoad(() => served.url + path, key, { clients: 32 });
    await until('load', () => load.outcomes.length > 500);
    assert.equal(await served.stop(), 0);
    const counts = tally(await load.stop());
    const { 200: answered, ECONNREFUSED: refused = 0, ECONNRESET: reset = 0, ...others } = counts;
    assert.deepEqual(others, {});
    assert.ok(answered > 500);
    // A client that is refused stops; before that, each may lose a connection to each worker that stops, some twice.
    assert.ok(refused <= 32 && reset <= 4 * 32, JSON.stringify(counts));
  });

  test('a port that is taken is an error at once, not shared by accident', async (t) => {
    const data = await smallData(t);
    const served = await serve(t, data, { workers: 2 });
    await assert.rejects(serve(t, data, { workers: 2, port: served.port }), /the server ended/);
  });
});

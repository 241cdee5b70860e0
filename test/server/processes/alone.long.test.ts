/** One process, as `serve` is by default, under real load. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { startLoad, tally } from '../../support/clients.ts';
import { addDataset, makeCurrent, makeKey, serve, smallData, until } from '../../support/served.ts';

const path = '/v1/distance?from_lat=0&from_lng=0&to_lat=1&to_lng=1';

suite('one process', { concurrency: false }, () => {
  test('a new dataset is loaded without a failed request', async (t) => {
    const data = await smallData(t);
    const key = await makeKey(data, 'open');
    const served = await serve(t, data);
    const load = startLoad(() => served.url + path, key);
    await until('load', () => load.outcomes.length > 200);
    await addDataset(data, 'two');
    makeCurrent(data, 'two');
    const line = await served.logged(({ msg, dataset }) => msg === 'switched to a new dataset' && dataset === 'two');
    assert.ok(Number(line.memory_mb) > 20, 'the memory with both open is told');
    const before = load.outcomes.length;
    await until('load on the new one', () => load.outcomes.length > before + 200);
    assert.deepEqual(Object.keys(tally(await load.stop())), ['200']);
    const status = (await (await fetch(`${served.url}/status`)).json()) as { dataset: { version: string } };
    assert.equal(status.dataset.version, 'two');
  });

  test('SIGTERM under load breaks no answer, and no call is lost', async (t) => {
    const data = await smallData(t);
    const key = await makeKey(data, 'open');
    const first = await serve(t, data);
    const load = startLoad(() => first.url + path, key, { clients: 32 });
    await until('load', () => load.outcomes.length > 500);
    assert.equal(await first.stop(), 0);
    const { 200: answered, ECONNREFUSED: refused = 0, ECONNRESET: reset = 0, ...others } = tally(await load.stop());
    assert.deepEqual(others, {});
    // A client that is refused stops; before that, each of the eight sockets that listen may close with it in its queue.
    assert.ok(refused <= 32 && reset <= 9 * 32, `${refused} refused, ${reset} reset`);
    const second = await serve(t, data);
    const usage = await fetch(`${second.url}/v1/usage`, { headers: { 'x-api-key': key, connection: 'close' } });
    assert.equal(((await usage.json()) as { used: number }).used, answered);
  });

  test('while it stops it is not ready, still answers, and closes each connection with the answer', async (t) => {
    const data = await smallData(t);
    const key = await makeKey(data, 'open');
    const served = await serve(t, data, { shutdownSeconds: 20 });
    // An open connection delays the stop for a moment.
    const load = startLoad(() => served.url + path, key, { clients: 4 });
    await until('load', () => load.outcomes.length > 50);
    served.child.kill('SIGTERM');
    await served.logged(({ msg }) => msg === 'stopping');
    const ready = await fetch(`${served.url}/health/ready`).catch(() => undefined);
    if (ready) {
      assert.equal(ready.status, 503);
      assert.equal(ready.headers.get('connection'), 'close');
    }
    assert.equal(await served.stop(), 0);
    await load.stop();
  });
});

/** nginx or Caddy before the service, as deploy/ sets them up: what dies behind it breaks no answer. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import { startLoad, tally } from '../../support/clients.ts';
import { noProxy, startProxy } from '../../support/proxies.ts';
import { rawClient } from '../../support/raw-client.ts';
import { makeKey, type Served, serve, smallData, until } from '../../support/served.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const path = '/v1/distance?from_lat=0&from_lng=0&to_lat=1&to_lng=1';

async function before(
  t: TestContext,
  proxy: string,
  services: Served[],
  directory = temporaryDirectory(t),
): Promise<string> {
  const { child, url } = await startProxy(
    proxy,
    directory,
    services.map(({ port }) => port),
  );
  t.after(async () => {
    child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
  });
  return url;
}

/** Pids of the workers that serve. */
async function workersOf({ metrics }: Served): Promise<number[]> {
  const text = await (await fetch(metrics)).text();
  return [...text.matchAll(/^whereabouts_heap_bytes\{pid="(\d+)"\}/gm)].map(([, pid]) => Number(pid));
}

/** Two workers behind a proxy, under load: the one that a test ends, and a wait until another stands in for it. */
async function twoWorkersUnderLoad(t: TestContext, proxy: string) {
  const data = await smallData(t);
  const key = await makeKey(data, 'open');
  const served = await serve(t, data, { workers: 2 });
  const url = await before(t, proxy, [served]);
  const load = startLoad(() => url + path, key);
  await until('load', () => load.outcomes.length > 200);
  const [victim] = await workersOf(served);
  const replaced = () => {
    load.goEasy();
    return until('two workers again', async () => {
      const alive = await workersOf(served);
      return alive.length === 2 && !alive.includes(victim);
    });
  };
  return { served, load, victim, replaced };
}

for (const [proxy, skip] of Object.entries(noProxy))
  suite(`${proxy} before the service`, { skip, concurrency: false }, () => {
    test('a worker that is killed under load breaks no answer', async (t) => {
      const { load, victim, replaced } = await twoWorkersUnderLoad(t, proxy);
      process.kill(victim, 'SIGKILL');
      await replaced();
      assert.deepEqual(Object.keys(tally(await load.stop())), ['200']);
    });

    test('what the service does not answer is logged without keys and queries', async (t) => {
      const data = await smallData(t);
      const key = await makeKey(data, 'open');
      const served = await serve(t, data);
      const directory = temporaryDirectory(t);
      const url = await before(t, proxy, [served], directory);
      const ask = () => fetch(`${url}${path}&key=${key}`, { headers: { 'X-API-Key': key, 'X-Sent': 'sent' } });
      assert.equal((await ask()).status, 200);
      await served.stop();
      assert.equal((await ask()).status, 502);
      for (const file of readdirSync(directory).filter((name) => name.endsWith('.log'))) {
        const text = readFileSync(join(directory, file), 'utf8');
        for (const secret of [key, 'from_lat', 'X-Sent'])
          assert.equal(text.includes(secret), false, `${file}: ${text}`);
      }
    });

    test('a body that is too large is refused as the service does it', async (t) => {
      const data = await smallData(t);
      const headers = { 'content-type': 'application/json', 'x-api-key': await makeKey(data, 'open') };
      const url = `${await before(t, proxy, [await serve(t, data)])}/v1/batch`;
      for (const bytes of [2 ** 20 + 2, 3 * 2 ** 20]) {
        const response = await fetch(url, { method: 'POST', headers, body: ' '.repeat(bytes) });
        assert.equal(((await response.json()) as { code: string }).code, 'body_too_large', `${bytes}`);
        assert.deepEqual([response.status, response.headers.get('access-control-allow-origin')], [413, '*']);
      }
    });

    test('a table is refused by its key before it has arrived, so that none is kept before the service', async (t) => {
      const data = await smallData(t);
      const key = await makeKey(data, 'open');
      const url = await before(t, proxy, [await serve(t, data)]);
      const head = 'POST /v1/jobs?endpoint=search HTTP/1.1\r\nHost: x\r\nContent-Type: text/csv\r\n';
      const client = await rawClient(Number(new URL(url).port));
      client.write(`${head}Content-Length: 60000000\r\n\r\nq\n`);
      assert.equal((await client.answer())?.status, 401);
      client.socket.destroy();
      for (const length of ['Content-Length: 9', 'Transfer-Encoding: chunked']) {
        const table = length.startsWith('C') ? 'q\nBerlin\n' : '9\r\nq\nBerlin\n\r\n0\r\n\r\n';
        const sender = await rawClient(Number(new URL(url).port));
        sender.write(`${head}X-API-Key: ${key}\r\n${length}\r\n\r\n${table}`);
        assert.equal((await sender.answer())?.status, 202, length);
        sender.socket.destroy();
      }
    });

    test('a worker that hangs under load is killed within 3 s, and breaks no answer', async (t) => {
      const { served, load, victim, replaced } = await twoWorkersUnderLoad(t, proxy);
      process.kill(victim, 'SIGSTOP');
      const { reason } = await served.logged(({ msg, worker }) => worker === victim && msg === 'killing a worker');
      assert.equal(reason, 'it did not respond for 3 s');
      await replaced();
      const answered = load.outcomes.length;
      await until('load on the other', () => load.outcomes.length > answered + 200);
      assert.deepEqual(Object.keys(tally(await load.stop())), ['200']);
    });

    test('a node that is killed under load breaks no answer while there is another', async (t) => {
      // One data directory for both, so that they have the same keys.
      const data = await smallData(t);
      const key = await makeKey(data, 'open');
      const nodes = [await serve(t, data), await serve(t, data)];
      const url = await before(t, proxy, nodes);
      const load = startLoad(() => url + path, key);
      await until('load', () => load.outcomes.length > 200);
      nodes[0].child.kill('SIGKILL');
      const answeredBefore = load.outcomes.length;
      await until('load on the other', () => load.outcomes.length > answeredBefore + 200);
      assert.deepEqual(Object.keys(tally(await load.stop())), ['200']);
    });
  });

test('Caddy closes the connection of a target whose host is too long, which it would make Punycode', {
  skip: noProxy.caddy,
}, async (t) => {
  const url = await before(t, 'caddy', [await serve(t, await smallData(t))]);
  for (const [length, status] of [
    [250, 200],
    [261, undefined],
  ] as const) {
    const client = await rawClient(Number(new URL(url).port));
    client.write(`GET http://${'a'.repeat(length)}/health/live HTTP/1.1\r\nHost: x\r\n\r\n`);
    assert.equal((await client.answer())?.status, status);
    client.socket.destroy();
  }
});

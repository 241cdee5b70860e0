/** Workers that hang, and datasets that are not datasets: the service goes on. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, renameSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { addDataset, makeCurrent, makeKey, type Served, serve, smallData, until } from '../../support/served.ts';

/** Each request has its own connection, as a kept one would always reach the same worker. */
const isAlive = async ({ url }: Served) => {
  const answer = await fetch(`${url}/health/live`, {
    headers: { connection: 'close' },
    signal: AbortSignal.timeout(180_000),
  });
  return answer.status === 200;
};
const servedDataset = async ({ url }: Served) => {
  const answer = await fetch(`${url}/status`, { headers: { connection: 'close' } });
  return ((await answer.json()) as { dataset: { version: string } }).dataset.version;
};
async function workersOf({ metrics }: Served): Promise<number[]> {
  const text = await (await fetch(metrics)).text();
  return [...text.matchAll(/^whereabouts_heap_bytes\{pid="(\d+)"\}/gm)].map(([, pid]) => Number(pid));
}

suite('hanging workers and unreadable datasets', { concurrency: false }, () => {
  test('a bit that flips in a served file is found when the file is read again, and refused at the next start', async (t) => {
    const data = await smallData(t);
    const path = join(data, 'one', 'zones.pack');
    utimesSync(path, 1_700_000_000, 1_700_000_000);
    const served = await serve(t, data, { verifyEverySeconds: 1 });
    const bytes = readFileSync(path);
    bytes[bytes.length >> 1] ^= 1;
    writeFileSync(path, bytes);
    // Size, time and inode stay, as those of a file on a disk that rots.
    utimesSync(path, 1_700_000_000, 1_700_000_000);
    const { err } = await served.logged(({ msg }) => msg === 'the current dataset is damaged');
    assert.match((err as Error).message, /one is damaged: zones\.pack; build the dataset again, or run .*rollback/);
    rmSync(join(data, 'current'));
    mkdirSync(join(data, 'current'));
    await served.logged(
      ({ msg, err }) => msg === 'the current dataset is damaged' && /cannot be read/.test((err as Error).message),
    );
    rmSync(join(data, 'current'), { recursive: true });
    makeCurrent(data, 'one');
    assert.ok(await isAlive(served));
    assert.equal(await served.stop(), 0);
    await assert.rejects(serve(t, data), /the server ended/);
  });

  test('a stopped worker sends no heartbeat: it is killed and replaced, and every request is answered', async (t) => {
    const served = await serve(t, await smallData(t), { workers: 2, workerTimeoutSeconds: 5 });
    const [victim] = await workersOf(served);
    process.kill(victim, 'SIGSTOP');
    const line = await served.logged(({ msg, worker }) => worker === victim && msg === 'killing a worker');
    assert.match(String(line.reason), /did not respond for 5 s/);
    await until('two workers again', async () => {
      const alive = await workersOf(served);
      return alive.length === 2 && !alive.includes(victim);
    });
    for (let attempt = 0; attempt < 20; attempt++) assert.ok(await isAlive(served));
    assert.equal(await served.stop(), 0);
  });

  test('stopped workers are killed one after another, when the replacement of the one before serves', async (t) => {
    const served = await serve(t, await smallData(t), { workers: 3, workerTimeoutSeconds: 2 });
    const victims = await workersOf(served);
    for (const victim of victims) process.kill(victim, 'SIGSTOP');
    await until('three other workers', async () => {
      const alive = await workersOf(served);
      return alive.length === 3 && !alive.some((pid) => victims.includes(pid));
    });
    const kills = served.log.filter(({ msg }) => msg === 'killing a worker');
    const ends = served.log.filter(({ msg }) => /^a worker ended/.test(String(msg)));
    // A process needs more than this to start.
    const startMs = 100;
    for (const [nth, { time }] of kills.slice(1).entries())
      assert.ok(Number(time) - Number(ends[nth].time) > Number(ends[nth].wait_ms) + startMs, 'two were gone at once');
  });

  test('a worker that hangs while opening a dataset is killed, and no other opens it', async (t) => {
    const data = await smallData(t);
    // A disk that never answers, for one version.
    const preload = join(data, 'sleeper.cjs');
    writeFileSync(
      preload,
      `const fs = require('node:fs');
      const { openSync } = fs;
      fs.openSync = (path, ...rest) => {
        if (String(path).includes('/two/')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
        return openSync(path, ...rest);
      };
      require('node:module').syncBuiltinESMExports();`,
    );
    const served = await serve(
      t,
      data,
      { workers: 2, openTimeoutSeconds: 20, workerTimeoutSeconds: 60 },
      { NODE_OPTIONS: `--require ${preload}` },
    );
    let before: number[] = [];
    await until('two workers', async () => (before = await workersOf(served)).length === 2);
    await addDataset(data, 'two');
    makeCurrent(data, 'two');
    const { err } = await served.logged(
      ({ msg }) => msg === 'the new dataset cannot be opened; the old one stays in use',
    );
    assert.match((err as Error).message, /did not open the dataset within 20 s/);
    await until('two workers again', async () => (await workersOf(served)).length === 2);
    const after = await workersOf(served);
    assert.equal(after.filter((pid) => before.includes(pid)).length, 1);
    for (let attempt = 0; attempt < 20; attempt++) assert.equal(await servedDataset(served), 'one');
  });

  test('a file of the served dataset is cut short: its workers end and name it, and another dataset brings the service back', async (t) => {
    const data = await smallData(t);
    const key = await makeKey(data, 'open');
    const served = await serve(t, data, { workers: 2 });
    await addDataset(data, 'two');
    truncateSync(join(data, 'one', 'place-names.pack'), 0);
    const search = async () => {
      const headers = { 'x-api-key': key, connection: 'close' };
      await fetch(`${served.url}/v1/search?q=berlin`, { headers, signal: AbortSignal.timeout(30_000) }).catch(() => {});
    };
    await until('no worker can start', async () => {
      await search();
      const lines = served.log.filter(({ msg }) => msg === 'a worker could not start');
      for (const { reason } of lines)
        assert.match(String(reason), /one is damaged: place-names\.pack \(0 bytes, expected \d+\)/);
      return lines.length >= 3;
    });
    makeCurrent(data, 'two');
    await until('two is served', async () => (await servedDataset(served).catch(() => '')) === 'two');
    assert.equal(await served.stop(), 0);
  });

  for (const workers of [1, 2]) {
    test(`a damaged dataset, and a "current" that cannot be read, are refused by ${workers} with a line in the log`, async (t) => {
      const data = await smallData(t);
      const served = await serve(t, data, { workers });
      const refused = (reason: RegExp) =>
        served.logged(
          ({ msg, err }) =>
            /cannot be opened; the old one stays/.test(msg) && reason.test((err as Error | undefined)?.message ?? ''),
        );
      await addDataset(data, 'two');
      const pack = join(data, 'two', 'place-names.pack');
      const bytes = readFileSync(pack);
      bytes[bytes.length - 1000] ^= 1;
      writeFileSync(pack, bytes);
      makeCurrent(data, 'two');
      await refused(/place-names\.pack; build the dataset again/);

      rmSync(join(data, 'current'));
      mkdirSync(join(data, 'next-current'));
      renameSync(join(data, 'next-current'), join(data, 'current'));
      await refused(/current cannot be read \(it is a folder, expected a file/);
      assert.equal(await servedDataset(served), 'one');

      rmSync(join(data, 'current'), { recursive: true });
      await addDataset(data, 'three');
      makeCurrent(data, 'three');
      await served.logged(({ msg, dataset }) => msg === 'switched to a new dataset' && dataset === 'three');
      await until('three is served', async () => (await servedDataset(served)) === 'three');
      assert.equal(await served.stop(), 0);
    });
  }
});

/** One build at a time in a data directory, however the previous one ended. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { withBuildLock } from '../../src/build/build-lock.ts';
import { UsageError } from '../../src/errors.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const module = pathToFileURL(join(import.meta.dirname, '../../src/build/build-lock.ts')).href;
const lockOf = (directory: string) => join(directory, '.build-lock');

/** A process that only holds the lock. */
async function holder(t: TestContext, directory: string): Promise<ChildProcess> {
  const script = `
    const { withBuildLock } = await import(${JSON.stringify(module)});
    await withBuildLock(${JSON.stringify(directory)}, () => {
      console.log('held');
      return new Promise((resolve) => setTimeout(resolve, 60_000));
    });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  await once(child.stdout!, 'data');
  return child;
}

test('a second build is refused while the first one runs, but not after it was killed', async (t) => {
  const directory = temporaryDirectory(t);
  const first = await holder(t, directory);
  await assert.rejects(
    withBuildLock(directory, async () => 1),
    new RegExp(`process ${first.pid} on ${hostname()}`),
  );
  first.kill('SIGKILL');
  await once(first, 'exit');
  assert.ok(existsSync(lockOf(directory)));
  assert.equal(await withBuildLock(directory, async () => 2), 2);
  assert.equal(existsSync(lockOf(directory)), false);
});

for (const [signal, code] of [
  ['SIGTERM', 143],
  ['SIGINT', 130],
] as const) {
  test(`${signal} ends a build at once, also as the first process of a container, and releases the lock`, async (t) => {
    const directory = temporaryDirectory(t);
    const child = await holder(t, directory);
    child.kill(signal);
    // It exits itself, not by the signal: the kernel does not deliver signals without a handler to the first process of
    // a container.
    assert.deepEqual(await once(child, 'exit'), [code, null]);
    assert.equal(existsSync(lockOf(directory)), false);
  });
}

test('a lock of another machine or container is valid as long as it is touched', async (t) => {
  const directory = temporaryDirectory(t);
  writeFileSync(lockOf(directory), '1 another-container');
  await assert.rejects(
    withBuildLock(directory, async () => 1),
    /process 1 on another-container/,
  );
  const longAgo = new Date(Date.now() - 61_000);
  utimesSync(lockOf(directory), longAgo, longAgo);
  const lockText = await withBuildLock(directory, async () => readFileSync(lockOf(directory), 'utf8'));
  assert.equal(lockText, `${process.pid} ${hostname()}`);
});

test('a lock with our own process id is from before a restart of the container', async (t) => {
  const directory = temporaryDirectory(t);
  writeFileSync(lockOf(directory), `${process.pid} ${hostname()}`);
  assert.equal(await withBuildLock(directory, async () => 1), 1);
});

test('a failed build releases the lock; signals then act as before', async (t) => {
  const directory = temporaryDirectory(t);
  const before = process.listenerCount('SIGTERM');
  const failing = withBuildLock(directory, async () => {
    throw new Error('no space');
  });
  await assert.rejects(failing, /no space/);
  assert.equal(existsSync(lockOf(directory)), false);
  assert.equal(process.listenerCount('SIGTERM'), before);
});

test('an unwritable data directory is reported with the user that needs access', (t) => {
  const directory = temporaryDirectory(t);
  chmodSync(directory, 0o555);
  const script = `
    const { withBuildLock } = await import(${JSON.stringify(module)});
    if (process.getuid() === 0) process.setuid(65_534);
    await withBuildLock(${JSON.stringify(directory)}, async () => {}).catch((error) => console.log(error.name, error.message));`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  assert.match(stdout, new RegExp(`^${UsageError.name} cannot build into .*permission denied.*writable for user \\d+`));
});

test('of builds that find an abandoned lock at the same moment one runs at a time', async (t) => {
  const directory = temporaryDirectory(t);
  const begin = join(directory, 'begin');
  // Each holds the lock for a moment and says when another one did, too.
  const script = `
    const { existsSync, mkdirSync, rmdirSync, utimesSync } = await import('node:fs');
    const { withBuildLock } = await import(${JSON.stringify(module)});
    process.stdout.write('ready');
    while (!existsSync(${JSON.stringify(begin)}));
    for (let tries = 0; tries < 200; tries++) {
      await withBuildLock(${JSON.stringify(directory)}, async () => {
        mkdirSync(${JSON.stringify(join(directory, 'inside'))});
        const until = performance.now() + 1;
        while (performance.now() < until);
        rmdirSync(${JSON.stringify(join(directory, 'inside'))});
      }).catch((error) => { if (error.code === 'EEXIST' || error.code === 'ENOENT') process.exit(1); });
      if (tries % 2 === 0) {
        try { (await import('node:fs')).writeFileSync(${JSON.stringify(lockOf(directory))}, '1073741823 ${hostname()}', { flag: 'wx' }); } catch {}
      }
    }`;
  const builds = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      t.after(() => child.kill('SIGKILL'));
      await once(child.stdout, 'data');
      return child;
    }),
  );
  const ends = builds.map((child) => once(child, 'exit'));
  writeFileSync(begin, '');
  assert.deepEqual(
    (await Promise.all(ends)).map(([code]) => code),
    [0, 0, 0, 0],
  );
});

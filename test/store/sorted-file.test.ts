/** Sorting on disk: order, equal keys, and nothing left behind. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { SortedFile } from '../../src/store/sqlite/sorted-file.ts';

function inDirectory(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'whereabouts-sorted-'));
  t.after(() => rmSync(directory, { recursive: true }));
  return directory;
}

test('values come in order of their keys, equal ones as they were added, from one run or many', (t) => {
  const directory = inDirectory(t);
  for (const [memory, minRuns] of [
    [2 ** 24, 1],
    [2000, 20],
  ]) {
    const file = new SortedFile<{ key: number; at: number; bytes: Buffer }>(join(directory, 'sorted'), memory);
    const added = Array.from({ length: 1000 }, (_, at) => ({
      key: at % 3 === 0 ? 2 ** 40 : (at * 7919) % 101,
      at,
      bytes: Buffer.alloc(at % 50, at),
    }));
    for (const value of added) file.add(value.key, value);
    assert.ok(memory > 2000 || readdirSync(directory).length >= minRuns);
    const values = [...file.values()];
    assert.deepEqual(
      values,
      added.toSorted((a, b) => a.key - b.key),
    );
    assert.deepEqual(readdirSync(directory), []);
  }
});

test('values larger than a run, no values at all, and a sort that breaks off', (t) => {
  const directory = inDirectory(t);
  const large = new SortedFile<Buffer>(join(directory, 'large'), 10);
  const values = [Buffer.alloc(1_000_000, 2), Buffer.alloc(300_000, 1)];
  large.add(2, values[0]);
  large.add(1, values[1]);
  assert.deepEqual([...large.values()], [values[1], values[0]]);
  assert.deepEqual([...new SortedFile(join(directory, 'none')).values()], []);
  const broken = new SortedFile<number>(join(directory, 'broken'), 10);
  for (let at = 0; at < 10; at++) broken.add(at, at);
  assert.equal(broken.values().next().value, 0);
  broken.close();
  assert.deepEqual(readdirSync(directory), []);
});

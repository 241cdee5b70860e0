import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { IdSorter, IdTable } from '../../../src/sources/tables/id-table.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

test('ids are found with their numbers, in memory and from a file', (t) => {
  for (const memoryBytes of [1e9, 1]) {
    const path = join(temporaryDirectory(t), 'nodes');
    const table = new IdTable(path, memoryBytes);
    const count = 20_000;
    // Ids grow by 1 or 3 and pass 2^32, as those of nodes today.
    const idOf = (at: number) => 4_294_900_000 + at * 2 + (at % 2);
    for (let at = 0; at < count; at++) table.add(idOf(at), at - 10_000, 1 - at * 30_000);
    table.finish();
    assert.equal(table.isOnDisk, memoryBytes === 1);
    assert.equal(existsSync(path), memoryBytes === 1);
    for (let step = 0; step < count; step++) {
      const at = (step * 7919) % count;
      assert.equal(table.find(idOf(at)), true);
      assert.deepEqual([table.low, table.high], [at - 10_000, 1 - at * 30_000]);
    }
    for (const id of [0, idOf(0) - 1, idOf(1) + 2, idOf(count - 1) + 1]) assert.equal(table.find(id), false, `${id}`);
    table.close();
  }
});

test('ids in any order are sorted, in memory and through files; the entry added first counts', (t) => {
  for (const memoryBytes of [1e9, 100_000]) {
    const directory = temporaryDirectory(t);
    const table = new IdTable(join(directory, 'table'), memoryBytes);
    const count = 30_000;
    for (let step = 0; step < count; step++) {
      const id = (step * 7919) % count;
      table.addPosition(id - 5, id * 1_000_003);
      table.addPosition(id - 5, -1);
    }
    table.finish();
    assert.equal(table.size, count);
    for (let id = 0; id < count; id++) assert.equal(table.position(id - 5), id * 1_000_003);
    assert.deepEqual([table.position(-6), table.position(count)], [undefined, undefined]);
    table.close();
    assert.equal(readdirSync(directory).length > 0, memoryBytes === 100_000);
  }
});

test('numbers of ids are changed, also on pages that go to disk and come back', (t) => {
  const table = new IdTable(join(temporaryDirectory(t), 'table'), 1);
  const count = 60_000;
  for (let id = 0; id < count; id++) table.add(2 * id, id, 0);
  table.finish();
  for (let id = 0; id < count; id += 3) assert.equal(table.set(2 * id, -1 - id, 7), true);
  assert.equal(table.set(1, 1, 1), false);
  for (let step = 0; step < count; step++) {
    const id = (step * 7919) % count;
    assert.equal(table.find(2 * id), true);
    assert.deepEqual([table.low, table.high], id % 3 === 0 ? [-1 - id, 7] : [id, 0]);
  }
  table.close();
});

test('ids in any order come back sorted and once, from memory and through a file', (t) => {
  for (const memoryBytes of [1e9, 1]) {
    const path = join(temporaryDirectory(t), 'ids');
    const sorter = new IdSorter(path, memoryBytes);
    const count = 50_000;
    // Negative ids are those of an editor that has not sent them yet.
    for (let step = 0; step < 3 * count; step++) sorter.add(((step * 7919) % count) - 100);
    for (const _ of ['first', 'again']) {
      let expected = -100;
      for (const id of sorter.sorted()) assert.equal(id, expected++);
      assert.equal(expected, count - 100);
    }
    assert.equal(existsSync(path), memoryBytes === 1);
    sorter.close();
  }
  assert.deepEqual([...new IdSorter('', 1).sorted()], []);
});

test('in an empty table nothing is found', (t) => {
  const table = new IdTable(join(temporaryDirectory(t), 'table'), 1);
  table.finish();
  assert.equal(table.find(1), false);
});

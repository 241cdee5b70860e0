import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { IdTable } from '../../../src/sources/osm/id-table.ts';
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

test('in an empty table nothing is found', (t) => {
  const table = new IdTable(join(temporaryDirectory(t), 'table'), 1);
  table.finish();
  assert.equal(table.find(1), false);
});

import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { IdTable, NodeLocations, Tables } from '../../src/sources/tables.ts';
import { temporaryDirectory } from '../support/temporary.ts';

test('ids are found with their numbers, in memory and from a file', (t) => {
  for (const memoryBytes of [1e9, 1]) {
    const path = join(temporaryDirectory(t), 'nodes');
    const table = new IdTable(path, memoryBytes);
    const count = 20_000;
    // Ids grow by 1 or 3 and pass 2^32, as those of nodes today.
    const idOf = (at: number) => 4_294_900_000 + at * 2 + (at % 2);
    for (let at = 0; at < count; at++) table.add(idOf(at), at - 10_000, 1 - at * 30_000);
    table.finish();
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
      table.add(id - 5, id * 70_003, 1 - id);
      table.add(id - 5, -1, 1);
    }
    table.finish();
    assert.equal(table.size, count);
    for (let id = 0; id < count; id++) {
      assert.equal(table.find(id - 5), true);
      assert.deepEqual([table.low, table.high], [id * 70_003, 1 - id]);
    }
    assert.deepEqual([table.find(-6), table.find(count)], [false, false]);
    table.close();
    assert.equal(readdirSync(directory).length > 0, memoryBytes === 100_000);
  }
});

test('ids that ascend but for a late one are found, also on pages that go to disk and come back', (t) => {
  const table = new IdTable(join(temporaryDirectory(t), 'table'), 1);
  const count = 60_000;
  for (let id = 1; id < count; id++) table.add(2 * id, id, 0);
  table.add(0, 0, 0);
  table.add(2, -1, 7);
  table.finish();
  assert.equal(table.size, count);
  assert.equal(table.find(1), false);
  for (let step = 0; step < count; step++) {
    const id = (step * 7919) % count;
    assert.equal(table.find(2 * id), true);
    assert.deepEqual([table.low, table.high], [id, 0]);
  }
  table.close();
});

test('where only some nodes are needed these are located, and hardly any others, in memory and from a file', (t) => {
  for (const memoryBytes of [1e8, 1e5]) {
    const directory = temporaryDirectory(t);
    using tables = new Tables(directory, memoryBytes);
    const locations = new NodeLocations(tables, 1, { areAllNeeded: false });
    const count = 150_000;
    // Negative ids are those of an editor that has not sent them yet; of the others every fifth is needed, twice.
    const idOf = (at: number) => (at < 100 ? at - 100 : 4_294_900_000 + at);
    for (let step = 0; step < 2 * count; step++) {
      const at = (step * 7919) % count;
      if (at % 5 === 0) locations.need(idOf(at));
    }
    for (let at = 0; at < count; at++) locations.add(idOf(at), at, 9);
    locations.finish();
    const refs = (wanted: (at: number) => boolean) =>
      Float64Array.from(Array.from({ length: count }, (_, at) => at).filter(wanted), idOf);
    const needed = locations.line(refs((at) => at % 5 === 0));
    assert.deepEqual(
      needed.nodeIds,
      refs((at) => at % 5 === 0),
    );
    for (let at = 0; at < count; at += 5)
      assert.deepEqual([...needed.line.subarray(at / 2.5, at / 2.5 + 2)], [9e-7, at / 1e7]);
    const others = locations.line(refs((at) => at % 5 !== 0)).nodeIds.length;
    assert.ok(others < 0.01 * count, `${others} others are located`);
    assert.equal(readdirSync(directory).length > 0, memoryBytes === 1e5);
  }
});

test('a small set of needed nodes locates others too, and all that are needed', (t) => {
  using tables = new Tables(temporaryDirectory(t), 1000);
  const locations = new NodeLocations(tables, 1, { areAllNeeded: false });
  for (let id = 0; id < 50_000; id += 7) locations.need(id);
  for (let id = 0; id < 50_000; id++) locations.add(id, id, id);
  locations.finish();
  for (let id = 0; id < 50_000; id += 7)
    assert.deepEqual([...locations.line(Float64Array.of(id)).line], [id / 1e7, id / 1e7]);
});

test('in an empty table nothing is found', (t) => {
  const table = new IdTable(join(temporaryDirectory(t), 'table'), 1);
  table.finish();
  assert.equal(table.find(1), false);
});

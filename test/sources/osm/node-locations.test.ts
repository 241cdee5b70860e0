import assert from 'node:assert/strict';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { NodeLocations } from '../../../src/sources/osm/node-locations.ts';
import { TemporaryFile } from '../../../src/sources/osm/temporary-file.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

test('nodes are found with their positions, in memory and spilled to a file', (t) => {
  for (const memoryBytes of [1e9, 1]) {
    const path = join(temporaryDirectory(t), 'nodes');
    const nodes = new NodeLocations(path, memoryBytes);
    const count = 20_000;
    // Ids grow by 1 or 3 and pass 2^32, as those of today.
    const idOf = (at: number) => 4_294_900_000 + at * 2 + (at % 2);
    for (let at = 0; at < count; at++) nodes.add(idOf(at), at - 10_000, 1 - at * 30_000);
    nodes.finish();
    assert.equal(nodes.hasSpilled, memoryBytes === 1);
    assert.equal(existsSync(path), memoryBytes === 1);
    for (let step = 0; step < count; step++) {
      const at = (step * 7919) % count;
      assert.equal(nodes.find(idOf(at)), true);
      assert.deepEqual([nodes.lat, nodes.lng], [at - 10_000, 1 - at * 30_000]);
    }
    for (const id of [0, idOf(0) - 1, idOf(1) + 2, idOf(count - 1) + 1]) assert.equal(nodes.find(id), false, `${id}`);
    nodes.close();
  }
});

test('unsorted nodes are sorted in memory, and refused when they need a file', (t) => {
  const nodes = new NodeLocations(join(temporaryDirectory(t), 'nodes'), 1e9);
  for (let id = 9000; id > 0; id--) nodes.add(id, id, -id);
  nodes.finish();
  assert.equal(nodes.find(1), true);
  assert.deepEqual([nodes.lat, nodes.lng, nodes.find(9001)], [1, -1, false]);
  const little = new NodeLocations(join(temporaryDirectory(t), 'nodes'), 1);
  assert.throws(
    () => {
      for (let id = 90_000; id > 0; id--) little.add(id, id, -id);
    },
    { name: 'SourceError', message: /not sorted.*osmium sort/ },
  );
  little.close();
});

test('without nodes nothing is found', (t) => {
  const nodes = new NodeLocations(join(temporaryDirectory(t), 'nodes'), 1);
  nodes.finish();
  assert.equal(nodes.find(1), false);
});

test('a temporary file that cannot be written says the remedy', (t) => {
  const directory = join(temporaryDirectory(t), 'taken');
  mkdirSync(directory);
  assert.throws(() => new TemporaryFile(directory), {
    name: 'SourceError',
    message: /cannot be written: EEXIST.*give more memory, or a temporary directory with room/,
  });
  assert.throws(() => new TemporaryFile(join(directory, 'missing', 'file')), { message: /cannot be written: ENOENT/ });
});

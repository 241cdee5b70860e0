import assert from 'node:assert/strict';
import { test } from 'node:test';
import { workerCount } from '../../../src/server/processes/supervisor.ts';
import type { Manifest } from '../../../src/store/manifest.ts';

const mib = 2 ** 20;

/** A dataset of 240 MiB in memory, and a database a hundred times that. */
const manifest = {
  layers: {
    world: { files: [{ name: 'places.pack', bytes: 140 * mib, sha256: '' }] },
    ip: { files: [{ name: 'ip.pack', bytes: 100 * mib, sha256: '' }] },
    streets: { files: [{ name: 'streets.db', bytes: 24_000 * mib, sha256: '' }] },
  },
} as unknown as Manifest;

test('auto is a worker for each core', () => {
  assert.equal(workerCount(manifest, { cores: 2, memoryBytes: 24_576 * mib }), 2);
  assert.equal(workerCount(manifest, { cores: 16, memoryBytes: 24_576 * mib }), 16);
});

test('auto is fewer where memory cannot hold a worker for each core beside two datasets; never zero', () => {
  // 128 for the process that watches, 480 for the dataset and one that is being loaded, 220 for each worker.
  assert.equal(workerCount(manifest, { cores: 64, memoryBytes: 4096 * mib }), 15);
  assert.equal(workerCount(manifest, { cores: 64, memoryBytes: (608 + 440) * mib }), 2);
  assert.equal(workerCount(manifest, { cores: 64, memoryBytes: (608 + 440) * mib - 1 }), 1);
  assert.equal(workerCount(manifest, { cores: 64, memoryBytes: 100 * mib }), 1);
});

test('this machine has room for at least one', () => {
  assert.ok(workerCount(manifest) >= 1);
});

/** Versions of the small dataset that are published and pulled. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { openDataset } from '../../src/api/open.ts';
import { makeCurrent } from '../../src/build/versions.ts';
import { openObjectStore, publish } from '../../src/publish/publish.ts';
import { pullOnce } from '../../src/publish/pull.ts';
import { currentVersion, readManifest, verifyFiles } from '../../src/store/manifest.ts';
import { buildSmallDataset } from './small-store.ts';
import { temporaryDirectory } from './temporary.ts';

export const versions = ['20260101T000000Z', '20260102T000000Z', '20260103T000000Z'] as const;

/** A data directory with a version of the small dataset as the current one. */
export async function built(t: TestContext, version: string = versions[0]): Promise<string> {
  const directory = temporaryDirectory(t);
  mkdirSync(join(directory, version));
  await buildSmallDataset(join(directory, version), { version });
  await makeCurrent(directory, version);
  return directory;
}

/** Publishes a version of a data directory in another directory. */
export async function publishIn(destination: string, data: string, version: string = versions[0]) {
  const { store } = await openObjectStore(destination);
  return publish(store, join(data, version));
}

export const pullTo = (dataDirectory: string, dataset: string, more = {}) =>
  pullOnce({
    dataset,
    dataDirectory,
    datasetEverySeconds: 60,
    keepVersions: 3,
    retries: 2,
    retryAfterMs: 1,
    ...more,
  });

/** What a node serves is whole: its files are what the manifest says, and it opens. */
export async function assertWhole(dataDirectory: string, version: string): Promise<void> {
  assert.equal(currentVersion(dataDirectory), version);
  const directory = join(dataDirectory, version);
  await verifyFiles(directory, readManifest(directory));
  openDataset(directory).close();
}

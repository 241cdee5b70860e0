import { open, rm, stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { minBytes, type PaceOptions, reasonOf, watchPace } from '../download/fetch.ts';
import { Failure, namingPath, systemFault, UsageError } from '../errors.ts';
import { DatasetError } from '../store/dataset-error.ts';
import { fileHash } from '../store/dataset-files.ts';
import type { ObjectStore } from './object-store.ts';
import { fileKey } from './published.ts';

export type FetchOptions = PaceOptions & {
  /** Maximum number of consecutive attempts without progress. */
  retries?: number;
  /** Pause before that, doubled each time, ms. */
  retryAfterMs?: number;
};

/**
 * Downloads a published file to `part`, resuming an earlier attempt, and verifies its hash. Throws DatasetError and
 * deletes it if the hash differs. Received data is kept after any other failure, which is a Failure unless it is one of
 * the file system.
 */
export async function fetchFile(
  store: ObjectStore,
  { name, sha256, bytes }: { name: string; sha256: string; bytes: number },
  part: string,
  { retries = 5, retryAfterMs = 1000, ...options }: FetchOptions = {},
): Promise<void> {
  let before = await sizeOf(part);
  let since = performance.now();
  for (let attempt = 0; (await sizeOf(part)) < bytes; attempt++) {
    try {
      await transfer(store, fileKey(sha256), part, bytes, options);
    } catch (error) {
      options.signal?.throwIfAborted();
      const isLasting = error instanceof UsageError && !(error instanceof Failure);
      if (isLasting || systemFault(error) !== undefined) throw error;
      // A link that gets on at the least speed, pauses included, is not given up, however often it breaks.
      const receivedBytes = await sizeOf(part);
      if (receivedBytes - before >= minBytes(performance.now() - since)) {
        before = receivedBytes;
        since = performance.now();
        attempt = 0;
      }
      if (attempt >= retries) {
        throw new Failure(
          `${store.address}/${fileKey(sha256)} (${name}) could not be fetched after ${attempt + 1} tries: ${reasonOf(error)}. The received part is kept; run the same command again to resume.`,
        );
      }
      await pause(retryAfterMs * 2 ** attempt, undefined, { signal: options.signal });
    }
  }
  const got = await fileHash(part);
  if (got === sha256) return;
  await rm(part, { force: true });
  throw new DatasetError(
    `${store.address}/${fileKey(sha256)} (${name}) does not match its SHA-256: got ${got}, expected ${sha256}; ` +
      'publish the version again, which replaces damaged files',
  );
}

async function transfer(
  store: ObjectStore,
  key: string,
  part: string,
  bytes: number,
  options: PaceOptions,
): Promise<void> {
  const file = await open(part, 'a');
  const pace = watchPace(options);
  try {
    let receivedBytes = (await file.stat()).size;
    const body = await store.open(key, receivedBytes, pace.signal);
    for await (const chunk of body) {
      await file.writeFile(chunk).catch(namingPath(part));
      receivedBytes += chunk.length;
      // Longer than it should be, it cannot be what the hash says; there is no need to fill the disk with it.
      if (receivedBytes > bytes) break;
      pace.arrived(chunk.length);
    }
    if (receivedBytes < bytes) throw new Error(`${receivedBytes} of ${bytes} bytes of ${key} arrived`);
    await file.sync();
  } finally {
    pace.stop();
    await file.close();
  }
}

const sizeOf = (path: string) =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rm, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { DatasetError } from '../store/dataset-error.ts';
import type { ObjectStore } from './object-store.ts';
import { fileKey } from './published.ts';

export type FetchOptions = {
  /** How often in a row a transfer that brings nothing is tried again. */
  retries?: number;
  /** Pause before that, doubled each time, ms. */
  retryAfterMs?: number;
  /** A pause of the store longer than this is a break, ms. */
  idleMs?: number;
  signal?: AbortSignal | undefined;
};

/**
 * Brings a published file to `part`, from where an earlier try broke off, and compares it with its hash. Throws
 * DatasetError when it has another one; then nothing is left of it. What arrived stays after any other failure.
 */
export async function fetchFile(
  store: ObjectStore,
  { name, sha256, bytes }: { name: string; sha256: string; bytes: number },
  part: string,
  { retries = 5, retryAfterMs = 1000, idleMs = 30_000, signal }: FetchOptions = {},
): Promise<void> {
  let before = await sizeOf(part);
  for (let attempt = 0; before < bytes; attempt++) {
    try {
      await transfer(store, fileKey(sha256), part, bytes, idleMs, signal);
    } catch (error) {
      signal?.throwIfAborted();
      // A link that gets on is not given up, however often it breaks.
      if ((await sizeOf(part)) > before) attempt = 0;
      if (attempt >= retries) throw error;
      await pause(retryAfterMs * 2 ** attempt, undefined, { signal });
    }
    before = await sizeOf(part);
  }
  const got = await hashOf(part);
  if (got === sha256) return;
  await rm(part, { force: true });
  throw new DatasetError(`${store.address}: ${name} is not what its hash says: got ${got}, expected ${sha256}`);
}

async function transfer(
  store: ObjectStore,
  key: string,
  part: string,
  bytes: number,
  idleMs: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const idle = new AbortController();
  const break_ = () => idle.abort(new Error(`no byte of ${key} for ${idleMs / 1000} s`));
  let timer = setTimeout(break_, idleMs);
  const file = await open(part, 'a');
  try {
    let there = (await file.stat()).size;
    const body = await store.open(key, there, AbortSignal.any(signal ? [signal, idle.signal] : [idle.signal]));
    for await (const chunk of body) {
      await file.writeFile(chunk);
      there += chunk.length;
      // Longer than it should be, it cannot be what the hash says; there is no need to fill the disk with it.
      if (there > bytes) break;
      clearTimeout(timer);
      timer = setTimeout(break_, idleMs);
    }
    if (there < bytes) throw new Error(`${there} of ${bytes} bytes of ${key} arrived`);
    await file.sync();
  } finally {
    clearTimeout(timer);
    await file.close();
  }
}

/** SHA-256 of a file, in hex. */
export async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

const sizeOf = (path: string) =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );

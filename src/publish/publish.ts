import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from '../errors.ts';
import { DatasetError } from '../store/dataset-error.ts';
import { verifyFiles } from '../store/dataset-files.ts';
import { readManifest } from '../store/manifest.ts';
import { filesOf } from '../store/manifest-format.ts';
import type { ObjectStore } from './object-store.ts';
import { fileKey, manifestKey, type Pointer, pointerKey, readPointer, readPublished, sha256Of } from './published.ts';

/** Versions that the pointer lists. */
const maxListed = 100;

/** What was sent: files and bytes, and how many files were there already. */
export type Sent = { files: number; bytes: number; present: number };

/**
 * Publishes a dataset version: the files that the store lacks, then the manifest, then the pointer that nodes follow.
 * If interrupted at any moment, the version before stays served; the same call resumes. Throws DatasetError when the
 * dataset is damaged.
 */
export async function publish(
  store: ObjectStore,
  directory: string,
  progress: (file: string, at: number, of: number) => void = () => {},
): Promise<Sent> {
  const manifest = readManifest(directory);
  // A damaged file is not published; nodes would refuse it.
  await verifyFiles(directory, manifest);
  const files = [...new Map(filesOf(manifest).map((file) => [file.sha256, file])).values()];
  const sent: Sent = { files: 0, bytes: 0, present: 0 };
  for (const [at, { name, sha256, bytes }] of files.entries()) {
    progress(name, at, files.length);
    if ((await store.sizeOf(fileKey(sha256))) === bytes) {
      sent.present++;
      continue;
    }
    await store.writeFile(fileKey(sha256), join(directory, name));
    sent.files++;
    sent.bytes += bytes;
  }
  const content = await readFile(join(directory, 'manifest.json'));
  await store.write(manifestKey(manifest.version), content);
  await point(store, manifest.version, content);
  return sent;
}

/** Makes all nodes serve a version that was published before. Throws UsageError if it is incomplete. */
export async function makePublishedCurrent(store: ObjectStore, version: string): Promise<void> {
  const { manifest, content } = await readPublished(store, version);
  for (const { name, sha256, bytes } of filesOf(manifest)) {
    if ((await store.sizeOf(fileKey(sha256))) !== bytes)
      throw new UsageError(`${store.address} does not have ${name} of ${version}; publish the version again`);
  }
  await point(store, version, content);
}

/** A damaged pointer is replaced; one that cannot be read just now would lose its list of versions. */
function unlessDamaged(error: unknown): undefined {
  if (!(error instanceof DatasetError)) throw error;
}

async function point(store: ObjectStore, version: string, manifest: Buffer): Promise<void> {
  const before = (await readPointer(store).catch(unlessDamaged))?.published ?? [];
  const published = [...new Set([version, ...before])].sort().reverse().slice(0, maxListed);
  const pointer: Pointer = { version, sha256: sha256Of(manifest), published };
  await store.write(pointerKey, Buffer.from(`${JSON.stringify(pointer, null, 2)}\n`));
}

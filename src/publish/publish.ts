import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { reasonOf, watchPace } from '../download/fetch.ts';
import { Failure, UsageError } from '../errors.ts';
import { DatasetError, filesOf, type LayerInfo, readManifest, verifyFiles } from '../store/manifest.ts';
import type { ObjectStore } from './object-store.ts';
import { fileKey, manifestKey, type Pointer, pointerKey, readPointer, readPublished, sha256Of } from './published.ts';

/** Versions that the pointer lists. */
const maxListed = 100;

/** What was sent: files and bytes, how many of them replaced damaged ones, and how many files were there already. */
type Sent = { files: number; bytes: number; replaced: number; present: number };

/** A file of a dataset. */
type File = LayerInfo['files'][number];

/**
 * Publishes a dataset version: the files that the store lacks, then the manifest, then the pointer that nodes follow.
 * Files that are there are judged by their size; with `isVerified`, and where the version was published before, they
 * are read back, and damaged ones replaced. If interrupted at any moment, the version before stays served; the same call
 * resumes. Throws DatasetError when the dataset is damaged.
 */
export async function publish(
  store: ObjectStore,
  directory: string,
  {
    isVerified = false,
    progress = () => {},
  }: { isVerified?: boolean; progress?: (file: string, at: number, of: number) => void } = {},
): Promise<Sent> {
  const manifest = readManifest(directory);
  // A damaged file is not published; nodes would refuse it.
  await verifyFiles(directory, manifest);
  const files = [...new Map(filesOf(manifest).map((file) => [file.sha256, file])).values()];
  const sent: Sent = { files: 0, bytes: 0, replaced: 0, present: 0 };
  const before = await readPointer(store).catch(unlessDamaged);
  // Whoever publishes a version again does so because nodes cannot use what is there.
  const readsBack = isVerified || before?.published.includes(manifest.version) === true;
  for (const [at, file] of files.entries()) {
    progress(file.name, at, files.length);
    const state = await stateOf(store, file, readsBack);
    if (state === 'whole') {
      sent.present++;
      continue;
    }
    await store.writeFile(fileKey(file.sha256), join(directory, file.name));
    sent.files++;
    sent.bytes += file.bytes;
    if (state === 'damaged') sent.replaced++;
  }
  const content = await readFile(join(directory, 'manifest.json'));
  await store.write(manifestKey(manifest.version), content);
  await point(store, manifest.version, content);
  return sent;
}

/**
 * Makes all nodes serve a version that was published before; with `isVerified` its files are read back first. Throws
 * Failure if it is incomplete or damaged.
 */
export async function makePublishedCurrent(store: ObjectStore, version: string, isVerified = false): Promise<void> {
  const { manifest, content } = await readPublished(store, version);
  for (const file of filesOf(manifest)) {
    const state = await stateOf(store, file, isVerified);
    if (state !== 'whole')
      throw new Failure(
        `${store.address}/${fileKey(file.sha256)} (${file.name} of ${version}) is ${state}; publish the version again`,
      );
  }
  await point(store, version, content);
}

/** Whether a file lies in the store, by its size and, where it is read back, by its hash. */
async function stateOf(
  store: ObjectStore,
  { sha256, bytes }: File,
  readsBack: boolean,
): Promise<'whole' | 'missing' | 'damaged'> {
  const found = await store.sizeOf(fileKey(sha256));
  if (found === undefined) return 'missing';
  if (found !== bytes) return 'damaged';
  return !readsBack || (await storedHash(store, fileKey(sha256))) === sha256 ? 'whole' : 'damaged';
}

async function storedHash(store: ObjectStore, key: string): Promise<string> {
  const hash = createHash('sha256');
  const pace = watchPace({});
  try {
    for await (const chunk of await store.open(key, 0, pace.signal)) {
      hash.update(chunk);
      pace.arrived(chunk.length);
    }
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new Failure(`${store.address}/${key} could not be read back: ${reasonOf(error)}; try again`);
  } finally {
    pace.stop();
  }
  return hash.digest('hex');
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

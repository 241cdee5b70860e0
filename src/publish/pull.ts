/** Pulls a published dataset, so that a server never sees a partial one. */

import { existsSync } from 'node:fs';
import { link, mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openDataset } from '../api/open.ts';
import { withListLock, withPullLock } from '../build/locks.ts';
import { datasetVersions, makeCurrent, prune, rollBack } from '../build/versions.ts';
import { checkRoom, type PaceOptions, type ResumeOptions, resumed, sizeOf, watchPace } from '../download/download.ts';
import { Failure, namingPath, UsageError } from '../errors.ts';
import { synced } from '../store/durable.ts';
import {
  checkFiles,
  currentVersion,
  DatasetError,
  fileHash,
  filesOf,
  type Manifest,
  readManifest,
  verifyFiles,
  withoutStreets,
} from '../store/manifest.ts';
import type { ObjectStore } from './object-store.ts';
import { fileKey, openObjectStore, type Pointer, type Published, readPointer, readPublished } from './publish.ts';

type PullOptions = ResumeOptions & {
  /** Leaves out street-level data, which are served from a search cluster. */
  isWithoutStreets?: boolean;
};

type WantedVersion = { version: string; sha256?: string };

const stagingPrefix = '.pulling-';
/** Files in progress, by their hashes; they stay when a pull breaks off. */
const partsDirectory = '.pulled-files';

/** The version that a node is to serve; undefined where nothing was published. */
async function wantedVersion({ store, pinned }: Published): Promise<Partial<Pointer> | undefined> {
  return pinned === undefined ? readPointer(store) : { version: pinned };
}

/**
 * Pulls a published version into the data directory, if it is not there yet: files of another local version are
 * hard-linked, the others downloaded. Each is verified and the dataset is opened before it gets its name. A second pull
 * into the directory waits for the first. Throws DatasetError when it is damaged; what is here then stays as it was.
 */
export function pull(
  { store }: Published,
  wanted: WantedVersion,
  dataDirectory: string,
  options: PullOptions = {},
): Promise<void> {
  return withPullLock(dataDirectory, () => pullLocked(store, wanted, dataDirectory, options));
}

async function pullLocked(
  store: ObjectStore,
  { version, sha256 }: WantedVersion,
  dataDirectory: string,
  { isWithoutStreets = false, ...options }: PullOptions,
): Promise<void> {
  const target = join(dataDirectory, version);
  if (await isHere(target, isWithoutStreets)) return;
  const published = await readPublished(store, version, sha256);
  const manifest = isWithoutStreets ? { ...withoutStreets(published.manifest), isWithoutStreets } : published.manifest;
  const content = isWithoutStreets ? Buffer.from(JSON.stringify(manifest)) : published.content;
  const parts = join(dataDirectory, partsDirectory);
  const staging = join(dataDirectory, `${stagingPrefix}${version}`);
  await mkdir(parts, { recursive: true });
  // What pulls of other versions have left, which were refused or ended, is as large as a dataset.
  const hashes = new Set(filesOf(manifest).map((file) => file.sha256));
  const left = (await readdir(dataDirectory)).filter((name) => name.startsWith(stagingPrefix));
  for (const name of await readdir(parts)) if (!hashes.has(name)) left.push(join(partsDirectory, name));
  for (const name of left) await rm(join(dataDirectory, name), { recursive: true, force: true });
  await mkdir(staging);
  const here = await filesHere(dataDirectory);
  let missingBytes = 0;
  for (const { sha256, bytes } of filesOf(manifest))
    if (!here.has(sha256)) missingBytes += bytes - (await sizeOf(join(parts, sha256)));
  // Before the first: a disk that is full stops the service too.
  await checkRoom(parts, missingBytes);
  for (const file of filesOf(manifest)) {
    const known = here.get(file.sha256);
    const part = join(parts, file.sha256);
    // A file of another local version may have been damaged since.
    const isWhole = known !== undefined && (await fileHash(known)) === file.sha256;
    if (!isWhole) await fetchFile(store, file, part, options);
    await link(isWhole ? known : part, join(staging, file.name));
  }
  // Never through a link to the file of another version.
  const written = join(staging, 'manifest.json');
  await writeFile(written, content, { flag: 'wx', flush: true }).catch(namingPath(written));
  openDataset(staging).close();
  await synced(staging);
  // Aside and not away: nothing is to end the process for long while it is not there.
  const former = join(parts, version);
  if (existsSync(target)) await rename(target, former);
  await rename(staging, target);
  await rm(parts, { recursive: true, force: true });
}

/** Whether a version is here and whole; one that is damaged, or lacks what this node serves now, is pulled again. */
async function isHere(directory: string, isWithoutStreets: boolean): Promise<boolean> {
  if (!existsSync(join(directory, 'manifest.json'))) return false;
  try {
    const manifest = readManifest(directory);
    await verifyFiles(directory, manifest);
    return isWithoutStreets || !manifest.isWithoutStreets;
  } catch (error) {
    if (error instanceof DatasetError) return false;
    throw error;
  }
}

/** Makes a version that was pulled current, and deletes the versions beyond `keep`. */
export async function reload(dataDirectory: string, version: string, keep: number): Promise<void> {
  const current = currentVersion(dataDirectory);
  if (current === version) return;
  const isBack = current !== undefined && version < current && existsSync(join(dataDirectory, current));
  if (isBack) await rollBack(dataDirectory, version);
  else
    await withListLock(dataDirectory, () => {
      // A build may have pruned it since it was pulled.
      const directory = join(dataDirectory, version);
      checkFiles(directory, readManifest(directory));
      return makeCurrent(dataDirectory, version);
    });
  await prune(dataDirectory, keep);
}

/** Paths of the files of all versions here, by their hashes. */
async function filesHere(dataDirectory: string): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for (const { version } of await datasetVersions(dataDirectory)) {
    const directory = join(dataDirectory, version);
    let manifest: Manifest;
    try {
      manifest = readManifest(directory);
    } catch (error) {
      if (error instanceof DatasetError) continue;
      throw error;
    }
    const names = new Set(await readdir(directory));
    for (const { name, sha256 } of filesOf(manifest)) if (names.has(name)) files.set(sha256, join(directory, name));
  }
  return files;
}

/**
 * Downloads a published file to `part`, resuming an earlier attempt, and verifies its hash. Throws DatasetError and
 * deletes it if the hash differs. Received data is kept after any other failure, which is a Failure unless it is one of
 * the file system.
 */
export async function fetchFile(
  store: ObjectStore,
  { name, sha256, bytes }: { name: string; sha256: string; bytes: number },
  part: string,
  options: ResumeOptions = {},
): Promise<void> {
  const what = `${store.address}/${fileKey(sha256)} (${name})`;
  const isLasting = (error: unknown) => error instanceof UsageError && !(error instanceof Failure);
  if ((await sizeOf(part)) < bytes)
    await resumed(what, part, () => transfer(store, fileKey(sha256), part, bytes, options), isLasting, options);
  const got = await fileHash(part);
  if (got === sha256) return;
  await rm(part, { force: true });
  throw new DatasetError(
    `${what} does not match its SHA-256: got ${got}, expected ${sha256}; ` +
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
  await using file = await open(part, 'a');
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
  }
}

type FollowOptions = Omit<PullOptions, 'isWithoutStreets'> & {
  /** Where the dataset is published; with `@version` that version is pinned. */
  dataset: string;
  dataDirectory: string;
  /** Also how long a version waits at most before it is loaded: a random part of it, so that not all nodes open it at once. */
  datasetEverySeconds: number;
  keepVersions: number;
  /** The search cluster that serves street-level data, which are not pulled then; empty or absent for none. */
  streets?: string;
};

const pullOptionsOf = (options: FollowOptions): PullOptions => ({
  ...options,
  isWithoutStreets: Boolean(options.streets),
});

const maxWaitMs = 3_600_000;

const nothingPublished = (dataset: string) =>
  new Failure(`nothing is published at ${dataset}; publish a dataset with "whereabouts publish"`);

type Log = { info(details: object, message: string): void; error(details: object, message: string): void };

/**
 * Pulls the published version and makes it current. Throws Failure where nothing is published, else as `pull` does.
 */
export async function pullOnce(options: FollowOptions): Promise<string> {
  const published = await openObjectStore(options.dataset);
  const wanted = await wantedVersion(published);
  if (wanted?.version === undefined) throw nothingPublished(options.dataset);
  await pull(published, { ...wanted, version: wanted.version }, options.dataDirectory, pullOptionsOf(options));
  await reload(options.dataDirectory, wanted.version, options.keepVersions);
  return wanted.version;
}

/**
 * Polls the published version and makes it current; the process that watches the data directory serves it. A damaged
 * version is logged and retried after twice the time each time: it may be mended in its place.
 */
export function followPublished(options: FollowOptions, log: Log): { close(): void } {
  const { dataset, dataDirectory, datasetEverySeconds: everySeconds, keepVersions } = options;
  const end = new AbortController();
  const { signal } = end;
  let refused: { version: string; waitMs: number; until: number } | undefined;

  async function poll(published: Published): Promise<void> {
    const { version, sha256 } = (await wantedVersion(published)) ?? {};
    if (version === undefined) throw nothingPublished(dataset);
    if (version === currentVersion(dataDirectory)) return;
    if (refused?.version === version && performance.now() < refused.until) return;
    try {
      await pull(published, { version, ...(sha256 && { sha256 }) }, dataDirectory, {
        ...pullOptionsOf(options),
        signal,
      });
    } catch (error) {
      if (error instanceof DatasetError) {
        const waitMs = refused?.version === version ? Math.min(2 * refused.waitMs, maxWaitMs) : everySeconds * 1000;
        refused = { version, waitMs, until: performance.now() + waitMs };
      }
      throw error;
    }
    await wait(Math.random() * everySeconds * 1000, undefined, { signal });
    // If it was withdrawn meanwhile, it is not loaded.
    if ((await wantedVersion(published))?.version !== version) return;
    await reload(dataDirectory, version, keepVersions);
    log.info({ dataset: version, from: published.store.address }, 'published dataset pulled');
  }

  async function follow(): Promise<void> {
    for (;;) {
      try {
        await wait(everySeconds * 1000, undefined, { signal });
        await poll(await openObjectStore(dataset));
      } catch (error) {
        if (signal.aborted) return;
        log.error({ err: error }, 'the published dataset cannot be pulled; the local one stays in use');
      }
    }
  }
  follow();
  return { close: () => end.abort() };
}

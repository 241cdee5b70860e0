import { createHash } from 'node:crypto';
import { constants, copyFile, type FileHandle, mkdir, open, readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fetchWithRedirects, readDocument, readWithin, reasonOf, watchPace } from '../download/download.ts';
import { Failure, UsageError } from '../errors.ts';
import { loadExtension, standsFor } from '../extensions.ts';
import { schemaFaults } from '../schema.ts';
import { removeAbandoned, replaceDurably } from '../store/durable.ts';
import {
  DatasetError,
  datasetSchemaVersion,
  filesOf,
  type LayerInfo,
  Manifest,
  readManifest,
  verifyFiles,
} from '../store/manifest.ts';
import type { ObjectStore } from './object-store.ts';

/** Versions that the pointer lists. */
const maxListed = 100;

/**
 * Publishes a dataset version: the files that the store lacks, then the manifest, then the pointer that nodes follow.
 * Files that are there are judged by their size; with `isVerified`, and where the version was published before, they
 * are read back, and damaged ones replaced. If interrupted at any moment, the version before stays served; the same call
 * resumes. Returns what was sent: files and bytes, how many of them replaced damaged ones, and how many files were there already.
 * Throws DatasetError when the dataset is damaged.
 */
export async function publish(
  store: ObjectStore,
  directory: string,
  {
    isVerified = false,
    progress = () => {},
  }: { isVerified?: boolean; progress?: (file: string, at: number, of: number) => void } = {},
) {
  const content = await readFile(join(directory, 'manifest.json'));
  const { version } = readManifest(directory);
  // What nodes would refuse is refused here.
  const manifest = checkedManifest(content, version, join(directory, 'manifest.json'), 'report it: a build wrote this');
  // A damaged file is not published, also where it rotted since it was compared; nodes would refuse it.
  await verifyFiles(directory, manifest, { isFresh: true });
  const files = [...new Map(filesOf(manifest).map((file) => [file.sha256, file])).values()];
  const sent = { files: 0, bytes: 0, replaced: 0, present: 0 };
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
  await store.write(manifestKey(version), content);
  const now = (await readPointer(store).catch(unlessDamaged))?.version;
  if (now !== undefined && now !== before?.version && now > version)
    throw new Failure(
      `${now}, which is newer, was published meanwhile, and nodes serve it; ${version} is complete: serve it with --use ${version}`,
    );
  await point(store, version, content);
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
  { sha256, bytes }: LayerInfo['files'][number],
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

// How datasets lie in an object store:
//
//     files/<sha256>            a file of a layer, named by its content: versions share what they have in common
//     versions/<version>.json   the manifest of a version
//     current.json              which version nodes are to serve, and the hash of its manifest; written last

export type Pointer = {
  version: string;
  sha256: string;
  /** Versions that were published, the latest first. */
  published: string[];
};

export const fileKey = (sha256: string) => `files/${sha256}`;
const manifestKey = (version: string) => `versions/${version}.json`;
const pointerKey = 'current.json';

/** A pointer has at most 100 versions; a manifest about 40 KB for the default dataset, and 3 KB for each of 1,024 parts. */
const maxPointerBytes = 2 ** 20;
const maxManifestBytes = 4 * 2 ** 20;

export const sha256Of = (content: Buffer) => createHash('sha256').update(content).digest('hex');

/** The version that nodes are to serve; undefined where nothing was published. Throws DatasetError for what is not a pointer. */
export async function readPointer(store: ObjectStore): Promise<Pointer | undefined> {
  const content = await store.read(pointerKey, maxPointerBytes);
  if (content === undefined) return undefined;
  const { version, sha256, published } = parsed<Pointer>(content, `${store.address}/${pointerKey}`);
  if (!isVersion(version) || !isHash(sha256))
    throw new DatasetError(`${store.address}/${pointerKey} names no version and hash; publish the dataset again`);
  return { version, sha256, published: Array.isArray(published) ? published.filter(isVersion) : [] };
}

/**
 * The manifest of a published version, as it lies there, and its bytes. Throws DatasetError when it is missing, not what
 * its hash says, of another schema, or names a file that cannot be part of a dataset: it lies
 * elsewhere than in its directory, or has the name of the manifest, of the list of sources that a node keeps, or of another file.
 */
export async function readPublished(
  store: ObjectStore,
  version: string,
  sha256?: string,
): Promise<{ manifest: Manifest; content: Buffer }> {
  const address = `${store.address}/${manifestKey(version)}`;
  const content = await store.read(manifestKey(version), maxManifestBytes);
  if (content === undefined)
    throw new DatasetError(`${address} does not exist; publish the version, or choose another`);
  if (sha256 !== undefined && sha256Of(content) !== sha256)
    throw new DatasetError(
      `${address} does not match ${pointerKey}: its hash is ${sha256Of(content)}, expected ${sha256}`,
    );
  return { manifest: checkedManifest(content, version, address, 'publish the dataset again'), content };
}

/** The manifest that a text is. Throws DatasetError where it is none of that version. */
function checkedManifest(content: Buffer, version: string, address: string, remedy: string): Manifest {
  const manifest = parsed<Manifest>(content, address);
  if (manifest.schemaVersion !== datasetSchemaVersion)
    throw new DatasetError(
      `${address} has dataset schema ${Number(manifest.schemaVersion)}, but this program reads ${datasetSchemaVersion}`,
    );
  const fault =
    manifest.version === version
      ? (schemaFaults(Manifest, manifest)[0] ?? repeatedPart(manifest))
      : { instancePath: '/version', message: 'is another' };
  if (fault) {
    const reason = `${fault.instancePath} ${fault.message}`.slice(0, 200);
    throw new DatasetError(`${address} is not a manifest of ${version} (${reason}); ${remedy}`);
  }
  const names = new Set(['manifest.json', 'sources.json']);
  for (const { name } of filesOf(manifest)) {
    const isTaken = names.size === names.add(name.toLowerCase()).size;
    if (isTaken || !/^[a-z0-9][a-z0-9._-]{0,199}$/i.test(name))
      throw new DatasetError(
        `${address} names a file ${JSON.stringify(name.slice(0, 200))}, which cannot be part of a dataset; it was refused`,
      );
  }
  return manifest;
}

/** Of parts with one name or number all but one would silently not be found. */
const repeatedPart = ({ parts }: Manifest) =>
  new Set(parts.flatMap(({ name, number }) => [name, number])).size < 2 * parts.length
    ? { instancePath: '/parts', message: 'must have distinct names and numbers' }
    : undefined;

export const isVersion = (text: unknown): text is string => typeof text === 'string' && /^\d{8}T\d{6}Z$/.test(text);
const isHash = (text: unknown) => typeof text === 'string' && /^[0-9a-f]{64}$/.test(text);

function parsed<T>(content: Buffer, address: string): T {
  try {
    const value = JSON.parse(content.toString());
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Reported below.
  }
  throw new DatasetError(`${address} is not a JSON object; publish the dataset again`);
}

// Where datasets are published: a bucket, by its extension, a directory, or an http(s) address that can only be read.

/** A published dataset as an address names it: the store, and the version where one is pinned (`…@20261121T165535Z`). */
export type Published = { store: ObjectStore; pinned: string | undefined };

/** Opens `s3://bucket/prefix`, an http(s) address or a directory. Throws UsageError for any other address. */
export async function openObjectStore(address: string): Promise<Published> {
  const [, place, version] = /^(.*?)(?:@([^@/]*))?$/s.exec(address)!;
  if (version !== undefined && !isVersion(version)) {
    throw new UsageError(`${address} names the version "${version}", expected one such as 20261121T165535Z`);
  }
  return { store: await storeAt(place), pinned: version };
}

async function storeAt(place: string): Promise<ObjectStore> {
  if (standsFor('object-store', place)) {
    type Extension = { openStore(address: string): ObjectStore };
    const { openStore } = await loadExtension<Extension>('object-store', place);
    return openStore(place);
  }
  const url = /^https?:\/\//.test(place) ? URL.parse(place) : null;
  // Addresses are in messages and logs.
  if (url?.username || url?.password)
    throw new UsageError(
      `an address of datasets at ${url.host} has a user or password, which it cannot have; let that server know this machine otherwise, or use s3://`,
    );
  if (url) return httpStore(place);
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(place)) {
    throw new UsageError(`${place} cannot hold datasets; expected s3://bucket/prefix, https://… or a directory`);
  }
  return directoryStore(resolve(place));
}

const ifThere = <T>(error: NodeJS.ErrnoException): T | undefined => {
  if (error.code === 'ENOENT') return undefined;
  throw error;
};

/** A directory as an object store: for a file system that nodes share, or a web server. */
export function directoryStore(directory: string): ObjectStore {
  const pathOf = (key: string) => join(directory, key);
  const put = async (key: string, content: Parameters<typeof replaceDurably>[1]) => {
    await mkdir(dirname(pathOf(key)), { recursive: true });
    await removeAbandoned(dirname(pathOf(key)));
    await replaceDurably(pathOf(key), content);
  };
  const opened = async (key: string) => {
    // A pipe would be waited for.
    const file = await open(pathOf(key), constants.O_RDONLY | constants.O_NONBLOCK);
    if ((await file.stat()).isFile()) return file;
    await file.close();
    throw new Error(`${pathOf(key)} is not a file`);
  };
  return {
    address: directory,
    async read(key, maxBytes) {
      const file = await opened(key).catch(ifThere<FileHandle>);
      return readWithin(pathOf(key), async (signal) => file?.createReadStream({ signal }), { maxBytes });
    },
    open: async (key, start, signal) => (await opened(key)).createReadStream({ start, signal }),
    sizeOf: async (key) => (await stat(pathOf(key)).catch(ifThere<{ size: number }>))?.size,
    write: put,
    writeFile: (key, path) => put(key, (part) => copyFile(path, part)),
  };
}

const answerMs = 30_000;

/** What lies below an http(s) address, such as a web server over a published directory; it can only be read. */
export function httpStore(address: string): ObjectStore {
  const base = address.replace(/\/+$/, '');
  const request = async (key: string, init: RequestInit) => {
    const response = await fetchWithRedirects(`${base}/${key}`, init);
    if (response.ok || response.status === 404) return response;
    await response.body?.cancel();
    throw new Error(`${base}/${key} answered ${response.status}`);
  };
  const cannot = async () => {
    throw new UsageError(`${address} is read-only; publish to the directory or bucket behind it`);
  };
  return {
    address: base,
    read: (key, maxBytes) => readDocument(`${base}/${key}`, { maxBytes }),
    async open(key, from, signal) {
      const response = await request(key, { signal, headers: from > 0 ? { Range: `bytes=${from}-` } : {} });
      if (response.status === 404 || !response.body) throw new Error(`${base}/${key} does not exist`);
      return from > 0 && response.status !== 206 ? without(response.body, from) : response.body;
    },
    async sizeOf(key) {
      const response = await request(key, { method: 'HEAD', signal: AbortSignal.timeout(answerMs) });
      return response.ok ? Number(response.headers.get('content-length')) : undefined;
    },
    write: cannot,
    writeFile: cannot,
  };
}

/** The bytes after the first ones, of a server that does not know ranges. */
async function* without(body: AsyncIterable<Uint8Array>, count: number): AsyncGenerator<Uint8Array> {
  let left = count;
  for await (const chunk of body) {
    if (left < chunk.length) yield chunk.subarray(left);
    left = Math.max(0, left - chunk.length);
  }
}

import { constants, copyFile, type FileHandle, mkdir, open, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fetchWithRedirects, readDocument, readWithin } from '../download/download.ts';
import { UsageError } from '../errors.ts';
import { loadExtension, standsFor } from '../extensions.ts';
import { removeAbandoned, replaceDurably } from '../store/durable.ts';
import type { ObjectStore } from './object-store.ts';
import { isVersion } from './publish.ts';

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

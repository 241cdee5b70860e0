import { resolve } from 'node:path';
import { UsageError } from '../errors.ts';
import { loadExtension, standsFor } from '../extensions.ts';
import { directoryStore } from './directory-store.ts';
import { httpStore } from './http-store.ts';
import type { ObjectStore } from './object-store.ts';
import { isVersion } from './published.ts';

/** What the extension for buckets exports. */
type BucketExtension = { openStore(address: string): ObjectStore };

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
    const { openStore } = await loadExtension<BucketExtension>('object-store', place);
    return openStore(place);
  }
  if (/^https?:\/\//.test(place) && URL.canParse(place)) return httpStore(place);
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(place)) {
    throw new UsageError(`${place} cannot hold datasets; expected s3://bucket/prefix, https://… or a directory`);
  }
  return directoryStore(resolve(place));
}

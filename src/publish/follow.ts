import { setTimeout as wait } from 'node:timers/promises';
import { UsageError } from '../errors.ts';
import { DatasetError } from '../store/dataset-error.ts';
import { currentVersion } from '../store/manifest.ts';
import type { FetchOptions } from './fetch-file.ts';
import { openObjectStore, type Published } from './open-object-store.ts';
import { pull, reload, wantedVersion } from './pull.ts';

export type FollowOptions = FetchOptions & {
  /** Where the dataset is published; with `@version` that version is pinned. */
  dataset: string;
  dataDirectory: string;
  datasetEverySeconds: number;
  /** A version is loaded after a random part of this time, so that not all nodes open it at once. */
  datasetStaggerSeconds: number;
  keepVersions: number;
};

type Log = { info(details: object, message: string): void; error(details: object, message: string): void };

/**
 * Pulls the published version and makes it current. Throws UsageError where nothing is published, else as `pull` does.
 */
export async function pullOnce(options: FollowOptions): Promise<string> {
  const published = await openObjectStore(options.dataset);
  const wanted = await wantedVersion(published);
  if (wanted?.version === undefined)
    throw new UsageError(`nothing is published at ${options.dataset}; publish a dataset with "whereabouts publish"`);
  await pull(published, { ...wanted, version: wanted.version }, options.dataDirectory, options);
  await reload(options.dataDirectory, wanted.version, options.keepVersions);
  return wanted.version;
}

/**
 * Polls the published version and makes it current; the process that watches the data directory serves it. A damaged
 * version is logged, and not retried until another one is published.
 */
export function followPublished(options: FollowOptions, log: Log): { close(): void } {
  const { dataset, dataDirectory, datasetEverySeconds: everySeconds, datasetStaggerSeconds, keepVersions } = options;
  const end = new AbortController();
  const { signal } = end;
  const refused = new Set<string>();

  async function poll(published: Published): Promise<void> {
    const { version, sha256 } = (await wantedVersion(published)) ?? {};
    if (version === undefined || version === currentVersion(dataDirectory) || refused.has(`${version} ${sha256}`))
      return;
    try {
      await pull(published, { version, ...(sha256 && { sha256 }) }, dataDirectory, { ...options, signal });
    } catch (error) {
      if (error instanceof DatasetError) refused.add(`${version} ${sha256}`);
      throw error;
    }
    await wait(Math.random() * datasetStaggerSeconds * 1000, undefined, { signal });
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
        log.error({ err: error, dataset }, 'the published dataset cannot be pulled; the local one stays in use');
      }
    }
  }
  follow();
  return { close: () => end.abort() };
}

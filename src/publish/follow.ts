import { setTimeout as wait } from 'node:timers/promises';
import { Failure } from '../errors.ts';
import { currentVersion, DatasetError } from '../store/manifest.ts';
import { openObjectStore, type Published } from './object-stores.ts';
import { type PullOptions, pull, reload, wantedVersion } from './pull.ts';

export type FollowOptions = Omit<PullOptions, 'isWithoutStreets'> & {
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
        log.error({ err: error, dataset }, 'the published dataset cannot be pulled; the local one stays in use');
      }
    }
  }
  follow();
  return { close: () => end.abort() };
}

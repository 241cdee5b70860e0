import { type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';
import { openDataset } from '../../api/open.ts';
import { currentVersion, readManifest, verifyFiles } from '../../store/manifest.ts';
import type { StreetEngine } from '../../store/street-engine.ts';
import type { StoreHolder } from '../service.ts';

export type Log = { info(details: object, message: string): void; error(details: object, message: string): void };

/** What a follower replaces the dataset of: `served` is the version, and `take` serves another from then on, or throws and does not. */
export type Served = { served(): string | undefined; take(version: string): void | Promise<void> };

/**
 * The same for a holder of this process, which serves a dataset from the next request on. Of the one that is served, if that is still
 * being built, what is open stays open; any other is replaced.
 */
export const servedBy = (dataDirectory: string, holder: StoreHolder, log: Log, engine?: StreetEngine): Served => ({
  // While it is still being built, the version of that name is not what is served.
  served: () => (holder.current?.manifest.coming ? undefined : holder.current?.manifest.version),
  take(name) {
    const directory = join(dataDirectory, name);
    const { version } = readManifest(directory);
    const before = holder.current;
    const isGrowing = before?.manifest.coming !== undefined && before.manifest.version === version;
    holder.current = openDataset(directory, { engine, opened: isGrowing ? before : undefined });
    if (isGrowing) {
      const { coming = [] } = holder.current.manifest;
      return log.info({ dataset: version, coming }, 'more of the dataset is served');
    }
    // While both are open, which is the most that a switch takes.
    const memoryMb = Math.round(process.memoryUsage.rss() / 2 ** 20);
    before?.close();
    const isSame = before?.manifest.version === version;
    log.info(
      { dataset: version, before: before?.manifest.version, memory_mb: memoryMb },
      isSame ? 'opened the same dataset again' : 'switched to a new dataset',
    );
  },
});

/**
 * Has the version served that `current` names from now on: when that changes, and with each `refresh`, unless it is served already
 * (`isForced`: even then). Its files are verified before it is taken. Failures are logged and the old dataset stays; checks run
 * one after the other. Where the system cannot watch, `refresh` is what remains.
 */
export function followDataset(
  dataDirectory: string,
  log: Log,
  { served, take }: Served,
): { refresh(isForced?: boolean): Promise<void>; close(): void } {
  async function look(isForced: boolean): Promise<void> {
    let version: string | undefined;
    try {
      version = currentVersion(dataDirectory);
      if (version === undefined || (version === served() && !isForced)) return;
      const directory = join(dataDirectory, version);
      await verifyFiles(directory, readManifest(directory));
      await take(version);
    } catch (err) {
      const refused = 'the new dataset cannot be opened; the old one stays in use';
      log.error({ err, dataset: version, serving: served() }, refused);
    }
  }
  let looks = Promise.resolve();
  const refresh = (isForced = false) => (looks = looks.then(() => look(isForced)));
  const cannot = (err: unknown) =>
    log.error({ err }, 'the data directory cannot be watched; send SIGHUP after a build');
  let watcher: FSWatcher | undefined;
  try {
    watcher = watch(dataDirectory, { persistent: false }, (_event, name) => {
      if (name === null || name === 'current') refresh();
    }).on('error', cannot);
  } catch (error) {
    // Systems allow a number of watches, which others may have used up.
    cannot(error);
  }
  return { refresh, close: () => watcher?.close() };
}

import { type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';
import { openDataset } from '../../api/open.ts';
import { currentVersion, readManifest, verifyFiles } from '../../store/manifest.ts';
import type { StreetEngine } from '../../store/street-engine.ts';
import type { StoreHolder } from '../service.ts';

export type Log = { info(details: object, message: string): void; error(details: object, message: string): void };

const refused = 'the new dataset cannot be opened; the old one stays in use';

/**
 * Follows the version named by `current`. The returned function loads it unless it is already served (`isForced`: even
 * then): its files are verified, and `take` opens it. Failures are logged and the old dataset stays. Never rejects;
 * checks run one after the other.
 */
export function createFollower(
  dataDirectory: string,
  log: Log,
  { served, take }: { served(): string | undefined; take(version: string): void | Promise<void> },
): (isForced?: boolean) => Promise<void> {
  async function refresh(isForced: boolean): Promise<void> {
    let version: string | undefined;
    try {
      version = currentVersion(dataDirectory);
      if (version === undefined || (version === served() && !isForced)) return;
      const directory = join(dataDirectory, version);
      await verifyFiles(directory, readManifest(directory));
      await take(version);
    } catch (error) {
      log.error({ err: error, dataset: version, serving: served() }, refused);
    }
  }
  let looks = Promise.resolve();
  return (isForced = false) => (looks = looks.then(() => refresh(isForced)));
}

/**
 * Serves a dataset from the next request on. Of the one that is served, if that is still being built, what is open stays
 * open; any other is replaced. Throws if it cannot be opened.
 */
export function switchDataset(directory: string, holder: StoreHolder, log: Log, engine?: StreetEngine): void {
  const { version } = readManifest(directory);
  const before = holder.current;
  const isGrowing = before?.manifest.coming !== undefined && before.manifest.version === version;
  holder.current = openDataset(directory, { engine, opened: isGrowing ? before : undefined });
  if (isGrowing) {
    const { coming = [] } = holder.current.manifest;
    log.info({ dataset: version, coming }, 'more of the dataset is served');
    return;
  }
  // While both are open, which is the most that a switch takes.
  const memoryMb = Math.round(process.memoryUsage.rss() / 2 ** 20);
  before?.close();
  const isSame = before?.manifest.version === version;
  log.info(
    { dataset: version, before: before?.manifest.version, memory_mb: memoryMb },
    isSame ? 'opened the same dataset again' : 'switched to a new dataset',
  );
}

/** Calls `onChange` when `current` names another dataset. Where the system cannot watch, SIGHUP is what remains. */
export function watchDatasets(dataDirectory: string, onChange: () => void, log: Log): { close(): void } {
  const cannot = (error: unknown) =>
    log.error({ err: error }, 'the data directory cannot be watched; send SIGHUP after a build');
  let watcher: FSWatcher;
  try {
    watcher = watch(dataDirectory, { persistent: false }, (_event, name) => {
      if (name === null || name === 'current') onChange();
    });
  } catch (error) {
    // Systems allow a number of watches, which others may have used up.
    cannot(error);
    return { close() {} };
  }
  watcher.on('error', cannot);
  return watcher;
}

/** Serves the version named by `current` from now on: when it changes, or on demand. */
export function followDataset(
  dataDirectory: string,
  holder: StoreHolder,
  log: Log,
  engine?: StreetEngine,
): { refresh(isForced?: boolean): Promise<void>; close(): void } {
  const refresh = createFollower(dataDirectory, log, {
    // While it is still being built, the version of that name is not what is served.
    served: () => (holder.current?.manifest.coming ? undefined : holder.current?.manifest.version),
    take: (version) => switchDataset(join(dataDirectory, version), holder, log, engine),
  });
  const watcher = watchDatasets(dataDirectory, () => refresh(), log);
  return { refresh, close: () => watcher.close() };
}

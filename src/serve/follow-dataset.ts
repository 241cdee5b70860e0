import { type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';
import type { StoreHolder } from '../http/service.ts';
import { currentVersion } from '../store/manifest.ts';
import { openDataset } from '../store/open.ts';

export type Log = { info(details: object, message: string): void; error(details: object, message: string): void };

/**
 * Serves what `current` names, unless it is served already (`isForced`: even then): the dataset is opened and takes the
 * place of the old one between two requests. One that cannot be opened is refused, and the old one stays.
 */
export function takeUpDataset(dataDirectory: string, holder: StoreHolder, log: Log, isForced = false): void {
  const version = currentVersion(dataDirectory);
  const served = holder.current?.manifest.version;
  if (version === undefined || (version === served && !isForced)) return;
  try {
    const opened = openDataset(join(dataDirectory, version));
    const old = holder.current;
    holder.current = opened;
    old?.close();
    log.info({ dataset: version, before: served }, 'dataset taken up');
  } catch (error) {
    log.error({ err: error, dataset: version, serving: served }, 'the new dataset cannot be opened; the old one stays');
  }
}

/** Calls `onChange` when `current` names another dataset. */
export function watchDatasets(dataDirectory: string, onChange: () => void, log: Log): { close(): void } {
  const watcher: FSWatcher = watch(dataDirectory, { persistent: false }, (_event, name) => {
    if (name === null || name === 'current') onChange();
  });
  watcher.on('error', (error) =>
    log.error({ err: error }, 'the data directory cannot be watched; send SIGHUP after a build'),
  );
  return watcher;
}

/** Serves what `current` names from now on: when it changes, or when asked to look. */
export function followDataset(
  dataDirectory: string,
  holder: StoreHolder,
  log: Log,
): { look(isForced?: boolean): void; close(): void } {
  const look = (isForced = false) => takeUpDataset(dataDirectory, holder, log, isForced);
  const watcher = watchDatasets(dataDirectory, look, log);
  return { look, close: () => watcher.close() };
}

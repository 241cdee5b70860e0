import { type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';
import type { StoreHolder } from '../http/service.ts';
import { currentVersion } from '../store/manifest.ts';
import { openDataset } from '../store/open.ts';

type Log = { info(details: object, message: string): void; error(details: object, message: string): void };

/**
 * Serves what `current` names from now on: when it changes, or when asked to look, the new dataset is opened and takes
 * the place of the old between two requests. One that cannot be opened is refused, and the old one stays.
 */
export function followDataset(
  dataDirectory: string,
  holder: StoreHolder,
  log: Log,
): { look(force?: boolean): void; close(): void } {
  const look = (force = false) => {
    const version = currentVersion(dataDirectory);
    const served = holder.current?.manifest.version;
    if (version === undefined || (version === served && !force)) return;
    try {
      const opened = openDataset(join(dataDirectory, version));
      const old = holder.current;
      holder.current = opened;
      old?.close();
      log.info({ dataset: version, before: served }, 'dataset taken up');
    } catch (error) {
      log.error(
        { err: error, dataset: version, serving: served },
        'the new dataset cannot be opened; the old one stays',
      );
    }
  };
  const watcher: FSWatcher = watch(dataDirectory, { persistent: false }, (_event, name) => {
    if (name === null || name === 'current') look();
  });
  watcher.on('error', (error) =>
    log.error({ err: error }, 'the data directory cannot be watched; send SIGHUP after a build'),
  );
  return { look, close: () => watcher.close() };
}

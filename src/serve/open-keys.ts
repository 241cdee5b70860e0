import { existsSync } from 'node:fs';
import type { Config } from '../config.ts';
import { UsageError } from '../errors.ts';
import { type Keys, openKeys } from '../keys/keys.ts';
import { currentVersion } from '../store/manifest.ts';
import { systemFault, systemReason } from '../system-error.ts';

/**
 * Opens the keys where a configuration keeps them. `isShared`: other processes of this machine spend from the same
 * quotas. Throws UsageError when the database cannot be opened, or would be the first file of a directory that is no
 * data directory; a server that does not answer is waited for in the background.
 */
export async function openKeysOf(
  config: Pick<Config, 'keys' | 'keysPath' | 'dataDirectory' | 'plans' | 'whenKeysAway'>,
  { isShared = false, onError }: { isShared?: boolean; onError?: (error: unknown) => void } = {},
): Promise<Keys> {
  const { plans, keysPath, dataDirectory } = config;
  const told = onError ? { onError } : {};
  if (config.keys === '') {
    if (!existsSync(keysPath) && currentVersion(dataDirectory) === undefined) {
      throw new UsageError(
        `${dataDirectory} is no data directory: it has neither keys nor a dataset; name the one of the service with ` +
          '--data-directory, or build a dataset first with "whereabouts build"',
      );
    }
    return openWritable('the keys', keysPath, () => openKeys(keysPath, { plans, isShared, ...told }));
  }
  // The client of the server is loaded only where it is used.
  const { openValkeyKeys } = await import('../keys/valkey/valkey-keys.ts');
  return openValkeyKeys(config.keys, { plans, whenAway: config.whenKeysAway, ...told });
}

/** Opens a database of the data directory that is written to. Throws UsageError where the system does not permit it. */
export function openWritable<T>(what: string, path: string, open: () => T): T {
  try {
    return open();
  } catch (error) {
    if (systemFault(error) === undefined) throw error;
    throw new UsageError(
      `${what} cannot be opened (${path}): ${systemReason(error)}; make the data directory writable for this user, or ` +
        'keep keys and sign-ups on a server (--keys redis://…)',
    );
  }
}

import { existsSync } from 'node:fs';
import type { Config } from '../../config.ts';
import { optionalPackages, UsageError } from '../../errors.ts';
import type { KeyStore, KeyStoreOptions } from '../../keys/key-store.ts';
import { openKeys } from '../../keys/sqlite/sqlite-keys.ts';
import { currentVersion } from '../../store/manifest.ts';
import { systemFault, systemReason } from '../../system-error.ts';

/**
 * Opens the keys where a configuration keeps them. `isAlone`: this process is the only one of this machine that spends
 * from the quotas. Throws UsageError when the database cannot be opened, or would be the first file of a directory that
 * is not a data directory; a server that does not answer is waited for in the background.
 */
export async function openKeysOf(
  config: Pick<Config, 'keys' | 'keysPath' | 'keyReplicas' | 'dataDirectory' | 'plans' | 'whenKeysAway'>,
  options: Pick<KeyStoreOptions, 'onError' | 'onReached'> & {
    isAlone?: boolean;
    /** Whether a dataset of this directory is open, though it may not be whole yet. */
    hasDataset?: boolean;
  } = {},
): Promise<KeyStore> {
  const { plans, keysPath, dataDirectory } = config;
  if (config.keys === '') {
    if (!options.hasDataset && !existsSync(keysPath) && currentVersion(dataDirectory) === undefined) {
      throw new UsageError(
        `${dataDirectory} is not a data directory: it has neither keys nor a dataset; choose the service's directory with ` +
          '--data-directory, or build a dataset first with "whereabouts build"',
      );
    }
    return openWritable('the keys', keysPath, () => openKeys(keysPath, { plans, ...options }));
  }
  // The client of the server is loaded only where it is used.
  const { openValkeyKeys } = await optionalPackages(
    'a server of keys',
    ['@redis/client'],
    () => import('../../keys/valkey/valkey-keys.ts'),
  );
  const { keys, whenKeysAway: whenUnavailable, keyReplicas: replicas } = config;
  return openValkeyKeys(keys, { plans, whenUnavailable, replicas, ...options });
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

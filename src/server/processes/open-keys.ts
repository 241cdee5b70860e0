import { existsSync } from 'node:fs';
import type { Config } from '../../config.ts';
import { systemFault, systemReason, UsageError } from '../../errors.ts';
import { loadExtension } from '../../extensions.ts';
import type { KeyEngine } from '../../keys/engine.ts';
import { createKeyStore, type KeyStore, type KeyStoreOptions } from '../../keys/key-store.ts';
import { openKeys } from '../../keys/sqlite/sqlite-keys.ts';
import { currentVersion } from '../../store/manifest.ts';

/** What the extension for servers of keys exports. An engine is returned at once, and waits for its server by itself. */
type KeysExtension = {
  openKeyEngine(address: string, options: { replicas: number }): Promise<KeyEngine>;
};

/**
 * Opens the keys where a configuration keeps them. `isAlone`: this process is the only one of this machine that spends
 * from the quotas. Throws UsageError when the database cannot be opened, or would be the first file of a directory that
 * is not a data directory; a server that does not answer is waited for in the background.
 */
export async function openKeysOf(
  config: Pick<Config, 'keys' | 'keysPath' | 'keyReplicas' | 'dataDirectory' | 'plans' | 'whenKeysAway'>,
  options: Pick<KeyStoreOptions, 'onChange' | 'onReached'> & {
    isAlone?: boolean;
    /** Id of a process of this machine that spent from them and has ended; what it held is free again, in a database. */
    ended?: number | undefined;
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
    try {
      return openKeys(keysPath, { plans, ...options });
    } catch (error) {
      if (systemFault(error) === undefined) throw error;
      throw new UsageError(
        `the keys cannot be opened (${keysPath}): ${systemReason(error)}; make the data directory writable for this user, or ` +
          'keep keys on a server (--keys redis://…)',
      );
    }
  }
  const { keys, whenKeysAway: whenUnavailable, keyReplicas: replicas } = config;
  const { openKeyEngine } = await loadExtension<KeysExtension>('valkey', 'a server of keys');
  return createKeyStore(await openKeyEngine(keys, { replicas }), { plans, whenUnavailable, ...options });
}

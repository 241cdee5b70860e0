import { existsSync } from 'node:fs';
import type { Config } from '../../config.ts';
import { systemFault, systemReason, UsageError } from '../../errors.ts';
import { loadExtension } from '../../extensions.ts';
import type { KeyEngine } from '../../keys/engine.ts';
import { createKeyStore, type KeyStore, type KeyStoreOptions } from '../../keys/key-store.ts';
import type { SignUpEngine } from '../../keys/sign-ups.ts';
import { openKeys } from '../../keys/sqlite/sqlite-keys.ts';
import { currentVersion } from '../../store/manifest.ts';

type ServerOptions = { replicas: number };

/** What the extension for servers of keys exports. An engine is returned at once, and waits for its server by itself. */
type KeysExtension = {
  openKeyEngine(address: string, options: ServerOptions): Promise<KeyEngine>;
  openSignUpEngine(address: string, options: ServerOptions): SignUpEngine;
};

/** Loads the engines for a server of keys. Throws UsageError where the extension is not installed. */
export const loadKeysExtension = (): Promise<KeysExtension> => loadExtension('valkey', 'a server of keys');

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
  const { keys, whenKeysAway: whenUnavailable, keyReplicas: replicas } = config;
  const { openKeyEngine } = await loadKeysExtension();
  return createKeyStore(await openKeyEngine(keys, { replicas }), { plans, whenUnavailable, ...options });
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

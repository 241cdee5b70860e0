import { mkdirSync } from 'node:fs';
import type { Config } from '../config.ts';
import { type Keys, openKeys } from '../keys/keys.ts';

/**
 * Opens the keys where a configuration keeps them. `isShared`: other processes of this machine spend from the same
 * quotas. Throws when the database cannot be opened; a server that does not answer is waited for in the background.
 */
export async function openKeysOf(
  config: Pick<Config, 'keys' | 'keysPath' | 'dataDirectory' | 'plans' | 'whenKeysAway'>,
  { isShared = false, onError }: { isShared?: boolean; onError?: (error: unknown) => void } = {},
): Promise<Keys> {
  const { plans } = config;
  const told = onError ? { onError } : {};
  if (config.keys === '') {
    mkdirSync(config.dataDirectory, { recursive: true });
    return openKeys(config.keysPath, { plans, isShared, ...told });
  }
  // The client of the server is loaded only where it is used.
  const { openValkeyKeys } = await import('../keys/valkey/valkey-keys.ts');
  return openValkeyKeys(config.keys, { plans, whenAway: config.whenKeysAway, ...told });
}

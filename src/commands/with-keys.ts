import { userInfo } from 'node:os';
import type { Command } from 'commander';
import type { KeyStore } from '../keys/key-store.ts';
import { openKeysOf } from '../server/processes/open-keys.ts';
import { configFor } from './settings.ts';

/** Who is at the command line, for the log of changes. */
export const operator = () => `operator ${userInfo().username}`;

/** Opens the keys of a command's configuration for a piece of work, and closes them after it. */
export async function withKeys(command: Command, work: (keys: KeyStore) => Promise<void>): Promise<void> {
  const keys = await openKeysOf(configFor(command));
  try {
    await work(keys);
  } finally {
    await keys.close();
  }
}

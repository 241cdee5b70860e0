/** Opens a dataset: the only file that knows which engine holds which layer. */

import { readManifest } from './manifest.ts';
import type { Store } from './store.ts';

/**
 * Opens the dataset in a directory for reading. Throws an Error with the remedy when it is broken or of another schema.
 */
export function openDataset(directory: string): Store {
  const manifest = readManifest(directory);
  throw new Error(`not yet ${manifest.version}`);
}

/** Writes files from memory durably. Errors of the system name the file. */
import { rename, rm, writeFile } from 'node:fs/promises';
import { namingPath } from '../errors.ts';

/** Replaces a file atomically; it is on disk when this resolves. */
export async function replaceDurably(path: string, content: string | Uint8Array): Promise<void> {
  const part = `${path}.part`;
  try {
    await writeFile(part, content, { flush: true }).catch(namingPath(part));
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

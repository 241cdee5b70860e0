/** Writes files from memory durably. Errors of the system name the file. */
import { open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { namingPath } from '../errors.ts';

/** Has what was written to a file, or the entries of a folder, on the disk. */
export async function synced(path: string): Promise<void> {
  const opened = await open(path);
  await opened.sync().finally(() => opened.close());
}

/** Replaces a file atomically; it is on disk when this resolves, and so are the names beside it. */
export async function replaceDurably(path: string, content: string | Uint8Array): Promise<void> {
  const part = `${path}.part`;
  try {
    await writeFile(part, content, { flush: true }).catch(namingPath(part));
    await rename(part, path);
    await synced(dirname(path));
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

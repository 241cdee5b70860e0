/** Writes files durably. Errors of the system name the file. */
import { randomUUID } from 'node:crypto';
import { glob, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { namingPath } from '../errors.ts';

/** Has what was written to a file, or the entries of a folder, on the disk. */
export async function synced(path: string): Promise<void> {
  const opened = await open(path);
  await opened.sync().finally(() => opened.close());
}

/**
 * Replaces a file atomically, by `content` or what that writes to a path beside it; it is on disk when this resolves, and so are the
 * names beside it. Others may replace it at the same time, on other machines too.
 */
export async function replaceDurably(
  path: string,
  content: string | Uint8Array | ((part: string) => Promise<void>),
): Promise<void> {
  const part = `${path}.${randomUUID()}.part`;
  try {
    await (typeof content === 'function' ? content(part) : writeFile(part, content)).catch(namingPath(path));
    await synced(part);
    await rename(part, path);
    await synced(dirname(path));
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

const abandonedMs = 86_400_000;

/** Removes what `replaceDurably` left in a folder where its process was killed: it was not written to for a day. */
export async function removeAbandoned(directory: string): Promise<void> {
  for await (const name of glob('*.????????-????-????-????-????????????.part', { cwd: directory })) {
    const { mtimeMs } = await stat(join(directory, name)).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
    if (Date.now() - mtimeMs > abandonedMs) await rm(join(directory, name), { force: true });
  }
}

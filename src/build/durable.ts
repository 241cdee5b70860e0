/** Writes small files durably. */
import { open, rename, writeFile } from 'node:fs/promises';

/** Replaces a small file atomically; it is on disk when this resolves. */
export async function replaceDurably(path: string, text: string): Promise<void> {
  const part = `${path}.part`;
  await writeDurably(part, text);
  await rename(part, path);
}

/** Writes a small file; it is on disk when this resolves. */
export async function writeDurably(path: string, text: string): Promise<void> {
  await writeFile(path, text);
  const file = await open(path);
  await file.sync();
  await file.close();
}

/** The dataset versions of a data directory, and which of them is current. */
import { open, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Points `current` at a version, durably and at once. */
export async function makeCurrent(dataDirectory: string, version: string): Promise<void> {
  const pointer = join(dataDirectory, '.current.part');
  await writeDurably(pointer, `${version}\n`);
  await rename(pointer, join(dataDirectory, 'current'));
}

/** Versions in a data directory, oldest first. */
export async function datasetVersions(dataDirectory: string): Promise<string[]> {
  return (await readdir(dataDirectory)).filter((name) => /^\d{8}T\d{6}Z$/.test(name)).sort();
}

/** Writes a small file that is on disk when this returns. */
export async function writeDurably(path: string, text: string): Promise<void> {
  await writeFile(path, text);
  const file = await open(path);
  await file.sync();
  await file.close();
}

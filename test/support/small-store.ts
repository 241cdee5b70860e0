/** A small real dataset: built once for all tests, opened where it is, and copied for a test that changes it. */
import { hash } from 'node:crypto';
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDataset } from '../../src/api/open.ts';
import { type LayerInfo, type LayerName, readManifest } from '../../src/store/manifest.ts';
import type { Store } from '../../src/store/store.ts';
import { keptDirectory } from './kept-directory.ts';

/** Layers of the small dataset; `without` leaves some out. */
export type SmallStoreOptions = { version?: string; without?: readonly LayerName[] };

/** Opens the small dataset, which tests share: its files must not be changed. `remove` closes it. */
export async function openSmallStore(options: SmallStoreOptions = {}): Promise<{ store: Store; remove(): void }> {
  const name = ['small', options.version ?? '', ...(options.without ?? [])].join('-');
  const store = openDataset(await keptDirectory(name, (directory) => buildSmallDataset(directory, options)));
  return { store, remove: () => store.close() };
}

/** Puts the small dataset into an empty directory, where a test may change it. */
export async function buildSmallDataset(
  directory: string,
  { version, without = [] }: SmallStoreOptions = {},
): Promise<void> {
  const kept = await keptDirectory('small', async (empty) => {
    const { writeSmallDataset } = await import('./write-small-dataset.ts');
    await writeSmallDataset(empty);
  });
  for (const name of readdirSync(kept)) copyFileSync(join(kept, name), join(directory, name));
  if (version === undefined && without.length === 0) return;
  const manifest = readManifest(directory);
  for (const name of without) delete manifest.layers[name];
  writeFileSync(
    join(directory, 'manifest.json'),
    JSON.stringify({ ...manifest, version: version ?? manifest.version }),
  );
}

/** Removes the files of a layer, so that a test builds it again. */
export function removeLayer(directory: string, layer: LayerName): void {
  for (const { name } of readManifest(directory).layers[layer]!.files) rmSync(join(directory, name));
}

/** A file as a build describes it in the manifest. */
export function describedFile(directory: string, name: string): LayerInfo['files'][number] {
  const content = readFileSync(join(directory, name));
  return { name, bytes: content.length, sha256: hash('sha256', content) };
}

/** Updates the manifest for files that a test has rewritten, as a build would. */
export function describeLayer(directory: string, layer: LayerName, files: readonly string[]): void {
  const manifest = readManifest(directory);
  manifest.layers[layer]!.files = files.map((name) => describedFile(directory, name));
  writeFileSync(join(directory, 'manifest.json'), JSON.stringify(manifest));
}

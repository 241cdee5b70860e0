/** Street-level data of single files, built next to the world and the boundaries of a dataset. */
import { mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { StreetLevel } from '../../src/api/open.ts';
import { detectSource } from '../../src/build/user-files.ts';
import { buildLayer, type LayerReport } from './build-layer.ts';
import { citiesOf, openStreets } from './street-engines.ts';

export type StreetDataset = StreetLevel & {
  report: LayerReport;
  directory: string;
  remove(): void;
};

/** Imports files, given as path or kind=path, into a temporary directory; `remove` closes and deletes it. */
export async function importStreetFiles(dataset: string, files: readonly string[]): Promise<StreetDataset> {
  const directory = mkdtempSync(join(tmpdir(), 'whereabouts-streets-'));
  for (const name of readdirSync(dataset)) {
    if (name.endsWith('.pack')) symlinkSync(resolve(dataset, name), join(directory, name));
  }
  const userFiles: Record<string, string[]> = {};
  for (const file of files) {
    const [, kind, path] = /^(?:([a-z-]+)=)?(.*)$/.exec(file)!;
    (userFiles[kind ?? (await detectSource(path))] ??= []).push(path);
  }
  try {
    const report = await buildLayer('streets', directory, { packages: {}, userFiles });
    const level = openStreets(directory, citiesOf(dataset));
    const remove = () => {
      level.close();
      rmSync(directory, { recursive: true });
    };
    return { ...level, report, directory, remove };
  } catch (error) {
    rmSync(directory, { recursive: true });
    throw error;
  }
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemReason } from '../errors.ts';
import { DatasetError, OutdatedDataset } from './dataset-error.ts';
import { filesOf, type Manifest } from './manifest-format.ts';

/** Raised whenever a dataset written by an older program could no longer be read. */
export const datasetSchemaVersion = 6;

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT';

/**
 * The version that `data/current` names, undefined when there is none. `current` is a text file that holds the
 * version's directory name; it is replaced by rename, so a reader sees the old name or the new one. Throws DatasetError
 * with the remedy when it cannot be read.
 */
export function currentVersion(dataDirectory: string): string | undefined {
  try {
    return readFileSync(join(dataDirectory, 'current'), 'utf8').trim();
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw new DatasetError(
      `${join(dataDirectory, 'current')} cannot be read (${systemReason(error)}); it is a text file with the name ` +
        'of a dataset: make it readable, or build the dataset again with "whereabouts build"',
    );
  }
}

/** Reads a dataset's manifest. Throws an Error with the remedy when it is missing, broken or of another schema. */
export function readManifest(directory: string): Manifest {
  const path = join(directory, 'manifest.json');
  let manifest: Manifest;
  try {
    manifest = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    const reason = isMissing(error) ? 'is missing' : `cannot be read (${(error as Error).message})`;
    throw new DatasetError(`${path} ${reason}; build the dataset with "whereabouts build"`);
  }
  if (manifest.schemaVersion !== datasetSchemaVersion) {
    const Fault = manifest.schemaVersion < datasetSchemaVersion ? OutdatedDataset : DatasetError;
    throw new Fault(
      `${path} has dataset schema ${manifest.schemaVersion}, but this program reads ${datasetSchemaVersion}; ` +
        'build the dataset again with "whereabouts build"',
    );
  }
  // Programs of this schema wrote the changes of an extract to files of their own until November 2026.
  const changes = filesOf(manifest).find(({ name }) => name.endsWith('.changes.sqlite'));
  if (changes) {
    throw new OutdatedDataset(
      `${path} has the file ${changes.name} of an older program, which this program does not read; ` +
        'build the dataset again with "whereabouts build"',
    );
  }
  return manifest;
}

/** Which parts of a dataset can follow the changes of their extracts, and the changes that they lack. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ExtractChanges } from '../build/layer.ts';
import { partsOf } from '../build/parts.ts';
import { gazetteerOf } from '../build/run-builders.ts';
import type { Config } from '../config.ts';
import { fetchChanges, readState } from '../download/osm-changes.ts';
import { Failure } from '../errors.ts';
import type { Manifest, Part } from '../store/manifest-format.ts';
import { extractBaseName } from '../store/sqlite/extract-base-schema.ts';
import { isChangesFile } from '../store/sqlite/street-files.ts';

/** Changes above this share of what they change, and this size, are applied more slowly than a new extract is read. */
const maxShare = 0.5;
const fewBytes = 1e6;

/** Where the change files of an extract are kept for the next update. */
export const changesDirectory = (dataDirectory: string) => join(dataDirectory, 'changes');

/**
 * The changes since a part's extract; `same` where the part has them all, undefined where it cannot follow them. Throws
 * Failure where the publisher does not have them, or a newer extract is faster.
 */
export async function changesOf(
  name: string,
  current: Manifest,
  { dataDirectory, followChanges }: Pick<Config, 'dataDirectory' | 'followChanges'>,
): Promise<ExtractChanges | 'same' | undefined> {
  const part = partsOf(current).find((one) => one.name === name);
  const { replication } = part ?? {};
  if (!followChanges || !part || !replication || replication.gazetteer !== gazetteerOf(current.layers))
    return undefined;
  const isKept = existsSync(join(dataDirectory, current.version, extractBaseName(name)));
  if (!isKept) return undefined;
  const { baseUrl, extract, sequence } = replication;
  if (hasManyChanges(part)) {
    if ((await readState(baseUrl)).sequence === sequence) return 'same';
    throw new Failure('they have become more than half of the extract');
  }
  const folder = createHash('sha256').update(baseUrl).digest('hex').slice(0, 16);
  const directory = join(changesDirectory(dataDirectory), folder);
  const { files, state } = await fetchChanges({ baseUrl, sequence: extract, known: sequence, directory });
  return state.sequence === sequence ? 'same' : { files, ...state };
}

function hasManyChanges({ layers }: Part): boolean {
  const { files } = layers.streets;
  const bytes = (isChange: boolean) =>
    files.filter(({ name }) => isChangesFile(name) === isChange).reduce((sum, file) => sum + file.bytes, 0);
  return bytes(true) > Math.max(fewBytes, maxShare * bytes(false));
}

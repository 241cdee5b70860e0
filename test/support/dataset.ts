import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../../src/config.ts';
import { currentVersion } from '../../src/store/manifest.ts';

/** Why an acceptance test is skipped on a machine without a built dataset. */
export const datasetMissing = 'needs the default dataset: run "npm run whereabouts -- build" first';

/** Directory of the current dataset of the configured data directory; undefined when none has been built. */
export function defaultDataset(): string | undefined {
  const { dataDirectory } = loadConfig();
  const version = currentVersion(dataDirectory);
  return version === undefined ? undefined : join(dataDirectory, version);
}

const locked: Record<string, { version: string }> = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../sources/default/lock.json'), 'utf8'),
);

/** Where a build keeps a default data package, of the version that is locked, below a folder of sources. */
export const packageDirectory = (sources: string, name: string): string =>
  join(sources, `${name.replace('/', '+')}@${locked[name].version}`);

/** Path of a file of the shared real data next to the project; undefined where this clone lacks it. */
export function sharedData(file: string): string | undefined {
  const path = join(import.meta.dirname, '../../../shared/data', file);
  return existsSync(path) ? path : undefined;
}

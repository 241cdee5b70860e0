import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { type Config, loadConfig } from '../config.ts';
import { UsageError } from '../errors.ts';
import { currentVersion, readManifest } from '../store/manifest.ts';
import type { StreetEngine, StreetEngineChange } from '../store/street-engine.ts';

/** Settings that are options of commands too. */
const optionNames = [
  ...['dataDirectory', 'host', 'port', 'workers', 'logLevel', 'metrics'],
  ...['keys', 'whenKeysAway', 'dataset', 'streets', 'buildMemoryMb'],
];

/** The configuration for a command: file, environment, then the options that were given to it or to `whereabouts`. */
export function configFor(command: Command): Config {
  const { config: file, ...options } = command.optsWithGlobals();
  return loadConfig({ file, overrides: Object.fromEntries(optionNames.map((name) => [name, options[name]])) });
}

/** Directory of the current dataset. Throws UsageError with the remedy when there is none. */
export function currentDataset({ dataDirectory }: Pick<Config, 'dataDirectory'>): string {
  const version = currentVersion(dataDirectory);
  if (version === undefined) {
    throw new UsageError(`there is no dataset in ${dataDirectory}; build one with "whereabouts build"`);
  }
  return join(dataDirectory, version);
}

/**
 * Directory of a local dataset that is to be published, the current one by default. Throws UsageError with the remedy when there is
 * none, or where a node has only a part of it.
 */
export function publishableDataset(config: Pick<Config, 'dataDirectory'>, version?: string): string {
  const directory = version === undefined ? currentDataset(config) : join(config.dataDirectory, version);
  if (!existsSync(directory))
    throw new UsageError(
      `there is no dataset ${version} in ${config.dataDirectory}; "whereabouts versions" lists those that it has`,
    );
  if (!readManifest(directory).isWithoutStreets) return directory;
  throw new UsageError(
    `${directory} was pulled without its street-level data, as this node serves them from a search cluster; publish it where it was built`,
  );
}

/** The engine of street-level data that is configured; undefined where they are the dataset's own. */
export async function streetEngineOf({ streets }: Pick<Config, 'streets'>): Promise<StreetEngine | undefined> {
  if (streets === '') return undefined;
  const { openStreetEngine } = await import('../api/open.ts');
  const onChange = (change: StreetEngineChange) => {
    if (change.state === 'away')
      console.error(`whereabouts: street-level data at ${change.endpoint} cannot be reached: ${change.reason}`);
  };
  return openStreetEngine(streets, { onChange });
}

/** An option's whole number; throws UsageError naming the option. */
export function wholeNumber(option: string, minimum = 0): (written: string) => number {
  return (written) => {
    if (!/^\d+$/.test(written)) throw new UsageError(`${option} is "${written}", expected a whole number`);
    if (Number(written) < minimum) throw new UsageError(`${option} is ${written}, expected at least ${minimum}`);
    return Number(written);
  };
}

import { join } from 'node:path';
import type { Command } from 'commander';
import { type Config, loadConfig } from '../config.ts';
import { UsageError } from '../errors.ts';
import { currentVersion } from '../store/manifest.ts';

/** The configuration for a command: file, environment, then the options that were given to it or to `whereabouts`. */
export function configFor(command: Command): Config {
  const { config: file, ...options } = command.optsWithGlobals();
  const overrides = Object.fromEntries(
    [
      ...['dataDirectory', 'host', 'port', 'logLevel', 'workers', 'keys', 'whenKeysAway', 'metrics', 'buildMemoryMb'],
      'dataset',
    ].map((name) => [name, options[name]]),
  );
  return loadConfig({ file, overrides });
}

/** Directory of the current dataset. Throws UsageError with the remedy when there is none. */
export function currentDataset({ dataDirectory }: Pick<Config, 'dataDirectory'>): string {
  const version = currentVersion(dataDirectory);
  if (version === undefined) {
    throw new UsageError(`there is no dataset in ${dataDirectory}; build one with "whereabouts build"`);
  }
  return join(dataDirectory, version);
}

/** An option's whole number; throws UsageError naming the option. */
export function wholeNumber(option: string): (written: string) => number {
  return (written) => {
    if (!/^\d+$/.test(written)) throw new UsageError(`${option} is "${written}", expected a whole number`);
    return Number(written);
  };
}

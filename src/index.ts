/**
 * The library: the same operations as the HTTP API, in-process, typed, without a server.
 *
 *     import { open } from 'whereabouts';
 *     const whereabouts = open('data');
 *     whereabouts.search({ q: 'paris texas' }).results[0].timezone; // 'America/Chicago'
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Static, TObject, TProperties } from 'typebox';
import { ask, createOperations } from './api/execute.ts';
import { openDataset } from './api/open.ts';
import { endpoints } from './endpoints/index.ts';
import { UsageError } from './errors.ts';
import { currentVersion, type LayerName, type Manifest } from './store/manifest.ts';

export { WhereaboutsError } from './errors.ts';

type Endpoints = typeof endpoints;
type Answer<E> = E extends { handle(...args: never): infer A } ? A : never;
type Parameters<E> = E extends { parameters: { default: TObject<infer P> } } ? ParametersOf<P> : never;
/** Parameters as a caller passes them: those with a default may be left out, as may the optional ones. */
type ParametersOf<P extends TProperties> = Partial<Static<TObject<Pick<P, WithDefault<P>>>>> &
  Static<TObject<Omit<P, WithDefault<P>>>>;
type WithDefault<P> = { [Name in keyof P]: P[Name] extends { default: unknown } ? Name : never }[keyof P];

export type LibraryOptions = {
  /** The layers that are wanted: `['zones']` takes a third of the memory of all. */
  layers?: readonly LayerName[];
};

/** Every endpoint as a method: its `default` profile's parameters in, its answer (without `query_ms`) out. */
export type Operations = {
  [Name in keyof Endpoints]: (parameters: Parameters<Endpoints[Name]>) => Answer<Endpoints[Name]>;
};

export type Whereabouts = Operations & {
  /** The content and sources of the dataset. */
  readonly manifest: Manifest;
  close(): void;
};

/**
 * Opens a dataset: a data directory (its current dataset) or the directory of one dataset version. Without `layers` a
 * layer is opened when a method first needs it; with `layers` these are opened at once, and the others are as if the
 * dataset lacked them, but for the world's names, which are opened when first needed. Throws when there is no dataset
 * or it is damaged. The methods throw WhereaboutsError, whose `code` is the API's.
 */
export function open(directory = 'data', { layers }: LibraryOptions = {}): Whereabouts {
  const store = openDataset(datasetDirectory(directory), layers === undefined ? { isLazy: true } : { layers });
  const operations: Record<string, unknown> = {};
  for (const [name, operation] of Object.entries(createOperations(endpoints))) {
    operations[name] = (parameters: Record<string, unknown> = {}) =>
      ask(operation, parameters, { store, profile: 'default', now: Date.now(), clientAddress: undefined });
  }
  return Object.assign(operations as Operations, { manifest: store.manifest, close: () => store.close() });
}

function datasetDirectory(directory: string): string {
  if (existsSync(join(directory, 'manifest.json'))) return directory;
  const version = currentVersion(directory);
  if (version === undefined)
    throw new UsageError(`there is no dataset in ${directory}; build one with "whereabouts build"`);
  return join(directory, version);
}

/** Layers as a build makes them, from files in the forms of the sources that a test writes. */
import { hash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { openDataset } from '../../src/api/open.ts';
import { layerBuilders } from '../../src/build/layers/index.ts';
import type { joinedFeatures } from '../../src/build/layers/world/features.ts';
import { datasetSchemaVersion, type LayerName, type Manifest } from '../../src/store/manifest.ts';
import type { Store } from '../../src/store/store.ts';

type Build = (typeof layerBuilders)[number]['build'];
type Job = Parameters<Build>[0];
export type LayerReport = Awaited<ReturnType<Build>>;
/** A landmark, airport, park or water as a build has it. */
export type NamedFeature = Parameters<typeof joinedFeatures>[0][number];

export type LayerFiles = {
  /** Contents of files of default packages, by package and file: a text, bytes, or a value that is written as JSON; of a folder its files by name. `countries` is the world's table of countries. */
  packages: Readonly<Record<string, unknown>>;
  /** Paths of a user's files, by kind. */
  userFiles?: Partial<Record<Parameters<Job['inputs']['userFiles']>[0], readonly string[]>>;
};

/** Has the builder of a layer write its files into a directory, where the layers that it reads are already; `more` goes to its job. */
export function buildLayer(
  layer: LayerName,
  directory: string,
  files: LayerFiles,
  more: Partial<Job> = {},
): Promise<LayerReport> {
  const job = { ...jobFor(directory, files), ...more };
  return builderOf(layer).build(job, layer === 'world' ? countriesOf(files) : undefined);
}

const builderOf = (layer: LayerName) => layerBuilders.find(({ name }) => name === layer)!;

/** The countries of a test's table, where it has one. */
const countriesOf = ({ packages: { countries } }: LayerFiles) =>
  countries === undefined ? {} : { countryTable: () => countries as string };

/** The world without what the tables of this project name besides settlements, but with these features. */
export function buildWorldWith(
  directory: string,
  features: readonly NamedFeature[],
  files: LayerFiles,
  memoryMb?: number,
): Promise<LayerReport> {
  const namedOf = async () => ({ features: [...features], sources: [] });
  return builderOf('world').build({ ...jobFor(directory, files), memoryMb }, { ...countriesOf(files), namedOf });
}

/** Opens layers that were built into a directory, as a service does. */
export function openLayers(directory: string, layers: readonly LayerName[]): Store {
  const layer = { records: {}, dropped: {}, sources: [], files: [], buildSeconds: 0 };
  const manifest: Manifest = {
    schemaVersion: datasetSchemaVersion,
    version: 'small-world',
    builtAt: '2026-01-01T00:00:00Z',
    layers: Object.fromEntries(layers.map((name) => [name, layer])),
    sources: [],
    parts: [],
  };
  writeFileSync(join(directory, 'manifest.json'), JSON.stringify(manifest));
  return openDataset(directory);
}

const jobFor = (directory: string, { packages, userFiles = {} }: LayerFiles): Job => ({
  directory,
  progress() {},
  inputs: {
    packageFile(packageName, file) {
      if (file.endsWith('/'))
        return writtenFolder((packages[`${packageName}/${file}`] ?? {}) as Record<string, string>);
      const content = contentOf(packages[`${packageName}/${file}`]);
      if (content === undefined) throw new Error(`the test has no ${packageName}/${file}; add it`);
      return writtenFile(basename(file), content);
    },
    packageVersion: () => '1.0.0',
    userFiles: (kind) => userFiles[kind] ?? [],
  },
});

/** What is written to a file for a content; undefined for undefined. */
export const contentOf = (content: unknown): string | Uint8Array | undefined =>
  typeof content === 'string' || content instanceof Uint8Array ? content : JSON.stringify(content);

let folder: string | undefined;

/** Where this process writes files of packages, each content once. */
function temporaryFolder(): string {
  if (folder === undefined) {
    const made = mkdtempSync(join(tmpdir(), 'whereabouts-packages-'));
    process.on('exit', () => rmSync(made, { recursive: true }));
    folder = made;
  }
  return folder;
}

/** A folder of files, by name. */
function writtenFolder(files: Record<string, string>): string {
  const directory = join(temporaryFolder(), hash('sha1', JSON.stringify(files)));
  mkdirSync(directory, { recursive: true });
  for (const [name, content] of Object.entries(files)) writeFileSync(join(directory, name), content);
  return directory;
}

function writtenFile(name: string, content: string | Uint8Array): string {
  const directory = join(temporaryFolder(), hash('sha1', content));
  const path = join(directory, name);
  if (!existsSync(path)) {
    mkdirSync(directory, { recursive: true });
    writeFileSync(path, content);
  }
  return path;
}

import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Bounds } from '../core/geo.ts';
import type { Replication } from '../sources/osm/change-file.ts';
import type { SourceId, SourceKind } from '../sources/source-kinds.ts';
import termsOfSources from '../sources/terms.json' with { type: 'json' };
import { type LayerInfo, type LayerName, type Manifest, oldestOf, type SourceInfo } from '../store/manifest.ts';

/** Where a layer's builder finds its inputs. */
export type Inputs = {
  /**
   * Path of a file of one of the default data packages (src/sources/default-packages.json names them; a name that ends in
   * "/" is a whole folder). The file is there when this returns.
   */
  packageFile(packageName: string, file: string): string;
  /** Exact version of a default data package, as the lock file has it. */
  packageVersion(packageName: string): string;
  /** The user's files of one kind, which replace the default data; empty when there are none. */
  userFiles(kind: SourceKind): readonly string[];
};

/** All changes since the kept extract of a part: files, oldest first, and the number and time of the last one. */
export type ExtractChanges = {
  extract: string;
  /** The name of the extract as its publisher has it. */
  version: string;
  files: readonly string[];
  sequence: number;
  timestamp: string | undefined;
};

export type LayerJob = {
  inputs: Inputs;
  /** The directory of the dataset version that is being built. Layers built before this one can be read there. */
  directory: string;
  /** Memory for tables in MB, 512 by default; what does not fit goes to temporary files in `directory`. */
  memoryMb?: number | undefined;
  /** Name of the part, for the builder of street-level layers. */
  part?: string | undefined;
  /** Whether an OpenStreetMap extract is kept next to its part, so that its publisher's changes can be applied to it. */
  keepsExtract?: boolean | undefined;
  /** Changes of the part's kept extract, which is read with them instead of inputs. */
  changes?: ExtractChanges | undefined;
  /** Fulfilled when the layers are there that the builder reads and that are built at the same time. */
  readable?: Promise<unknown>;
  /** Reports progress: a share in [0, 1] that never decreases, and the current step. */
  progress(share: number, step: string): void;
};

/** The report of a layer's builder; `files` are names inside `job.directory`. */
export type LayerReport = Pick<LayerInfo, 'records' | 'countries' | 'dropped'> & {
  sources: SourceInfo[];
  files: string[];
};

/** The report of a builder, including the other layers that it builds. */
export type BuilderReport = LayerReport & {
  also?: Partial<Record<LayerName, LayerReport>>;
  /** The last change included in the extract of a part, where later ones can be applied. */
  replication?: Replication & { extract: number };
  /** The bounding box of the records of a part. */
  bounds?: Bounds;
  /** Sources that had no record, by file or title. */
  emptySources?: string[];
};

/** Builds one layer: reads inputs, writes files into `job.directory`. Throws with a remedy when an input is unusable. */
export type LayerBuilder = {
  readonly name: LayerName;
  /** Layers that must have been built before. */
  readonly needs: readonly LayerName[];
  /** Layers that it reads where there are any: it begins beside those that are built too, and waits for them by `job.readable`. */
  readonly reads?: readonly LayerName[];
  /** Further layers that this builder makes, because they come from the same inputs. */
  readonly also?: readonly LayerName[];
  /** Some of `tables` are read in place of this project's own ones, where it has any. */
  build(job: LayerJob, tables?: object): Promise<BuilderReport>;
};

/** The user's files, by kind. */
export type UserFiles = Partial<Record<SourceKind, string[]>>;

/** Inputs as plain data, so that they can be sent to a worker thread. */
export type InputPaths = {
  packages: Record<string, { directory: string; version: string }>;
  userFiles: UserFiles;
};

/** The inputs a layer's builder works with. Throws naming the package or file when one is not declared. */
export function openInputs({ packages, userFiles }: InputPaths): Inputs {
  const entry = (name: string) => {
    const found = packages[name];
    if (!found) throw new Error(`${name} is not in src/sources/default-packages.json`);
    return found;
  };
  return {
    packageFile(packageName, file) {
      const path = join(entry(packageName).directory, file);
      if (!existsSync(path))
        throw new Error(`${packageName} has no file ${file}; is it listed in src/sources/default-packages.json?`);
      return path;
    },
    packageVersion: (packageName) => entry(packageName).version,
    userFiles: (kind) => userFiles[kind] ?? [],
  };
}

/** What a file of a default package says. */
export const packageText = (inputs: Pick<Inputs, 'packageFile'>, packageName: string, file: string): string =>
  readFileSync(inputs.packageFile(packageName, file), 'utf8');

/** The task of one builder: a layer, or a part of the street-level layers. */
export type BuildTask = {
  layer: LayerName;
  /** Name of the part, where the layer is `streets`. */
  part?: string;
  /** The user's files for it, by kind; they replace the default data. */
  userFiles: UserFiles;
  /** Changes of the part's kept extract, which is read with them. */
  changes?: ExtractChanges;
  /** These files as the manifest names them: sources by name, with the SHA-256 of their files. */
  inputs: Record<string, string>;
};

export type BuildOptions = {
  dataDirectory: string;
  /** What is rebuilt. All other layers are reused from the current dataset, where it has them. */
  tasks: readonly BuildTask[];
  /** Parts of the current dataset that are reused; all others are dropped. */
  keptParts: readonly string[];
  /**
   * Whether the data of a task stay as they are in the current dataset, as its source cannot be used for `reason`; by default that
   * ends the build.
   */
  isKept?(task: BuildTask, reason: string): boolean;
  /**
   * Called for a first dataset as soon as it has places and time zones, and with each further layer: its directory can be
   * opened and served from then on, and is renamed when it is whole.
   */
  onArrival?(directory: string): void;
  /** Called when the new dataset is complete but not yet current; until it is, nobody else changes the list of sources. */
  finish?(directory: string, manifest: Manifest): Promise<void>;
  /** Keep the unpacked default data for the next build. */
  keepSources: boolean;
  /** Whether an OpenStreetMap extract whose publisher has changes is kept next to its part. */
  keepsExtract?: boolean;
  /** Memory for the tables of each layer's builder in MB, 512 by default. */
  memoryMb?: number;
  /** Maximum loss of records of a layer or country, in percent; 5 by default. */
  maxLossPercent?: number;
  /** Make the dataset current whatever the guards find; their findings are still reported. */
  acceptLoss?: boolean;
  /** Receives each finding of the guards despite which the build continues. */
  warn?(fault: string): void;
  /** Number of versions to keep, including the new one; 3 by default. */
  keepVersions?: number;
  /** Receives the progress of each step: `sources`, then every layer by name. */
  progress(step: string, share: number, doing: string): void;
};

/**
 * What a source is and its terms as its publisher states them (docs/sources.md says where each was read and when), with the
 * default packages and files that it comes in, and the group of files that street-level data of a user go to.
 */
type Terms = Omit<SourceInfo, 'id' | 'version'> & {
  version?: string;
  packages?: readonly string[];
  files?: readonly string[];
  group?: string;
};

export const termsOf = (id: SourceId): Terms => termsOfSources[id];

/** Maximum number of characters of the names of files that a source was read from. */
const maxNames = 1_000;

/** The names of files as the version of their source: of many the first ones, and how many more there are. */
export function namesOf(paths: readonly string[]): string {
  const names = paths.map((path) => basename(path));
  let count = names.length;
  while (count > 1 && names.slice(0, count).join(', ').length > maxNames) count = Math.floor(count / 2);
  const more = count < names.length ? ` and ${names.length - count} more` : '';
  return `${names.slice(0, count).join(', ')}${more}`;
}

/** The manifest's entry of a source; its version is that of its packages, unless `known` or its terms have one. */
export function sourceInfo(
  id: SourceId,
  inputs: Pick<Inputs, 'packageVersion'>,
  known: Partial<SourceInfo> = {},
): SourceInfo {
  const { title, packages = [], vintage, licence, attribution, url, ...terms } = termsOf(id);
  const ofPackages = () => packages.map((name) => `${name}@${inputs.packageVersion(name)}`).join(', ');
  const version = known.version ?? terms.version ?? ofPackages();
  return { id, title, version, vintage, licence, attribution, url, ...known };
}

/** Sources merged by publisher over all parts. */
export function distinctSources(sources: readonly SourceInfo[]): SourceInfo[] {
  const together = (values: readonly string[], separator: string) =>
    [...new Set(values.flatMap((value) => value.split(separator)))].join(separator);
  return [...Map.groupBy(sources, ({ id }) => id).values()].map((same) => ({
    ...same[0],
    vintage: oldestOf(same.map(({ vintage }) => vintage)),
    version: together(
      same.map(({ version }) => version),
      ', ',
    ),
    licence: together(
      same.map(({ licence }) => licence),
      '; ',
    ),
    attribution: together(
      same.map(({ attribution }) => attribution),
      '; ',
    ),
  }));
}

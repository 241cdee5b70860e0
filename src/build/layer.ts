import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Replication } from '../sources/osm/change-file.ts';
import type { SourceKind } from '../sources/source-kinds.ts';
import type { Bounds } from '../store/bounds.ts';
import type { LayerInfo, SourceInfo } from '../store/manifest-format.ts';
import type { LayerName } from '../store/store.ts';

/** Where a layer's builder finds its inputs. */
export type Inputs = {
  /**
   * Path of a file of one of the default data packages (src/sources/default-packages.ts names them; a name that ends in
   * "/" is a whole folder). The file is there when this returns.
   */
  packageFile(packageName: string, file: string): string;
  /** Exact version of a default data package, as the lock file has it. */
  packageVersion(packageName: string): string;
  /** The user's files of one kind, which replace the default data; empty when there are none. */
  userFiles(kind: SourceKind): readonly string[];
};

/** All changes since an extract: files, oldest first, and the number and time of the last one. */
export type ExtractChanges = { files: readonly string[]; sequence: number; timestamp: string | undefined };

export type LayerJob = {
  inputs: Inputs;
  /** The directory of the dataset version that is being built. Layers built before this one can be read there. */
  directory: string;
  /** Memory for tables in MB, 512 by default; what does not fit goes to temporary files in `directory`. */
  memoryMb?: number | undefined;
  /** Name of the part, for the builder of street-level layers. */
  part?: string | undefined;
  /** Whether the data needed to apply changes to an OpenStreetMap extract is kept next to its part. */
  keepsExtract?: boolean | undefined;
  /** Changes of the part's extract, instead of inputs. */
  changes?: ExtractChanges | undefined;
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
  /** Layers that it reads where there are any: it waits for those that are built too. */
  readonly reads?: readonly LayerName[];
  /** Further layers that this builder makes, because they come from the same inputs. */
  readonly also?: readonly LayerName[];
  build(job: LayerJob): Promise<BuilderReport>;
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
    if (!found) throw new Error(`${name} is not in src/sources/default-packages.ts`);
    return found;
  };
  return {
    packageFile(packageName, file) {
      const path = join(entry(packageName).directory, file);
      if (!existsSync(path))
        throw new Error(`${packageName} has no file ${file}; is it listed in src/sources/default-packages.ts?`);
      return path;
    },
    packageVersion: (packageName) => entry(packageName).version,
    userFiles: (kind) => userFiles[kind] ?? [],
  };
}

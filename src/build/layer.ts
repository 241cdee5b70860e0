import type { Replication } from '../sources/osm/replication.ts';
import type { SourceKind } from '../sources/source-kinds.ts';
import type { Bounds } from '../store/bounds.ts';
import type { LayerInfo, SourceInfo } from '../store/manifest-format.ts';
import type { LayerName } from '../store/store.ts';

/** Where a layer's builder finds its inputs. */
export type Inputs = {
  /**
   * Path of a file of one of the default data packages (src/sources/default-packages.ts names them; a name that ends in "/" is a whole folder). The file is
   * there when this returns.
   */
  packageFile(packageName: string, file: string): string;
  /** Exact version of a default data package, as the lock file has it. */
  packageVersion(packageName: string): string;
  /** Files the user gave, of one kind; they take the place of the default data. Empty when none was given. */
  userFiles(kind: SourceKind): readonly string[];
};

/** All changes since an extract: files, oldest first, and the number and time of the last one. */
export type ExtractChanges = { files: readonly string[]; sequence: number; timestamp: string | undefined };

export type LayerJob = {
  inputs: Inputs;
  /** The directory of the dataset version that is being built. Layers built before this one are there to be read. */
  directory: string;
  /** Memory for tables in MB, 512 by default; what does not fit goes to temporary files in `directory`. */
  memoryMb?: number | undefined;
  /** Name of the part, for the builder of street-level layers. */
  part?: string | undefined;
  /** Whether what changes of an OpenStreetMap extract will need is kept beside its part. */
  keepsExtract?: boolean | undefined;
  /** Changes of the part's extract, in place of inputs. */
  changes?: ExtractChanges | undefined;
  /** Tells how far the layer is: a share in [0, 1] that never falls, and what is being done. */
  progress(share: number, step: string): void;
};

/** What a layer's builder says when it is done; `files` are names inside `job.directory`. */
export type LayerReport = Pick<LayerInfo, 'records' | 'countries' | 'dropped'> & {
  sources: SourceInfo[];
  files: string[];
};

/** The report of a builder, with those of the other layers that it builds in one go. */
export type BuilderReport = LayerReport & {
  also?: Partial<Record<LayerName, LayerReport>>;
  /** The last change that the extract of a part has, where what later ones need was kept. */
  replication?: Replication & { extract: number };
  /** Where the records of a part lie. */
  bounds?: Bounds;
  /** Sources that were read and held no record, as a user knows them: file or title. */
  emptySources?: string[];
};

/** Builds one layer: reads inputs, writes files into `job.directory`. Throws with a remedy when an input is unusable. */
export type LayerBuilder = {
  readonly name: LayerName;
  /** Layers that must have been built before. */
  readonly needs: readonly LayerName[];
  /** Layers that this builder makes in one go with its own, because they come from the same inputs. */
  readonly also?: readonly LayerName[];
  build(job: LayerJob): Promise<BuilderReport>;
};

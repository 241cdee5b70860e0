/** Parquet and GeoParquet files, whose rows a thread of its own reads: damaged pages can make hyparquet loop. */
import type { LatLng } from '../core/geo.ts';
import { SourceError } from '../core/street-records.ts';
import { fromThread } from './own-thread.ts';
import { type ParquetBatch, type ParquetTask, parquetColumns } from './parquet-rows.ts';
import type { Shape } from './well-known-binary.ts';

/** Processor time for the rows that are read at once, ms; a million of them take seconds. */
const maxCpuMs = 30_000;
// The same ending as this file: .ts from the sources, .js in the published package.
const script = new URL(`./parquet-thread${import.meta.url.slice(-3)}`, import.meta.url);

export type ParquetFile = {
  /** Names of the columns, without the fields inside them. */
  columns: ReadonlySet<string>;
  /**
   * The rows of some columns in the file's order, in batches, with the share of the file that is read. The values are
   * plain objects, arrays and strings; those of `geometry` are points, `undefined` for anything else. Memory follows
   * the row groups, or the parts of them that are read where the file has an index of its pages.
   */
  batches<R>(columns: readonly string[]): AsyncGenerator<ParquetBatch<R, LatLng>>;
  /** The same with the lines and polygons of `geometry`. */
  shapes<R>(columns: readonly string[]): AsyncGenerator<ParquetBatch<R, Shape>>;
};

/** Opens a file by its footer. It and its rows throw SourceError when it is missing, empty, damaged or no Parquet file. */
export async function openParquet(path: string, limits = { maxCpuMs }): Promise<ParquetFile> {
  const late = `${path} is damaged: a part of it cannot be read in ${limits.maxCpuMs / 1000} s of processor time; download it again`;
  const read = <T>(task: Omit<ParquetTask, 'path'>) =>
    fromThread<T>(script, { path, ...task }, { ...limits, refuse: (reason = late) => new SourceError(reason) });
  return {
    columns: await parquetColumns(path),
    batches: (columns) => read({ columns, geometries: 'points' }),
    shapes: (columns) => read({ columns, geometries: 'shapes' }),
  };
}

/** Rows of Parquet and GeoParquet files (parquet.apache.org, geoparquet.org/releases/v1.1.0). */
import type { FileMetaData, SchemaTree } from 'hyparquet';
import type { LatLng } from '../core/geo.ts';
import { SourceError } from '../core/source-records.ts';
import { optionalPackages, reasonOf } from '../errors.ts';
import { fromProcess } from '../store/own-process.ts';

const rowsPerBatch = 2000;
/** Rows read at once where the file has an index of its pages. */
const rowsPerPart = 65_536;

/** Rows to read: those of a file, some of its columns, with their points or with their lines and polygons. */
type ParquetTask = { path: string; columns: readonly string[]; geometries: 'points' | 'shapes' };
type ParquetBatch<R, G> = { rows: (R & { geometry?: G })[]; share: number };

/** The names of a file's columns, without the fields inside them. Throws SourceError as `readParquet`. */
async function parquetColumns(path: string): Promise<ReadonlySet<string>> {
  const { schema } = await openFile(path);
  return new Set(schema.children.map(({ element }) => element.name));
}

/** The rows of a file. Throws SourceError when it is missing, empty, cut short, damaged or no Parquet file. */
export async function* readParquet({ path, columns, geometries: kind }: ParquetTask) {
  const { file, metadata, parquetRead, compressors } = await openFile(path);
  const total = Number(metadata.num_rows);
  for (const { rowStart, rowEnd } of parts(metadata, new Set(columns))) {
    const read = kind === 'points' ? readPoint : readShape;
    // By position, as hyparquet takes an object for a column of its own.
    const geometries: (LatLng | Shape | undefined)[] = [];
    const chunks = new Map(columns.map((name) => [name, [] as Chunk[]]));
    await parquetRead({
      file,
      metadata,
      columns: [...columns],
      rowStart,
      rowEnd,
      compressors,
      utf8: false,
      useOffsetIndex: true,
      parsers: { geometryFromBytes: (bytes?: Uint8Array) => geometries.push(read(bytes)) - 1 },
      onChunk: ({ columnName, columnData, rowStart }) =>
        chunks.get(columnName)?.push({ rowStart, values: columnData as ArrayLike<unknown> }),
    }).catch((error: Error) => {
      throw new SourceError(
        `${path} is damaged in rows ${rowStart} to ${rowEnd}: ${reasonOf(error)}; download it again`,
      );
    });
    const cells = [...chunks].map(([name, ofColumn]) => ({ name, cell: cellsOf(ofColumn) }));
    for (let start = rowStart; start < rowEnd; start += rowsPerBatch) {
      const end = Math.min(start + rowsPerBatch, rowEnd);
      const rows = Array.from({ length: end - start }, (_, index) => {
        const row: Record<string, unknown> = {};
        for (const { name, cell } of cells) row[name] = cell(start + index);
        if ('geometry' in row) row.geometry = geometries[row.geometry as number];
        return row;
      });
      yield { rows, share: end / total };
    }
  }
}

/** A file, its footer, and what reads it. */
async function openFile(path: string) {
  const reader = await parquetReader((message) => new SourceError(message));
  const { asyncBufferFromFile, parquetMetadataAsync, parquetSchema } = reader;
  const file = await asyncBufferFromFile(path).catch((error: Error) => {
    throw new SourceError(`${path} cannot be opened: ${error.message}`);
  });
  if (file.byteLength === 0) throw new SourceError(`${path} is empty; download it again`);
  const metadata = await parquetMetadataAsync(file).catch((error: Error) => {
    throw new SourceError(`${path} is not a Parquet file, or is truncated: ${reasonOf(error)}; download it again`);
  });
  let schema: SchemaTree;
  try {
    schema = parquetSchema(metadata);
    checkColumnPaths(schema, metadata);
  } catch (error) {
    throw new SourceError(`${path} is damaged: ${reasonOf(error)}; download it again`);
  }
  // A file without the metadata of GeoParquet has the same bytes in this column.
  const geometry = metadata.schema.find(({ name, type }) => name === 'geometry' && type === 'BYTE_ARRAY');
  if (geometry) geometry.logical_type = { type: 'GEOMETRY' };
  return { ...reader, file, metadata, schema };
}

/** Ranges of rows to read one after the other: row groups, cut up where their pages can be read apart. */
function* parts(metadata: FileMetaData, columns: ReadonlySet<string>): Generator<{ rowStart: number; rowEnd: number }> {
  let groupStart = 0;
  for (const group of metadata.row_groups) {
    const groupEnd = groupStart + Number(group.num_rows);
    const isIndexed = group.columns.every(
      (chunk) => !columns.has(chunk.meta_data?.path_in_schema[0] ?? '') || chunk.offset_index_offset !== undefined,
    );
    const step = isIndexed ? rowsPerPart : groupEnd - groupStart;
    for (let rowStart = groupStart; rowStart < groupEnd; rowStart += step)
      yield { rowStart, rowEnd: Math.min(rowStart + step, groupEnd) };
    groupStart = groupEnd;
  }
}

type Chunk = { rowStart: number; values: ArrayLike<unknown> };

/** A column's value by row; rows are requested in rising order. */
function cellsOf(chunks: readonly Chunk[]): (row: number) => unknown {
  const sorted = chunks.toSorted((a, b) => a.rowStart - b.rowStart);
  let at = 0;
  return (row) => {
    while (at + 1 < sorted.length && sorted[at + 1].rowStart <= row) at++;
    return sorted[at]?.values[row - sorted[at].rowStart];
  };
}

/** The packages that read Parquet files, loaded only here; throws what `refuse` makes of the message (UsageError) where they are missing. */
export async function parquetReader(refuse?: (message: string) => Error) {
  const load = () => Promise.all([import('hyparquet'), import('hyparquet-compressors')]);
  const packages = ['hyparquet', 'hyparquet-compressors'];
  const [reader, { compressors }] = await optionalPackages('reading Parquet', packages, load, refuse);
  return { ...reader, compressors };
}

/**
 * Throws an Error where a column of a file is not in its schema. hyparquet throws that after it has started to read the
 * columns before, whose own errors then nobody awaits: they would end the process with a stack.
 */
export function checkColumnPaths(schema: SchemaTree, { row_groups }: FileMetaData): void {
  for (const { columns } of row_groups) {
    for (const { meta_data: { path_in_schema: path = [] } = {} } of columns) {
      let node: SchemaTree | undefined = schema;
      for (const name of path) node = node?.children.find(({ element }) => element.name === name);
      if (!node) throw new Error(`the column ${path.join('.')} is not in the schema`);
    }
  }
}

// Parquet and GeoParquet files, whose rows a process of its own reads: damaged pages can make hyparquet loop, or make arrays of more
// values than V8 has room for.

/** Processor time for the rows that are read at once, ms; a million of them take seconds. */
const maxCpuMs = 30_000;
// The same ending as this file: .ts from the sources, .js in the published package.
const script = new URL(`./parquet-process${import.meta.url.slice(-3)}`, import.meta.url);

export type ParquetFile = {
  /** Names of the columns, without the fields inside them. */
  columns: ReadonlySet<string>;
  /**
   * The rows of some columns, as far as the file has them, in its order, in batches, with the share of the file that is read. The values are
   * plain objects, arrays and strings; those of `geometry` are points, `undefined` for anything else. Memory follows
   * the row groups, or the parts of them that are read where the file has an index of its pages.
   */
  batches<R>(columns: readonly string[]): AsyncGenerator<ParquetBatch<R, LatLng>>;
  /** The same with the lines and polygons of `geometry`. */
  shapes<R>(columns: readonly string[]): AsyncGenerator<ParquetBatch<R, Shape>>;
};

/** Opens a file by its footer. It and its rows throw SourceError when it is missing, empty, damaged or no Parquet file. */
export async function openParquet(
  path: string,
  limits: { maxCpuMs: number; maxHeapMb?: number } = { maxCpuMs },
): Promise<ParquetFile> {
  const late = `${path} is damaged: a part of it takes more than ${limits.maxCpuMs / 1000} s of processor time, or more memory than there is; download it again`;
  const read = <T>(task: Omit<ParquetTask, 'path'>) =>
    fromProcess<T>(script, { path, ...task }, { ...limits, refuse: (reason = late) => new SourceError(reason) });
  const known = await parquetColumns(path);
  const knownOf = (columns: readonly string[]) => columns.filter((name) => known.has(name));
  return {
    columns: known,
    batches: (columns) => read({ columns: knownOf(columns), geometries: 'points' }),
    shapes: (columns) => read({ columns: knownOf(columns), geometries: 'shapes' }),
  };
}

// Shapes as well-known binary (OGC 06-103r4), the form in which GeoParquet has them. Heights are left out.

/** A shape in degrees; lines and rings as [lng0, lat0, lng1, lat1, …]. A polygon is its outer ring and its holes. */
export type Shape = { lines: Float64Array[]; polygons: Float64Array[][] };

/** The lines and polygons of a geometry; `undefined` for bytes that are none, or reach past their end. */
export function readShape(bytes: Uint8Array | undefined): Shape | undefined {
  if (!bytes || bytes.length < 9) return undefined;
  const shape: Shape = { lines: [], polygons: [] };
  try {
    addGeometry(bytes, shape);
    return shape;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The position of a point; undefined for what is not a point on Earth. */
function readPoint(bytes: Uint8Array | undefined): LatLng | undefined {
  if (!bytes || bytes.length < 21) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isLittle = view.getUint8(0) === 1;
  // Types are 1 for a point, 1001 to 3001 with further coordinates.
  if (view.getUint32(1, isLittle) % 1000 !== 1) return undefined;
  const [lng, lat] = [view.getFloat64(5, isLittle), view.getFloat64(13, isLittle)];
  return Math.abs(lat) <= 90 && Math.abs(lng) <= 180 ? { lat, lng } : undefined;
}

const deepest = 4;

function addGeometry(bytes: Uint8Array, shape: Shape): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  let isLittle = true;
  const count = (): number => {
    at += 4;
    return view.getUint32(at - 4, isLittle);
  };
  const line = (dimensions: number): Float64Array => {
    const vertices = count();
    // Before the room is made: a broken count would take gigabytes.
    if (8 * dimensions * vertices > view.byteLength - at) throw new RangeError('a line extends beyond the end');
    const xy = new Float64Array(2 * vertices);
    for (let vertex = 0; vertex < vertices; vertex++, at += 8 * dimensions) {
      xy[2 * vertex] = view.getFloat64(at, isLittle);
      xy[2 * vertex + 1] = view.getFloat64(at + 8, isLittle);
      // One would make the bounds of its whole part none.
      if (!Number.isFinite(xy[2 * vertex] + xy[2 * vertex + 1])) throw new RangeError('a vertex without a position');
    }
    return xy;
  };
  const geometry = (depth: number): void => {
    if (depth > deepest) throw new RangeError('nested collections');
    isLittle = view.getUint8(at++) === 1;
    const type = count();
    // 1001 to 3007 and the high bits of EWKB say that there are heights or measures.
    const isEwkb = type > 0x0fff_ffff;
    const extra = isEwkb ? (type >>> 31) + ((type >>> 30) & 1) : [0, 1, 1, 2][Math.floor(type / 1000)];
    const kind = isEwkb ? type & 0xff : type % 1000;
    if (isEwkb && type & 0x2000_0000) at += 4;
    const dimensions = 2 + (extra ?? 0);
    if (kind === 1) at += 8 * dimensions;
    else if (kind === 2) shape.lines.push(line(dimensions));
    else if (kind === 3) {
      const rings = count();
      const polygon: Float64Array[] = [];
      for (let ring = 0; ring < rings; ring++) polygon.push(line(dimensions));
      if (polygon.length > 0) shape.polygons.push(polygon);
    } else if (kind >= 4 && kind <= 7) {
      const parts = count();
      for (let part = 0; part < parts; part++) geometry(depth + 1);
    } else throw new RangeError(`geometry of type ${type}`);
  };
  geometry(0);
}

/** A Parquet file as a table of texts. */
import type { FileMetaData } from 'hyparquet';
import { reasonOf } from '../core/one-line.ts';
import { Failure } from '../errors.ts';
import { checkColumnPaths, parquetReader } from '../parquet-reader.ts';

const rowsPerPart = 10_000;

/** The header, then the rows, in batches; lists and groups as JSON. Throws Failure for a broken file. */
export async function* parquetTable(file: ArrayBuffer): AsyncGenerator<string[][]> {
  const { parquetMetadata, parquetReadObjects, parquetSchema, compressors } = await parquetReader();
  const broken = (error: unknown): never => {
    throw new Failure(`the input is a damaged or truncated Parquet file: ${reasonOf(error)}`);
  };
  let metadata: FileMetaData;
  let header: string[];
  try {
    metadata = parquetMetadata(file);
    const schema = parquetSchema(metadata);
    checkColumnPaths(schema, metadata);
    header = schema.children.map(({ element }) => element.name);
  } catch (error) {
    return broken(error);
  }
  yield [header];
  const total = Number(metadata.num_rows);
  for (let rowStart = 0; rowStart < total; rowStart += rowsPerPart) {
    const rowEnd = Math.min(total, rowStart + rowsPerPart);
    const rows = await parquetReadObjects({ file, metadata, rowStart, rowEnd, compressors }).catch(broken);
    yield rows.map((row) => header.map((name) => textOf(row[name])));
  }
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== 'object') return String(value);
  return JSON.stringify(value, (_key, inner) => (typeof inner === 'bigint' ? String(inner) : inner));
}

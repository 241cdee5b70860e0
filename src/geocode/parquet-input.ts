/** Rows of a Parquet file, by optional packages that are loaded only here and where Parquet is written. */
import type { FileMetaData } from 'hyparquet';
import { reasonOf } from '../core/one-line.ts';
import { checkColumnPaths } from '../core/parquet-paths.ts';
import { UsageError } from '../errors.ts';

const rowsPerPart = 10_000;
/** The file is held in memory; larger ones are cut or given as CSV. */
const maxBytes = 1 << 30;

/** The header, then the rows; lists and groups as JSON. Throws UsageError for a broken file. */
export async function* parquetRows(chunks: AsyncIterable<Buffer>): AsyncGenerator<string[]> {
  const { parquetMetadata, parquetReadObjects, parquetSchema, compressors } = await packages();
  const bytes = await wholeBuffer(chunks);
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
  const broken = (error: unknown): never => {
    throw new UsageError(`the input is a damaged or truncated Parquet file: ${reasonOf(error)}`);
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
  yield header;
  const total = Number(metadata.num_rows);
  for (let rowStart = 0; rowStart < total; rowStart += rowsPerPart) {
    const rowEnd = Math.min(total, rowStart + rowsPerPart);
    const rows = await parquetReadObjects({ file, metadata, rowStart, rowEnd, compressors }).catch(broken);
    for (const row of rows) yield header.map((name) => textOf(row[name]));
  }
}

async function wholeBuffer(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > maxBytes)
      throw new UsageError('the Parquet file is larger than 1 GB; process its parts one by one, or use CSV');
    pieces.push(chunk);
  }
  return Buffer.concat(pieces);
}

async function packages() {
  try {
    const [reader, { compressors }] = await Promise.all([import('hyparquet'), import('hyparquet-compressors')]);
    return { ...reader, compressors };
  } catch {
    throw new UsageError('reading Parquet needs two optional packages: npm install hyparquet hyparquet-compressors');
  }
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== 'object') return String(value);
  return JSON.stringify(value, (_key, inner) => (typeof inner === 'bigint' ? String(inner) : inner));
}

/** A process that reads a Parquet file from its stdin. */

import { arrayBuffer } from 'node:stream/consumers';
import type { FileMetaData, SchemaElement } from 'hyparquet';
import { Failure, reasonOf } from '../errors.ts';
import { checkColumnPaths, parquetReader } from '../sources/parquet-rows.ts';
import { sendFromProcess } from '../store/own-process.ts';

// A Parquet file as a table of texts.

const rowsPerPart = 10_000;

/** The header, then the rows, in batches; lists and groups as JSON. Throws Failure for a broken file. */
async function* parquetTable(): AsyncGenerator<string[][]> {
  const file = await arrayBuffer(process.stdin);
  const { parquetMetadata, parquetReadObjects, parquetSchema, compressors } = await parquetReader();
  const broken = (error: unknown): never => {
    throw new Failure(`the input is a damaged or truncated Parquet file: ${reasonOf(error)}`);
  };
  let metadata: FileMetaData;
  let columns: SchemaElement[];
  try {
    metadata = parquetMetadata(file);
    const schema = parquetSchema(metadata);
    checkColumnPaths(schema, metadata);
    columns = schema.children.map(({ element }) => element);
  } catch (error) {
    return broken(error);
  }
  yield [columns.map(({ name }) => name)];
  const total = Number(metadata.num_rows);
  for (let rowStart = 0; rowStart < total; rowStart += rowsPerPart) {
    const rowEnd = Math.min(total, rowStart + rowsPerPart);
    const rows = await parquetReadObjects({ file, metadata, rowStart, rowEnd, compressors }).catch(broken);
    yield rows.map((row) => columns.map((column) => textOf(row[column.name], column)));
  }
}

const unitsPerMs: Readonly<Record<string, number>> = { MILLIS: 1, MICROS: 1e3, NANOS: 1e6 };

function textOf(value: unknown, { logical_type: type, converted_type: former }: SchemaElement): string {
  if (value === null || value === undefined) return '';
  // A day has no time, and a time no day.
  if (value instanceof Date) return value.toISOString().slice(0, type?.type === 'DATE' || former === 'DATE' ? 10 : 24);
  const unit = type?.type === 'TIME' ? type.unit : /^TIME_(\w+)/.exec(former ?? '')?.[1];
  if (unit !== undefined)
    return new Date(Number(value) / unitsPerMs[unit]).toISOString().slice(11, 23).replace('.000', '');
  if (typeof value !== 'object') return String(value);
  return JSON.stringify(value, (_key, inner) => (typeof inner === 'bigint' ? String(inner) : inner));
}

sendFromProcess(parquetTable);

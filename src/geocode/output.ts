/** Where the records of the output go: CSV, plain or packed, an Excel workbook, or Parquet. */
import { createWriteStream } from 'node:fs';
import { truncate, writeFile } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type Cell, csvRecord, withoutFormula } from '../core/csv.ts';
import { optionalPackages, UsageError } from '../errors.ts';

const minBytes = 65_536;
/** Rows that a sheet of Excel has. */
const maxSheetRows = 1_048_576;

/** Takes records, the header first. What a table is made of whole is written by `close`. */
export type Output = {
  write(records: readonly (readonly Cell[])[]): Promise<void> | undefined;
  close(): Promise<void>;
};

const forms = ['csv', 'csv.gz', 'xlsx', 'parquet'] as const;
export type OutputForm = (typeof forms)[number];

/** The form that a file's name asks for: CSV unless it ends in `.gz`, `.xlsx` or `.parquet`. */
export function outputForm(path: string): OutputForm {
  if (/\.gz$/i.test(path)) return 'csv.gz';
  if (/\.xlsx$/i.test(path)) return 'xlsx';
  return /\.parquet$/i.test(path) ? 'parquet' : 'csv';
}

/**
 * CSV into a stream that stays open, such as standard output, in large pieces and waiting for a slow reader. Texts of the
 * added columns that a spreadsheet would run as formulas are quoted; `ownColumns` are the input's, which stay as they are.
 */
export function streamOutput(stream: NodeJS.WritableStream, ownColumns: number): Output {
  let pending = '';
  const flush = () =>
    new Promise<void>((resolve, reject) => {
      stream.write(pending, (error) => (error ? reject(error) : resolve()));
      pending = '';
    });
  return {
    write(records) {
      for (const record of records) {
        pending += csvRecord(record.map((cell, at) => (at < ownColumns ? cell : withoutFormula(cell))));
      }
      return pending.length < minBytes ? undefined : flush();
    },
    close: flush,
  };
}

/** Writes a file in the form of its name, from a position on; what it had there before is cut off first. */
export async function fileOutput(path: string, keptBytes: number, ownColumns: number): Promise<Output> {
  const form = outputForm(path);
  if (form === 'xlsx') return tableOutput(path, writeSheet);
  if (form === 'parquet') return tableOutput(path, writeParquet);
  if (keptBytes > 0) await truncate(path, keptBytes);
  const file = createWriteStream(path, keptBytes > 0 ? { flags: 'r+', start: keptBytes } : {});
  const stream = form === 'csv.gz' ? createGzip() : file;
  if (stream !== file) stream.pipe(file);
  const output = streamOutput(stream, ownColumns);
  return {
    write: output.write,
    async close() {
      await output.close();
      stream.end();
      await finished(file);
    },
  };
}

/** An output that is written whole at the end, of all records in memory. */
function tableOutput(path: string, write: (path: string, records: (readonly Cell[])[]) => Promise<void>): Output {
  const all: (readonly Cell[])[] = [];
  return {
    write(records) {
      for (const record of records) all.push(record);
      return undefined;
    },
    close: () => write(path, all),
  };
}

async function writeSheet(path: string, records: (readonly Cell[])[]): Promise<void> {
  if (records.length > maxSheetRows) {
    throw new UsageError(`an Excel sheet has room for ${maxSheetRows} rows, got ${records.length}; write CSV`);
  }
  const { default: writeXlsxFile } = await optionalPackages(
    'writing Excel files',
    ['write-excel-file'],
    () => import('write-excel-file/node'),
  );
  // Excel takes neither undefined nor other absences.
  await writeXlsxFile(records.map((record) => record.map((cell) => cell ?? null))).toFile(path);
}

async function writeParquet(path: string, [header = [], ...records]: (readonly Cell[])[]): Promise<void> {
  const writer = await optionalPackages('writing Parquet', ['hyparquet-writer'], () => import('hyparquet-writer'));
  const columnData = header.map((name, at) => {
    const values = records.map((record) => record[at] ?? null);
    return { name: String(name), ...typed(values) };
  });
  await writeFile(path, Buffer.from(writer.parquetWriteBuffer({ columnData })));
}

/** Numbers and truth values where a column has nothing else, else texts. */
function typed(values: Cell[]): { data: unknown[]; type: 'DOUBLE' | 'BOOLEAN' | 'STRING'; nullable: true } {
  const isAll = (type: string) =>
    values.some((value) => value !== null) && values.every((v) => v === null || typeof v === type);
  if (isAll('number')) return { data: values, type: 'DOUBLE', nullable: true };
  if (isAll('boolean')) return { data: values, type: 'BOOLEAN', nullable: true };
  return { data: values.map((value) => (value === null ? null : String(value))), type: 'STRING', nullable: true };
}

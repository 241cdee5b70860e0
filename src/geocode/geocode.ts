/** Asks an endpoint about every row of a CSV file and writes the rows with their results. */
import { createReadStream } from 'node:fs';
import { access } from 'node:fs/promises';
import { addAbortSignal, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CsvError, parse } from 'csv-parse';
import { ask, requireLayers } from '../api/execute.ts';
import { createOperation } from '../api/operation.ts';
import { type Cell, csvRecord, withoutFormula } from '../core/csv.ts';
import type { Context, Endpoint } from '../endpoints/endpoint.ts';
import { columnsOf, recordsOf } from '../endpoints/records.ts';
import { UsageError, WhereaboutsError } from '../errors.ts';
import type { Store } from '../store/store.ts';
import { type ColumnMap, compileColumns } from './columns.ts';
import { fileOutput, type Output, streamOutput } from './output.ts';
import { findResumePoint, type ResumePoint } from './resume.ts';

export type GeocodeJob = {
  store: Store;
  endpoint: Endpoint;
  /** Path of the input, or its bytes. */
  input: string | Readable;
  /** Path of the output, or where it goes. */
  output: string | NodeJS.WritableStream;
  map: ColumnMap;
  /** Parameters that all rows have. */
  fixed: Readonly<Record<string, string>>;
  /** Put before the names of the columns that are added. */
  prefix: string;
  delimiter: string;
  /** Most results of a row; each is a record of the output. */
  limitPerRow: number;
  /** Continues an output that exists, instead of refusing to. */
  isResumed: boolean;
  /** Ends the run after the row that is under way, also while it waits for more input. */
  signal?: AbortSignal;
  progress?: (bytesRead: number, rows: number) => void;
  /** Told of bugs, whose rows get the error `internal`. */
  onBug: (row: number, error: unknown) => void;
};

/** Rows by their outcome; `resumedAt` is the first row that this run did. */
export type GeocodeSummary = { found: number; withoutResult: number; failed: number; resumedAt: number };

/** Most bytes of one row of the input; a forgotten quote would otherwise make the rest of a file one row. */
const mostRowBytes = 1_048_576;

/**
 * Runs a job. The output has the input's columns, the columns of a result, `error` and `row` (the number of the row in
 * the input, from 1). Rows are read, asked and written one after another, so memory does not grow with the file.
 * Throws UsageError when the columns do not fit, `dataset_missing`, and UsageError naming the line where the input is no CSV.
 */
export async function geocode(job: GeocodeJob): Promise<GeocodeSummary> {
  requireLayers(job.endpoint, job.store);
  const summary = { found: 0, withoutResult: 0, failed: 0, resumedAt: 1 };
  const rows = readRows(job);
  const first = await rows.next();
  if (first.done && job.signal?.aborted) return summary;
  if (first.done) throw new UsageError('the input is empty, expected a CSV file whose first row names the columns');
  const header = first.value;
  const answerRow = compileRow(job, header, summary);
  const outputText = csvRecord(outputHeader(job, header));
  const from = await whereToBegin(job, outputText);
  summary.resumedAt = from.nextRow;
  let output: Output | undefined;
  let number = 0;
  try {
    for await (const row of rows) {
      if (++number < from.nextRow) continue;
      // Nothing of an earlier output is cut off before the input is known to be the one it was made from.
      if (number === from.nextRow) checkSame(row, header, from);
      output ??= await openOutput(job, from, outputText);
      await output.write(answerRow(row, number));
      if (job.signal?.aborted) break;
    }
    if (job.signal?.aborted) return summary;
    if (number < from.nextRow && from.formerly !== undefined) {
      throw new UsageError(
        `the input has ${number} rows and the output goes on at row ${from.nextRow}; resume with the file it was made from`,
      );
    }
    output ??= await openOutput(job, from, outputText);
  } finally {
    await output?.close();
  }
  return summary;
}

async function* readRows({ input, delimiter, progress, signal }: GeocodeJob): AsyncGenerator<string[]> {
  const bytes = typeof input === 'string' ? createReadStream(input) : input;
  if (signal) addAbortSignal(signal, bytes);
  const parser = parse({
    delimiter,
    bom: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: mostRowBytes,
  });
  const read = { bytes: 0, rows: 0 };
  const fed = pipeline(Readable.from(counted(bytes, read)), parser);
  // The failure is thrown by the loop below; this only keeps it from being unhandled.
  fed.catch(() => {});
  try {
    for await (const row of parser as AsyncIterable<string[]>) {
      if (++read.rows % 1000 === 0) progress?.(read.bytes, read.rows);
      yield row;
    }
  } catch (error) {
    if (signal?.aborted) return;
    if (!(error instanceof CsvError)) throw error;
    throw new UsageError(`the input is no CSV: ${error.message}; mend it and --resume`);
  }
  progress?.(read.bytes, read.rows);
}

async function* counted(chunks: Readable, read: { bytes: number }): AsyncGenerator<Buffer> {
  for await (const chunk of chunks as AsyncIterable<Buffer>) {
    read.bytes += chunk.length;
    yield chunk;
  }
}

function outputHeader({ endpoint, prefix }: GeocodeJob, header: readonly string[]): string[] {
  const results = columnsOf(recordsOf(endpoint).schema).map(({ name }) => prefix + name);
  const added = [...results, `${prefix}error`, `${prefix}row`];
  const twice = added.find((name) => header.includes(name));
  if (twice) throw new UsageError(`the input has a column "${twice}" already; choose another --prefix`);
  return [...header, ...added];
}

async function whereToBegin({ output, isResumed }: GeocodeJob, header: string): Promise<ResumePoint> {
  const start: ResumePoint = { keptBytes: 0, nextRow: 1, formerly: undefined };
  if (typeof output !== 'string') return start;
  const exists = await access(output).then(
    () => true,
    () => false,
  );
  if (!exists) return start;
  if (isResumed) return findResumePoint(output, header);
  throw new UsageError(`${output} exists; continue it with --resume, or name another --output`);
}

async function openOutput({ output }: GeocodeJob, { keptBytes }: ResumePoint, header: string): Promise<Output> {
  const opened = typeof output === 'string' ? await fileOutput(output, keptBytes) : streamOutput(output);
  if (keptBytes === 0) await opened.write(header);
  return opened;
}

/** Makes the function that gives a row's records of the output. */
function compileRow(job: GeocodeJob, header: readonly string[], summary: GeocodeSummary) {
  const { store, endpoint, limitPerRow } = job;
  const hasLimit = Object.hasOwn(endpoint.parameters.default.properties, 'limit');
  const limit: Record<string, string | number> = hasLimit ? { limit: limitPerRow } : {};
  const parametersOf = compileColumns(endpoint, header, job.map, { ...limit, ...job.fixed });
  const operation = createOperation(endpoint.path, endpoint);
  const records = recordsOf(endpoint);
  const columns = columnsOf(records.schema);
  const nothing: Cell[] = columns.map(() => null);
  const context: Context = { store, profile: 'default', now: Date.now(), clientAddress: undefined };

  return (row: readonly string[], number: number): string => {
    const cells = header.map((_, position) => row[position] ?? '');
    const failed = (error: string) => {
      summary.failed++;
      return csvRecord([...cells, ...nothing, withoutFormula(error), number]);
    };
    if (row.length !== header.length) {
      return failed(`invalid_row: it has ${row.length} cells, the header has ${header.length}`);
    }
    try {
      const found = records.of(ask(operation, parametersOf(row), context)).slice(0, limitPerRow);
      if (found.length === 0) {
        summary.withoutResult++;
        return csvRecord([...cells, ...nothing, 'no_result', number]);
      }
      summary.found++;
      return found
        .map((record) =>
          csvRecord([...cells, ...columns.map(({ read }) => withoutFormula(read(record))), null, number]),
        )
        .join('');
    } catch (error) {
      if (error instanceof WhereaboutsError) return failed(`${error.code}: ${error.message}`);
      job.onBug(number, error);
      return failed('internal: an error on our side');
    }
  };
}

/** Throws UsageError when the row to go on with is not the one that the output was made from. */
function checkSame(row: readonly string[], header: readonly string[], { formerly, nextRow }: ResumePoint): void {
  const cells = csvRecord(header.map((_, position) => row[position] ?? '')).replace(/\r\n$/, '');
  if (formerly === undefined || formerly.startsWith(`${cells},`)) return;
  throw new UsageError(
    `row ${nextRow} of the input is not what the output has as its row ${nextRow}; resume with the file it was made from`,
  );
}

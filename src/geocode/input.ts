/** Rows of the input table: CSV in any usual encoding, also packed with gzip, XLSX, or Parquet. */
import { createReadStream } from 'node:fs';
import { addAbortSignal, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { CsvError, parse } from 'csv-parse';
import { Failure, UsageError } from '../errors.ts';
import { fromThread } from '../sources/own-thread.ts';
import { sheetRows } from './sheet-input.ts';
import { detectDelimiter, detectEncoding, type Encoding } from './text-form.ts';

export type TableInput = {
  /** Path of the input, or its bytes. */
  input: string | Readable;
  /** Detected from the text itself where it is not given. */
  encoding?: Encoding;
  delimiter?: string;
  /** Ends the rows, also while the input is waited for. */
  signal?: AbortSignal;
  /** Characters of one row, which is in memory; a forgotten quote would otherwise make the rest of a file one row. */
  maxRowCharacters?: number;
  progress?: (bytesRead: number, rows: number) => void;
};

/** A text that is not CSV from a line on, which its owner mends and goes on with. */
export class BrokenInput extends Failure {}

/** Bytes of a file from which encoding and delimiter are detected; of a stream, its first bytes. */
const headBytes = 1 << 16;
/** By default. What a parameter may have of a row's characters the endpoint says, for the row alone. */
const maxRowCharacters = 1 << 25;

/**
 * The rows of a table with its header first, in order; all cells are texts. Ends early without an error when the signal
 * says so. Throws UsageError for a file of none of these forms, BrokenInput naming the line where a text is not CSV.
 */
export async function* readTable(table: TableInput): AsyncGenerator<string[]> {
  const { input, progress, signal } = table;
  const bytes = typeof input === 'string' ? createReadStream(input) : input;
  if (signal) addAbortSignal(signal, bytes);
  const read = { bytes: 0, rows: 0 };
  try {
    for await (const row of rowsOf(counted(bytes, read), table)) {
      if (++read.rows % 1000 === 0) progress?.(read.bytes, read.rows);
      yield row;
    }
  } catch (error) {
    if (!signal?.aborted) throw error;
    return;
  } finally {
    bytes.destroy();
  }
  progress?.(read.bytes, read.rows);
}

async function* rowsOf(packed: AsyncIterable<Buffer>, table: TableInput): AsyncGenerator<string[]> {
  const { head, chunks } = await peek(packed, 4);
  const magic = head.toString('latin1', 0, 4);
  if (magic === 'PK\x03\x04') return yield* sheetRows(chunks);
  if (magic === 'PAR1') return yield* parquetRows(chunks);
  if (magic.startsWith('\x1f\x8b')) {
    const gunzip = createGunzip();
    const fed = pipeline(Readable.from(chunks), gunzip);
    fed.catch(() => {});
    return yield* textRows(unpacked(gunzip), table);
  }
  yield* textRows(chunks, table);
}

async function* unpacked(gunzip: Readable): AsyncGenerator<Buffer> {
  try {
    yield* gunzip as AsyncIterable<Buffer>;
  } catch (error) {
    throw new BrokenInput(`the input is a damaged or truncated gzip file: ${(error as Error).message}`);
  }
}

/** The rows of a CSV text, as `readTable` has them; `remedy` ends the message where it is none. */
export async function* textRows(
  bytes: AsyncIterable<Buffer>,
  table: Partial<TableInput>,
  remedy = 'fix it and continue with --resume',
): AsyncGenerator<string[]> {
  const { head, chunks } = await peek(bytes, typeof table.input === 'string' ? headBytes : 1);
  const encoding = table.encoding ?? detectEncoding(head.subarray(0, headBytes));
  const delimiter = table.delimiter ?? detectDelimiter(new TextDecoder(encoding).decode(head.subarray(0, headBytes)));
  const parser = parse({
    delimiter,
    bom: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: table.maxRowCharacters ?? maxRowCharacters,
  });
  const fed = pipeline(Readable.from(decoded(chunks, encoding), { objectMode: false }), parser);
  // The failure is thrown by the loop below; this only keeps it from being unhandled.
  fed.catch(() => {});
  try {
    yield* parser as AsyncIterable<string[]>;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new BrokenInput(`the input is not CSV: ${error.message}; ${remedy}`);
  }
}

/** The text as UTF-8. Throws UsageError for bytes that are none of the encoding. */
async function* decoded(chunks: AsyncIterable<Buffer>, encoding: Encoding): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  let bytes = 0;
  try {
    for await (const chunk of chunks) {
      yield Buffer.from(decoder.decode(chunk, { stream: true }));
      bytes += chunk.length;
    }
    yield Buffer.from(decoder.decode());
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new UsageError(
      `the input begins as ${encoding}, but is not valid ${encoding} after byte ${bytes}; set --encoding, such as windows-1252`,
    );
  }
}

async function* counted(chunks: Readable, read: { bytes: number }): AsyncGenerator<Buffer> {
  for await (const chunk of chunks as AsyncIterable<Buffer>) {
    read.bytes += chunk.length;
    yield chunk;
  }
}

/** Reads the first bytes of a stream, and returns them with the complete stream. */
async function peek(
  chunks: AsyncIterable<Buffer>,
  bytes: number,
): Promise<{ head: Buffer; chunks: AsyncIterable<Buffer> }> {
  const rest = chunks[Symbol.asyncIterator]();
  const first: Buffer[] = [];
  let length = 0;
  while (length < bytes) {
    const { value, done } = await rest.next();
    if (done) break;
    first.push(value);
    length += value.length;
  }
  async function* whole() {
    yield* first;
    yield* { [Symbol.asyncIterator]: () => rest };
  }
  return { head: Buffer.concat(first), chunks: whole() };
}

// Rows of a Parquet file, which a thread of its own reads: damaged pages can make hyparquet loop.

/** The file is held in memory; larger ones are cut or given as CSV. */
const maxBytes = 1 << 30;
/** Processor time for a batch of rows, ms. */
const maxCpuMs = 30_000;
// The same ending as this file: .ts from the sources, .js in the published package.
const script = new URL(`./parquet-table-thread${import.meta.url.slice(-3)}`, import.meta.url);

/** The header, then the rows; lists and groups as JSON. Throws UsageError for a broken file. */
async function* parquetRows(chunks: AsyncIterable<Buffer>, limits = { maxCpuMs }): AsyncGenerator<string[]> {
  const { buffer, byteOffset, byteLength } = await wholeBuffer(chunks);
  const file = buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
  const late = `the input is a damaged Parquet file: a part of it cannot be read in ${limits.maxCpuMs / 1000} s of processor time`;
  const refuse = (reason = late) => new Failure(reason);
  for await (const rows of fromThread<string[][]>(script, file, { ...limits, refuse, transferList: [file] }))
    yield* rows;
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

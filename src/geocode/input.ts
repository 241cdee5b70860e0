/** Rows of the input table: CSV in any usual encoding, also packed with gzip, XLSX, or Parquet. */
import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { addAbortSignal, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { CsvError, parse } from 'csv-parse';
import { fromBufferPromise } from 'yauzl';
import { bounded, peek } from '../core/chunks.ts';
import { delimiterOf } from '../core/csv.ts';
import { Failure, optionalPackages, UsageError } from '../errors.ts';
import { fromProcess } from '../store/own-process.ts';

// The format of a text table: its encoding and delimiter, detected from its beginning.

/** The first four are detected; the others are taken by name alone. */
export const encodings = [
  ...(['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const),
  ...(['windows-1250', 'windows-1251', 'windows-1253', 'windows-1254', 'iso-8859-2'] as const),
  ...(['shift_jis', 'euc-jp', 'gb18030', 'big5', 'euc-kr'] as const),
] as const;
export type Encoding = (typeof encodings)[number];

/**
 * The encoding of a text: by its byte order mark, by the zeros of Latin letters in UTF-16, else UTF-8 where the bytes are
 * that, else Windows-1252, of which Latin-1 is a part. `head` may end within a letter. Throws UsageError for a text in
 * another alphabet, whose encoding is not known.
 */
function detectEncoding(head: Uint8Array): Encoding {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  let [even, odd] = [0, 0];
  for (let at = 0; at < head.length; at++) {
    if (head[at] !== 0) continue;
    if (at % 2 === 0) even++;
    else odd++;
  }
  // Texts of other encodings have no zeros, and the delimiters at least are Latin.
  if (odd > head.length / 20 && odd > 20 * even) return 'utf-16le';
  if (even > head.length / 20 && even > 20 * odd) return 'utf-16be';
  if (even + odd > 0) throw notText();
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return 'utf-8';
  } catch {
    if (controls(head) > head.length / 100) throw notText();
    if (!isLatin(head))
      throw new UsageError(
        `the encoding of the input is not known: it is neither UTF-8 nor UTF-16, and no text in Latin letters; set --encoding, one of ${encodings.join(', ')}`,
      );
    return 'windows-1252';
  }
}

const notText = () =>
  new UsageError('the input is no table: it is binary; expected CSV, also gzipped, XLSX or Parquet');

/** Bytes that are no part of a text: control characters but tab, line feed, form feed and carriage return. */
const controls = (head: Uint8Array) =>
  head.filter((byte) => byte < 32 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13).length;

/**
 * Whether bytes above ASCII are accented letters among others: they rarely stand three in a row, as they do in Cyrillic,
 * Greek, Chinese, Japanese and Korean.
 */
function isLatin(head: Uint8Array): boolean {
  let [high, inRuns, run] = [0, 0, 0];
  for (const byte of head) {
    run = byte >= 0x80 ? run + 1 : 0;
    if (run > 0) high++;
    if (run >= 3) inRuns += run === 3 ? 3 : 1;
  }
  return inRuns <= high / 4;
}

/** Candidates, the likelier one first where two are as frequent. */
const delimiters = [',', ';', '\t', '|'];

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
/** Bytes of a character in UTF-8. */
const maxCharacterBytes = 4;

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
  const delimiter =
    table.delimiter ?? delimiterOf(new TextDecoder(encoding).decode(head.subarray(0, headBytes)), delimiters);
  const mostCharacters = table.maxRowCharacters ?? maxRowCharacters;
  const maxUnread = maxCharacterBytes * mostCharacters;
  let unread = 0;
  const parser = parse({
    delimiter,
    bom: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: mostCharacters,
  });
  // Thrown below; this only keeps it from being unhandled.
  parser.on('error', () => {});
  try {
    // One by one, so that the rows of a chunk are taken before the next one is asked for.
    for await (const chunk of decoded(chunks, encoding)) {
      const { records, empty_lines } = parser.info;
      parser.write(chunk);
      unread = parser.info.records + parser.info.empty_lines > records + empty_lines ? 0 : unread + chunk.length;
      for (let row = parser.read(); row !== null; row = parser.read()) yield row;
      if (parser.errored) throw parser.errored;
      // The parser counts the characters of cells, and not the cells.
      if (unread > maxUnread)
        throw new BrokenInput(`the input is not CSV: a row has more than ${maxUnread} bytes; ${remedy}`);
    }
    parser.end();
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

// Rows of a Parquet file, which a process of its own reads: damaged pages can make hyparquet loop, or V8 end it.

/** The file is held in memory; larger ones are cut or given as CSV. */
const maxParquetBytes = 1 << 30;
/** Processor time for a batch of rows, ms. */
const maxCpuMs = 30_000;
// The same ending as this file: .ts from the sources, .js in the published package.
const script = new URL(`./parquet-table-process${import.meta.url.slice(-3)}`, import.meta.url);

/** The header, then the rows; lists and groups as JSON. Throws UsageError for a broken file. */
async function* parquetRows(chunks: AsyncIterable<Buffer>, limits = { maxCpuMs }): AsyncGenerator<string[]> {
  const input = bounded(
    chunks,
    maxParquetBytes,
    () => new UsageError('the Parquet file is larger than 1 GB; process its parts one by one, or use CSV'),
  );
  const late = `the input is a damaged Parquet file: a part of it takes more than ${limits.maxCpuMs / 1000} s of processor time, or more memory than there is`;
  const refuse = (reason = late) => new Failure(reason);
  for await (const rows of fromProcess<string[][]>(script, null, { ...limits, refuse, input })) yield* rows;
}

// Rows of the first sheet of an Excel workbook (.xlsx).

/** A sheet is held in memory: packed and unpacked. A million rows of ten cells are about 500 MB unpacked. */
const maxSheetBytes = { packed: 1 << 27, unpacked: 1 << 29 };
/** Rows as Excel has them. */
const maxExtent = { rows: 1_048_576, cells: 50_000_000 };

/** The rows with texts, numbers, dates (ISO 8601) and truth values as texts. Throws UsageError for a broken workbook. */
async function* sheetRows(chunks: AsyncIterable<Buffer>): AsyncGenerator<string[]> {
  const workbook = Buffer.concat(await Array.fromAsync(bounded(chunks, maxSheetBytes.packed, tooLarge)));
  const rows = await sheetOf(workbook).catch((error: Error) => {
    if (error instanceof UsageError) throw error;
    throw new Failure(`the input is not an Excel workbook, or a damaged one: ${error.message}`);
  });
  for (const row of rows) if (row.some((cell) => cell !== null)) yield row.map(textOf);
}

async function sheetOf(workbook: Buffer) {
  const zip = await fromBufferPromise(workbook, { autoClose: false });
  let unpacked = 0;
  for await (const entry of zip.eachEntry()) {
    unpacked += entry.uncompressedSize;
    if (unpacked > maxSheetBytes.unpacked) throw tooLarge();
    // What is larger than its entry says ends the reading.
    const content = await zip.openReadStreamPromise(entry);
    await checkExtent(content);
  }
  // Loaded only where a workbook is read. Of this form as it unpacks what the directory lists, which is what was looked at; the one for
  // Node reads whatever lies between.
  const { readSheet } = await optionalPackages(
    'reading Excel files',
    ['read-excel-file'],
    () => import('read-excel-file/universal'),
  );
  return readSheet(workbook.buffer.slice(workbook.byteOffset, workbook.byteOffset + workbook.length) as ArrayBuffer);
}

/** A row or a cell, with its attributes; one of them is its position. */
const positioned = /<(?:[\w.-]+:)?(row|c)(?=[\s"'/>])((?:"[^"]*"|'[^']*'|[^"'<>])*)/g;
const positionsIn = /(?:^|[\s"'])r\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const maxTagLength = 1 << 16;

/**
 * Throws UsageError for a sheet that is too large; what is no sheet passes. The reader makes a list of all rows up to the last position,
 * as long as the last column: a few bytes can name any. A workbook names its sheets, so that each file may be one.
 */
async function checkExtent(sheet: AsyncIterable<Buffer>): Promise<void> {
  let [rows, columns, rest, isSheet] = [0, 0, '', false];
  for await (const chunk of sheet) {
    const text = rest + chunk.toString('latin1');
    isSheet ||= text.includes('sheetData');
    if (!isSheet) {
      rest = text.slice(-'sheetData'.length);
      continue;
    }
    // A tag that the chunk cuts is seen whole with the next one.
    const cut = Math.max(0, text.lastIndexOf('<'));
    rest = text.slice(cut);
    for (const [, tag, attributes] of text.slice(0, cut).matchAll(positioned)) {
      const positions = [...attributes.matchAll(positionsIn)];
      // Optional in the format, but not for the reader; some programs leave them out.
      if (tag === 'c' && positions.length === 0)
        throw new UsageError(
          'the workbook has cells without a position; open and save it in a spreadsheet program, or save the sheet as CSV',
        );
      for (const [, quoted, otherwise = quoted] of positions) {
        const [, letters, digits] =
          (tag === 'c' ? /^\$?([A-Z]{1,3})\$?(\d{1,15})$/i : /^()(\d{1,15})$/).exec(otherwise) ?? [];
        if (digits === undefined)
          throw new Failure(
            `the input is a broken Excel workbook: ${JSON.stringify(otherwise.slice(0, 40))} is no cell or row`,
          );
        rows = Math.max(rows, Number(digits));
        columns = Math.max(columns, columnOf(letters));
      }
    }
    if (rows > maxExtent.rows || rows * columns > maxExtent.cells || rest.length > maxTagLength) throw tooLarge();
  }
}

/** Number of a column by its letters: A is 1, AA 27. */
const columnOf = (letters: string) =>
  [...letters.toUpperCase()].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0);

const tooLarge = () => new UsageError('the workbook is too large; save the sheet as CSV');

function textOf(cell: unknown): string {
  if (cell === null || cell === undefined) return '';
  // Excel has fifteen digits, and no time zone; a date alone has no time, and a time alone is one of its day 0.
  if (typeof cell === 'number') return String(Number(cell.toPrecision(15)));
  if (!(cell instanceof Date)) return String(cell);
  return cell
    .toISOString()
    .replace(/^1899-12-30T|T00:00:00\.000Z$/, '')
    .replace(/(\.000)?Z$/, '');
}

// Lines of JSON.

/** Maximum number of bytes of a line; a longer one gets an error without being kept. */
const maxLineBytes = 1_048_576;
const separator = 0x0a;

/** The lines that each piece of the input completes; undefined for a line that is too long. */
export async function* lineGroups(input: AsyncIterable<Buffer>): AsyncGenerator<(Buffer | undefined)[]> {
  let parts: Buffer[] = [];
  let length = 0;
  const add = (part: Buffer) => {
    length += part.length;
    if (length > maxLineBytes) parts = [];
    else parts.push(part);
  };
  const complete = () => {
    const line = length > maxLineBytes ? undefined : parts.length === 1 ? parts[0] : Buffer.concat(parts);
    parts = [];
    length = 0;
    return line;
  };
  for await (const chunk of input) {
    const lines: (Buffer | undefined)[] = [];
    let from = 0;
    for (let at = chunk.indexOf(separator); at >= 0; at = chunk.indexOf(separator, from)) {
      add(chunk.subarray(from, at));
      lines.push(complete());
      from = at + 1;
    }
    if (from < chunk.length) add(chunk.subarray(from));
    if (lines.length > 0) yield lines;
  }
  if (length > 0) yield [complete()];
}

/** A line's parameters, without those that are null or empty, or say the form of an answer; a text says what is wrong. */
export function parametersOf(line: Buffer | undefined, maxBytes = maxLineBytes): Record<string, unknown> | string {
  if (line === undefined || line.length > maxBytes) return `invalid_row: it has more than ${maxBytes} bytes`;
  if (!isUtf8(line)) return 'invalid_row: it is not UTF-8';
  let value: unknown;
  try {
    value = JSON.parse(line.toString());
  } catch (error) {
    return `invalid_row: it is not JSON: ${(error as Error).message}`;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return 'invalid_row: it is not a JSON object of parameters';
  }
  const isParameter = ([name, value]: [string, unknown]) => value !== null && value !== '' && name !== 'format';
  return Object.fromEntries(Object.entries(value).filter(isParameter));
}

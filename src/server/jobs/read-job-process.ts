/** A process that reads what a job was sent with, whatever its bytes: into a file of rows, a line of JSON each. */
import { createReadStream, createWriteStream } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type ParameterError, UsageError, WhereaboutsError } from '../../errors.ts';
import { lineGroups, textRows } from '../../geocode/input.ts';
import { sendFromProcess } from '../../store/own-process.ts';
import { checkBounds, parseJson, refused, wrongUse } from '../body.ts';
import { maxRowBytes } from './job-files.ts';

/** What was sent, in a file: JSON, a table, or lines of JSON. */
export type SentJob = {
  path: string;
  type: string;
  rowsPath: string;
  /** Rows that it may have, and what to do about more. */
  maxRows: number;
  remedy: string;
};

/** What JSON asks for, its table left out; the header of CSV; the number of rows, and the bytes of their file; or what is wrong. */
export type ReadJob = Rows & { request?: unknown };
type Rows = { header: string[] | undefined; rows: number; bytes: number };
export type JobFault = { fault: string; errors: readonly ParameterError[] | undefined };

/** Columns of CSV, each of which every row of the result has; and their names in JSON, which are parsed with each look at a job, characters. */
const maxColumns = 1_000;
const maxHeader = 32_768;
/** Lines of a table: those without a row cost their sender nothing. */
const maxLines = 1_000_000;
/** Cells that rows have beyond their header, together: such rows are wrong, and cost their sender one call each, whatever they have. */
const maxSurplus = 1_000_000;
/** Values of JSON, as many are 300 bytes each in memory. */
const minValues = 5_000;
const valuesPerRow = 16;
/** Of what JSON has besides its table, characters. */
const maxOthers = 131_072;
const lineEnd = Buffer.from('\n');
const newline = 0x0a;

/** Where rows come from: bytes of CSV or of lines of JSON, or values of JSON. */
type RowSource = { csv: AsyncIterable<Buffer> } | { lines: AsyncIterable<Buffer> } | { rows: readonly unknown[] };

async function* answer(sent: SentJob): AsyncGenerator<ReadJob | JobFault> {
  try {
    const read = await rowsOf(sent);
    // Here, as each step of the disk that the service awaits takes a turn of its event loop.
    await rm(sent.path);
    yield read;
  } catch (error) {
    const fault = error instanceof UsageError ? wrongUse(error) : error;
    if (!(fault instanceof WhereaboutsError)) throw error;
    yield { fault: fault.message, errors: fault.errors };
  }
}

async function rowsOf(sent: SentJob): Promise<ReadJob> {
  const { path, type, maxRows } = sent;
  if (type === 'text/csv') return writeRows({ csv: bounded(path) }, sent);
  if (type !== 'application/json') return writeRows({ lines: bounded(path) }, sent);
  const body = await readFile(path);
  checkBounds(body, minValues + valuesPerRow * maxRows);
  const request = parseJson(body) as Record<string, unknown> | null;
  const { rows, csv } = request ?? {};
  const isTable = typeof csv === 'string';
  const asked = request && {
    ...request,
    ...(Array.isArray(rows) && { rows: [{}] }),
    ...(isTable && { csv: '' }),
  };
  if (JSON.stringify(asked).length > maxOthers)
    throw refused(`has more than ${maxOthers} characters besides rows and csv; send less`);
  const source = Array.isArray(rows) ? { rows } : isTable && { csv: Readable.from([Buffer.from(csv)]) };
  return { ...(source ? await writeRows(source, sent) : { header: undefined, rows: 0, bytes: 0 }), request: asked };
}

async function* bounded(path: string): AsyncGenerator<Buffer> {
  let lines = 0;
  for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) {
    for (let at = piece.indexOf(newline); at >= 0; at = piece.indexOf(newline, at + 1)) lines++;
    if (lines > maxLines)
      throw new WhereaboutsError('invalid_body', `the table has more than ${maxLines} lines; send several jobs`);
    yield piece;
  }
}

/**
 * Writes rows to a file, a line of JSON each. Throws `invalid_body` where there are none or too many, or a text is not CSV. A single row that is
 * wrong has its error in the result.
 */
async function writeRows(source: RowSource, { rowsPath, maxRows, remedy }: SentJob): Promise<Rows> {
  let header: string[] | undefined;
  let [rows, surplus] = [0, 0];
  async function* texts() {
    for await (const line of linesFrom(source)) {
      if ('csv' in source && header === undefined) {
        header = line as string[];
        if (header.length > maxColumns) throw tooWide(`${header.length} columns`, maxColumns);
        const { length } = JSON.stringify(header);
        if (length > maxHeader) throw tooWide(`names of columns of ${length} characters in JSON`, maxHeader);
        continue;
      }
      if (++rows > maxRows)
        throw new WhereaboutsError('invalid_body', `there are more than ${maxRows} rows; ${remedy}`);
      if (header) surplus += Math.max(0, line.length - header.length);
      if (surplus > maxSurplus)
        throw new WhereaboutsError(
          'invalid_body',
          `rows of the table have more than ${maxSurplus} cells without a column; leave them out, or name their columns`,
        );
      // What is left of a row that is too long says so.
      yield Buffer.isBuffer(line) ? line.subarray(0, maxRowBytes + 1) : Buffer.from(JSON.stringify(line));
      yield lineEnd;
    }
    if (rows === 0) throw new WhereaboutsError('invalid_body', 'there are no rows, expected at least one');
  }
  const file = createWriteStream(rowsPath, { flush: true });
  await pipeline(texts, file);
  return { header, rows, bytes: file.bytesWritten };
}

/** CSV as its cells; JSON as it is, as a row that is wrong has its error in the result. */
async function* linesFrom(source: RowSource): AsyncGenerator<string[] | Buffer> {
  if ('csv' in source) {
    yield* textRows(source.csv, { maxRowCharacters: maxRowBytes }, 'correct that line and send the file again');
    return;
  }
  if ('rows' in source) {
    for (const row of source.rows) yield Buffer.from(JSON.stringify(row));
    return;
  }
  for await (const lines of lineGroups(source.lines)) {
    for (const line of lines) if (line?.length !== 0) yield line ?? tooLong;
  }
}

/** In place of a row that nobody keeps. */
const tooLong = Buffer.alloc(maxRowBytes + 1, ' ');

const tooWide = (what: string, most: number) =>
  new WhereaboutsError('invalid_body', `the table has ${what}, expected at most ${most}; leave some out`);

sendFromProcess(answer);

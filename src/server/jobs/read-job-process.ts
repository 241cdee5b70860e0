/** A process that reads what a job was sent with, whatever its bytes: into a file of rows, a line of JSON each. */
import { createReadStream, createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type ParameterError, UsageError, WhereaboutsError } from '../../errors.ts';
import { lineGroups, textRows } from '../../geocode/input.ts';
import { sendFromProcess } from '../../store/own-process.ts';
import { parseJson, parseValue, refused, wrongUse } from '../body.ts';
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

/**
 * What JSON has besides its rows, and which of the two they were; the header of CSV; the number of rows, and the bytes of
 * their file; or what is wrong.
 */
export type ReadJob = Rows & { request?: unknown; cut?: 'rows' | 'csv' };
type Rows = { header: string[] | undefined; rows: number; bytes: number };
export type JobFault = { fault: string; errors: readonly ParameterError[] | undefined };

/** Columns of CSV, each of which every row of the result has; and their names in JSON, which are parsed with each look at a job, characters. */
const maxColumns = 1_000;
const maxHeader = 32_768;
/** Lines of a table: those without a row cost their sender nothing. */
const maxLines = 1_000_000;
const lineEnd = Buffer.from('\n');
const [quote, backslash, comma, newline, carriageReturn] = [0x22, 0x5c, 0x2c, 0x0a, 0x0d];

/** Where rows come from: bytes of CSV or of lines of JSON. */
type RowSource = { csv: AsyncIterable<Buffer> } | { lines: AsyncIterable<Buffer> };

async function* answer(sent: SentJob): AsyncGenerator<ReadJob | JobFault> {
  try {
    yield await read(sent);
  } catch (error) {
    const fault = error instanceof UsageError ? wrongUse(error) : error;
    if (!(fault instanceof WhereaboutsError)) throw error;
    yield { fault: fault.message, errors: fault.errors };
  }
}

async function read(sent: SentJob): Promise<ReadJob> {
  const { path, type } = sent;
  if (type === 'text/csv') return writeRows({ csv: bounded(path) }, sent);
  if (type !== 'application/json') return writeRows({ lines: bounded(path) }, sent);
  const { text, rows, csv } = cutTable(await readFile(path));
  const request = parseJson(text);
  if (rows) return { request, cut: 'rows', ...(await writeRows({ lines: Readable.from([rows]) }, sent)) };
  if (!csv) return { request, header: undefined, rows: 0, bytes: 0 };
  const table = Buffer.from(parseValue(Buffer.concat([quotes, csv, quotes])) as string);
  return { request, cut: 'csv', ...(await writeRows({ csv: Readable.from([table]) }, sent)) };
}

const quotes = Buffer.from('"');

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
  let rows = 0;
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

/** CSV as its cells; lines of JSON as they are, as one that is wrong has its error in the result. */
async function* linesFrom(source: RowSource): AsyncGenerator<string[] | Buffer> {
  if ('csv' in source) {
    yield* textRows(source.csv, { maxRowCharacters: maxRowBytes }, 'correct that line and send the file again');
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

/** Most bytes of a body besides its table, and of a name there that is looked at, each of whose characters may be an escape. */
const maxOtherBytes = 131_072;
const maxNameBytes = 32;

/**
 * What an object has as its array `rows`, an element a line, or as its text `csv`, as it stands between the quotes, and the rest of
 * the body, so that each row is taken as it stands, and a wrong one fails alone. Does not check whether it is JSON.
 */
function cutTable(body: Buffer): { text: Buffer; rows?: Buffer; csv?: Buffer } {
  const tooMuch = () => refused(`has more than ${maxOtherBytes} bytes besides rows and csv; send less`);
  const without = (start: number, end: number) => {
    const text = start < end ? Buffer.concat([body.subarray(0, start), body.subarray(end)]) : body;
    if (text.length <= maxOtherBytes) return { text };
    throw tooMuch();
  };
  let depth = 0;
  let name: string | undefined;
  /** Where the array begins, and the element in it. */
  let [start, from] = [-1, 0];
  for (let at = 0; at < body.length; at++) {
    if (start < 0 && at > maxOtherBytes) throw tooMuch();
    const byte = body[at];
    if (byte === quote) {
      const opened = at + 1;
      for (at++; at < body.length && body[at] !== quote; at++) {
        if (body[at] === backslash) at++;
        else if (body[at] === newline) body[at] = carriageReturn;
      }
      if (depth !== 1) continue;
      if (name === 'csv') return { ...without(opened, at), csv: body.subarray(opened, at) };
      name = at - opened > maxNameBytes ? '' : plain(body.toString('latin1', opened, at));
    } else if (byte === newline) {
      // Both are blanks outside of strings, and neither may stand in one.
      body[at] = carriageReturn;
    } else if (byte === comma) {
      if (depth === 1) name = undefined;
      // Of two commas the second stays, so that the row that is missing is no row rather than none.
      if (start < 0 || depth !== 2 || at === from) continue;
      body[at] = newline;
      from = at + 1;
    } else if (byte === 0x5b || byte === 0x7b) {
      if (depth === 1 && byte === 0x5b && name === 'rows') start = from = at + 1;
      depth++;
    } else if (byte === 0x5d || byte === 0x7d) {
      if (--depth === 1 && start >= 0) return { ...without(start, at), rows: body.subarray(start, at) };
    }
  }
  return without(0, 0);
}

/** A name whose letters may be written as escapes. */
const plain = (name: string) =>
  name.replace(/\\u(00[0-9a-f]{2})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));

sendFromProcess(answer);

/** The rows of a job: how they are received, checked and written down, and how one of them is answered. */
import { open } from 'node:fs/promises';
import { type Cell, csvRecord, withoutFormula } from '../../core/csv.ts';
import { columnsOf, type Endpoint, recordsOf } from '../../endpoints/endpoint.ts';
import { UsageError, WhereaboutsError } from '../../errors.ts';
import { compileRow, createAsk, type RowAnswer } from '../../geocode/answer-rows.ts';
import { checkParameters, compileColumns } from '../../geocode/columns.ts';
import { textRows } from '../../geocode/input.ts';
import { lineGroups, parametersOf } from '../../geocode/lines.ts';
import type { Store } from '../../store/store.ts';
import type { Job, RowForm } from './job-files.ts';

export const maxRows = 100_000;
/** Bytes of a row of JSON, characters of one of CSV, and columns of CSV, each of which every row of the result has. */
const maxRowBytes = 65_536;
const maxColumns = 1_000;
/** Put before the names of the columns that are added, as `geocode` does. */
const prefix = 'result_';
const maxPendingBytes = 32_768;
const separator = Buffer.from('\n');

/** Where rows come from: bytes of CSV or of lines of JSON. */
export type RowSource = { csv: AsyncIterable<Buffer> } | { lines: AsyncIterable<Buffer> };

/**
 * Writes rows to a file, a line of JSON each. Throws `invalid_body` where there are none or too many, a text is not CSV, or
 * the columns do not fit the endpoint. A single row that is wrong has its error in the result.
 */
export async function writeRows(
  source: RowSource,
  path: string,
  endpoint: Endpoint,
  { map, set }: RowForm,
): Promise<Pick<Job, 'header' | 'rows' | 'bytes'>> {
  const file = await open(path, 'w');
  let header: string[] | undefined;
  let rows = 0;
  let bytes = 0;
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  const flush = async () => {
    await file.writeFile(Buffer.concat(pending));
    bytes += pendingBytes;
    pending = [];
    pendingBytes = 0;
  };
  try {
    if (!('csv' in source)) checkParameters(endpoint, Object.keys(set));
    for await (const line of linesFrom(source)) {
      if ('csv' in source && header === undefined) {
        header = line as string[];
        if (header.length > maxColumns) throw tooWide(header.length);
        compileColumns(endpoint, header, new Map(Object.entries(map)), set);
        continue;
      }
      if (++rows > maxRows) throw tooMany();
      // What is left of a row that is too long says so.
      const text = Buffer.isBuffer(line) ? line.subarray(0, maxRowBytes + 1) : Buffer.from(JSON.stringify(line));
      pending.push(text, separator);
      pendingBytes += text.length + 1;
      if (pendingBytes >= maxPendingBytes) await flush();
    }
    if (rows === 0) throw new WhereaboutsError('invalid_body', 'there are no rows, expected at least one');
    await flush();
    await file.sync();
    return { header, rows, bytes };
  } catch (error) {
    throw error instanceof UsageError ? asBody(error) : error;
  } finally {
    await file.close();
  }
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

const tooWide = (columns: number) =>
  new WhereaboutsError(
    'invalid_body',
    `the table has ${columns} columns, expected at most ${maxColumns}; leave some out`,
  );

const tooMany = () => new WhereaboutsError('invalid_body', `there are more than ${maxRows} rows; send several jobs`);

/** Throws `invalid_body` for what would be a wrong use of the command `geocode`, whose options are named alike. */
export function readingUsage<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof UsageError ? asBody(error) : error;
  }
}

const asBody = ({ message }: Error) => new WhereaboutsError('invalid_body', message.replaceAll('--', ''));

/** The answer to a row: its part of the result, and its outcome. */
export type RowResult = {
  text: string;
  outcome: 'found' | 'withoutResult' | 'failed';
  /** The error's code. */
  code?: string | undefined;
  bug?: unknown;
};

/** Creates the function that answers a line of a job's input. It throws `Deferred` as searches do. */
export function answeringRows(store: Store, endpoint: Endpoint, job: Job): (line: Buffer, number: number) => RowResult {
  const { header, form } = job;
  const { map, set, limitPerRow } = form;
  if (header) {
    const answer = compileRow(store, endpoint, { header, map: new Map(Object.entries(map)), fixed: set, limitPerRow });
    return (line, number) => {
      const { records, outcome, code, bug } = answer({ cells: cellsOf(line), number });
      const safe = (record: readonly Cell[]) =>
        record.map((cell, at) => (at < header.length ? cell : withoutFormula(cell)));
      const text = records.map((record) => csvRecord(safe(record))).join('');
      return { text, outcome: outcome.kind, code, bug };
    };
  }
  const ask = createAsk(store, endpoint, limitPerRow);
  return (line, number) => {
    const parameters = parametersOf(line, maxRowBytes);
    const { found, error, code, bug }: RowAnswer =
      typeof parameters === 'string' ? { error: parameters, code: 'invalid_row' } : ask({ ...parameters, ...set });
    const text = `${JSON.stringify({ row: number, results: found ?? [], error: error ?? null })}\n`;
    return { text, outcome: found ? 'found' : error === 'no_result' ? 'withoutResult' : 'failed', code, bug };
  };
}

/** The cells of a row; none where a bad disk has cut it, so that it alone fails. */
function cellsOf(line: Buffer): string[] {
  try {
    return JSON.parse(line.toString());
  } catch {
    return [];
  }
}

/** What a result begins with: the header of CSV. */
export function resultHeader(endpoint: Endpoint, { header }: Job): string {
  if (!header) return '';
  const columns = columnsOf(recordsOf(endpoint).schema).map(({ name }) => prefix + name);
  return csvRecord([...header, ...columns, `${prefix}error`, `${prefix}row`]);
}

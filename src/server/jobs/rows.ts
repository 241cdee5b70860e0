/** The rows of a job: how their columns are checked, and how one of them is answered. */
import { type Cell, csvRecord, withoutFormula } from '../../core/csv.ts';
import { columnsOf, type Endpoint, recordsOf } from '../../endpoints/endpoint.ts';
import { UsageError } from '../../errors.ts';
import { compileRow, createAsk, type RowAnswer } from '../../geocode/answer-rows.ts';
import { checkParameters, compileColumns } from '../../geocode/columns.ts';
import { parametersOf } from '../../geocode/input.ts';
import type { Store } from '../../store/store.ts';
import { wrongUse } from '../body.ts';
import { type Job, maxRowBytes, type RowForm } from './job-files.ts';

/** Put before the names of the columns that are added, as `geocode` does. */
const prefix = 'result_';

/** Throws `invalid_body` where columns or fixed parameters do not fit the endpoint. */
export function checkForm(endpoint: Endpoint, header: string[] | undefined, { map, set }: RowForm): void {
  readingUsage(() =>
    header
      ? compileColumns(endpoint, header, new Map(Object.entries(map)), set)
      : checkParameters(endpoint, Object.keys(set)),
  );
}

/** Throws `invalid_body` for what would be a wrong use of the command `geocode`, whose options are named alike. */
export function readingUsage<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof UsageError ? wrongUse(error) : error;
  }
}

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

/** Answers rows: the part of a run that is the same in this process and in its workers. */
import { ask } from '../api/execute.ts';
import { createOperation } from '../api/operation.ts';
import type { Cell } from '../core/csv.ts';
import type { Context, Endpoint } from '../endpoints/endpoint.ts';
import { columnsOf, recordsOf } from '../endpoints/records.ts';
import { WhereaboutsError } from '../errors.ts';
import type { Store } from '../store/store.ts';
import { type ColumnMap, compileColumns } from './columns.ts';

/** What is asked of each row. All of it can be sent to a worker. */
export type Question = {
  header: readonly string[];
  map: ColumnMap;
  /** Parameters that all rows have. */
  fixed: Readonly<Record<string, string>>;
  /** Most results of a row; each is a record of the output. */
  limitPerRow: number;
};

/** A row and its number in the input, from 1. */
export type NumberedRow = { cells: readonly string[]; number: number };

/** How a row ended: by the `match_type` of its best result where the endpoint has one. */
export type Outcome = { kind: 'found'; matchType?: string } | { kind: 'withoutResult' | 'failed' };

/** The records of a row in the output, without the header. `bug` is an error of ours, whose row says `internal`. */
export type AnsweredRow = { records: Cell[][]; outcome: Outcome; number: number; bug?: unknown };

/** Makes the function that answers a row. Throws UsageError when the columns do not fit the endpoint. */
export function compileRow(store: Store, endpoint: Endpoint, question: Question): (row: NumberedRow) => AnsweredRow {
  const { header, limitPerRow } = question;
  const hasLimit = Object.hasOwn(endpoint.parameters.default.properties, 'limit');
  const limit: Record<string, string | number> = hasLimit ? { limit: limitPerRow } : {};
  const parametersOf = compileColumns(endpoint, header, question.map, { ...limit, ...question.fixed });
  const operation = createOperation(endpoint.path, endpoint);
  const records = recordsOf(endpoint);
  const columns = columnsOf(records.schema);
  const nothing: Cell[] = columns.map(() => null);
  const context: Context = { store, profile: 'default', now: Date.now(), clientAddress: undefined };

  return ({ cells: row, number }) => {
    const cells = header.map((_, position) => row[position] ?? '');
    const without = (error: string, kind: 'failed' | 'withoutResult' = 'failed', bug?: unknown): AnsweredRow => ({
      records: [[...cells, ...nothing, error, number]],
      outcome: { kind },
      number,
      ...(bug !== undefined && { bug }),
    });
    if (row.length !== header.length) {
      return without(`invalid_row: it has ${row.length} cells, the header has ${header.length}`);
    }
    try {
      const found = records.of(ask(operation, parametersOf(row), context)).slice(0, limitPerRow);
      if (found.length === 0) return without('no_result', 'withoutResult');
      const matchType = found[0].match_type;
      return {
        records: found.map((record) => [...cells, ...columns.map(({ read }) => read(record)), null, number]),
        outcome: { kind: 'found', ...(typeof matchType === 'string' && { matchType }) },
        number,
      };
    } catch (error) {
      if (error instanceof WhereaboutsError) return without(`${error.code}: ${error.message}`);
      return without('internal: an error on our side', 'failed', error);
    }
  };
}

/** Answers rows: the part of a run that is the same in this process and in its workers. */
import { ask, createOperation } from '../api/execute.ts';
import type { Cell } from '../core/csv.ts';
import { type Context, columnsOf, type Endpoint, recordsOf } from '../endpoints/endpoint.ts';
import { WhereaboutsError } from '../errors.ts';
import { Deferred, type Store } from '../store/store.ts';
import { type ColumnMap, compileColumns } from './columns.ts';

/** The job for all rows; can be sent to a worker. */
export type Question = {
  header: readonly string[];
  map: ColumnMap;
  /** Parameters that all rows have. */
  fixed: Readonly<Record<string, string>>;
  /** Maximum number of results of a row; each is a record of the output. */
  limitPerRow: number;
};

/** A row and its number in the input, from 1. */
export type NumberedRow = { cells: readonly string[]; number: number };

/**
 * The outcome of a row. Of its best result, as far as the endpoint says it: whether it is what the whole text says, its layer, and
 * its `match_type`.
 */
export type Outcome =
  | { kind: 'found'; quality: 'exact' | 'partial'; layer?: string; matchType?: string }
  | { kind: 'withoutResult' | 'failed' };

/** The records of a row in the output, without the header. `bug` is an error of ours, whose row says `internal`. */
export type AnsweredRow = { records: Cell[][]; outcome: Outcome; code?: string; number: number; bug?: unknown };

/** An endpoint's answer to a row's parameters: at least one record, or an error for its column. */
export type RowAnswer = {
  found?: Record<string, unknown>[];
  error?: string;
  /** The code of the error, of which `invalid_row` and `no_result` are no error of the API. */
  code?: string;
  /** An error of ours, with the error `internal`. */
  bug?: unknown;
};

/**
 * Creates the function that geocodes one row. `limit` is the maximum number of records of an answer. It throws `Deferred`
 * where an engine answers later.
 */
export function createAsk(
  store: Store,
  endpoint: Endpoint,
  limit: number,
): (parameters: Record<string, unknown>) => RowAnswer {
  const { properties } = endpoint.parameters.default;
  const [hasLimit, hasCountry] = [Object.hasOwn(properties, 'limit'), Object.hasOwn(properties, 'country')];
  const operation = createOperation(endpoint.path, endpoint);
  const records = recordsOf(endpoint);
  // An explanation is no part of a record.
  return ({ explain: _, ...parameters }) => {
    try {
      const { country } = parameters;
      const coded =
        typeof country === 'string' && hasCountry ? { ...parameters, country: codeOf(store, country) } : parameters;
      const withLimit = hasLimit ? { ...coded, limit } : coded;
      const context: Context = { store, profile: 'default', now: Date.now(), clientAddress: undefined };
      const found = records.of(ask(operation, withLimit, context)).slice(0, limit);
      return found.length === 0 ? { error: 'no_result', code: 'no_result' } : { found };
    } catch (error) {
      if (error instanceof Deferred) throw error;
      if (error instanceof WhereaboutsError) return { error: `${error.code}: ${error.message}`, code: error.code };
      return {
        code: 'internal',
        error: 'internal: this row caused a bug; the error output has the details',
        bug: error,
      };
    }
  };
}

/** The code of a country that a cell names in any language (`Deutschland`); the cell itself where it names none. */
const codeOf = ({ cities }: Store, cell: string): string =>
  cell.trim().length > 2 ? (cities.countriesNamed(cell)[0] ?? cell) : cell;

/** Creates the function that answers a row. Throws UsageError when the columns do not fit the endpoint. */
export function compileRow(store: Store, endpoint: Endpoint, question: Question): (row: NumberedRow) => AnsweredRow {
  const { header, limitPerRow } = question;
  const parametersOf = compileColumns(endpoint, header, question.map, question.fixed);
  const askAbout = createAsk(store, endpoint, limitPerRow);
  const columns = columnsOf(recordsOf(endpoint).schema);
  const nothing: Cell[] = columns.map(() => null);

  return ({ cells: row, number }) => {
    const cells = header.map((_, position) => row[position] ?? '');
    const { found, error, ...failure }: RowAnswer =
      row.length === header.length
        ? askAbout(parametersOf(row))
        : { error: `invalid_row: it has ${row.length} cells, the header has ${header.length}`, code: 'invalid_row' };
    if (!found) {
      return {
        records: [[...cells, ...nothing, error, number]],
        outcome: { kind: error === 'no_result' ? 'withoutResult' : 'failed' },
        number,
        ...failure,
      };
    }
    return {
      records: found.map((record) => [...cells, ...columns.map(({ read }) => read(record)), null, number]),
      outcome: foundBy(found[0]),
      number,
    };
  };
}

/** From this confidence on, 95 of 100 answers are right. */
const sureFrom = 90;

function foundBy({ match_type: matchType, verdict, confidence, layer }: Record<string, unknown>): Outcome {
  const isExact = typeof verdict === 'string' ? verdict === 'exact' : !(Number(confidence) < sureFrom);
  return {
    kind: 'found',
    quality: isExact ? 'exact' : 'partial',
    ...(typeof layer === 'string' && { layer }),
    ...(typeof matchType === 'string' && { matchType }),
  };
}

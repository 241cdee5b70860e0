/** Answers as tables: which records an endpoint's answer holds, and the columns of such a record. */
import type { TObject, TSchema } from 'typebox';
import type { Cell } from '../core/csv.ts';
import type { Endpoint } from './endpoint.ts';

/** A column: its name, and its cell in a record. */
type Column = { name: string; read(record: Record<string, unknown>): Cell };

type Schema = TSchema & { type?: string | string[]; items?: Schema; properties?: Record<string, Schema> };

/** The records of an endpoint's `default` answers: the entries of `results`, or the answer itself. */
type Records = {
  isList: boolean;
  /** One record. */
  schema: TObject;
  of(answer: object): Record<string, unknown>[];
};

export function recordsOf({ response }: Pick<Endpoint, 'response'>): Records {
  const { query_ms: _, ...fields } = response.default.properties as Record<string, Schema>;
  const list = fields.results;
  if (list?.items?.properties) {
    return {
      isList: true,
      schema: list.items as unknown as TObject,
      of: (answer) => (answer as { results: Record<string, unknown>[] }).results,
    };
  }
  return {
    isList: false,
    schema: { ...response.default, properties: fields } as unknown as TObject,
    of: (answer) => [answer as Record<string, unknown>],
  };
}

/**
 * The columns of a record, in the order of its fields. Objects become a column for each of their fields (`from.name`),
 * lists of words one cell with `;` between them.
 */
export function columnsOf(schema: TObject): Column[] {
  return Object.entries(schema.properties as Record<string, Schema>).flatMap(([name, field]): Column[] => {
    if (field.properties) {
      return columnsOf(field as unknown as TObject).map((column) => ({
        name: `${name}.${column.name}`,
        read(record) {
          const inner = record[name] as Record<string, unknown> | null | undefined;
          return inner ? column.read(inner) : null;
        },
      }));
    }
    const isArray = [field.type].flat().includes('array');
    return [{ name, read: isArray ? (record) => joined(record[name]) : (record) => record[name] as Cell }];
  });
}

function joined(values: unknown): Cell {
  if (!Array.isArray(values)) return null;
  return values.map((value) => (typeof value === 'object' ? JSON.stringify(value) : String(value))).join(';');
}

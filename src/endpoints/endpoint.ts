import type { Static, TObject, TSchema } from 'typebox';
import type { Cell } from '../core/csv.ts';
import type { LayerName } from '../store/manifest.ts';
import type { Store } from '../store/store.ts';

/** The shapes of an answer: Variant A's, Variant B's, or everything either has. */
export const profiles = ['default', 'a', 'b'] as const;
export type Profile = (typeof profiles)[number];

/** What a handler knows besides its parameters. */
export type Context = {
  store: Store;
  profile: Profile;
  /** The time of the request, epoch milliseconds. */
  now: number;
  /** The caller's address, where a request came over the network. */
  clientAddress: string | undefined;
};

/** An answer as a handler returns it: the response schema's type without `query_ms`, which the caller adds. */
type Answer<R extends TObject> = Omit<Static<R>, 'query_ms'>;

/** One GET endpoint: from this declaration come validation, types, serialisation, the OpenAPI description and the library. */
type EndpointDeclaration<P extends TObject, R extends TObject> = {
  /** Path below `/v1`; `{name}` marks a path parameter. */
  path: `/${string}`;
  summary: string;
  description: string;
  /** Query and path parameters by profile. `a` and `b` are narrower than `default`, whose type the handler gets. */
  parameters: { default: P; a: TObject; b: TObject };
  /** What holds among several parameters, in the language of `x-dependencies` (IDL4OAS); what does not keep to it is refused. */
  dependencies?: readonly string[];
  /** Answer by profile, `query_ms` included. The serialiser writes exactly the profile's fields. */
  response: { default: R; a: TObject; b: TObject };
  /** Layers without which the endpoint answers `dataset_missing`. */
  layers: readonly LayerName[];
  /** Whether equal parameters have equal answers in this profile on equal data; such answers carry an ETag. */
  isCacheable(parameters: Static<P>, profile: Profile): boolean;
  /** Returns the `default` answer; where a profile uses one name for other content, it checks `context.profile`. */
  handle(parameters: Static<P>, context: Context): Answer<R>;
};

/** An endpoint as the list of endpoints holds it, its parameter types forgotten. */
export type Endpoint = Omit<EndpointDeclaration<TObject, TObject>, 'handle' | 'isCacheable'> & {
  isCacheable(parameters: never, profile: Profile): boolean;
  handle(parameters: never, context: Context): object;
};

/** Declares an endpoint; equal parameters have equal answers unless it says otherwise. */
export const defineEndpoint = <P extends TObject, R extends TObject>({
  isCacheable = () => true,
  ...endpoint
}: Omit<EndpointDeclaration<P, R>, 'isCacheable'> &
  Partial<Pick<EndpointDeclaration<P, R>, 'isCacheable'>>): EndpointDeclaration<P, R> => ({ ...endpoint, isCacheable });

// Answers as tables: which records an endpoint's answer holds, and the columns of such a record.

/** A column: its name, and its cell in a record. */
type Column = { name: string; read(record: Record<string, unknown>): Cell };

type Schema = TSchema & { type?: string | string[]; items?: Schema; properties?: Record<string, Schema> };

/** The records of an endpoint's `default` answers: the entries of `results`, or the answer itself; and the schema of one. */
export function recordsOf({ response }: Pick<Endpoint, 'response'>) {
  const { query_ms: _, ...fields } = response.default.properties as Record<string, Schema>;
  const list = fields.results;
  if (list?.items?.properties) {
    return {
      isList: true,
      schema: list.items as unknown as TObject,
      of: (answer: object) => (answer as { results: Record<string, unknown>[] }).results,
    };
  }
  return {
    isList: false,
    schema: { ...response.default, properties: fields } as unknown as TObject,
    of: (answer: object) => [answer as Record<string, unknown>],
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

import type { TObject } from 'typebox';

/** Writes an answer as JSON with `query_ms` as its last field. */
export type Serialiser = (answer: object, queryMs: number) => string;

type Shape = { type?: unknown; properties?: Record<string, Shape>; items?: Shape; required?: readonly string[] };
type Row = Record<string, unknown>;
type Project = (value: unknown) => unknown;

/**
 * Makes the writer of a response schema: it writes exactly the schema's fields, in the schema's order, and throws when
 * one that the schema requires is missing. `query_ms` is written apart, so that the time it tells includes the writing.
 *
 * The fields are copied and the copy given to JSON.stringify, which is native: 50 µs for the 29 KB of /countries/all
 * where fast-json-stringify 7, which concatenates strings, takes 161 (Node 26).
 */
export function compileSerialiser(schema: TObject): Serialiser {
  const { query_ms: _, ...properties } = schema.properties as Record<string, Shape>;
  const project = projectionOf({ ...(schema as Shape), type: 'object', properties })!;
  return (answer, queryMs) => {
    const row = project(answer) as Row;
    row.query_ms = queryMs;
    return JSON.stringify(row);
  };
}

/** What copies the schema's fields of a value; undefined where the value is written as it is. */
function projectionOf({ properties, items, required = [] }: Shape): Project | undefined {
  if (items) {
    const project = projectionOf(items);
    return project && ((list) => (list === null ? null : (list as unknown[]).map(project)));
  }
  if (!properties) return undefined;
  const projects = Object.values(properties).map(projectionOf);
  const fields = Object.keys(properties).map((name, position) => {
    const key = JSON.stringify(name);
    const written = projects[position] ? `(field => field === undefined ? field : projects[${position}](field))` : '';
    const field = `${written}(value[${key}]${required.includes(name) ? ` ?? orNull(value, ${key})` : ''})`;
    return `${key}: ${field}`;
  });
  // An object literal made for the schema: V8 gives it one shape and fast fields, which a loop over names would not.
  return new Function('projects', 'orNull', `return (value) => value === null ? null : { ${fields.join(', ')} };`)(
    projects,
    orNull,
  );
}

/** A required field that is null; throws when it is not there at all. */
function orNull(value: Row, name: string): null {
  if (value[name] === null) return null;
  throw new Error(`an answer lacks ${name}, which its schema requires`);
}

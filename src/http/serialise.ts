import fastJson from 'fast-json-stringify';
import type { TObject } from 'typebox';

/** Writes an answer as JSON with `query_ms` as its last field. */
export type Serialiser = (answer: object, queryMs: number) => string;

/**
 * Compiles the writer of a response schema: it writes exactly the schema's fields, and throws when one that the schema
 * requires is missing. `query_ms` is written apart, so that the time it tells includes the writing.
 */
export function compileSerialiser(schema: TObject): Serialiser {
  // A plain copy: what the schema library keeps in hidden fields is nothing to the compiler.
  const { properties, required, ...rest } = JSON.parse(JSON.stringify(schema)) as Record<string, object> & {
    required?: string[];
  };
  const { query_ms: _, ...fields } = properties as Record<string, object>;
  const write = fastJson({
    ...rest,
    type: 'object',
    properties: fields,
    required: required?.filter((name) => name !== 'query_ms') ?? [],
  } as never);
  return (answer, queryMs) => {
    const text = write(answer);
    return `${text.slice(0, -1)}${text.length > 2 ? ',' : ''}"query_ms":${queryMs}}`;
  };
}

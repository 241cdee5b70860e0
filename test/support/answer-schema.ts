import type { TObject } from 'typebox';
import Schema from 'typebox/schema';

type Json = Record<string, unknown>;

/** A response schema that admits no field which it does not name, at any depth. */
function closed(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema), (_key, value) =>
    value !== null && typeof value === 'object' && 'properties' in value && !('additionalProperties' in value)
      ? { ...value, additionalProperties: false }
      : value,
  );
}

/** What is wrong with an answer by its schema, as text; empty when it has exactly the schema's fields and types. */
export function answerErrors(schema: TObject | Json, answer: unknown): string {
  const [, errors] = Schema.Errors(closed(schema) as Json, answer);
  return errors.map((error) => JSON.stringify(error)).join('; ');
}

type Description = { components: { schemas: Record<'Problem', Json> } };

/** What is wrong with a problem document, by the description of the service. */
export const problemErrors = ({ components }: Description, answer: unknown): string =>
  answerErrors(components.schemas.Problem, answer);

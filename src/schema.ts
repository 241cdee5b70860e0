/**
 * The schema builder: typebox's types around the few plain objects of JSON Schema that we need. typebox itself comes in
 * 680 files, which with its checker took 8 MB of a server and 0.2 s of its start, so only its types are used.
 */
import type Box from 'typebox';

type Schema = { [keyword: string]: unknown };
type Builders = Pick<
  typeof Box,
  'Array' | 'Boolean' | 'Integer' | 'Null' | 'Number' | 'Object' | 'Optional' | 'Record' | 'String' | 'Union' | 'Unsafe'
>;

/** Marks a property that may be left out; not enumerable, so that it is no part of the schema. */
const optional = Symbol('optional');

const typed = (type: string) => (options?: Schema) => ({ type, ...options });

const builders = {
  Array: (items: Schema, options?: Schema) => ({ type: 'array', items, ...options }),
  Boolean: typed('boolean'),
  Integer: typed('integer'),
  Null: typed('null'),
  Number: typed('number'),
  Object(properties: Record<string, Schema>, options?: Schema) {
    const required = Object.keys(properties).filter((name) => !(optional in properties[name]));
    return { type: 'object', ...(required.length > 0 ? { required } : {}), properties, ...options };
  },
  Optional: (schema: Schema) => Object.defineProperty({ ...schema }, optional, { value: true }),
  /** Names are any strings. */
  Record: (_names: Schema, values: Schema, options?: Schema) => ({
    type: 'object',
    patternProperties: { '^.*$': values },
    ...options,
  }),
  String: typed('string'),
  Union: (anyOf: Schema[], options?: Schema) => ({ anyOf, ...options }),
  /** A schema written out, with the type given for it. */
  Unsafe: (schema: Schema) => ({ ...schema }),
};

/** Builders of JSON Schema by the names of typebox's; `Static` of typebox gives a schema's type. */
export const Type = builders as unknown as Builders;

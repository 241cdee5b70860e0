/**
 * The schema builder: typebox's types around the few plain objects of JSON Schema that we need. typebox itself comes in
 * 680 files, which with its checker took 8 MB of a server and 0.2 s of its start, so only its types are used.
 */
import type Box from 'typebox';

type Schema = { [keyword: string]: unknown };
/** A property with a default: its type says so, as callers may leave it out. */
type Defaulted<O> = O extends { default: infer D } ? { default: D } : unknown;
type Builders = Pick<typeof Box, 'Array' | 'Null' | 'Object' | 'Optional' | 'Record' | 'Union' | 'Unsafe'> & {
  Boolean<O extends Schema>(options?: O): Box.TBoolean & Defaulted<O>;
  Integer<O extends Schema>(options?: O): Box.TInteger & Defaulted<O>;
  Number<O extends Schema>(options?: O): Box.TNumber & Defaulted<O>;
  String<O extends Schema>(options?: O): Box.TString & Defaulted<O>;
};

/** Marks a property that may be left out; not enumerable, so that it is not part of the schema. */
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

/** Builders of JSON Schema by the names of typebox's; `Static` of typebox is a schema's type. */
export const Type = builders as unknown as Builders;

/**
 * The schema builder: typebox's types around the few plain objects of JSON Schema that we need. typebox itself comes in
 * 680 files, which with its checker took 8 MB of a server and 0.2 s of its start, so only its types are used.
 */
import type Box from 'typebox';
import type { Static, TProperties, TSchema } from 'typebox';

type Schema = { [keyword: string]: unknown };
/** A property with a default: its type says so, as callers may leave it out. */
type Defaulted<O> = O extends { default: infer D } ? { default: D } : unknown;
/** Of a simple type, with a description or more. */
type Simple<T> = { (description?: string): T; <O extends Schema>(options: O): T & Defaulted<O> };
type Builders = Pick<typeof Box, 'Array' | 'Null' | 'Object' | 'Optional' | 'Record' | 'Union' | 'Unsafe'> & {
  Boolean: Simple<Box.TBoolean>;
  Integer: Simple<Box.TInteger>;
  Number: Simple<Box.TNumber>;
  String: Simple<Box.TString>;
};

/** Marks a property that may be left out; not enumerable, so that it is not part of the schema. */
const optional = Symbol('optional');

const typed = (type: string) => (more?: Schema | string) => ({
  type,
  ...(typeof more === 'string' ? { description: more } : more),
});

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

/** An object with these fields and no others. */
export const exactly = <P extends TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: false });

/** One of a list of words, any case; the handler gets the list's spelling. */
export const oneOf = <const T extends readonly string[]>(values: T, description: string, more: object = {}) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...values], description, ...more });

/** A field that may be unknown. */
export const nullable = <S extends TSchema & { type?: string; enum?: readonly unknown[] }>(schema: S) =>
  Type.Unsafe<Static<S> | null>({
    ...schema,
    type: [schema.type, 'null'],
    ...(schema.enum ? { enum: [...schema.enum, null] } : {}),
  });

/** Fields of simple types that may be unknown. */
export const Nullable = {
  Boolean: (description?: string) => nullable(Type.Boolean(description)),
  Integer: (description?: string) => nullable(Type.Integer(description)),
  Number: (description?: string) => nullable(Type.Number(description)),
  String: (description?: string) => nullable(Type.String(description)),
};

/** What others read in place of our own formats. */
const publicFormats: Readonly<Record<string, object>> = {
  text: {},
  country: { format: 'iso-3166-1-alpha-2', pattern: '^[A-Za-z]{2}$' },
  start: { pattern: String.raw`\S[\s\S]*\S|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]` },
  table: { format: 'csv', pattern: String.raw`[\r\n]\s*\S` },
};

/**
 * A schema as JSON Schema that others understand: our own formats become patterns, or go; numbers have theirs, and an
 * object or null is written as two schemas, without which clients in Go refuse null.
 */
export function publicSchema<S extends object>(schema: S): S {
  return JSON.parse(JSON.stringify(schema), (_key, value) => {
    if (value === null || typeof value !== 'object') return value;
    if (Array.isArray(value.type) && value.type.includes('object')) {
      const { type: _, description, ...shape } = value;
      return { anyOf: [{ type: 'object', ...shape }, { type: 'null' }], description };
    }
    // Clients in Go and Java have numbers of 32 bits else, which ids of OpenStreetMap and times overflow, and which hold a
    // coordinate to a metre.
    if ([value.type].flat().includes('number')) return { ...value, format: 'double' };
    if ([value.type].flat().includes('integer') && !(value.maximum < 2 ** 31))
      return { maximum: Number.MAX_SAFE_INTEGER, ...value, format: 'int64' };
    const ours = publicFormats[value.format];
    if (!ours) return value;
    const { format: _, ...rest } = value;
    return { ...rest, ...ours };
  });
}

// What is wrong with a value by a schema, for settings and the bodies of a few requests: the keywords that our schemas
// use. A validator of all of JSON Schema (ajv, typebox/value) adds 5 to 12 MB to a process that has nothing else.

/** Where (JSON pointer, empty for the value itself) and what. */
type SchemaFault = { instancePath: string; message: string };

type Keywords = {
  type?: string;
  enum?: unknown[];
  anyOf?: Keywords[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  minItems?: number;
  maxItems?: number;
  items?: Keywords;
  required?: string[];
  properties?: Record<string, Keywords>;
  patternProperties?: Record<string, Keywords>;
  additionalProperties?: Keywords | boolean;
};

const understood = new Set(
  'type format enum anyOf minimum maximum minLength maxLength pattern minItems maxItems items required properties patternProperties additionalProperties default description examples'.split(
    ' ',
  ),
);

/** Reports name no more: a hostile value has millions, each several times its size. */
const maxFaults = 20;

/** The first faults of a JSON value, empty when there is none. Throws an Error where a schema uses a keyword we do not know. */
export function schemaFaults(schema: TSchema, value: unknown): SchemaFault[] {
  const faults: SchemaFault[] = [];
  check(schema as Keywords, value, '', faults);
  return faults.slice(0, maxFaults);
}

function check(schema: Keywords, value: unknown, instancePath: string, faults: SchemaFault[]): void {
  const unknown = Object.keys(schema).find((keyword) => !understood.has(keyword));
  if (unknown !== undefined) throw new Error(`schemaFaults does not know the keyword ${unknown}`);
  const must = (isRight: boolean, message: string) => isRight || faults.push({ instancePath, message });
  const { type, anyOf, minimum, maximum, minLength = 0, maxLength, pattern, minItems = 0, maxItems } = schema;
  if (type !== undefined && !isOfType(value, type)) return void must(false, `must be ${type}`);
  if (schema.enum) must(schema.enum.includes(value), `must be one of ${schema.enum.join(', ')}`);
  if (anyOf) checkAnyOf(anyOf, value, instancePath, faults);
  if (typeof value === 'number') {
    if (minimum !== undefined) must(value >= minimum, `must be >= ${minimum}`);
    if (maximum !== undefined) must(value <= maximum, `must be <= ${maximum}`);
  } else if (typeof value === 'string') {
    // No more of it than its bounds need: the table of a job has megabytes.
    const length = [...value.slice(0, 2 * (maxLength ?? minLength) + 2)].length;
    must(length >= minLength, `must not have fewer than ${minLength} characters`);
    if (maxLength !== undefined) must(length <= maxLength, `must not have more than ${maxLength} characters`);
    if (pattern !== undefined) must(new RegExp(pattern, 'u').test(value), `must match ${pattern}`);
  } else if (Array.isArray(value)) {
    must(value.length >= minItems, `must not have fewer than ${minItems} items`);
    if (maxItems !== undefined) must(value.length <= maxItems, `must not have more than ${maxItems} items`);
    const { items } = schema;
    for (let at = 0; items && at < value.length && faults.length < maxFaults; at++)
      check(items, value[at], `${instancePath}/${at}`, faults);
  } else if (type === 'object') checkObject(schema, value as Record<string, unknown>, instancePath, faults);
}

/** The alternative of the value's type says what is wrong; where there is none, all are named. */
function checkAnyOf(anyOf: Keywords[], value: unknown, instancePath: string, faults: SchemaFault[]): void {
  const alternative = anyOf.find(({ type }) => type !== undefined && isOfType(value, type));
  if (alternative) check(alternative, value, instancePath, faults);
  else faults.push({ instancePath, message: `must be ${anyOf.map(({ type }) => type).join(' or ')}` });
}

function checkObject(
  { required = [], properties = {}, patternProperties = {}, additionalProperties }: Keywords,
  value: Record<string, unknown>,
  instancePath: string,
  faults: SchemaFault[],
): void {
  for (const name of required) {
    if (!Object.hasOwn(value, name)) faults.push({ instancePath, message: `must have the property ${name}` });
  }
  const patterns = Object.entries(patternProperties).map(([source, schema]) => ({
    pattern: new RegExp(source, 'u'),
    schema,
  }));
  for (const [name, property] of Object.entries(value)) {
    if (faults.length >= maxFaults) return;
    const schemas = patterns.filter(({ pattern }) => pattern.test(name)).map(({ schema }) => schema);
    if (Object.hasOwn(properties, name)) schemas.push(properties[name]);
    // A JSON pointer writes "~" and "/" as ~0 and ~1 (RFC 6901).
    const path = `${instancePath}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (schemas.length === 0 && additionalProperties instanceof Object) schemas.push(additionalProperties);
    for (const schema of schemas) check(schema, property, path, faults);
    if (schemas.length === 0 && additionalProperties === false) {
      faults.push({ instancePath, message: `must not have the property ${JSON.stringify(name.slice(0, 60))}` });
    }
  }
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'number') return Number.isFinite(value);
  return typeof value === type;
}

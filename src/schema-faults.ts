/**
 * What is wrong with a value by a schema, for settings and the bodies of a few requests: the keywords that our schemas
 * use. A validator of all of JSON Schema (ajv, typebox/value) adds 5 to 12 MB to a process that has nothing else.
 */
import type { TSchema } from 'typebox';

/** Where (JSON pointer, empty for the value itself) and what. */
export type SchemaFault = { instancePath: string; message: string };

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
  additionalProperties?: unknown;
};

const understood = new Set(
  'type enum anyOf minimum maximum minLength maxLength pattern minItems maxItems items required properties patternProperties additionalProperties default description examples'.split(
    ' ',
  ),
);

/** All faults of a JSON value, empty when there is none. Throws an Error where a schema uses a keyword we do not know. */
export function schemaFaults(schema: TSchema, value: unknown): SchemaFault[] {
  const faults: SchemaFault[] = [];
  check(schema as Keywords, value, '', faults);
  return faults;
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
    const length = [...value].length;
    must(length >= minLength, `must not have fewer than ${minLength} characters`);
    if (maxLength !== undefined) must(length <= maxLength, `must not have more than ${maxLength} characters`);
    if (pattern !== undefined) must(new RegExp(pattern, 'u').test(value), `must match ${pattern}`);
  } else if (Array.isArray(value)) {
    must(value.length >= minItems, `must not have fewer than ${minItems} items`);
    if (maxItems !== undefined) must(value.length <= maxItems, `must not have more than ${maxItems} items`);
    const { items } = schema;
    if (items) for (const [at, item] of value.entries()) check(items, item, `${instancePath}/${at}`, faults);
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
    const schemas = patterns.filter(({ pattern }) => pattern.test(name)).map(({ schema }) => schema);
    if (Object.hasOwn(properties, name)) schemas.push(properties[name]);
    // A JSON pointer writes "~" and "/" as ~0 and ~1 (RFC 6901).
    const path = `${instancePath}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
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

/**
 * Writes src/api.ts from the service's OpenAPI description: `node packages/client/generate.ts [address of a service]`, without
 * one from this repository's own. A generator of our own: openapi-typescript knows nothing of the variants, writes six
 * times as many lines, and needs the JavaScript API that TypeScript 7 no longer has.
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

export type Schema = {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: Schema | boolean;
  description?: string;
};
export type Parameter = {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: Schema;
};
type Content = Record<string, { schema: Schema }>;
export type Operation = {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  parameters?: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content }>;
  'x-variants'?: Record<string, Schema>;
};
type PathItem = { servers?: { url: string }[] } & { [method in (typeof methods)[number]]?: Operation };
export type ApiDescription = {
  servers: { url: string }[];
  paths: Record<string, PathItem>;
  components: { schemas: Record<string, Schema> };
};

export const methods = ['get', 'post', 'delete'] as const;
const variants = ['default', 'a', 'b'];
/**
 * Tags of what is not for a program that asks for data: what the portal's pages do for people, signing up and keys, and
 * tiles, which map libraries fetch by themselves.
 */
const forOthers: readonly string[] = ['Account', 'Admin', 'Tiles'];
/** Type of the parameters of an operation without any. */
const none = 'Record<string, never>';

/** An operation, and how it is asked for. */
export type Served = Operation & { method: string; path: string };

/**
 * The operations that clients have, and the schemas by name. A shape that stands in several places, and each entry of
 * `results`, has one name: of the field that holds it, behind the answer's where the field's says too little.
 */
export function shapesOf(description: ApiDescription): { operations: Served[]; schemas: Record<string, Schema> } {
  const keyOf = (schema: object) => JSON.stringify(shapeIn(schema));
  const operations = Object.entries(description.paths).flatMap(([path, item]) => {
    const base = (item.servers ?? description.servers)[0].url.replace(/\/$/, '');
    return methods.flatMap((method): Served[] => {
      const operation = item[method];
      return operation && !operation.tags.some((tag) => forOthers.includes(tag))
        ? [{ ...operation, method: method.toUpperCase(), path: base + path }]
        : [];
    });
  });
  const { schemas } = description.components;
  const shapes = new Map<string, { uses: number; path: string[]; shape: Schema }>();
  const count = (value: unknown, path: string[]): void => {
    if (typeof value !== 'object' || value === null) return;
    const shape = shapeIn(value);
    if (shape) {
      const key = JSON.stringify(shape);
      const known = shapes.get(key);
      shapes.set(key, known ? { ...known, uses: known.uses + 1 } : { uses: 1, path, shape });
      if (known) return;
    }
    for (const [name, inner] of Object.entries(value)) {
      if (name !== 'example') count(inner, inSchema.has(name) || Array.isArray(value) ? path : [...path, name]);
    }
  };
  for (const [name, schema] of Object.entries(schemas)) count(schema, [name]);
  for (const { operationId, parameters, requestBody, responses } of operations) {
    const bodies = Object.values(responses).map(
      ({ content }) => content?.['application/json'] ?? content?.['application/geo+json'],
    );
    const all = [
      ...(parameters ?? []).map(({ name, schema }) => ({ [name]: schema })),
      requestBody?.content,
      ...bodies,
    ];
    count(all, [capital(operationId)]);
  }
  const names = new Map(Object.entries(schemas).map(([name, schema]) => [keyOf(schema), name]));
  for (const [key, { uses, path }] of shapes) {
    const [answer, field] = [path[0], capital(path.at(-1)!).replace(/(?<!sse|ie)s$/, '')];
    if (names.has(key) || (uses === 1 && (field !== 'Result' || path.length > 2))) continue;
    const taken = new Set(names.values());
    const full = pascal([answer, ...path.slice(1, -1), field].join('_'));
    names.set(key, [field, answer + field].map(pascal).find((name) => !vague.has(name) && !taken.has(name)) ?? full);
  }
  const named = <T>(value: T, isNamed = false): T => {
    if (Array.isArray(value)) return value.map((inner) => named(inner)) as T;
    if (typeof value !== 'object' || value === null) return value;
    const shape = isNamed ? undefined : shapeIn(value);
    const name = shape && names.get(keyOf(value));
    if (!name) return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, named(inner)])) as T;
    const { enum: values, description } = value as Schema;
    const ref = { $ref: `#/components/schemas/${name}` };
    return {
      ...(values?.includes(null) ? { anyOf: [ref, { type: 'null' }] } : ref),
      ...(description && { description }),
    } as T;
  };
  return {
    operations: operations.map((operation) => named(operation)),
    schemas: Object.fromEntries([
      ...[...names].flatMap(([key, name]) => (name in schemas ? [] : [[name, named(shapes.get(key)!.shape, true)]])),
      ...Object.entries(schemas).map(([name, schema]) => [name, named(schema, names.get(keyOf(schema)) === name)]),
    ]),
  };
}

/** Keys of a description that are no field of an answer. */
const inSchema = new Set(['properties', 'items', 'anyOf', 'additionalProperties', 'schema', 'application/json']);
/** Fields that say nothing without the answer they are in. */
const vague = new Set(['Type', 'From', 'To', 'State', 'Answer', 'Result', 'Properties', 'Code', 'Step', 'Kind']);

/** An object with fields, or a list of more than three words, without its own description and null. */
function shapeIn(value: object): Schema | undefined {
  const { description: _, ...schema } = value as Schema;
  const types = [schema.type].flat();
  if (types.includes('object') && Object.keys(schema.properties ?? {}).length > 0) return { ...schema, type: 'object' };
  const words = Array.isArray(schema.enum) ? schema.enum.filter((word) => word !== null) : [];
  return words.length > 3 ? { enum: words } : undefined;
}

/** The text of src/api.ts for an OpenAPI description, formatted. */
export function generateApi(description: ApiDescription): string {
  const { operations, schemas } = shapesOf(description);
  const typeOf = typesOf();
  const shapes = Object.entries(schemas)
    .map(([name, schema]) => `${comment(schema.description)}export type ${name} = ${typeOf(schema, name)};\n`)
    .join('\n');
  const parametersName = ({ operationId }: Operation) => `${capital(operationId)}Parameters`;
  const parametersOf = (operation: Operation) =>
    parameterType(operation, (schema) => typeOf(schema, parametersName(operation)));
  const parameterTypes = operations.flatMap((operation) => {
    const type = parametersOf(operation);
    return type ? [`export type ${parametersName(operation)} = ${type};\n`] : [];
  });
  const signatures = operations.map((operation) => {
    const { operationId, summary, description = '' } = operation;
    const type = parametersOf(operation);
    const parameters = type === undefined ? none : parametersName(operation);
    const answer = operation['x-variants'];
    const answerType = answer
      ? `Answers['${operationId}'][V]`
      : isText(operation)
        ? 'string'
        : typeOf(answerOf(operation, 'application/json') as Schema);
    return `${comment(`${summary}${/[.?]$/.test(summary) ? '' : '.'} ${description}`)}${operationId}(parameters${isNeeded(operation) ? '' : '?'}: ${parameters}, options?: CallOptions): Promise<${answerType}>;\n`;
  });
  const answers = operations.flatMap((operation) => {
    const byVariant = operation['x-variants'];
    if (!byVariant) return [];
    return [
      `${operation.operationId}: { ${variants.map((name) => `${name}: ${typeOf(byVariant[name])}`).join('; ')} };`,
    ];
  });
  const geojson = operations.flatMap((operation) => {
    const schema = answerOf(operation, 'application/geo+json');
    return schema
      ? [`${operation.operationId}: { parameters: ${parametersName(operation)}; answer: ${typeOf(schema)} };`]
      : [];
  });
  const csv = operations.flatMap((operation) =>
    answerOf(operation, 'text/csv')
      ? [`${operation.operationId}: ${parametersOf(operation) ? parametersName(operation) : none};`]
      : [],
  );
  return format(`/** Generated by packages/client/generate.ts from the service's OpenAPI description; do not edit. */
import type { CallOptions } from './send.ts';

/** Shape of the answers. */
export type Variant = ${variants.map((name) => `'${name}'`).join(' | ')};

/** A list of results. */
export type List<R> = {
  results: Array<R>;
  count: number;
  /** Processing time of the request on the server, ms. */
  query_ms: number;
};

${shapes}
${parameterTypes.join('\n')}
/** The answer of each operation by variant. */
export type Answers = {\n${answers.join('\n')}\n};

/** The lists that can be GeoJSON. */
export type WithGeojson = {\n${geojson.join('\n')}\n};

/** The lists that can be CSV, with their parameters. */
export type WithCsv = {\n${csv.join('\n')}\n};

/** Every operation as a method. */
export type Methods<V extends Variant> = {\n${signatures.join('')}};

/** Where each operation is; whether its answer is text, and whether it must not be sent twice. */
export const operations = {
${operations
  .map((operation) => {
    const { operationId, method, path } = operation;
    const traits = `${isText(operation) ? ', isText: true' : ''}${isOnce(operation, method) ? ', isOnce: true' : ''}`;
    return `${operationId}: { method: '${method}', path: '${path}'${traits} },`;
  })
  .join('\n')}
} as const;
`);
}

/** Parameters of a method as a type; undefined where it has none. The form and the variant are the client's affair. */
function parameterType(operation: Operation, typeOf: (schema: Schema) => string): string | undefined {
  const body = operation.requestBody?.content['application/json'].schema;
  if (body) return typeOf(body);
  const own = ownParameters(operation);
  if (own.length === 0) return undefined;
  return typeOf({
    type: 'object',
    required: own.filter(({ required }) => required).map(({ name }) => name),
    properties: Object.fromEntries(own.map(({ name, description, schema }) => [name, { ...schema, description }])),
  });
}

/** The schema of an operation's answer in a media type. */
export function answerOf({ responses }: Operation, type = 'application/json'): Schema | undefined {
  const { content = {} } = responses['200'] ?? responses['202'];
  // An outline is GeoJSON as it is.
  const { 'application/json': json = content['application/geo+json'], ...others } = content;
  return type === 'application/json' ? json?.schema : json === others[type] ? undefined : others[type]?.schema;
}

/** Whether an answer is CSV or lines of JSON, and never one JSON value. */
export const isText = (operation: Operation) => !operation['x-variants'] && !answerOf(operation);

/** Whether a request does more than read, so that it is not sent again where its answer is lost. */
export const isOnce = ({ tags }: Operation, method: string) => tags.includes('Jobs') && method !== 'GET';

const ownParameters = ({ parameters = [] }: Operation) =>
  parameters.filter(({ $ref, name }) => $ref === undefined && name !== 'format');

const isNeeded = (operation: Operation) =>
  operation.requestBody !== undefined || ownParameters(operation).some(({ required }) => required);

/** Writes schemas as types. One that has three fields or more of a named one is written as what it takes from that. */
function typesOf() {
  const fieldsByName = new Map<string, Map<string, string>>();
  const typeOf = (schema: Schema, ownName?: string): string => {
    const { $ref, type, const: constant, enum: values, anyOf, properties, items, additionalProperties } = schema;
    if ($ref) return $ref.replace('#/components/schemas/', '');
    if (constant !== undefined) return JSON.stringify(constant);
    if (values) return values.map((value) => JSON.stringify(value)).join(' | ');
    if (anyOf) return anyOf.map((one) => typeOf(one)).join(' | ');
    if (Array.isArray(type)) return type.map((one) => typeOf({ ...schema, type: one })).join(' | ');
    if (type === 'integer') return 'number';
    if (type === 'array') return `Array<${typeOf(items ?? {})}>`;
    if (type !== 'object') return type ?? 'unknown';
    if (properties && Object.keys(properties).length > 0) return objectOf(schema, ownName);
    return `Record<string, ${typeof additionalProperties === 'object' ? typeOf(additionalProperties) : 'unknown'}>`;
  };
  const objectOf = ({ properties = {}, required = [] }: Schema, ownName?: string) => {
    const fields = new Map(
      Object.entries(properties).map(([name, property]) => {
        const written = `${/^\w+$/.test(name) ? name : JSON.stringify(name)}${required.includes(name) ? '' : '?'}`;
        return [name, `${comment(property.description)}${written}: ${typeOf(property)};\n`];
      }),
    );
    if (ownName) fieldsByName.set(ownName, fields);
    const { results, count, query_ms: time } = properties;
    if (results?.items && count && !count.description && time) {
      const more = [...fields].flatMap(([name, text]) =>
        ['results', 'count', 'query_ms'].includes(name) ? [] : [text],
      );
      return `List<${typeOf(results.items)}>${more.length > 0 ? ` & {\n${more.join('')} }` : ''}`;
    }
    const bases = [...fieldsByName]
      .filter(([name]) => name !== ownName)
      .map(([name, others]) => {
        const [shared, lacking] = split([...others.keys()], (field) => others.get(field) === fields.get(field));
        return { name, shared, lacking };
      });
    const base = bases.reduce((best, one) => (one.shared.length > best.shared.length ? one : best), {
      name: '',
      shared: [] as string[],
      lacking: [] as string[],
    });
    const { name, shared, lacking } = base;
    if (shared.length < 3) return `{\n${[...fields.values()].join('')} }`;
    const picked =
      lacking.length < shared.length ? `Omit<${name}, ${union(lacking)}>` : `Pick<${name}, ${union(shared)}>`;
    const own = [...fields].filter(([field]) => !shared.includes(field)).map(([, text]) => text);
    return `${lacking.length === 0 ? name : picked}${own.length > 0 ? ` & {\n${own.join('')} }` : ''}`;
  };
  return typeOf;
}

const union = (names: readonly string[]) => names.map((name) => JSON.stringify(name)).join(' | ');

function split<T>(values: readonly T[], holds: (value: T) => boolean): [T[], T[]] {
  return [values.filter(holds), values.filter((value) => !holds(value))];
}

const comment = (text: string | undefined) => (text ? `/** ${text.trim().replaceAll('*/', '*\\/')} */\n` : '');
export const capital = (name: string) => name[0].toUpperCase() + name.slice(1);
export const pascal = (name: string) => name.split(/\W|_/).filter(Boolean).map(capital).join('');

function format(source: string): string {
  const biome = join(import.meta.dirname, '../../node_modules/.bin/biome');
  const { stdout, stderr, status } = spawnSync(biome, ['format', '--stdin-file-path=packages/client/src/api.ts'], {
    input: source,
    encoding: 'utf8',
    cwd: join(import.meta.dirname, '../..'),
  });
  if (status !== 0) throw new Error(`the generated code is not TypeScript: ${stderr}`);
  return stdout;
}

/** The description of a service at an address, without one that of this repository's, as it answers it. */
export async function descriptionAt(address: string | undefined): Promise<ApiDescription> {
  const read = async (url: URL | string) => (await (await fetch(url)).json()) as ApiDescription;
  if (address !== undefined) return read(new URL('/openapi.json', address));
  const { createApp } = await import('../../src/server/app.ts');
  const { openKeys } = await import('../../src/keys/sqlite/sqlite-keys.ts');
  const { defaultPlans } = await import('../../src/keys/key-record.ts');
  const keys = openKeys(':memory:', { plans: defaultPlans });
  const app = createApp({ store: { current: undefined }, keys, version: '' });
  try {
    await app.listen({ host: '127.0.0.1', port: 0 });
    return await read(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}/openapi.json`);
  } finally {
    await app.close();
    await keys.close();
  }
}

if (import.meta.main)
  writeFileSync(join(import.meta.dirname, 'src/api.ts'), generateApi(await descriptionAt(process.argv[2])));

/**
 * Writes src/whereabouts_client/_api.py from the service's OpenAPI description: `node packages/python/generate.ts [address of a
 * service]`, without one from this repository's own.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type ApiDescription,
  answerOf as answerIn,
  capital,
  descriptionAt,
  isOnce,
  isText,
  type Operation,
  type Parameter,
  pascal,
  type Schema,
  type Served,
  shapesOf,
} from '../client/generate.ts';

const keywords = new Set(['from', 'class', 'import', 'is', 'in', 'not', 'or', 'and', 'global', 'lambda', 'pass']);
const isName = (text: string) => /^[A-Za-z_]\w*$/.test(text) && !keywords.has(text);
const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const quoted = (value: unknown) => JSON.stringify(value);

/** The text of _api.py for an OpenAPI description. */
export function generatePython(description: ApiDescription): string {
  const { operations, schemas } = shapesOf(description);
  const classes = new Map<string, string>();
  const typeOf = (schema: Schema, name: string): string => {
    const { $ref, type, const: constant, enum: values, anyOf, items, properties, additionalProperties } = schema;
    if ($ref) {
      const target = $ref.replace('#/components/schemas/', '');
      if (classes.has(target)) return target;
      if (schemas[target].properties) declare(schemas[target], target);
      else classes.set(target, `${target} = ${typeOf(schemas[target], target)}\n`);
      return target;
    }
    if (constant !== undefined) return `Literal[${quoted(constant)}]`;
    if (values) {
      const texts = values.filter((value) => value !== null).map(quoted);
      return `Literal[${texts.join(', ')}]${values.includes(null) ? ' | None' : ''}`;
    }
    const alternatives = anyOf?.map((one) => typeOf(one, name));
    if (alternatives) return [...new Set(alternatives)].join(' | ');
    if (Array.isArray(type)) return type.map((one) => typeOf({ ...schema, type: one }, name)).join(' | ');
    if (type === 'array') return `list[${typeOf(items ?? {}, `${name}Item`)}]`;
    if (type === 'object' && properties && Object.keys(properties).length > 0) {
      declare(schema, name);
      return name;
    }
    if (type === 'object') {
      const value = typeof additionalProperties === 'object' ? typeOf(additionalProperties, `${name}Value`) : 'Any';
      return `dict[str, ${value}]`;
    }
    return { string: 'str', integer: 'int', number: 'float', boolean: 'bool', null: 'None' }[type ?? ''] ?? 'Any';
  };
  const declare = (schema: Schema, name: string) => {
    classes.set(name, '');
    const required = new Set(schema.required);
    const fields = Object.entries(schema.properties ?? {}).map(([field, inner]) => {
      const written = typeOf(inner, `${name}${pascal(field)}`);
      return { field, type: required.has(field) ? written : `NotRequired[${written}]`, text: inner.description };
    });
    const lines = fields.every(({ field }) => isName(field))
      ? [
          `class ${name}(TypedDict):`,
          ...(schema.description ? [`    ${docstring(schema.description)}\n`] : []),
          ...fields.flatMap(({ field, type, text }) => [
            `    ${field}: ${type}`,
            ...(text ? [`    ${docstring(text)}`] : []),
          ]),
          ...(fields.length === 0 ? ['    pass'] : []),
        ]
      : [
          `${name} = TypedDict(`,
          `    ${quoted(name)},`,
          '    {',
          ...fields.map(({ field, type }) => `        ${quoted(field)}: ${quoted(type)},`),
          '    },',
          ')',
        ];
    classes.delete(name);
    classes.set(name, `${lines.join('\n')}\n`);
  };

  const methods = operations.map((operation) => {
    const { operationId, summary, description: text = '', method, path } = operation;
    const answerType = isText(operation) ? 'str' : typeOf(answerOf(operation), `${capital(operationId)}Answer`);
    const parameters = parametersOf(operation).map(({ name, required, schema }) => {
      const type = typeOf(schema, `${capital(operationId)}${pascal(name)}`);
      return { name, isNeeded: required === true, type };
    });
    const needed = parameters.filter(({ isNeeded }) => isNeeded).map(({ name, type }) => `${name}: ${type}`);
    const others = parameters
      .filter(({ isNeeded }) => !isNeeded)
      .map(({ name, type }) => `${name}: ${type} | None = None`);
    const written = ['self', ...needed, ...(others.length > 0 ? ['*', ...others] : [])];
    const passed = parameters.map(({ name }) => `${quoted(name)}: ${name}`);
    const traits = `${isText(operation) ? ', is_text=True' : ''}${isOnce(operation, method) ? ', is_once=True' : ''}`;
    return [
      `    def ${snake(operationId)}(`,
      ...written.map((parameter) => `        ${parameter},`),
      `    ) -> ${answerType}:`,
      `        ${docstring(`${summary}${/[.?]$/.test(summary) ? '' : '.'} ${text}`)}`,
      `        answer = self._ask(${quoted(method)}, ${quoted(path)}, {${passed.join(', ')}}${traits})`,
      `        return cast(${answerType}, answer)\n`,
    ].join('\n');
  });
  const endpoints = operations.filter(({ tags, method }) => tags.includes('Data') && method === 'GET');
  const nameOf = ({ path }: Served) => path.replace(/^\/v1\//, '').replace(/\/\{\w+\}/g, '');
  const tables = endpoints.map((operation) => {
    const fields = fieldsOf(recordOf(operation, schemas), schemas);
    const written = Object.entries(fields).map(([name, type]) => `            ${quoted(name)}: ${pythonOf(type)},`);
    const parameters = parametersOf(operation).map(({ name }) => quoted(name));
    return [
      `    ${quoted(nameOf(operation))}: Endpoint(`,
      `        parameters=(${parameters.join(', ')}${parameters.length === 1 ? ',' : ''}),`,
      '        fields={',
      ...written,
      '        },',
      '    ),',
    ].join('\n');
  });
  return `"""Generated by packages/python/generate.ts from the service's OpenAPI description; do not edit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypedDict, cast

if TYPE_CHECKING:
    from typing_extensions import NotRequired

${[...classes.values()].join('\n\n')}

class Methods:
    """Every operation of the service."""

    def _ask(
        self,
        method: str,
        path: str,
        parameters: Mapping[str, object],
        *,
        is_text: bool = False,
        is_once: bool = False,
    ) -> object:
        raise NotImplementedError

${methods.join('\n')}

class Endpoint(NamedTuple):
    """What a table can ask of an endpoint: its parameters, and the fields of a result with their types."""

    parameters: tuple[str, ...]
    fields: Mapping[str, Any]


ENDPOINTS: Mapping[str, Endpoint] = {
${tables.join('\n')}
}
`;
}

function parametersOf({ requestBody, parameters = [] }: Operation): Parameter[] {
  const body = requestBody?.content['application/json'].schema;
  if (!body) return parameters.filter(({ $ref, name }) => $ref === undefined && name !== 'format');
  const required = new Set(body.required);
  return Object.entries(body.properties ?? {}).map(([name, schema]) => ({
    name,
    in: 'body',
    required: required.has(name),
    schema,
  }));
}

/** The schema of one result: an entry of `results`, or the answer itself. */
function recordOf(operation: Operation, schemas: Schemas): Schema {
  const whole = resolve(answerOf(operation), schemas);
  const list = whole.properties?.results;
  if (list?.items) return resolve(list.items, schemas);
  const { query_ms: _, ...properties } = whole.properties ?? {};
  return { ...whole, properties };
}

/** The answer of the default variant, which is what this client asks for. */
const answerOf = (operation: Operation): Schema => operation['x-variants']?.default ?? answerIn(operation) ?? {};

/** What a reference stands for, also one that may be null. */
function resolve(schema: Schema, schemas: Schemas): Schema {
  const given = schema.anyOf?.filter(({ type }) => type !== 'null');
  if (given?.length === 1) return resolve(given[0], schemas);
  return schema.$ref ? resolve(schemas[schema.$ref.replace('#/components/schemas/', '')], schemas) : schema;
}

type Schemas = Record<string, Schema>;

/** A type of a column: the name of a scalar, an array of one, or fields by name. */
type ColumnType = string | [ColumnType] | { [name: string]: ColumnType };

/** Fields whose type a column can have; objects of any fields and mixed types are left out. */
function fieldsOf(schema: Schema, schemas: Schemas): Record<string, ColumnType> {
  return Object.fromEntries(
    Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
      const type = columnType(resolve(field, schemas), schemas);
      return type === undefined ? [] : [[name, type]];
    }),
  );
}

function columnType(schema: Schema, schemas: Schemas): ColumnType | undefined {
  const types = [schema.type ?? []].flat().filter((type) => type !== 'null');
  const values = schema.enum ?? (schema.const === undefined ? [] : [schema.const]);
  if (types.length === 0 && values.length > 0 && values.every((value) => typeof value === 'string' || value === null)) {
    return 'string';
  }
  if (types.length !== 1) return undefined;
  const [type] = types;
  if (type === 'array') {
    const item = columnType(resolve(schema.items ?? {}, schemas), schemas);
    return item === undefined ? undefined : [item];
  }
  if (type !== 'object') return type;
  const fields = fieldsOf(schema, schemas);
  return Object.keys(fields).length === 0 ? undefined : fields;
}

const pythonOf = (type: ColumnType): string => JSON.stringify(type).replaceAll('":', '": ').replaceAll(',"', ', "');

function docstring(text: string): string {
  const escaped = text.trim().replaceAll('\\', '\\\\').replaceAll('"""', '\\"\\"\\"');
  return `"""${escaped}${escaped.endsWith('"') ? ' ' : ''}"""`;
}

if (import.meta.main) {
  const path = join(import.meta.dirname, 'src/whereabouts_client/_api.py');
  writeFileSync(path, generatePython(await descriptionAt(process.argv[2])));
}

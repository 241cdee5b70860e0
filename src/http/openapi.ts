/** The description of the API, made from the same declarations that answer it. */
import { type Profile, profiles } from '../endpoints/endpoint.ts';
import { publicSchema } from '../endpoints/public-schema.ts';
import { errorTable } from '../errors.ts';
import { batchRequest, batchResponse } from './batch-schema.ts';
import { formatsOf, formatTypes, geojsonSchema } from './format.ts';
import { answerHeaders, openPaths, parameterComponents, problemSchema, securitySchemes } from './openapi-components.ts';
import type { Operation } from './operation.ts';

type Json = Record<string, unknown>;
type Schema = Json & {
  properties?: Record<string, Schema>;
  required?: string[];
  default?: unknown;
  examples?: unknown[];
};

/** The API as an OpenAPI 3.1 document. */
export function describeApi(operations: readonly Operation[], version: string): Json {
  const schemas: Record<string, Schema> = { Problem: problemSchema };
  const paths: Record<string, Json> = {};
  for (const operation of operations) paths[operation.endpoint.path] = { get: describeOperation(operation, schemas) };
  paths['/batch'] = { post: describeBatch(schemas) };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Whereabouts',
      version,
      summary: 'World location data as JSON.',
      description:
        'Places, postal codes, countries, regions, time zones, sun times, IP addresses and distances. Every request ' +
        'below /v1 carries a key in the header X-API-Key. Every answer comes in one of three profiles: `default`, ' +
        "or exactly Variant `a`'s or `b`'s fields, chosen by the header X-API-Variant, the parameter `variant`, or " +
        'the key. A field that is unknown is null. Unknown parameters are ignored and named in X-Ignored-Parameters.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/v1' }],
    security: [{ apiKey: [] }],
    tags: [
      { name: 'Data', description: 'Questions to the dataset.' },
      { name: 'Service', description: 'The service itself.' },
      { name: 'Account', description: 'Signing up, and what the owner of a key may change.' },
    ],
    paths: { ...paths, ...openPaths },
    components: {
      schemas,
      securitySchemes,
      parameters: parameterComponents,
      headers: answerHeaders,
      responses: problemResponses(),
    },
  };
}

function describeOperation({ name, endpoint, isCounted }: Operation, schemas: Record<string, Schema>): Json {
  const pathNames = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, pathName]) => pathName);
  const { schema, variants } = answerSchema(name, endpoint.response, schemas);
  return {
    operationId: name,
    'x-variants': variants,
    tags: [isCounted ? 'Data' : 'Service'],
    summary: endpoint.summary,
    description: endpoint.description,
    parameters: [
      ...describeParameters(endpoint.parameters as unknown as Record<Profile, Schema>, pathNames),
      { $ref: '#/components/parameters/variant' },
      { $ref: '#/components/parameters/variantHeader' },
    ],
    responses: {
      200: {
        description: 'The answer.',
        headers: headerRefs(isCounted ? Object.keys(answerHeaders) : ['X-Request-Id', 'RateLimit', 'RateLimit-Policy']),
        content: {
          'application/json': { schema },
          ...describeFormats(name, endpoint, schemas),
        },
      },
      ...(isCounted ? { 304: { description: 'Unchanged since the answer whose ETag was sent.' } } : {}),
      ...problemRefs(isCounted ? [400, 401, 403, 404, 414, 429, 500, 503] : [400, 401, 403, 414, 429, 500]),
    },
  };
}

function describeBatch(schemas: Record<string, Schema>): Json {
  const { schema, variants } = answerSchema('batch', batchResponse, schemas);
  return {
    operationId: 'batch',
    'x-variants': variants,
    tags: ['Data'],
    summary: 'Up to 100 requests in one',
    description:
      'Answers every entry as the endpoint alone would, in order; one bad entry fails no other. Each entry costs one ' +
      'call. Entries past the quota have status 429. The profile of the batch holds for its entries.',
    parameters: [{ $ref: '#/components/parameters/variant' }, { $ref: '#/components/parameters/variantHeader' }],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: publicSchema(batchRequest as unknown as Schema),
          example: {
            requests: [
              { endpoint: 'country/DE', params: {} },
              { endpoint: '/distance', params: { from_lat: 52.52, from_lng: 13.41, to_lat: 48.85, to_lng: 2.35 } },
            ],
          },
        },
      },
    },
    responses: {
      200: {
        description: 'The answers.',
        headers: headerRefs(['X-Request-Id', 'RateLimit', 'RateLimit-Policy']),
        content: { 'application/json': { schema } },
      },
      ...problemRefs([400, 401, 403, 413, 414, 415, 429, 500, 503]),
    },
  };
}

/** Every parameter that any profile knows; where `a` or `b` differ from `default`, the description says how. */
function describeParameters(byProfile: Record<Profile, Schema>, pathNames: readonly string[]): Json[] {
  const names = new Set(profiles.flatMap((profile) => Object.keys(byProfile[profile].properties ?? {})));
  return [...names].map((name) => {
    const of = (profile: Profile) => byProfile[profile].properties?.[name];
    const schema = of('default') ?? of('a') ?? of('b')!;
    const isRequired = (profile: Profile) =>
      (byProfile[profile].required?.includes(name) ?? false) && of(profile)?.default === undefined;
    const differences = (['a', 'b'] as const).flatMap((profile) => {
      const own = of(profile);
      if (!own) return [`Variant ${profile.toUpperCase()}: ignored.`];
      const parts = limitsOf(own, isRequired(profile));
      const usual = limitsOf(schema, isRequired('default'));
      return parts === usual ? [] : [`Variant ${profile.toUpperCase()}: ${parts}.`];
    });
    const { description = '', ...rest } = publicSchema(schema);
    const isInPath = pathNames.includes(name);
    return {
      name,
      in: isInPath ? 'path' : 'query',
      required: isInPath || isRequired('default'),
      description: [description, ...differences].join(' ').trim(),
      schema: rest,
      ...(rest.examples?.length ? { example: rest.examples[0] } : {}),
    };
  });
}

/** Type, range, default and need of a parameter in words, to compare and to show. */
function limitsOf({ type, minimum, maximum, default: fallback }: Schema, isRequired: boolean): string {
  const words = [isRequired ? 'required' : 'optional', String(type)];
  if (minimum !== undefined || maximum !== undefined) words.push(`${minimum ?? ''} to ${maximum ?? ''}`);
  if (fallback !== undefined) words.push(`default ${fallback}`);
  return words.join(', ');
}

/** The schema of an answer: one component, or any of those of the three profiles; and which profile has which. */
function answerSchema(
  name: string,
  response: Record<Profile, unknown>,
  schemas: Record<string, Schema>,
): { schema: Json; variants: Record<string, Json> } {
  const base = componentName(name);
  const byText = new Map<string, string>();
  const variants: Record<string, Json> = {};
  for (const profile of profiles) {
    const schema = publicSchema(response[profile] as Schema);
    const text = JSON.stringify(schema);
    const component = byText.get(text) ?? (profile === 'default' ? base : `${base}Variant${profile.toUpperCase()}`);
    byText.set(text, component);
    schemas[component] = schema;
    variants[profile] = refTo(component);
  }
  const refs = [...byText.values()].map(refTo);
  return { schema: refs.length === 1 ? refs[0] : { anyOf: refs }, variants };
}

const refTo = (component: string): Json => ({ $ref: `#/components/schemas/${component}` });

/** What a list answers where `format` asks for another form. */
function describeFormats(name: string, endpoint: Operation['endpoint'], schemas: Record<string, Schema>): Json {
  const content: Json = {};
  for (const format of formatsOf(endpoint)) {
    const [type] = formatTypes[format].split(';');
    if (format === 'csv') {
      content[type] = {
        schema: { type: 'string', description: 'RFC 4180, a header first; `/docs/formats` tells the columns.' },
      };
    } else if (format === 'geojson') {
      const component = `${componentName(name)}FeatureCollection`;
      schemas[component] = publicSchema(geojsonSchema(endpoint) as unknown as Schema);
      content[type] = { schema: refTo(component) };
    }
  }
  return content;
}

const componentName = (operation: string) => operation[0].toUpperCase() + operation.slice(1);

const headerRefs = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const problemRefs = (statuses: readonly number[]) =>
  Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/${status}` }]));

/** One response for each status of the error table, with the codes that have it. */
function problemResponses(): Json {
  const byStatus = Map.groupBy(Object.entries(errorTable), ([, { status }]) => status);
  return Object.fromEntries(
    [...byStatus].map(([status, entries]) => [
      status,
      {
        description: entries.map(([code, { title }]) => `\`${code}\`: ${title}.`).join(' '),
        headers: headerRefs(['X-Request-Id', ...(status === 429 || status === 503 ? ['Retry-After'] : [])]),
        content: {
          'application/problem+json': {
            schema: {
              allOf: [
                { $ref: '#/components/schemas/Problem' },
                { properties: { code: { enum: entries.map(([code]) => code) } } },
              ],
            },
          },
        },
      },
    ]),
  );
}

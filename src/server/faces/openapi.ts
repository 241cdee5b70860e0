/** The description of the API, made from the same declarations that answer it. */
import type { Static, TObject } from 'typebox';
import { type Format, formatsOf, geojsonSchema, typeOf } from '../../api/answer-body.ts';
import type { Operation } from '../../api/execute.ts';
import { type Profile, profiles } from '../../endpoints/endpoint.ts';
import { compileParameters } from '../../endpoints/read-parameters.ts';
import { errorTable } from '../../errors.ts';
import { publicSchema, Type } from '../../schema.ts';
import { wellFormedQuery } from '../call.ts';
import type { Call, Route } from '../service.ts';
import recorded from './openapi-examples.json' with { type: 'json' };
import parts from './openapi-parts.json' with { type: 'json' };

/** The parts of the API's description that neither endpoints nor routes declare; `problemDetails` are the details of examples by status. */
const { document, components, problem, problemDetails, ownerCode, profileParameters, profileDependencies, csv } = parts;

/** Statuses that any request may meet. */
const everywhere = [408, 414, 431, 500];

/** Statuses of problems that a route answers: where it needs a key, takes a body, and its own. */
export const problemsOf = ({ access, takes, errors = [] }: ApiRoute): number[] => [
  ...(access ? [401, 403, 429, 503] : []),
  ...(takes ? [400, 413, 415, 429, 503] : []),
  ...errors,
];

/** The responses of an operation that answers with problems of `statuses`. */
const problemRefs = (statuses: readonly number[]) =>
  Object.fromEntries(
    [...new Set([...statuses, ...everywhere])].map((status) => [status, { $ref: `#/components/responses/${status}` }]),
  );

/**
 * One response for each status of the error table, with the codes that have it; but for 405, which no operation that is
 * described answers.
 */
function problemResponses(): Record<string, object> {
  const described = Object.entries(errorTable).filter(([, { status }]) => status !== 405);
  const byStatus = Map.groupBy(described, ([, { status }]) => status);
  return Object.fromEntries(
    [...byStatus].map(([status, entries]) => [
      status,
      {
        description: entries.map(([code, { title }]) => `\`${code}\`: ${title}.`).join(' '),
        headers: Object.fromEntries(
          ['X-Request-Id', ...(status === 429 || status === 503 ? ['Retry-After'] : [])].map((name) => [
            name,
            { $ref: `#/components/headers/${name}` },
          ]),
        ),
        content: {
          'application/problem+json': {
            schema: {
              allOf: [
                { $ref: '#/components/schemas/Problem' },
                { properties: { code: { enum: entries.map(([code]) => code) } } },
              ],
            },
            example: problemExample(...entries[0]),
          },
        },
      },
    ]),
  );
}

const problemExample = (code: string, { status, title }: { status: number; title: string }) => ({
  type: `/docs/errors/${code}`,
  title,
  status,
  detail: (problemDetails as Record<number, string>)[status],
  code,
  request_id: '0192f0c1-5a52-7000-8000-2f0e3c1d9b7a',
  query_ms: 0,
});

type Json = Record<string, unknown>;
/** The keywords of JSON Schema that are examined here or shown on pages. */
export type Schema = Json & {
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  minimum?: number;
  maximum?: number;
  default?: unknown;
  examples?: unknown[];
};

export type DescribedParameter = ReturnType<typeof describeParameters>[number];

/** The API as an OpenAPI 3.1 document. */
export function describeApi(routes: readonly ApiRoute[], version: string): Json {
  const { properties } = problem;
  const code = { ...properties.code, enum: Object.keys(errorTable) };
  const schemas: Record<string, Schema> = { Problem: { ...problem, properties: { ...properties, code } } };
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const isBelowV1 = route.path.startsWith('/v1/');
    const path = isBelowV1 ? route.path.slice('/v1'.length) : route.path;
    paths[path] ??= isBelowV1 ? {} : { servers: [{ url: '/' }] };
    paths[path][route.method.toLowerCase()] = describeRoute(route, schemas);
  }
  return {
    ...document,
    info: { ...document.info, version },
    paths,
    components: { schemas, ...components, responses: problemResponses() },
  };
}

function describeRoute(route: ApiRoute, schemas: Record<string, Schema>): Json {
  const { name, tag, access, hasProfiles, dependencies, media, body, operation } = route;
  let variants: Json | undefined;
  const contentOf = (answer: TObject | Record<Profile, TObject>): Record<string, object> => {
    if (media) return Object.fromEntries(media.map((type) => [type, {}]));
    if (!hasProfiles) return { 'application/json': { schema: publicSchema(answer) } };
    const described = answerSchema(name, answer as Record<Profile, unknown>, schemas);
    variants = described.variants;
    const formats = operation ? describeFormats(name, operation.endpoint, schemas) : {};
    const type = operation ? mediaTypeOf(operation.endpoint, 'json') : 'application/json';
    return { [type]: { schema: described.schema }, ...formats };
  };
  const ofKey = access === undefined ? [] : ['RateLimit', 'RateLimit-Policy'];
  const headers = operation?.isCounted ? Object.keys(components.headers) : ['X-Request-Id', ...ofKey];
  const isTile = tag === 'Tiles' && media !== undefined;
  const responses = Object.entries(route.answers).map(([status, answer]) => [
    status,
    {
      description: 'The answer.',
      headers: headerRefs(headers),
      content: withExamples(name, Number(status), contentOf(answer)),
    },
  ]);
  const parameters = [
    ...parametersOf(route),
    ...(hasProfiles ? profileParameters : []),
    ...(route.needsOwner ? [ownerCode] : []),
  ];
  return {
    operationId: name,
    'x-variants': variants,
    tags: [tag],
    summary: route.summary,
    description: route.description,
    security: access === undefined ? [] : undefined,
    parameters: parameters.length > 0 ? parameters : undefined,
    'x-dependencies':
      hasProfiles || dependencies ? [...(dependencies ?? []), ...(hasProfiles ? profileDependencies : [])] : undefined,
    requestBody: body && {
      required: true,
      content: { 'application/json': { schema: publicSchema(body), example: route.example ?? {} } },
    },
    responses: {
      ...Object.fromEntries(responses),
      ...(isTile ? { 204: { description: 'The tile is empty.' } } : {}),
      ...(isTile || operation?.isCounted
        ? { 304: { description: 'Not modified since the answer with this ETag.' } }
        : {}),
      ...problemRefs(problemsOf(route)),
    },
  };
}

/** Rules for what only a profile requires. */
export function requiredByProfile({ parameters }: Operation['endpoint']): string[] {
  const requiredBy = (profile: Profile) => (parameters as unknown as Record<Profile, Schema>)[profile].required ?? [];
  return (['a', 'b'] as const).flatMap((profile) =>
    requiredBy(profile)
      .filter((name) => !requiredBy('default').includes(name))
      .map((name) => `IF variant==${profile} THEN ${name};`),
  );
}

/** The parameters of a route that is no endpoint, those in its path included. */
export function parametersBy<S extends TObject>(schema: S) {
  const read = compileParameters(schema);
  return {
    schema,
    /** Throws all that is wrong with them, or with the query as a whole. */
    of: (call: Call) =>
      read({ ...wellFormedQuery(call), ...call.path }, () => true) as { parameters: Static<S>; ignored: string[] },
  };
}

/** The parameters of a route: of its endpoint, by its schema, or what its path names. */
export function parametersOf({ path, operation, query }: ApiRoute): DescribedParameter[] {
  if (operation) return describeParameters(path, operation.endpoint.parameters);
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, Type.String()]);
  const schema = query?.schema ?? Type.Object(Object.fromEntries(names));
  return describeParameters(path, { default: schema, a: schema, b: schema });
}

/** The parameters of all profiles; the description states where `a` or `b` differ from `default`. */
function describeParameters(path: string, parameters: Operation['endpoint']['parameters']) {
  const byProfile = parameters as unknown as Record<Profile, Schema>;
  const names = new Set(profiles.flatMap((profile) => Object.keys(byProfile[profile].properties ?? {})));
  return [...names].map((name) => {
    const of = (profile: Profile) => byProfile[profile].properties?.[name];
    const schema = of('default') ?? of('a') ?? of('b')!;
    const isRequired = (profile: Profile) =>
      (byProfile[profile].required?.includes(name) ?? false) && of(profile)?.default === undefined;
    const differences = (['a', 'b'] as const).flatMap((profile) => {
      const own = of(profile);
      if (!own) return [`Profile ${profile}: ignored.`];
      const parts = limitsOf(own, isRequired(profile));
      const usual = limitsOf(schema, isRequired('default'));
      return parts === usual ? [] : [`Profile ${profile}: ${parts}.`];
    });
    const { description = '', ...rest } = publicSchema(schema);
    const isInPath = path.includes(`{${name}}`);
    return {
      name,
      in: isInPath ? ('path' as const) : ('query' as const),
      required: isInPath || isRequired('default'),
      description: [description, ...differences].join(' ').trim() || undefined,
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

/** The answers of the profiles, each schema once with the profiles that have it. */
export function distinctAnswers(response: Record<Profile, unknown>): { schema: Schema; of: Profile[] }[] {
  const described = profiles.map((profile) => ({ profile, schema: publicSchema(response[profile] as Schema) }));
  return [...Map.groupBy(described, ({ schema }) => JSON.stringify(schema)).values()].map((same) => ({
    schema: same[0].schema,
    of: same.map(({ profile }) => profile),
  }));
}

/** The schema of an answer: one component, or any of those of the three profiles; and which profile has which. */
function answerSchema(
  name: string,
  response: Record<Profile, unknown>,
  schemas: Record<string, Schema>,
): { schema: Json; variants: Record<string, Json> } {
  const base = componentName(name);
  const variants: Record<string, Json> = {};
  const refs = distinctAnswers(response).map(({ schema, of }) => {
    const component = of[0] === 'default' ? base : `${base}Variant${of[0].toUpperCase()}`;
    schemas[component] = schema;
    for (const profile of of) variants[profile] = refTo(component);
    return refTo(component);
  });
  return { schema: refs.length === 1 ? refs[0] : { anyOf: refs }, variants };
}

const refTo = (component: string): Json => ({ $ref: `#/components/schemas/${component}` });

const mediaTypeOf = (endpoint: Operation['endpoint'], format: Format) => typeOf(endpoint, format).split(';')[0];

/** What a list answers where `format` asks for another form. */
function describeFormats(
  name: string,
  endpoint: Operation['endpoint'],
  schemas: Record<string, Schema>,
): Record<string, object> {
  const content: Record<string, object> = {};
  for (const format of formatsOf(endpoint)) {
    const type = mediaTypeOf(endpoint, format);
    if (format === 'csv') content[type] = { schema: csv };
    else if (format === 'geojson') {
      const component = `${componentName(name)}FeatureCollection`;
      schemas[component] = publicSchema(geojsonSchema(endpoint) as unknown as Schema);
      content[type] = { schema: refTo(component) };
    }
  }
  return content;
}

/** Each media type's content with the example that scripts/record-openapi-examples.ts wrote of it. */
function withExamples(name: string, status: number, content: Record<string, object>): Json {
  const examples: Record<string, unknown> = (recorded as Record<string, Record<string, unknown>>)[name] ?? {};
  return Object.fromEntries(
    Object.entries(content).map(([type, described]) => {
      const example = examples[`${status} ${type}`];
      return [type, example === undefined ? described : { ...described, example }];
    }),
  );
}

const componentName = (operation: string) => operation[0].toUpperCase() + operation.slice(1);

const headerRefs = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** A part of the service with what describes it: an endpoint of the dataset, or anything else. */
export type ApiRoute = Route & {
  tag: 'Data' | 'Jobs' | 'Service' | 'Tiles' | 'Account' | 'Admin';
  summary: string;
  description?: string;
  /** Whether its answer depends on the profile. */
  hasProfiles?: boolean;
  /** What holds among several parameters or fields, as endpoints declare it. */
  dependencies?: readonly string[];
  /** Whether it needs the owner's code where the key has one. */
  needsOwner?: boolean;
  /** Its parameters, where they are more than names in the path and it is no endpoint. */
  query?: { schema: TObject };
  /** Media types of its answers, where they are not JSON but bytes. */
  media?: readonly string[];
  /** The JSON body it takes. */
  body?: TObject;
  example?: object;
  /** Answers by status; one, or one for each profile. */
  answers: Readonly<Record<number, TObject | Record<Profile, TObject>>>;
  /** Statuses of problems besides those of `problemsOf`. */
  errors?: readonly number[];
  /** The endpoint that answers it. */
  operation?: Operation;
};

export type EndpointRoute = ApiRoute & { operation: Operation };

/**
 * The only path through an endpoint: reads parameters, checks layers, calls the handler, shapes the answer by profile.
 */

import { compileDependencies } from '../endpoints/dependencies.ts';
import type { Context, Endpoint, Profile } from '../endpoints/endpoint.ts';
import { booleans, compileParameters } from '../endpoints/read-parameters.ts';
import { type ParameterError, WhereaboutsError } from '../errors.ts';
import { type Store, StreetsUnavailable } from '../store/store.ts';
import { preferredLanguage } from '../text/language-tags.ts';
import {
  compileCsv,
  compileGeojson,
  compileShape,
  type Format,
  JsonBody,
  type JsonText,
  typeOf,
} from './answer-body.ts';
import { cacheControl, entityTag, keptAnswer, listsTag } from './caching.ts';

/** Raw parameters: strings from a query, in a batch or the library also numbers and booleans. */
export type Input = {
  parameters: Record<string, unknown>;
  /** Errors found before, to be reported together with those of the parameters. */
  faults?: readonly ParameterError[] | undefined;
  /** Parameters that are ignored, besides those that the endpoint does not know. */
  ignored?: readonly string[] | undefined;
};

/** The context of an answer besides its parameters. */
type ExecuteContext = Context & {
  /** Called where an answer lacks street-level data, which cannot be reached; `ask` throws StreetsUnavailable without it. */
  onIncomplete?: (() => void) | undefined;
  /** `Accept-Language` of the caller, which stands in where the parameter `lang` is absent. */
  acceptLanguage?: string | undefined;
  /** How answers that depend only on the data may be cached; without it they have no tag. */
  caching?:
    | {
        /** The part of tags that is the same for all answers of this dataset. */
        tag: string;
        /** `If-None-Match` of the request. */
        known: string | undefined;
      }
    | undefined;
};

/**
 * Asks an endpoint. The body has exactly the profile's fields, or is text where the parameters ask for another form;
 * undefined with 304, which only `caching` brings about. Throws WhereaboutsError: bad parameters (every one listed),
 * `dataset_missing`, and what the endpoint itself throws.
 */
export function execute(
  operation: Operation,
  input: Input,
  context: ExecuteContext,
): Answer<JsonText | string | undefined> {
  const { endpoint, name } = operation;
  const { store, profile, caching } = context;
  const { parameters, ignored } = readParameters(operation, input, context);
  operation.checkDependencies(parameters);
  requireLayers(endpoint, store);
  const headers: string[] = [];
  if (ignored.length > 0) headers.push('X-Ignored-Parameters', ignoredHeader(ignored));

  let isKnown = false;
  let question: string | undefined;
  if (!endpoint.isCacheable(parameters as never, profile)) headers.push('Cache-Control', 'no-store');
  else if (caching) {
    question = name + JSON.stringify(parameters);
    const tag = entityTag(caching.tag, profile, question);
    // An answer of a growing dataset may be another one as soon as the next layer is there.
    headers.push('ETag', tag, 'Cache-Control', store.manifest.coming ? 'private, max-age=0' : cacheControl);
    const isAny = caching.known?.trim() === '*';
    isKnown = caching.known !== undefined && (isAny || listsTag(caching.known, tag));
    // A client with a tag already has the answer; `*` does not imply that, so the answer is computed.
    if (isKnown && !isAny) return { status: 304, headers, body: undefined };
  }
  const { format = 'json' } = parameters as { format?: Format };
  let isIncomplete = false;
  const isRemote = store.isPartial !== undefined;
  const onStreetsLeftOut = () => void (isIncomplete = true);
  const searched = isRemote
    ? { ...context, store: Object.create(store, { onStreetsLeftOut: { value: onStreetsLeftOut } }) }
    : context;
  const answer = () => operation.body(endpoint.handle(parameters as never, searched), profile, format);
  // What a search cluster serves may change between two requests.
  const isKept = question !== undefined && !isOfPlace(parameters) && !isRemote;
  const body = isKept ? keptAnswer(store, `${profile} ${question}`, answer) : answer();
  if (isKnown) return { status: 304, headers, body: undefined };
  if (isIncomplete || store.isPartial) withoutTag(headers);
  if (isIncomplete) {
    headers.push('X-Incomplete', 'streets');
    context.onIncomplete?.();
  }
  headers.push('Content-Type', typeOf(endpoint, format));
  return { status: 200, headers, body };
}

/** Whether a question without a text names a position or an address, which is seldom asked for again. */
const isOfPlace = (parameters: object): boolean =>
  !('q' in parameters) && ['lat', 'from_lat', 'ip'].some((name) => name in parameters);

/** A temporarily incomplete answer must not be cached. */
function withoutTag(headers: string[]): void {
  const tag = headers.indexOf('ETag');
  if (tag >= 0) headers.splice(tag, 4, 'Cache-Control', 'no-store');
}

/** Only the fields of an answer, for callers in this process. */
export function ask(
  operation: Operation,
  parameters: Input['parameters'],
  context: Context & Pick<ExecuteContext, 'onIncomplete'>,
): Record<string, unknown> {
  const { body, headers } = execute(operation, { parameters }, context);
  if (!context.onIncomplete && headers.includes('X-Incomplete'))
    throw new StreetsUnavailable('the answer would lack them', retryAfterSeconds);
  return body instanceof JsonBody ? body.fields() : (body as unknown as Record<string, unknown>);
}

/** Seconds after which a layer that is being built is asked for again. */
const retryAfterSeconds = 10;

/** Throws `dataset_missing` naming the first layer that an endpoint needs and the dataset lacks, and whether it is coming. */
export function requireLayers({ path, layers }: Pick<Endpoint, 'path' | 'layers'>, { manifest }: Store): void {
  for (const layer of layers) {
    if (manifest.layers[layer]) continue;
    const isComing = manifest.coming?.includes(layer);
    const state = isComing
      ? `is still being built; try again in ${retryAfterSeconds} s. /status lists what is there and what is coming`
      : `this dataset (${manifest.version}) does not have; /status lists its layers`;
    const detail = `${path} needs the layer "${layer}", which ${state}`;
    throw new WhereaboutsError('dataset_missing', detail, isComing ? { retryAfterSeconds } : {});
  }
}

/** Whether an answer is in the language that the caller prefers by `Accept-Language`. */
export const variesByLanguage = (operation: Operation, raw: Input['parameters'], profile: Profile): boolean =>
  operation.takesLanguage && profile === 'default' && raw.lang === undefined;

function readParameters(operation: Operation, { parameters, faults, ignored }: Input, context: ExecuteContext) {
  const { store, profile, acceptLanguage } = context;
  const lang =
    acceptLanguage !== undefined && variesByLanguage(operation, parameters, profile)
      ? preferredLanguage(acceptLanguage)
      : undefined;
  const raw = lang === undefined ? parameters : { ...parameters, lang };
  const read = operation.read(profile);
  const isCountry = countryFilter(store, profile);
  if (!faults) {
    const found = read(raw, isCountry);
    return ignored ? { ...found, ignored: found.ignored.concat(ignored) } : found;
  }
  const errors = [...faults];
  try {
    read(raw, isCountry);
  } catch (error) {
    if (!(error instanceof WhereaboutsError)) throw error;
    const named = new Set(errors.map(({ parameter }) => parameter));
    errors.push(...(error.errors ?? []).filter(({ parameter }) => !named.has(parameter)));
  }
  throw new WhereaboutsError('invalid_parameter', errors.map(({ detail }) => detail).join('; '), { errors });
}

/** Names for a header: percent-encoded, as anything may be a name, and cut where a client sends hundreds. */
export function ignoredHeader(names: readonly string[]): string {
  const text = names.slice(0, 20).map((name) => encodeURIComponent(name.slice(0, 60).toWellFormed()));
  return names.length > 20 ? `${text.join(', ')}, ...` : text.join(', ');
}

/** An answer, independent of caller and transport. */
export type Answer<Body = JsonText | Record<string, unknown> | string | undefined> = {
  /** HTTP status. */
  status: number;
  /** Name, value, name, value: the headers that belong to this answer, rather than to every one. */
  headers: string[];
  /** An object is sent as JSON with `query_ms` as its last field; text is sent as it is. Undefined: none. */
  body: Body;
};

/**
 * Whether a code may be given for `country`: one that ISO 3166-1 assigns, in the `default` profile also one that places
 * carry without that (XK).
 */
function countryFilter(store: Pick<Store, 'countries'>, profile: Profile): (iso2: string) => boolean {
  return (iso2) => {
    // Read only here: a library opens the world when its countries are first asked for.
    const country = store.countries.get(iso2);
    return country !== undefined && (country.isAssigned || profile === 'default');
  };
}

/** An endpoint compiled for each profile; a profile is compiled with its first request. */
export type Operation = ReturnType<typeof createOperation>;

/** Compiles an endpoint; `name` is that of the list of endpoints. Requests to one that is not counted cost no call. */
export function createOperation(name: string, endpoint: Endpoint, isCounted = true) {
  const readers = lazily((profile: Profile) => compileParameters(endpoint.parameters[profile]));
  const shapes = lazily((profile: Profile) => compileShape(endpoint.response[profile]));
  const csv = lazily((_: 'csv') => compileCsv(endpoint));
  const geojson = lazily((_: 'geojson') => compileGeojson(endpoint));
  const explains = 'explain' in endpoint.parameters.default.properties;
  return {
    name,
    endpoint,
    isCounted,
    /** Whether names in its answers, in the profile `default`, are in the language that its caller prefers. */
    takesLanguage: 'lang' in endpoint.parameters.default.properties,
    /** Cost of a request in calls: an explained answer takes more work and is larger. */
    callsOf: ({ explain }: Readonly<Record<string, unknown>>) =>
      explains && typeof explain !== 'object' && booleans.get(String(explain).toLowerCase()) ? 2 : Number(isCounted),
    /** Reads the parameters of a profile. */
    read: readers,
    /** Throws where parameters do not go together. */
    checkDependencies: compileDependencies(endpoint.dependencies ?? []),
    /** Serialises an answer in a profile, in another format than JSON if the parameters request one. */
    body(answer: object, profile: Profile, format: Format): JsonBody | string {
      if (format === 'csv') return csv(format)(answer);
      return new JsonBody(answer, format === 'json' ? shapes(profile) : geojson(format));
    },
  };
}

/** Every operation of a list of endpoints, by name. */
export const createOperations = (endpoints: Readonly<Record<string, Endpoint>>): Record<string, Operation> =>
  Object.fromEntries(Object.entries(endpoints).map(([name, endpoint]) => [name, createOperation(name, endpoint)]));

function lazily<K extends string, V>(make: (key: K) => V): (key: K) => V {
  const made: Partial<Record<K, V>> = {};
  return (key) => (made[key] ??= make(key));
}

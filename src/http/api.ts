/** Answers the GET endpoints below /v1. Everything a request needs is called here in order; there are no hooks. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { requireLayers } from '../endpoints/ask.ts';
import type { Context, Profile } from '../endpoints/endpoint.ts';
import { type ParameterError, WhereaboutsError } from '../errors.ts';
import type { Reservation } from '../keys/key-store.ts';
import type { Account } from '../keys/meter.ts';
import type { Store } from '../store/store.ts';
import { addressOf, admit, isFree, quotaExceeded, reserve } from './access.ts';
import { beginCall, type Call, noStore, queryMsOf, send, sendFound, sendProblem } from './call.ts';
import { entityTag, listsTag } from './etag.ts';
import { type Format, formatTypes } from './format.ts';
import { headerPairs, line } from './head.ts';
import type { Operation } from './operation.ts';
import { profileOf } from './profile.ts';
import { parseQuery } from './query-string.ts';
import { currentStore, type Service, tagOf } from './service.ts';

const typeLines = Object.fromEntries(
  Object.entries(formatTypes).map(([format, type]) => [format, line('Content-Type', type)]),
) as Record<Format, string>;
const varyLine = line('Vary', 'Accept-Encoding, Origin, X-API-Key, X-API-Variant');
const noStoreLine = line(...noStore);

/** What a handler knows of a call. The caller's address is worked out by the few that ask for it. */
export class CallContext implements Context {
  readonly store: Store;
  readonly profile: Profile;
  readonly now: number;
  readonly account: Account;
  readonly #service: Service;
  readonly #call: Call;

  constructor(service: Service, call: Call, account: Account, profile: Profile, store: Store) {
    this.store = store;
    this.profile = profile;
    this.now = call.now;
    this.account = account;
    this.#service = service;
    this.#call = call;
  }

  get clientAddress(): string | undefined {
    return addressOf(this.#service, this.#call);
  }
}

/** Answers one request to an operation. `path` holds the path parameters, `search` the query string without `?`. */
export function answer(
  service: Service,
  operation: Operation,
  request: IncomingMessage,
  response: ServerResponse,
  path: Record<string, string>,
  search: string,
): void {
  const call = beginCall(service, request, response, operation.name);
  try {
    checkLoad(service);
    checkUrl(service, request);
    const reserved = reserve(service, call, operation.isCounted ? 1 : 0);
    if (reserved instanceof Promise) {
      reserved.then(
        (found) => answerReserved(service, operation, call, found, path, search),
        (error) => sendProblem(service, call, error),
      );
    } else answerReserved(service, operation, call, reserved, path, search);
  } catch (error) {
    sendProblem(service, call, error);
  }
}

function answerReserved(
  service: Service,
  operation: Operation,
  call: Call,
  reserved: Reservation,
  path: Record<string, string>,
  search: string,
): void {
  const { account, granted } = reserved;
  const { meter } = service.keys;
  try {
    admit(service, call, reserved, operation.name);
    if (operation.isCounted && granted === 0) throw quotaExceeded(account, call.now);
    answerValid(service, operation, call, account, path, search);
    if (granted > 0) meter.count(account, operation.name);
  } catch (error) {
    if (granted > 0) {
      if (isFree(error)) meter.refund(account, granted, call.now);
      else meter.count(account, operation.name);
    }
    sendProblem(service, call, error);
  }
}

function answerValid(
  service: Service,
  operation: Operation,
  call: Call,
  account: Account,
  path: Record<string, string>,
  search: string,
): void {
  const store = currentStore(service);
  const { headers } = call.request;
  const { profile, parameters, ignored } = readRequest(
    operation,
    search,
    path,
    headers['x-api-variant'],
    account.key.profile,
    (iso2) => store.countries.get(iso2)?.isAssigned === true,
  );
  requireLayers(operation.endpoint, store);
  let lines = varyLine;
  if (ignored.length > 0) lines += line('X-Ignored-Parameters', ignoredHeader(ignored));

  const { endpoint } = operation;
  let isUnchanged = false;
  if (endpoint.isCacheable(parameters as never, profile)) {
    const tag = entityTag(tagOf(store, service.version), profile, operation.name, parameters);
    lines += `ETag: ${tag}\r\nCache-Control: private, max-age=${service.maxAgeSeconds}\r\n`;
    const known = headers['if-none-match'];
    isUnchanged = known !== undefined && (known.trim() === '*' || listsTag(known, tag));
    // What a client has a tag of was found before; `*` says nothing of the kind, so it has to be looked up.
    if (isUnchanged && known!.trim() !== '*') {
      send(service, call, 304, headerPairs(lines), undefined);
      return;
    }
  } else lines += noStoreLine;

  call.profile = profile;
  const found = endpoint.handle(parameters as never, new CallContext(service, call, account, profile, store));
  if (isUnchanged) {
    send(service, call, 304, headerPairs(lines), undefined);
    return;
  }
  const { format = 'json' } = parameters as { format?: Format };
  const write = format === 'json' ? operation.serialiser(profile) : operation.formatted(format);
  sendFound(service, call, typeLines[format] + lines, write(found, queryMsOf(call)));
}

/** Profile and parameters of a request. Throws one error that lists all that is wrong with either. */
function readRequest(
  operation: Operation,
  search: string,
  path: Record<string, string>,
  header: string | string[] | undefined,
  ofKey: Profile | null,
  isCountry: (iso2: string) => boolean,
) {
  const { query, errors: undecoded } = parseQuery(search);
  const errors: ParameterError[] = undecoded ?? [];
  const { variant } = query;
  if (variant !== undefined) delete query.variant;
  let profile: Profile = 'default';
  try {
    profile = profileOf(header, variant, ofKey);
  } catch (error) {
    errors.push(...((error as WhereaboutsError).errors ?? []));
  }
  // A path parameter wins over a query parameter of its name, which is then one that is ignored.
  let shadowed: string[] | undefined;
  for (const name in path) {
    if (name in query) (shadowed ??= []).push(name);
    query[name] = path[name];
  }
  try {
    const read = operation.read[profile](query, isCountry);
    if (errors.length === 0) {
      const ignored = shadowed ? read.ignored.concat(shadowed) : read.ignored;
      return { profile, parameters: read.parameters, ignored };
    }
  } catch (error) {
    if (errors.length === 0 || !(error instanceof WhereaboutsError)) throw error;
    const named = new Set(errors.map(({ parameter }) => parameter));
    errors.push(...(error.errors ?? []).filter(({ parameter }) => !named.has(parameter)));
  }
  throw new WhereaboutsError('invalid_parameter', errors.map(({ detail }) => detail).join('; '), { errors });
}

/** Names for a header: percent-encoded, as anything may be a name, and cut where a client sends hundreds. */
export function ignoredHeader(names: readonly string[]): string {
  const text = names.slice(0, 20).map((name) => encodeURIComponent(name.toWellFormed().slice(0, 60)));
  return names.length > 20 ? `${text.join(', ')}, ...` : text.join(', ');
}

/** Throws 503 when the process has more to do than it can. */
export function checkLoad({ load }: Service): void {
  if (load === undefined || !load.isRefused()) return;
  throw new WhereaboutsError('unavailable', 'the service is overloaded; send fewer requests, or try again later', {
    retryAfterSeconds: load.retryAfterSeconds,
  });
}

/** Throws 414 when the address is longer than is served. */
export function checkUrl({ limits }: Service, { url }: IncomingMessage): void {
  if (url!.length <= limits.urlLength) return;
  throw new WhereaboutsError(
    'uri_too_long',
    `the address has ${url!.length} characters, at most ${limits.urlLength} are served`,
  );
}

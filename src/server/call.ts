/** The state of one request, which every hook and handler reads: `request.call`. */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { lastDigits } from '../api/etag.ts';
import { clientNetworks } from '../core/ip/client-network.ts';
import type { Profile } from '../endpoints/endpoint.ts';
import type { Reservation } from '../keys/known-keys.ts';
import type { Account } from '../keys/meter.ts';
import type { Caller } from './fairness.ts';
import { parseQuery } from './query-string.ts';
import type { Route } from './route.ts';
import type { Service } from './service.ts';

export type Call = {
  request: IncomingMessage;
  response: ServerResponse;
  requestId: string;
  /** Of `performance.now()`, for `query_ms`. */
  startedAt: number;
  /** The service's clock, epoch ms. */
  now: number;
  /** Undefined for a path or method that does not exist. */
  route: Route | undefined;
  /** Name of its route, as the log and the metrics have it. */
  endpoint: string;
  /** Path parameters, decoded. */
  path: Record<string, string | undefined>;
  /** The query string, without `?`. */
  search: string;
  /** The same taken apart; see `queryOf`. */
  parsed: ReturnType<typeof parseQuery> | undefined;
  /** The body, where the route takes one. */
  body: unknown;
  /** What was granted to its key. */
  reserved: Reservation | undefined;
  /** Set once a valid key is found: from then on every answer states what is left of its quota. */
  account: Account | undefined;
  /** Calls that were taken, and how many of them an answer that is worth less than them costs; see `access.ts`. */
  charged: { name: string; calls: number; worth: number } | undefined;
  /** Set once it is read. */
  profile: Profile;
  /** Set where its answer lacks street-level data that it should have. */
  isIncomplete?: boolean;
  /** Whether the bytes of its answer are held already, or are everybody's. */
  isHeld: boolean;
};

const saneRequestId = /^[\w.:+/=@-]{1,128}$/;

/**
 * Creates request ids: a random part per process and a counter. A random id per request would cost as much as reading
 * its parameters.
 */
export function createRequestIds(): () => string {
  const start = randomBytes(9).toString('base64url');
  let count = 0;
  let prefix = `${start}-`;
  return () => {
    if (++count % 36 ** 2 === 0) prefix = `${start}-${(count / 36 ** 2).toString(36)}`;
    return prefix + lastDigits(count);
  };
}

/** Starts a call; keeps the request's own `X-Request-Id` if it is safe in headers and logs. */
export function startCall(service: Service, request: FastifyRequest, reply: FastifyReply): Call {
  const { raw } = request;
  const { url = '' } = raw;
  const requestId = raw.headers['x-request-id'];
  const { route } = request.routeOptions.config;
  const mark = url.indexOf('?');
  return {
    request: raw,
    response: reply.raw,
    requestId: typeof requestId === 'string' && saneRequestId.test(requestId) ? requestId : service.nextRequestId(),
    startedAt: performance.now(),
    now: service.now(),
    route,
    endpoint: route?.name ?? 'other',
    path: request.params as Call['path'],
    search: mark < 0 ? '' : url.slice(mark + 1),
    parsed: undefined,
    body: undefined,
    reserved: undefined,
    account: undefined,
    charged: undefined,
    profile: 'default',
    isHeld: false,
  };
}

/** The time a call took so far, whole milliseconds. */
export const queryMsOf = (call: Call): number => Math.round(performance.now() - call.startedAt);

/** The query parameters of a call, read once; what takes one of them away takes it from all. */
export const queryOf = (call: Call): ReturnType<typeof parseQuery> => (call.parsed ??= parseQuery(call.search));

/** The caller's address. */
export function addressOf(service: Service, { request }: Call): string | undefined {
  const forwarded = request.headers['x-forwarded-for'];
  return service.clientAddress(request.socket.remoteAddress, Array.isArray(forwarded) ? forwarded.join() : forwarded);
}

/** Parameters that carry a key. */
export const keyParameters = ['key', 'api_key'] as const;

/**
 * The text of a call's key: the header X-API-Key, or where the route says that its clients cannot send one; undefined for
 * none. The one reader of keys: what a caller is counted under is what it has access with.
 */
export function keyOf(call: Call): string | undefined {
  const { headers } = call.request;
  const header = headers['x-api-key'];
  if (header !== undefined) return String(header) || undefined;
  switch (call.route?.access?.keyIn) {
    case 'bearer':
      return /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
    case 'parameter': {
      // A key in the path is always used, even if malformed, so that a typo is reported.
      if (call.path.key !== undefined) return call.path.key;
      const { query } = queryOf(call);
      const texts = keyParameters.map((name) => [query[name]].flat()[0]);
      return texts.find((text) => text?.startsWith('wab_'));
    }
    default:
      return undefined;
  }
}

const maxKeyLength = 64;

/** The names that a call's use is counted under; determined before the key is looked up. */
export function callerOf(service: Service, call: Call): Caller {
  const key = keyOf(call);
  const networks = clientNetworks(addressOf(service, call));
  return key === undefined || key.length > maxKeyLength ? networks : [...networks, `key ${key}`];
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Profile } from '../endpoints/endpoint.ts';
import type { Account } from '../keys/meter.ts';
import type { Service } from './service.ts';
import type { Turns } from './turns.ts';

/** One request on its way through the service. */
export type Call = {
  request: IncomingMessage;
  response: ServerResponse;
  requestId: string;
  /** Of `performance.now()`, for `query_ms`. */
  startedAt: number;
  /** The service's clock, epoch ms. */
  now: number;
  /** Set once a valid key is seen: from then on every answer says what is left of its quota. */
  account: Account | undefined;
  /** What it asks, as its route is named. */
  endpoint: string;
  /** Path parameters, decoded. */
  path: Record<string, string | undefined>;
  /** The query string, without `?`. */
  search: string;
  /** Set once it is read. */
  profile: Profile;
  /** Why it is not worked, where too much was waiting when it came. */
  refusal: ReturnType<Turns['refusal']>;
  /** Whether its answer is booked as held until it is taken. */
  isHeld: boolean;
};

const saneRequestId = /^[\w.:+/=@-]{1,128}$/;

/** Begins a call; the request's own `X-Request-Id` is kept when it is harmless in a header and a log. */
export function startCall(
  service: Service,
  request: IncomingMessage,
  response: ServerResponse,
  endpoint: string,
  path: Call['path'],
  search: string,
): Call {
  const requestId = request.headers['x-request-id'];
  return {
    request,
    response,
    requestId: typeof requestId === 'string' && saneRequestId.test(requestId) ? requestId : service.nextRequestId(),
    startedAt: performance.now(),
    now: service.now(),
    account: undefined,
    endpoint,
    path,
    search,
    profile: 'default',
    refusal: undefined,
    isHeld: false,
  };
}

/** The time a call took so far, whole milliseconds. */
export const queryMsOf = (call: Call): number => Math.round(performance.now() - call.startedAt);

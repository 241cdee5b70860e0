import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Profile } from '../endpoints/endpoint.ts';
import type { Account } from '../keys/meter.ts';
import type { Service } from './service.ts';
import type { Turns } from './turns.ts';

/** The state of one request. */
export type Call = {
  request: IncomingMessage;
  response: ServerResponse;
  requestId: string;
  /** Of `performance.now()`, for `query_ms`. */
  startedAt: number;
  /** The service's clock, epoch ms. */
  now: number;
  /** Set once a valid key is found: from then on every answer states what is left of its quota. */
  account: Account | undefined;
  /** Name of its route. */
  endpoint: string;
  /** Path parameters, decoded. */
  path: Record<string, string | undefined>;
  /** The query string, without `?`. */
  search: string;
  /** Set once it is read. */
  profile: Profile;
  /** Why it is refused, if too much was waiting when it arrived. */
  refusal: ReturnType<Turns['refusal']>;
  /** Whether its answer counts towards the memory limit until it is sent. */
  isHeld: boolean;
};

const saneRequestId = /^[\w.:+/=@-]{1,128}$/;

/** Starts a call; keeps the request's own `X-Request-Id` if it is safe in headers and logs. */
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

/** One request on its way through the service, and how its answer is sent. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Profile } from '../endpoints/endpoint.ts';
import { WhereaboutsError } from '../errors.ts';
import type { Account } from '../keys/meter.ts';
import { compress, leastBytesToCompress, preferredEncoding } from './content-encoding.ts';
import { problemBody } from './problem.ts';
import { rateLimitHeaders } from './rate-limit-headers.ts';
import type { Service } from './service.ts';

export type Call = {
  request: IncomingMessage;
  response: ServerResponse;
  requestId: string;
  /** Of `performance.now()`, for `query_ms`. */
  startedAt: number;
  /** The service's clock, epoch ms. */
  now: number;
  /** Set once a valid key is seen: from then on every answer tells what is left of its quota. */
  account: Account | undefined;
  /** What it asks: an endpoint, or another part of the service. */
  endpoint: string;
  /** Set once it is read. */
  profile: Profile;
};

const saneRequestId = /^[\w.:+/=@-]{1,128}$/;

/** Begins a call; the request's own `X-Request-Id` is kept when it is harmless in a header and a log. */
export function beginCall(
  service: Service,
  request: IncomingMessage,
  response: ServerResponse,
  endpoint = 'other',
): Call {
  const given = request.headers['x-request-id'];
  return {
    request,
    response,
    requestId: typeof given === 'string' && saneRequestId.test(given) ? given : service.nextRequestId(),
    startedAt: performance.now(),
    now: service.now(),
    account: undefined,
    endpoint,
    profile: 'default',
  };
}

/** The time a call took so far, whole milliseconds. */
export const queryMsOf = (call: Call) => Math.round(performance.now() - call.startedAt);

export const jsonType = 'application/json; charset=utf-8';
export const noStore = ['Cache-Control', 'no-store'];

const exposed =
  'ETag, RateLimit, RateLimit-Policy, Retry-After, X-Ignored-Parameters, X-RateLimit-Limit, X-RateLimit-Remaining, ' +
  'X-RateLimit-Reset, X-Request-Id';

/** Sends an answer: `headers` are name, value, name, value. `body` undefined: an answer that has none (204, 304). */
export function send(
  service: Service,
  call: Call,
  status: number,
  headers: string[],
  body: string | Buffer | undefined,
): void {
  const { account, request } = call;
  service.record?.(call, status, performance.now() - call.startedAt);
  headers.push('X-Request-Id', call.requestId, 'Access-Control-Allow-Origin', '*', 'X-Content-Type-Options', 'nosniff');
  // Browsers name the origin whenever they care for the answer.
  if (request.headers.origin !== undefined) headers.push('Access-Control-Expose-Headers', exposed);
  if (service.isClosing || service.store.isStopping) headers.push('Connection', 'close');
  if (account) rateLimitHeaders(service.keys.meter, account, call.now, headers);
  if (body === undefined) {
    call.response.writeHead(status, headers).end();
    return;
  }
  const bytes = Buffer.byteLength(body);
  const wanted = request.headers['accept-encoding'];
  const encoding =
    wanted !== undefined && bytes >= leastBytesToCompress ? preferredEncoding(wanted as string) : undefined;
  if (!encoding) {
    headers.push('Content-Length', String(bytes));
    call.response.writeHead(status, headers).end(body);
    return;
  }
  compress(Buffer.from(body as string), encoding).then(
    (compressed) => {
      headers.push('Content-Encoding', encoding, 'Content-Length', String(compressed.length));
      call.response.writeHead(status, headers).end(compressed);
    },
    (error) => {
      service.log.error({ err: error, request_id: call.requestId }, 'an answer could not be compressed');
      call.response.destroy();
    },
  );
}

/** Answers an error as a problem document; one that is not ours is logged whole and told without its text. */
export function sendProblem(service: Service, call: Call, thrown: unknown, more: readonly string[] = []): void {
  let error: WhereaboutsError;
  if (thrown instanceof WhereaboutsError) error = thrown;
  else {
    const { method, url } = call.request;
    service.log.error({ err: thrown, request_id: call.requestId, method, url }, 'an error of ours');
    error = new WhereaboutsError(
      'internal',
      `an error on our side; name the request ${call.requestId} when you report it`,
    );
  }
  if (call.response.headersSent) {
    call.response.destroy();
    return;
  }
  const headers = ['Content-Type', 'application/problem+json; charset=utf-8', ...noStore, ...more];
  if (error.status === 401) headers.push('WWW-Authenticate', 'ApiKey realm="whereabouts", header="X-API-Key"');
  if (error.retryAfterSeconds !== undefined) headers.push('Retry-After', String(error.retryAfterSeconds));
  send(service, call, error.status, headers, problemBody(error, service.problemTypes, call.requestId, queryMsOf(call)));
}

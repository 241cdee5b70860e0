/** One request on its way through the service, and how its answer is sent. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Profile } from '../endpoints/endpoint.ts';
import { WhereaboutsError } from '../errors.ts';
import type { Account } from '../keys/meter.ts';
import { type ContentEncoding, compress, leastBytesToCompress, preferredEncoding } from './content-encoding.ts';
import { canSendWhole, headerPairs, line, sendWhole } from './head.ts';
import { problemBody } from './problem.ts';
import { rateLimitLines } from './rate-limit-headers.ts';
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
export const noStore = ['Cache-Control', 'no-store'] as const;

const exposed = line(
  'Access-Control-Expose-Headers',
  'ETag, RateLimit, RateLimit-Policy, Retry-After, X-Ignored-Parameters, X-RateLimit-Limit, X-RateLimit-Remaining, ' +
    'X-RateLimit-Reset, X-Request-Id',
);
const common = line('Access-Control-Allow-Origin', '*') + line('X-Content-Type-Options', 'nosniff');

/** The header lines that every answer to a call has. */
function commonLines({ keys }: Service, { request, requestId, account, now }: Call): string {
  return (
    common +
    `X-Request-Id: ${requestId}\r\n` +
    // Browsers name the origin whenever they care for the answer.
    (request.headers.origin === undefined ? '' : exposed) +
    (account ? rateLimitLines(keys.meter, account, now) : '')
  );
}

/** The encoding that a client wants for a body of so many bytes. */
function encodingFor({ request }: Call, bytes: number): ContentEncoding | undefined {
  const wanted = request.headers['accept-encoding'];
  return wanted !== undefined && bytes >= leastBytesToCompress ? preferredEncoding(wanted as string) : undefined;
}

const isLast = ({ isClosing, store }: Service) => isClosing || store.isStopping === true;

/** Sends an answer: `headers` are name, value, name, value. `body` undefined: an answer that has none (204, 304). */
export function send(
  service: Service,
  call: Call,
  status: number,
  headers: string[],
  body: string | Buffer | undefined,
): void {
  service.record?.(call, status, performance.now() - call.startedAt);
  headers.push(...headerPairs(commonLines(service, call)));
  if (isLast(service)) headers.push('Connection', 'close');
  if (body === undefined) {
    call.response.writeHead(status, headers).end();
    return;
  }
  const bytes = Buffer.byteLength(body);
  const encoding = encodingFor(call, bytes);
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

/** Sends the answer of an endpoint, a 200: as `send` does, but the quick way where that is possible. */
export function sendFound(service: Service, call: Call, lines: string, body: string): void {
  const bytes = Buffer.byteLength(body);
  if (isLast(service) || !canSendWhole(call.response) || encodingFor(call, bytes) !== undefined) {
    send(service, call, 200, headerPairs(lines), body);
    return;
  }
  const all = lines + commonLines(service, call);
  service.record?.(call, 200, performance.now() - call.startedAt);
  if (!sendWhole(call.response, all, service.dateLine() + service.keepAliveLines, body, bytes)) {
    call.response.writeHead(200, headerPairs(`${all}${line('Content-Length', bytes)}`)).end(body);
  }
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

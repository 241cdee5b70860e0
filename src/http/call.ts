/** One request on its way through the service, and how its answer is sent. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Profile } from '../endpoints/endpoint.ts';
import { WhereaboutsError } from '../errors.ts';
import type { Account } from '../keys/meter.ts';
import type { Asset } from './asset.ts';
import { type ContentEncoding, compress, leastBytesToCompress, preferredEncoding } from './content-encoding.ts';
import { listsTag } from './etag.ts';
import { canSendWhole, headerPairs, line, sendWhole } from './head.ts';
import { problemBody } from './problem.ts';
import { rateLimitLines } from './rate-limit-headers.ts';
import type { Service } from './service.ts';
import { dropBody, unreadBody } from './unread-body.ts';

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

/**
 * Whether the connection ends with this answer: when the service is stopping, and after a request for another protocol,
 * behind which node:http drops what has arrived.
 */
const isLast = ({ isClosing, store }: Service, { request }: Call) =>
  isClosing || store.isStopping === true || request.headers.upgrade !== undefined;

/** Sends an answer: `headers` are name, value, name, value. `body` undefined: an answer that has none (204, 304). */
export function send(
  service: Service,
  call: Call,
  status: number,
  headers: string[],
  body: string | Asset | undefined,
): void {
  service.record?.(call, status, performance.now() - call.startedAt);
  headers.push(...headerPairs(commonLines(service, call)));
  if (body === undefined) {
    end(service, call, status, headers, undefined);
    return;
  }
  const plain = typeof body === 'string' ? Buffer.from(body) : body.body;
  const encoding = encodingFor(call, plain.length);
  if (!encoding) {
    end(service, call, status, headers, plain);
    return;
  }
  (typeof body === 'string' ? compress(plain, encoding) : body.encodedAs(encoding)).then(
    (compressed) => end(service, call, status, [...headers, 'Content-Encoding', encoding], compressed),
    (error) => {
      service.log.error({ err: error, request_id: call.requestId }, 'an answer could not be compressed');
      call.response.destroy();
    },
  );
}

/** Ends the exchange; where the rest of the request's body may be long, the connection too. */
function end(service: Service, call: Call, status: number, headers: string[], body?: Buffer): void {
  const { request, response } = call;
  const unread = unreadBody(request, service.limits);
  if (unread === 'close' || isLast(service, call)) headers.push('Connection', 'close');
  if (body) headers.push('Content-Length', String(body.length));
  response.writeHead(status, headers);
  if (unread === 'none') response.end(body);
  else if (unread === 'drop') {
    request.resume();
    response.end(body);
  } else {
    // The whole answer is on its way before the rest is dropped, so that the sender may read it and give up.
    if (body) response.write(body);
    else response.flushHeaders();
    dropBody(request, service.limits, () => response.end());
  }
}

/** Sends an asset, or 304 where the client has it; clients ask each time, so that a new version shows at once. */
export function sendAsset(
  service: Service,
  call: Call,
  asset: Asset,
  status = 200,
  more: readonly string[] = [],
): void {
  const { type, tag } = asset;
  const known = call.request.headers['if-none-match'];
  const isKnown = status === 200 && known !== undefined && (known.trim() === '*' || listsTag(known, tag));
  const headers = ['Content-Type', type, 'ETag', tag, 'Cache-Control', 'no-cache', 'Vary', 'Accept-Encoding', ...more];
  if (isKnown) send(service, call, 304, headers, undefined);
  else send(service, call, status, headers, asset);
}

/** Sends the answer of an endpoint, a 200: as `send` does, but the quick way where that is possible. */
export function sendFound(service: Service, call: Call, lines: string, body: string): void {
  const bytes = Buffer.byteLength(body);
  const isPlain = encodingFor(call, bytes) === undefined && unreadBody(call.request, service.limits) === 'none';
  if (isLast(service, call) || !isPlain || !canSendWhole(call.response)) {
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

/** The only exit: every answer is counted, logged, compressed and sent here. */

import type { JsonText } from '../api/json-body.ts';
import { callerOf } from './access.ts';
import { Asset } from './asset.ts';
import { type Call, queryMsOf } from './call.ts';
import { type ContentEncoding, minBytesToCompress, preferredEncoding } from './content-encoding.ts';
import { holdLarge } from './held-answer.ts';
import { problemAnswer } from './problem.ts';
import { rateLimitLines } from './rate-limit-headers.ts';
import type { HttpAnswer } from './route.ts';
import type { Service } from './service.ts';
import { unreadBody } from './unread-body.ts';

const exposed =
  'ETag, RateLimit, RateLimit-Policy, Retry-After, X-Ignored-Parameters, X-RateLimit-Limit, X-RateLimit-Remaining, ' +
  'X-RateLimit-Reset, X-Request-Id';

/** Sends an answer. `query_ms` of an object is the time until now. */
export function write(service: Service, call: Call, { status, headers, body }: HttpAnswer): void {
  const { request, requestId, account, now } = call;
  let plain: string | Buffer | undefined;
  let coding: 'latin1' | 'utf8' = 'utf8';
  if (body instanceof Asset) plain = body.bytes;
  else if (isJsonText(body)) {
    plain = body.bytes(queryMsOf(call));
    coding = 'latin1';
  } else if (typeof body === 'object' && !Buffer.isBuffer(body)) {
    body.query_ms = queryMsOf(call);
    plain = JSON.stringify(body);
  } else plain = body;
  // Assets are in memory once for everybody.
  if (plain !== undefined && !(body instanceof Asset)) {
    try {
      holdLarge(service, call, plain.length);
    } catch (error) {
      write(service, call, problemAnswer(service, call, error));
      return;
    }
  }
  let lines = `Access-Control-Allow-Origin: *\r\nX-Content-Type-Options: nosniff\r\nX-Request-Id: ${requestId}\r\n`;
  // Browsers send the origin whenever they read the answer.
  if (request.headers.origin !== undefined) lines += `Access-Control-Expose-Headers: ${exposed}\r\n`;
  if (account) lines += rateLimitLines(service.keys.meter, account, now);
  service.record?.(call, status, performance.now() - call.startedAt);

  // A part of a file is a part of its bytes as they are.
  const encoding = plain === undefined || status === 206 ? undefined : encodingFor(call, plain, coding);
  const compressing =
    encoding &&
    (body instanceof Asset
      ? body.encodedAs(encoding)
      : service.compress(callerOf(service, call), Buffer.from(plain as string, coding), encoding));
  if (!compressing) {
    end(service, call, status, headers, lines, plain, coding);
    return;
  }
  compressing.then(
    (compressed) => end(service, call, status, headers, `${lines}Content-Encoding: ${encoding}\r\n`, compressed),
    (error) => {
      service.log.error({ err: error, request_id: requestId }, 'an answer could not be compressed');
      call.response.destroy();
    },
  );
}

const isJsonText = (body: HttpAnswer['body']): body is JsonText =>
  typeof (body as JsonText | undefined)?.bytes === 'function';

/** Sends a thrown value as a problem document. */
export function writeProblem(service: Service, call: Call, thrown: unknown): void {
  if (call.response.headersSent) call.response.destroy();
  else write(service, call, problemAnswer(service, call, thrown));
}

/** The encoding that a client wants for a body. */
function encodingFor({ request }: Call, body: string | Buffer, coding: 'latin1' | 'utf8'): ContentEncoding | undefined {
  const wanted = request.headers['accept-encoding'];
  if (wanted === undefined || Buffer.byteLength(body, coding) < minBytesToCompress) return undefined;
  return preferredEncoding(wanted as string);
}

/** Ends the exchange, and also the connection if the rest of the request's body may be long. */
function end(
  service: Service,
  call: Call,
  status: number,
  headers: string[],
  lines: string,
  body?: string | Buffer,
  coding: 'latin1' | 'utf8' = 'utf8',
): void {
  const { request, response } = call;
  const unread = unreadBody(request, service.limits);
  const isClosing = unread === 'close' || isLast(service, call);
  if (!isClosing && status === 200 && unread === 'none' && typeof body === 'string') {
    if (service.sendWhole(response, headers, lines, body, coding)) return;
  }
  headers.push(...lines.split(/: |\r\n/).slice(0, -1));
  if (isClosing) headers.push('Connection', 'close');
  if (body !== undefined) headers.push('Content-Length', `${Buffer.byteLength(body, coding)}`);
  response.writeHead(status, headers);
  if (unread === 'drop') request.resume();
  response.end(body, coding);
}

/**
 * Whether the connection ends with this answer: when the service is stopping, and after a request for another protocol,
 * behind which node:http drops what has arrived.
 */
const isLast = ({ isClosing, store }: Service, { request }: Call) =>
  isClosing || store.isStopping === true || request.headers.upgrade !== undefined;

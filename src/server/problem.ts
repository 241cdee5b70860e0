/** Errors as their clients read them: problem documents (RFC 9457), also of what Node refuses itself. */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply } from 'fastify';
import { WhereaboutsError } from '../errors.ts';
import type { Limits } from './limits.ts';
import { sendAnswer } from './send.ts';
import type { Call, Service } from './service.ts';

const problemType = 'application/problem+json; charset=utf-8';

/** An error as a problem document. */
export const problemBody = (error: WhereaboutsError, requestId: string): Record<string, unknown> => ({
  type: `/docs/errors/${error.code}`,
  title: error.title,
  status: error.status,
  detail: withoutKeys(error.message.toWellFormed()),
  code: error.code,
  errors: error.errors?.map(({ detail, ...error }) => ({ ...error, detail: withoutKeys(detail) })),
  request_id: requestId,
});

/**
 * The error that a client gets for a thrown value. Anything but our own errors is a bug:
 * logged completely, and answered without its text.
 */
export function errorOf({ log }: Service, call: Call, thrown: unknown): WhereaboutsError {
  if (thrown instanceof WhereaboutsError) return thrown;
  const { request, requestId, response } = call;
  // Its client has gone, or was cut, before anything of a stream was sent.
  if (response.destroyed && (thrown as { code?: string }).code === 'ERR_STREAM_PREMATURE_CLOSE')
    return new WhereaboutsError('malformed_request', 'the connection was closed before the answer');
  const { method, url = '' } = request;
  log.error({ err: thrown, request_id: requestId, method, path: loggedPath(url) }, 'internal error');
  return new WhereaboutsError('internal', `internal error; quote the request ${requestId} when you report it`);
}

/** Answers a failed call: with a problem document, or as its route writes problems. */
export function sendProblem(service: Service, call: Call, reply: FastifyReply, thrown: unknown): void {
  const error = errorOf(service, call, thrown);
  const written = call.route?.problem?.(call, error);
  const headers = ['Content-Type', written?.type ?? problemType, 'Cache-Control', 'no-store'];
  if (error.status === 401) headers.push('WWW-Authenticate', 'ApiKey realm="whereabouts", header="X-API-Key"');
  if (error.retryAfterSeconds !== undefined) headers.push('Retry-After', `${error.retryAfterSeconds}`);
  const body = written?.body ?? problemBody(error, call.requestId);
  // What was set for the answer that this one takes the place of, such as a tag.
  for (const name of Object.keys(reply.getHeaders()))
    if (name !== 'allow' && name !== 'connection') reply.removeHeader(name);
  sendAnswer(call, reply, { status: error.status, headers, body });
}

/** Answers a request before it is a call: what a client has in progress beyond its share. */
export function refuseAhead(service: Service, response: ServerResponse, address: string | undefined): void {
  service.arrived++;
  service.refused++;
  const detail = 'too many requests of this network are in progress; send fewer at once';
  const error = new WhereaboutsError('unavailable', detail, { retryAfterSeconds: 1 });
  const { head, body } = withoutCall(service, error, address);
  response.writeHead(error.status, head.flat()).end(body);
}

/** The answer to what never became a call, which is recorded. */
function withoutCall(service: Service, error: WhereaboutsError, address: string | undefined) {
  const requestId = service.nextRequestId();
  service.recordBroken(error.status, requestId, address);
  const body = JSON.stringify({ ...problemBody(error, requestId), query_ms: 0 });
  const head: [string, string][] = [
    ['Content-Type', problemType],
    ['Content-Length', `${Buffer.byteLength(body)}`],
    ['X-Request-Id', requestId],
    ['Cache-Control', 'no-store'],
    ['Access-Control-Allow-Origin', '*'],
    ['X-Content-Type-Options', 'nosniff'],
  ];
  if (error.retryAfterSeconds !== undefined) head.push(['Retry-After', `${error.retryAfterSeconds}`]);
  return { head, body };
}

type BrokenRequest = { code?: string; message: string };

/**
 * Answers what Node refuses: heads that are not HTTP, too large, or too slow. The connection is closed afterwards, as the
 * start of the next request is unknown.
 */
export function answerBrokenRequest(service: Service, error: BrokenRequest, socket: Socket): void {
  if (error.code === 'ECONNRESET') socket.destroy();
  // What comes behind an error that was answered is an error too.
  if (!socket.writable) return;
  const problem = brokenRequest(error, service.limits);
  const { head, body } = withoutCall(service, problem, socket.remoteAddress);
  const lines = [...head, ['Connection', 'close']].map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${problem.status} ${problem.title}\r\n${lines.join('')}\r\n${body}`);
  // So that the client can read it: closed with bytes unread, the connection would be reset (RFC 9112, 9.6).
  const timer = setTimeout(() => socket.destroy(), service.limits.lingerMs);
  socket.once('close', () => clearTimeout(timer));
}

function brokenRequest({ code, message }: BrokenRequest, limits: Limits): WhereaboutsError {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new WhereaboutsError(
        'request_timeout',
        `the head of the request did not arrive within ${limits.headersTimeoutMs / 1000} s, or its body within ${limits.requestTimeoutMs / 1000} s; send it again`,
      );
    case 'HPE_HEADER_OVERFLOW':
      return new WhereaboutsError(
        'headers_too_large',
        `URL and headers have more than ${limits.headerBytes} bytes together, or more than ${limits.headerCount} lines; ` +
          'send less',
      );
    case 'HPE_INVALID_URL':
      return new WhereaboutsError(
        'malformed_request',
        'the URL has spaces or letters that HTTP does not allow there; percent-encode them (ü is %C3%BC), or let curl ' +
          "do it: curl -G --data-urlencode 'q=münchen' …",
      );
    default: {
      const reason = code?.startsWith('HPE_') ? message.replace(/^Parse Error: /, '') : 'it cannot be parsed';
      return new WhereaboutsError('malformed_request', `the request is not valid HTTP: ${reason}`);
    }
  }
}

/** A key, each of its characters as it is or percent-encoded. */
const keyInText = /(?:w|%[57]7)(?:a|%[46]1)(?:b|%[46]2)(?:_|%5f)(?:[0-9a-z]|%[3-7][0-9a-f]){8,}/gi;

/** Replaces keys in a text, for logs and for answers that repeat the request. */
const withoutKeys = (text: string): string => text.replace(keyInText, 'wab_…');

/** The loggable path of a URL: without the query, which may be personal data, and without a key. */
export function loggedPath(url: string): string {
  const mark = url.indexOf('?');
  return withoutKeys((mark < 0 ? url : url.slice(0, mark)).replace(/^\/key\/[^/]*/, '/key/…'));
}

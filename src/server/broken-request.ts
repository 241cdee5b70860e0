import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { WhereaboutsError } from '../errors.ts';
import type { Limits } from './limits.ts';
import { problemBody } from './problem.ts';
import type { Rounds } from './reading.ts';

/**
 * Answers invalid requests: heads that are not HTTP, too large, or too slow. The connection is closed afterwards, as
 * the start of the next request is unknown. Returns what was answered; undefined where nobody can read it.
 */
export function answerBrokenRequest(
  error: Error & { code?: string },
  socket: Socket,
  problemTypes: string,
  limits: Limits,
  end: Rounds['end'],
): { status: number; requestId: string } | undefined {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy();
    return undefined;
  }
  const problem = error instanceof WhereaboutsError ? error : problemOf(error, limits);
  const requestId = randomUUID();
  const body = JSON.stringify({ ...problemBody(problem, problemTypes, requestId), query_ms: 0 });
  end(
    socket,
    `HTTP/1.1 ${problem.status} ${problem.title}\r\nContent-Type: application/problem+json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nX-Request-Id: ${requestId}\r\nCache-Control: no-store\r\n` +
      `Access-Control-Allow-Origin: *\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n${body}`,
  );
  return { status: problem.status, requestId };
}

function problemOf({ code, message }: Error & { code?: string }, limits: Limits): WhereaboutsError {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new WhereaboutsError(
      'headers_too_large',
      `URL and headers have more than ${limits.headerBytes} bytes together, or more than ${limits.headerCount} lines; ` +
        'send less',
    );
  }
  if (code === 'HPE_INVALID_URL') {
    return new WhereaboutsError(
      'malformed_request',
      'the URL has spaces or letters that HTTP does not allow there; percent-encode them (ü is %C3%BC), or let curl ' +
        "do it: curl -G --data-urlencode 'q=münchen' …",
    );
  }
  const reason = code?.startsWith('HPE_') ? message.replace(/^Parse Error: /, '') : 'it cannot be parsed';
  return new WhereaboutsError('malformed_request', `the request is not valid HTTP: ${reason}`);
}

/**
 * Heads of answers as text, by a field of node:http's own.
 *
 * `writeHead` checks, lowers and concatenates each of our sixteen headers again in every answer: 2.5 of the 17.5 µs of
 * a cheap request (docs/internal/decisions/http-framework.md). Here they are put together as they are, and head and
 * body go out as one string. Nothing checks a value afterwards, so each must be safe in a header: all are numbers,
 * checksums, constants, checked (X-Request-Id) or percent-encoded.
 */
import type { ServerResponse } from 'node:http';
import { ServerResponse as NodeResponse } from './node-http.ts';

/** The field in which node:http keeps the text of a head until it is sent. */
type WithHead = ServerResponse & { _header: string | null };

/**
 * Sends a 200 on a connection that stays open: headers as name, value, name, value, further ones as lines,
 * `Content-Length`, and a body; in `latin1` each of its characters is a byte.
 */
export type SendWhole = (
  response: ServerResponse,
  headers: readonly string[],
  lines: string,
  body: string,
  coding: 'latin1' | 'utf8',
) => boolean;

/**
 * Creates that function. It returns false, with nothing sent, if that is not possible: the connection ends, the
 * response is not a plain node:http one, or this Node does not accept heads as text, as the public `headersSent` shows.
 * Then `writeHead` does the work.
 */
export function createSendWhole(keepAliveMs: number): SendWhole {
  const dateLine = dateLines();
  const seconds = Math.floor(keepAliveMs / 1000);
  const last = `Connection: keep-alive\r\n${seconds > 0 ? `Keep-Alive: timeout=${seconds}\r\n` : ''}\r\n`;
  return (response, headers, lines, body, coding) => {
    const isPlain = Object.getPrototypeOf(response) === NodeResponse.prototype && !response.headersSent;
    if (!isPlain || !response.shouldKeepAlive) return false;
    let head = 'HTTP/1.1 200 OK\r\n';
    for (let at = 0; at < headers.length; at += 2) head += `${headers[at]}: ${headers[at + 1]}\r\n`;
    const bytes = Buffer.byteLength(body, coding);
    (response as WithHead)._header = `${head}${lines}Content-Length: ${bytes}\r\n${dateLine()}${last}`;
    if (!response.headersSent) return false;
    // ASCII is the same in both encodings; Latin-1 is copied as it is.
    response.end(body, bytes === body.length ? 'latin1' : 'utf8');
    return true;
  };
}

/** Returns the line `Date`, which is made once a second as node:http does. */
function dateLines(): () => string {
  let date: string | undefined;
  return () => {
    if (date === undefined) {
      const now = new Date();
      date = `Date: ${now.toUTCString()}\r\n`;
      setTimeout(() => (date = undefined), 1000 - now.getMilliseconds()).unref();
    }
    return date;
  };
}

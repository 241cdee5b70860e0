/**
 * Heads of answers as text: the lines `Name: value`, each with its line break.
 *
 * `writeHead` of node:http checks, lowers and concatenates each of our sixteen headers anew in every answer, which took as
 * long as a cheap endpoint's own work. Here lines that never change are one text made once, and head and body go out as
 * one string. A value must be safe in a header, as nothing checks it afterwards: all are numbers, checksums, constants,
 * or percent-encoded.
 */
import { ServerResponse } from 'node:http';

/** One header as a line of a head. */
export const line = (name: string, value: string | number) => `${name}: ${value}\r\n`;

/** The lines as `writeHead` takes them: name, value, name, value. */
export function headerPairs(lines: string): string[] {
  return lines.split('\r\n').flatMap((text) => {
    const colon = text.indexOf(': ');
    return colon < 0 ? [] : [text.slice(0, colon), text.slice(colon + 2)];
  });
}

/** The lines that end the head of an answer whose connection stays open. */
export function keepAliveLines(keepAliveMs: number): string {
  const timeout = Math.floor(keepAliveMs / 1000);
  return `${line('Connection', 'keep-alive')}${timeout > 0 ? line('Keep-Alive', `timeout=${timeout}`) : ''}\r\n`;
}

/** What node:http keeps the text of a head in until it is sent. */
type WithHead = ServerResponse & { _header: string | null };

/**
 * Whether an answer may go out by `sendWhole`: its connection stays open, and it is a plain response of node:http, which
 * puts its head into `_header` before the body. That name is Node's own, so each time it is asked, by the public
 * `headersSent`, whether it still means that; else `writeHead` does the work.
 */
export function canSendWhole(response: ServerResponse): boolean {
  return (
    response.shouldKeepAlive && Object.getPrototypeOf(response) === ServerResponse.prototype && !response.headersSent
  );
}

/**
 * Sends a 200 with all its header lines but `Date`, `Content-Length` and those of `keepAliveLines`, which is the `end`.
 * Gives false, with nothing sent, when this Node does not take heads as text.
 */
export function sendWhole(response: ServerResponse, lines: string, end: string, body: string, bytes: number): boolean {
  (response as WithHead)._header = `HTTP/1.1 200 OK\r\n${lines}Content-Length: ${bytes}\r\n${end}`;
  if (!response.headersSent) return false;
  // ASCII is the same in both encodings; Latin-1 is copied as it is.
  response.end(body, bytes === body.length ? 'latin1' : 'utf8');
  return true;
}

/** Gives the line `Date`, which is made once a second as node:http does. */
export function dateLines(): () => string {
  let date: string | undefined;
  return () => {
    if (date === undefined) {
      const now = new Date();
      date = line('Date', now.toUTCString());
      setTimeout(() => (date = undefined), 1000 - now.getMilliseconds()).unref();
    }
    return date;
  };
}

/**
 * Requests that take too long to arrive. A client's time counts only while the service waits for it: not while its
 * connection is not read, as requests before this one are not answered yet, and not while the process has no time to read.
 */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { WhereaboutsError } from '../errors.ts';
import type { Limits } from './limits.ts';

/** An incomplete request: its head, or, once that has arrived, its body. */
type Late = { before: IncomingMessage | undefined; request: IncomingMessage | undefined; waitedMs: number };

/** Interval at which connections are checked, ms, and so the delay until a late request is noticed. */
export const checkIntervalMs = ({ headersTimeoutMs }: Pick<Limits, 'headersTimeoutMs'>): number =>
  Math.min(headersTimeoutMs / 4, 2_500);

/**
 * Makes what node:http reports a connection to when a request has been arriving for `lookIntervalMs`. From then on
 * looks are counted rather than time, so that a process that was stopped or busy has counted little. `latest`: the
 * request whose head was the last to come over a connection; `isRead`: whether a connection is being read; `giveUp`
 * ends a connection with the error.
 */
export function watchLateRequests(
  limits: Pick<Limits, 'headersTimeoutMs' | 'requestTimeoutMs'>,
  latest: (socket: Socket) => IncomingMessage | undefined,
  isRead: (socket: Socket) => boolean,
  abandon: (socket: Socket, error: WhereaboutsError) => void,
): (socket: Socket) => void {
  const intervalMs = checkIntervalMs(limits);
  const all = new Map<Socket, Late>();
  let timer: NodeJS.Timeout | undefined;

  function checkAll(): void {
    for (const [socket, late] of all) {
      const request = latest(socket);
      if (request !== late.before) late.request ??= request;
      if (socket.destroyed || late.request?.complete) {
        all.delete(socket);
        continue;
      }
      if (isRead(socket)) late.waitedMs += intervalMs;
      const limitMs = late.request ? limits.requestTimeoutMs : limits.headersTimeoutMs;
      if (late.waitedMs < limitMs) continue;
      all.delete(socket);
      const missing = late.request ? 'request' : 'head of the request';
      abandon(
        socket,
        new WhereaboutsError(
          'request_timeout',
          `the ${missing} did not arrive within ${limitMs / 1000} s; send it again`,
        ),
      );
    }
    if (all.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return (socket) => {
    const before = latest(socket);
    // A request that has its head already is waited for itself.
    all.set(socket, { before, request: before?.complete === false ? before : undefined, waitedMs: intervalMs });
    timer ??= setInterval(checkAll, intervalMs).unref();
  };
}

/** Handles request bodies that the service does not read: the answer is sent before the body has ended. */
import type { IncomingMessage } from 'node:http';
import type { Limits } from './limits.ts';

/**
 * What to do with a request's body when it is answered. `none`: there is none, or it is complete. `drop`: the rest is
 * short; it is dropped on arrival, and the connection continues. `close`: it may have any length; the connection ends
 * in stages.
 */
export function unreadBody(request: IncomingMessage, { bodyBytes }: Pick<Limits, 'bodyBytes'>) {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
  if ((length === undefined && coding === undefined) || request.complete) return 'none';
  return coding === undefined && Number(length) <= bodyBytes ? 'drop' : 'close';
}

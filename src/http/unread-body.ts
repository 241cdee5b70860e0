/** What becomes of a request's body that the service does not want: its answer comes before the body has ended. */
import type { IncomingMessage } from 'node:http';
import type { Limits } from './limits.ts';

/**
 * What to do about a request's body at the moment of its answer. `none`: there is none, or all of it has come. `drop`: the
 * rest is short and is dropped as it comes, and the connection goes on. `close`: it may be of any length; the connection
 * ends, in stages.
 */
export function unreadBody(request: IncomingMessage, { bodyBytes }: Pick<Limits, 'bodyBytes'>) {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
  if ((length === undefined && coding === undefined) || request.complete) return 'none';
  return coding === undefined && Number(length) <= bodyBytes ? 'drop' : 'close';
}

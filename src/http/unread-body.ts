/** What becomes of a request's body that the service does not want: its answer comes before the body has ended. */
import type { IncomingMessage } from 'node:http';
import type { Limits } from './limits.ts';

/** A body over the limits is read and dropped up to this many bytes, so that its sender gets to read the answer. */
const maxDroppedBytes = 16 * 1024 * 1024;

/**
 * What to do about a request's body at the moment of its answer. `none`: there is none, or all of it has come. `drop`: the
 * rest is short and is dropped as it comes, and the connection goes on. `close`: it may be of any length; the connection
 * ends.
 */
export function unreadBody(request: IncomingMessage, { bodyBytes }: Pick<Limits, 'bodyBytes'>) {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
  if ((length === undefined && coding === undefined) || request.complete) return 'none';
  return coding === undefined && Number(length) <= bodyBytes ? 'drop' : 'close';
}

/** Drops what comes of a body; `then` is called when it has ended, or after `lingerMs` or 16 MiB of it. */
export function dropBody(request: IncomingMessage, { lingerMs }: Pick<Limits, 'lingerMs'>, then: () => void): void {
  let dropped = 0;
  const stop = () => {
    clearTimeout(timer);
    request.off('data', count).off('end', stop).off('close', stop);
    then();
  };
  const count = (chunk: Buffer) => {
    dropped += chunk.length;
    if (dropped > maxDroppedBytes) stop();
  };
  const timer = setTimeout(stop, lingerMs);
  request.on('data', count).on('end', stop).on('close', stop).resume();
}

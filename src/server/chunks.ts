import type { IncomingMessage } from 'node:http';
import { WhereaboutsError } from '../errors.ts';

/** This many chunks of a body may have any length. */
const freeChunks = 512;
/** Minimum average size of chunks beyond that, bytes. */
const minMeanBytes = 16;
const detail = `the body has more than ${freeChunks} chunks of less than ${minMeanBytes} bytes on average; send larger ones`;

/**
 * Drops the rest of a body with many tiny chunks, and calls `refuse`: each chunk costs as much as a request, and
 * node:http parses 64 KiB at a time, which can hold ten thousand.
 */
export function boundChunks(request: IncomingMessage, refuse: (error: WhereaboutsError) => void): void {
  const { push } = request;
  let chunks = 0;
  let bytes = 0;
  let isRefused = false;
  request.push = (chunk: Buffer | null) => {
    if (chunk === null) return push.call(request, chunk);
    if (isRefused) return false;
    bytes += chunk.length;
    if (++chunks <= freeChunks || bytes >= chunks * minMeanBytes) return push.call(request, chunk);
    isRefused = true;
    request.socket.pause();
    // Not amid what is being parsed. Where its end has come meanwhile, it is answered as the part that it is.
    setImmediate(() => {
      if (request.complete) request.socket.resume();
      else refuse(new WhereaboutsError('malformed_request', detail));
    });
    return false;
  };
}

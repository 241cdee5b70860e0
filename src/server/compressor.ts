/** Which answers are compressed, and when. */
import { type ContentEncoding, compress } from './content-encoding.ts';
import { FairQueue } from './fair-queue.ts';
import type { Caller } from './turns.ts';

/** Compresses a body; undefined if so many are waiting that sending it uncompressed is faster. */
export type Compressor = (caller: Caller, body: Buffer, encoding: ContentEncoding) => Promise<Buffer> | undefined;

/** Maximum total size of bodies that are compressed concurrently, bytes. */
const maxBytesAtOnce = 65_536;
const maxWaiting = 64;
const maxWaitingOfCaller = 8;

/**
 * Creates a compressor. Large bodies in all four threads of the pool would leave the main thread only part of a core.
 * So they are compressed one at a time, with the time shared fairly among callers.
 */
export function createCompressor(now = () => performance.now()): Compressor {
  const queue = new FairQueue();
  let bytesAtWork = 0;

  function startNext(): void {
    while (queue.size > 0 && bytesAtWork < maxBytesAtOnce) {
      const { caller, task } = queue.next()!;
      const startedAt = now();
      const ended = () => {
        queue.charge(caller, now() - startedAt);
        startNext();
      };
      (task() as Promise<unknown>).then(ended, ended);
    }
  }

  return (caller, body, encoding) => {
    if (queue.size >= maxWaiting || queue.waitingAt(caller) >= maxWaitingOfCaller) return undefined;
    return new Promise((resolve, reject) => {
      const run = async () => {
        bytesAtWork += body.length;
        try {
          resolve(await compress(body, encoding));
        } catch (error) {
          reject(error);
        } finally {
          bytesAtWork -= body.length;
        }
      };
      queue.add(caller, run, now());
      startNext();
    });
  };
}

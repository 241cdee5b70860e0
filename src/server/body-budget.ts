import { WhereaboutsError } from '../errors.ts';
import type { Limits } from './limits.ts';

/** A limit on the bytes of request bodies in memory. */
export type BodyBudget = {
  /**
   * Reserves bytes for callers: a key's id, a network. Throws `rate_limited` where one of them holds its share already,
   * and `unavailable` where all callers together hold the whole.
   */
  take(callers: readonly string[], bytes: number): void;
  /** Releases the reserved bytes, when the request is answered. */
  release(callers: readonly string[], bytes: number): void;
};

const retryAfterSeconds = 1;

/** Limits the memory of bodies from their first byte until their answer, so that slow senders cannot fill it. */
export function createBodyBudget(limits: Pick<Limits, 'heldBodyBytes' | 'heldBodyBytesPerCaller'>): BodyBudget {
  const byCaller = new Map<string, number>();
  let all = 0;
  const heldBy = (caller: string) => byCaller.get(caller) ?? 0;
  return {
    take(callers, bytes) {
      if (callers.some((caller) => heldBy(caller) + bytes > limits.heldBodyBytesPerCaller)) {
        throw new WhereaboutsError(
          'rate_limited',
          `the bodies of your concurrent requests exceed ${limits.heldBodyBytesPerCaller} bytes; send the requests one after the other`,
          { retryAfterSeconds },
        );
      }
      if (all + bytes > limits.heldBodyBytes) {
        throw new WhereaboutsError(
          'unavailable',
          'the bodies of all concurrent requests are too large; try again in a moment',
          {
            retryAfterSeconds,
          },
        );
      }
      for (const caller of callers) byCaller.set(caller, heldBy(caller) + bytes);
      all += bytes;
    },
    release(callers, bytes) {
      for (const caller of callers) {
        const left = heldBy(caller) - bytes;
        if (left > 0) byCaller.set(caller, left);
        else byCaller.delete(caller);
      }
      all -= bytes;
    },
  };
}

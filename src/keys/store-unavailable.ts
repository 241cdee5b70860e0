import { WhereaboutsError } from '../errors.ts';

/** The error that clients get while the key store is unavailable, with its cause. */
export function storeUnavailable(cause?: unknown): WhereaboutsError {
  if (cause instanceof WhereaboutsError) return cause;
  const error = new WhereaboutsError('unavailable', 'the key store does not answer; try again', {
    retryAfterSeconds: 1,
  });
  return Object.assign(error, { cause });
}

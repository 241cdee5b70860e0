/** Errors of a remote engine of street-level data that does not answer. */
import { WhereaboutsError } from '../errors.ts';
import type { Store } from './store.ts';

/** A query needs street-level data that are unavailable now; a client may try again. */
export class StreetsUnavailable extends WhereaboutsError {
  readonly reason: string;

  constructor(reason: string, retryAfterSeconds: number) {
    super('unavailable', `street-level data cannot be reached (${reason}); try again`, { retryAfterSeconds });
    this.reason = reason;
  }
}

/** The result of a search, or `without` while street-level data are unavailable, which is reported to the store. */
export function orWithoutStreets<T>({ onStreetsLeftOut }: Store, search: () => T, without: T): T {
  try {
    return search();
  } catch (error) {
    if (!(error instanceof StreetsUnavailable)) throw error;
    onStreetsLeftOut?.();
    return without;
  }
}

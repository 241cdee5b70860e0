/** The engine of street-level data on another machine, while it does not answer. */
import { WhereaboutsError } from '../errors.ts';

/** An answer that needs street-level data cannot be had now; a client may try again. */
export class StreetsUnavailable extends WhereaboutsError {
  constructor(reason: string, retryAfterSeconds: number) {
    super('unavailable', `street-level data cannot be reached (${reason}); try again`, { retryAfterSeconds });
  }
}

/** What a search finds, or what is answered without street-level data while they cannot be reached. */
export function orWithoutStreets<T>(search: () => T, without: T): T {
  try {
    return search();
  } catch (error) {
    if (error instanceof StreetsUnavailable) return without;
    throw error;
  }
}

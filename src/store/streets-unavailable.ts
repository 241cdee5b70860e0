/** Errors of a remote engine of street-level data that does not answer. */
import { WhereaboutsError } from '../errors.ts';

/** A query needs street-level data that are unavailable now; a client may try again. */
export class StreetsUnavailable extends WhereaboutsError {
  readonly reason: string;

  constructor(reason: string, retryAfterSeconds: number) {
    super('unavailable', `street-level data cannot be reached (${reason}); try again`, { retryAfterSeconds });
    this.reason = reason;
  }
}

let areLeftOut = false;

/** Whether a search was without street-level data since the last `forgetLeftOut`: searches run one after the other. */
export const areStreetsLeftOut = (): boolean => areLeftOut;
/** Called before a search whose completeness matters. */
export const forgetLeftOut = (): void => {
  areLeftOut = false;
};

/** The result of a search, or `without` while street-level data are unavailable, which `areStreetsLeftOut` then says. */
export function orWithoutStreets<T>(search: () => T, without: T): T {
  try {
    return search();
  } catch (error) {
    if (!(error instanceof StreetsUnavailable)) throw error;
    areLeftOut = true;
    return without;
  }
}

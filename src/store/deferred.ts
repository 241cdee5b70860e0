import { WhereaboutsError } from '../errors.ts';
import type { Store } from './store.ts';

// Look-ups that are answered later. A search is a plain function: an engine that does not have an answer yet answers as if
// there was nothing, throws `Deferred` when the search settles its accounts (`settle`), and the caller repeats the search once
// the answers are there. Synchronous engines are unaffected, and no search becomes a chain of promises for the sake of
// asynchronous ones.

/** The look-ups of one search. */
export type LookUps = {
  /** Runs a search with the answers so far; look-ups without one are recorded. */
  within<T>(search: () => T): T;
  /** Resolves when all recorded look-ups have answers. Rejects when they cannot be answered. */
  fetch(): Promise<void>;
};

export class Deferred {
  readonly lookUps: LookUps;

  constructor(lookUps: LookUps) {
    this.lookUps = lookUps;
  }
}

/**
 * Runs a search: once if its engine is synchronous, else repeatedly until all of its look-ups have answers. `fetched` has them
 * fetched when it is the caller's turn, and resolves in the turn in which the search goes on. `known` has the answers so far.
 */
export function whenFound<T>(
  search: () => T,
  fetched = (lookUps: LookUps): Promise<void> => lookUps.fetch(),
  known?: LookUps,
): T | Promise<T> {
  try {
    return known ? known.within(search) : search();
  } catch (error) {
    if (!(error instanceof Deferred)) throw error;
    // Others than before if the search has to restart with data that were published meanwhile.
    const { lookUps } = error;
    return fetched(lookUps).then(() => whenFound(search, fetched, lookUps));
  }
}

/** The result of `each` for every item, as by `map`. If one is deferred, the look-ups of the later items are requested at the same time. */
export function together<T, R>(items: readonly T[], each: (item: T, at: number) => R): R[] {
  const results: R[] = [];
  let deferred: Deferred | undefined;
  for (const [at, item] of items.entries()) {
    try {
      if (deferred) deferred.lookUps.within(() => each(item, at));
      else results.push(each(item, at));
    } catch (error) {
      if (!(error instanceof Deferred)) throw error;
      deferred ??= error;
    }
  }
  if (deferred) throw deferred;
  return results;
}

// Errors of a remote engine of street-level data that does not answer.

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

/**
 * Look-ups that are answered later. A search is a plain function: an engine that does not have an answer yet throws
 * `Deferred`, and the caller repeats the search once the answer is there. Synchronous engines are unaffected, and no
 * search becomes a chain of promises for the sake of asynchronous ones.
 */

/** The look-ups of one search. */
export type LookUps = {
  /** Runs a search with the answers so far; a look-up without one is recorded, and throws `Deferred`. */
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

/** Runs a search: once if its engine is synchronous, else repeatedly until all of its look-ups have answers. */
export function whenFound<T>(search: () => T): T | Promise<T> {
  try {
    return search();
  } catch (error) {
    if (error instanceof Deferred) return repeated(search, error.lookUps);
    throw error;
  }
}

async function repeated<T>(search: () => T, lookUps: LookUps): Promise<T> {
  for (;;) {
    await lookUps.fetch();
    try {
      return lookUps.within(search);
    } catch (error) {
      if (!(error instanceof Deferred)) throw error;
      // They differ if the search has to restart with data that were published meanwhile.
      lookUps = error.lookUps;
    }
  }
}

/** The result of `each` for every item, as by `map`. Deferred look-ups are awaited together. */
export function together<T, R>(items: readonly T[], each: (item: T, at: number) => R): R[] {
  const results: R[] = [];
  inTurn(items.entries(), ([at, item]) => {
    results.push(each(item, at));
    return false;
  });
  return results;
}

/**
 * Calls `each` with one item after the other until it returns true. If one is deferred, the look-ups of the later items
 * are requested at the same time.
 */
export function inTurn<T>(items: Iterable<T>, each: (item: T) => boolean): void {
  let deferred: Deferred | undefined;
  for (const item of items) {
    try {
      if (deferred) deferred.lookUps.within(() => each(item));
      else if (each(item)) return;
    } catch (error) {
      if (!(error instanceof Deferred)) throw error;
      deferred ??= error;
    }
  }
  if (deferred) throw deferred;
}

/** The first item that passes a test; look-ups are requested as by `inTurn`. */
export function firstOf<T>(items: Iterable<T>, test: (item: T) => boolean): T | undefined {
  let found: T | undefined;
  inTurn(items, (item) => {
    if (test(item)) found = item;
    return found !== undefined;
  });
  return found;
}

/**
 * Look-ups that are answered later. A search is a plain function: an engine that does not have an answer yet throws
 * `Deferred`, and who can wait has the search repeated once the answer is there. Engines that answer at once have
 * nothing to do with it, and no search becomes a chain of promises for the sake of those that do not.
 */

/** What an engine is asked in the course of one search. */
export type LookUps = {
  /** Runs a search with the answers that are there; a look-up that has none is noted, and throws `Deferred`. */
  within<T>(search: () => T): T;
  /** Resolves when what was noted has answers. Rejects when they cannot be had. */
  fetch(): Promise<void>;
};

export class Deferred {
  readonly lookUps: LookUps;

  constructor(lookUps: LookUps) {
    this.lookUps = lookUps;
  }
}

/** Runs a search: at once where its engine answers at once, else as often as it takes to have all of its answers. */
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
      // Another one where the search has to begin anew with data that were published meanwhile.
      lookUps = error.lookUps;
    }
  }
}

/** What each item leads to, as `map` gives it. Look-ups that have to be waited for are waited for together. */
export function together<T, R>(items: readonly T[], each: (item: T, at: number) => R): R[] {
  const results: R[] = [];
  inTurn(items, (item, at) => {
    results.push(each(item, at));
    return false;
  });
  return results;
}

/**
 * Calls `each` with one item after the other until it says that no more are wanted. Where one has to be waited for, what
 * the later ones look up is asked for at the same time.
 */
export function inTurn<T>(items: readonly T[], each: (item: T, at: number) => boolean): void {
  for (let at = 0; at < items.length; at++) {
    try {
      if (each(items[at], at)) return;
    } catch (error) {
      if (error instanceof Deferred) noteLater(items, at + 1, each, error.lookUps);
      throw error;
    }
  }
}

function noteLater<T>(items: readonly T[], from: number, each: (item: T, at: number) => boolean, lookUps: LookUps) {
  for (let at = from; at < items.length; at++) {
    try {
      lookUps.within(() => each(items[at], at));
    } catch (error) {
      if (!(error instanceof Deferred)) throw error;
    }
  }
}

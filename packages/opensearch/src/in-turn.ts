/** Look-ups of changes: what is written depends on each, so that one without an answer yet throws. */
import { Deferred } from '../../../src/store/deferred.ts';

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

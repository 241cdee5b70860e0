/** Look-ups of changes: what is written depends on each, so that one without an answer yet throws. */
import { Deferred } from '../../../src/store/deferred.ts';

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

/** The memory of bodies and answers is shared among callers: where there is no room left, who holds the most loses first. */
import { WhereaboutsError } from '../errors.ts';
import type { Caller } from './fairness.ts';

/** Bytes that are counted until they are released. */
export type Hold = { names: Caller; bytes: number; cut: () => void };

/** Shares memory: at most `all` bytes, and `each` of one caller. */
export class Held {
  readonly #limits: { all: number; each: number };
  readonly #what: string;
  readonly #byName = new Map<string, number>();
  readonly #holds = new Set<Hold>();
  #all = 0;

  constructor(what: string, limits: { all: number; each: number }) {
    this.#what = what;
    this.#limits = limits;
  }

  /**
   * Counts bytes of a caller; `cut` takes them from it again. Throws `rate_limited` where it has its share already, and
   * `unavailable` where nobody holds more than it does. Who holds nothing always gets a place.
   */
  take(names: Caller, bytes: number, cut: () => void): Hold {
    const own = Math.max(...names.map((name) => this.#byName.get(name) ?? 0));
    const { all, each } = this.#limits;
    const retry = { retryAfterSeconds: 1 };
    if (own + bytes > each) {
      const detail = `the ${this.#what} of your concurrent requests exceed ${each} bytes; send the requests one after the other`;
      throw new WhereaboutsError('rate_limited', detail, retry);
    }
    while (this.#all + bytes > all) {
      let largest: [string, number] = ['', own];
      for (const each of this.#byName) if (each[1] > largest[1]) largest = each;
      const slowest = this.#holds.values().find((hold) => hold.names.includes(largest[0]));
      if (!slowest) {
        throw new WhereaboutsError(
          'unavailable',
          `the ${this.#what} of all concurrent requests are too large; try again in a moment`,
          retry,
        );
      }
      this.release(slowest);
      slowest.cut();
    }
    const hold = { names, bytes, cut };
    this.#holds.add(hold);
    this.#count(hold, bytes);
    return hold;
  }

  /** Ends a hold; once is enough. */
  release(hold: Hold): void {
    if (this.#holds.delete(hold)) this.#count(hold, -hold.bytes);
  }

  releaseAll(holds: readonly Hold[]): void {
    for (const hold of holds) this.release(hold);
  }

  #count({ names }: Hold, bytes: number): void {
    this.#all += bytes;
    for (const name of names) {
      const now = (this.#byName.get(name) ?? 0) + bytes;
      if (now > 0) this.#byName.set(name, now);
      else this.#byName.delete(name);
    }
  }
}

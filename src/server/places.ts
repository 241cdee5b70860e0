/** Places for what is done elsewhere, other machines or processes, shared by callers. */
import { type Caller, overloaded, VirtualTime } from './fairness.ts';

type Waiting = { caller: Caller; earliest: number; ms: number; start: () => void; refuse: (error: Error) => void };

/**
 * So many works of all callers at a time. Next is that of the caller whose turn it is by the time that its works took, less of who has
 * a larger plan, and this one is expected to take. Where too many wait, the newest of who has most is refused.
 */
export class Places {
  readonly #most: number;
  readonly #mostWaiting: number;
  readonly #shareOf: (caller: Caller) => number;
  readonly #virtual = new VirtualTime();
  readonly #waiting: Waiting[] = [];
  #busy = 0;

  constructor(most: number, shareOf: (caller: Caller) => number, mostWaiting = Number.POSITIVE_INFINITY) {
    this.#most = most;
    this.#shareOf = shareOf;
    this.#mostWaiting = mostWaiting;
  }

  /** Does a work in its turn. Rejects as `leave` is called by `whenLeft`, with its error, and with `unavailable` where it is refused. */
  async run<T>(
    caller: Caller,
    work: () => Promise<T>,
    expectedMs = 0,
    whenLeft?: (leave: (error: Error) => void) => void,
  ): Promise<T> {
    const share = this.#shareOf(caller);
    if (this.#busy < this.#most) this.#busy++;
    else
      await new Promise<void>((start, refuse) => {
        const earliest = this.#virtual.startOf(caller);
        const one = { caller, earliest, ms: expectedMs / share, start, refuse };
        this.#waiting.push(one);
        whenLeft?.((error) => this.#leave(one, error));
        if (this.#waiting.length > this.#mostWaiting) this.#leave(this.#lastOfMost(), overloaded());
      });
    const startedAt = performance.now();
    try {
      return await work();
    } finally {
      this.#virtual.use(caller, (performance.now() - startedAt) / share);
      this.#startNext();
    }
  }

  /** The newest of those of which a name has most. */
  #lastOfMost(): Waiting {
    const counts = new Map<string, number>();
    const countOf = ({ caller }: Waiting) => Math.max(...caller.map((name) => counts.get(name)!));
    for (const { caller } of this.#waiting) for (const name of caller) counts.set(name, (counts.get(name) ?? 0) + 1);
    const most = Math.max(...counts.values());
    return this.#waiting.findLast((one) => countOf(one) === most)!;
  }

  #leave(one: Waiting, error: Error): void {
    const at = this.#waiting.indexOf(one);
    if (at >= 0) this.#waiting.splice(at, 1);
    one.refuse(error);
  }

  #startNext(): void {
    const starts = this.#waiting.map(({ caller, earliest, ms }) => this.#virtual.startOf(caller, earliest) + ms);
    const first = starts.indexOf(Math.min(...starts));
    const [next] = this.#waiting.splice(first, 1);
    if (next) {
      this.#virtual.reach(starts[first] - next.ms);
      next.start();
    } else if (--this.#busy === 0) this.#virtual.restart();
  }
}

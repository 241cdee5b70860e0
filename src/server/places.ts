/** Places for what is done elsewhere, other machines or processes, shared by callers. */
import { type Caller, overloaded, VirtualTime } from './fairness.ts';

type Waiting = { caller: Caller; earliest: number; ms: number; start: () => void; refuse: (error: Error) => void };

/**
 * So many works of all callers at a time. Next is that of the caller whose turn it is by the time that its works took, less of who has
 * a larger plan, and this one is expected to take. Where too many wait, the newest of who has most is refused. Returns what does one.
 */
export function places(most: number, shareOf: (caller: Caller) => number, mostWaiting = Number.POSITIVE_INFINITY) {
  const virtual = new VirtualTime();
  const waiting: Waiting[] = [];
  let busy = 0;

  /** The newest of those of which a name has most. */
  function lastOfMost(): Waiting {
    const counts = new Map<string, number>();
    const countOf = ({ caller }: Waiting) => Math.max(...caller.map((name) => counts.get(name)!));
    for (const { caller } of waiting) for (const name of caller) counts.set(name, (counts.get(name) ?? 0) + 1);
    const largest = Math.max(...counts.values());
    return waiting.findLast((one) => countOf(one) === largest)!;
  }

  function leave(one: Waiting, error: Error): void {
    const at = waiting.indexOf(one);
    if (at >= 0) waiting.splice(at, 1);
    one.refuse(error);
  }

  function startNext(): void {
    const starts = waiting.map(({ caller, earliest, ms }) => virtual.startOf(caller, earliest) + ms);
    const first = starts.indexOf(Math.min(...starts));
    const [next] = waiting.splice(first, 1);
    if (next) {
      virtual.reach(starts[first] - next.ms);
      next.start();
    } else if (--busy === 0) virtual.restart();
  }

  /** Does a work in its turn. Rejects as `leave` is called by `whenLeft`, with its error, and with `unavailable` where it is refused. */
  return async function run<T>(
    caller: Caller,
    work: () => Promise<T>,
    expectedMs = 0,
    whenLeft?: (leave: (error: Error) => void) => void,
  ): Promise<T> {
    const share = shareOf(caller);
    if (busy < most) busy++;
    else
      await new Promise<void>((start, refuse) => {
        const one = { caller, earliest: virtual.startOf(caller), ms: expectedMs / share, start, refuse };
        waiting.push(one);
        whenLeft?.((error) => leave(one, error));
        if (waiting.length > mostWaiting) leave(lastOfMost(), overloaded());
      });
    const startedAt = performance.now();
    try {
      return await work();
    } finally {
      virtual.use(caller, (performance.now() - startedAt) / share);
      startNext();
    }
  };
}

export type Places = ReturnType<typeof places>;

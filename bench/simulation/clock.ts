/** Events in simulated time, in steps of a millisecond. */

export type Clock = {
  /** Simulated epoch milliseconds. */
  readonly now: number;
  /** Schedules something after that many milliseconds, at least 1. */
  after(ms: number, event: () => void): void;
  /** Lets that much time pass. Promises settle between two milliseconds, as they do between two turns of Node. */
  run(ms: number): Promise<void>;
};

export function createClock(start: number): Clock {
  const due = new Map<number, (() => void)[]>();
  let now = start;
  return {
    get now() {
      return now;
    },
    after(ms, event) {
      const at = now + Math.max(1, Math.ceil(ms));
      const events = due.get(at);
      if (events) events.push(event);
      else due.set(at, [event]);
    },
    async run(ms) {
      for (const end = now + ms; now < end; ) {
        now++;
        const events = due.get(now) ?? [];
        due.delete(now);
        for (const event of events) event();
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}

/** Numbers from 0 to 1 that are the same in every run. */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** The value below which this part of the values lies; sorts them. */
export function quantile(values: number[], part: number): number {
  values.sort((a, b) => a - b);
  return values[Math.min(values.length - 1, Math.floor(part * values.length))] ?? 0;
}

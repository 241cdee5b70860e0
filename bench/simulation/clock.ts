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

/** The value below which this part of the values lies; sorts them. */
export function quantile(values: number[], part: number): number {
  values.sort((a, b) => a - b);
  return values[Math.min(values.length - 1, Math.floor(part * values.length))] ?? 0;
}

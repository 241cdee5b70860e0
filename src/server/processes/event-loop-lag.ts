import { monitorEventLoopDelay } from 'node:perf_hooks';

export type EventLoopLag = {
  /** Mean lag of the event loop since the question before, ms. */
  readonly lagMs: number;
  close(): void;
};

const resolutionMs = 10;

/** Watches how late the timers of this process are. */
export function watchEventLoopLag(): EventLoopLag {
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  delay.enable();
  return {
    get lagMs() {
      // The histogram holds times between turns of a timer: without lag, its own interval.
      const lagMs = delay.count === 0 ? 0 : Math.max(0, delay.mean / 1e6 - resolutionMs);
      delay.reset();
      return lagMs;
    },
    close: () => void delay.disable(),
  };
}

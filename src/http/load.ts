/** Load shedding: when the event loop lags for longer than a moment, a part of the requests is refused at once. */
import { monitorEventLoopDelay } from 'node:perf_hooks';

export type Load = {
  /** Whether the request that asks is to be refused. */
  isRefused(): boolean;
  /** `Retry-After` of refused requests, s. */
  readonly retryAfterSeconds: number;
  /** Part of requests that is refused at present, 0 to 1. */
  readonly refusedPart: number;
  /** Mean lag of the event loop over the last second or so, ms. */
  readonly lagMs: number;
  close(): void;
};

const resolutionMs = 10;
const checkMs = 250;
/** So many checks in a row must be over the bound: one pause, such as a dataset that is opened, is no overload. */
const patience = 3;

/**
 * The part to refuse after a check: it grows while the lag is over the bound and shrinks when it is not, so that it
 * settles where the process keeps up, and what is served is served in time.
 */
export function nextRefusedPart(part: number, lagMs: number, mostMs: number, checksOver: number): number {
  if (lagMs > mostMs && checksOver >= patience) return Math.min(0.95, part + 0.15);
  return lagMs > mostMs / 2 ? part : Math.max(0, part - 0.05);
}

/** Watches this process; `mostMs` is the mean lag from which on requests are refused, 0 for never. */
export function watchLoad(mostMs: number, random: () => number = Math.random): Load {
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  delay.enable();
  let lagMs = 0;
  let part = 0;
  let checksOver = 0;
  const timer = setInterval(() => {
    // The histogram holds times between turns of a timer: without lag, its own interval.
    lagMs = delay.count === 0 ? lagMs : Math.max(0, delay.mean / 1e6 - resolutionMs);
    delay.reset();
    if (mostMs === 0) return;
    checksOver = lagMs > mostMs ? checksOver + 1 : 0;
    part = nextRefusedPart(part, lagMs, mostMs, checksOver);
  }, checkMs).unref();
  return {
    isRefused: () => part > 0 && random() < part,
    retryAfterSeconds: 2,
    get refusedPart() {
      return part;
    },
    get lagMs() {
      return lagMs;
    },
    close() {
      clearInterval(timer);
      delay.disable();
    },
  };
}

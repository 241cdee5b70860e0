import type { Worker } from 'node:cluster';
import { send } from './messages.ts';

/** Number of consecutive unanswered pings after which a worker counts as hung. */
const maxUnanswered = 4;

/**
 * Asks a worker for a sign of life again and again, and calls `onSilence` once when there was none for
 * `timeoutMs` at most. Pings are counted, not time: a machine that was asleep has sent none meanwhile. `isExcused`: the worker
 * is at something during which it cannot answer. Stops with the worker.
 */
export function watchHeartbeat(
  worker: Worker,
  { timeoutMs, isExcused, onSilence }: { timeoutMs: number; isExcused(): boolean; onSilence(): void },
): void {
  let unanswered = 0;
  const timer = setInterval(() => {
    if (isExcused()) unanswered = 0;
    else if (unanswered >= maxUnanswered) {
      clearInterval(timer);
      onSilence();
    } else {
      unanswered++;
      send(worker, { type: 'ping' });
    }
    // It may have been silent for all of the interval before the first one.
  }, timeoutMs / (maxUnanswered + 1));
  worker.on('message', () => {
    unanswered = 0;
  });
  worker.once('exit', () => clearInterval(timer));
}

/** Messages between the supervisor and the workers. */
import type { Worker } from 'node:cluster';
import type { ProcessMetrics } from './metrics.ts';

export type ToWorker =
  | { type: 'start'; port: number; dataset: string }
  | { type: 'reload'; dataset: string }
  | { type: 'report'; id: number }
  | { type: 'ping' }
  | { type: 'stop' };

export type FromWorker =
  | { type: 'serving'; address: string }
  | { type: 'failed'; message: string }
  /** `reason` says why not. */
  | { type: 'reloaded'; reason?: string }
  | { type: 'report'; id: number; report: ProcessMetrics | undefined }
  | { type: 'pong' };

/** Sends a worker a message, which is lost when it has ended. */
export function send(worker: Worker, message: ToWorker): void {
  // With a callback, without which a message to a worker that was just killed would end this process.
  if (worker.isConnected()) worker.send(message, () => {});
}

/** Waits for a message of a worker; undefined when it ends first or takes too long. */
export function answerOf<T extends FromWorker['type']>(
  worker: Worker,
  type: T,
  timeoutMs: number,
  isIt: (message: Extract<FromWorker, { type: T }>) => boolean = () => true,
): Promise<Extract<FromWorker, { type: T }> | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => done(undefined), timeoutMs);
    const onMessage = (message: FromWorker) => {
      if (message.type === type && isIt(message as never)) done(message as never);
    };
    const onExit = () => done(undefined);
    const done = (message: Extract<FromWorker, { type: T }> | undefined) => {
      clearTimeout(timer);
      worker.off('message', onMessage).off('exit', onExit);
      resolve(message);
    };
    worker.on('message', onMessage).once('exit', onExit);
    if (worker.isDead()) done(undefined);
  });
}

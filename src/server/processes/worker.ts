import type { Worker } from 'node:cluster';
import { UsageError, WhereaboutsError } from '../../errors.ts';
import { DatasetError } from '../../store/dataset-error.ts';
import type { ProcessMetrics } from './metrics.ts';
import type { Serving } from './process.ts';

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

/** A worker process: serves under the supervisor's control; ends when that process is gone. */
export function runWorker(start: (port: number, dataset: string) => Promise<Serving>): void {
  let serving: Serving | undefined;
  const sendMessage = (message: FromWorker, sent = () => {}) => {
    // With a callback, without which a message to a process that was just killed would end this one.
    if (process.connected) process.send!(message, undefined, undefined, sent);
    else sent();
  };
  const stop = async () => {
    await serving?.stop();
    process.exit(0);
  };
  process.on('message', async (message: ToWorker) => {
    switch (message.type) {
      case 'start':
        try {
          serving = await start(message.port, message.dataset);
          sendMessage({ type: 'serving', address: serving.address });
        } catch (error) {
          sendMessage({ type: 'failed', message: reasonOf(error) }, () => process.exit(1));
        }
        break;
      case 'reload':
        try {
          serving?.open(message.dataset);
          sendMessage({ type: 'reloaded' });
        } catch (error) {
          sendMessage({ type: 'reloaded', reason: reasonOf(error) });
        }
        break;
      case 'ping':
        sendMessage({ type: 'pong' });
        break;
      case 'report':
        if (serving) sendMessage({ type: 'report', id: message.id, report: await serving.metrics() });
        break;
      case 'stop':
        await stop();
        break;
    }
  });
  // A terminal sends SIGINT to all its processes; the supervisor stops the workers.
  process.on('SIGINT', () => {});
  process.on('SIGHUP', () => {});
  process.on('SIGTERM', stop);
  process.on('disconnect', stop);
}

/** One line for what the user can mend, all that is known of anything else. */
function reasonOf(error: unknown): string {
  const isPlain = error instanceof UsageError || error instanceof WhereaboutsError || error instanceof DatasetError;
  return isPlain ? error.message : String((error as Error).stack ?? error);
}

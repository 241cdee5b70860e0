import { UsageError, WhereaboutsError } from '../../errors.ts';
import { DatasetError } from '../../store/dataset-error.ts';
import type { FromWorker, ToWorker } from './messages.ts';
import type { Serving } from './process.ts';

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

import { UsageError, WhereaboutsError } from '../errors.ts';
import type { FromWorker, ToWorker } from './messages.ts';
import type { Serving } from './process.ts';

/** Serves as one of several processes, at the bidding of the one that watches; ends when that one is gone. */
export function runWorker(start: (port: number) => Promise<Serving>): void {
  let serving: Serving | undefined;
  const tell = (message: FromWorker, sent?: () => void) => {
    if (process.connected) process.send!(message, undefined, undefined, sent);
    else sent?.();
  };
  const stop = async () => {
    await serving?.stop();
    process.exit(0);
  };
  process.on('message', async (message: ToWorker) => {
    switch (message.type) {
      case 'start':
        try {
          serving = await start(message.port);
          tell({ type: 'serving', address: serving.address, dataset: serving.dataset });
        } catch (error) {
          const isPlain = error instanceof UsageError || error instanceof WhereaboutsError;
          const text = isPlain ? error.message : String((error as Error).stack ?? error);
          tell({ type: 'failed', message: text }, () => process.exit(1));
        }
        break;
      case 'take-up':
        serving?.takeUp(message.isForced);
        tell({ type: 'taken-up' });
        break;
      case 'report':
        if (serving) tell({ type: 'report', id: message.id, report: await serving.report() });
        break;
      case 'stop':
        await stop();
        break;
    }
  });
  // A terminal sends SIGINT to all its processes: the one that watches tells us to stop.
  process.on('SIGINT', () => {});
  process.on('SIGHUP', () => {});
  process.on('SIGTERM', stop);
  process.on('disconnect', stop);
}

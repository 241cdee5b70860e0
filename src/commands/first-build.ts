/**
 * Builds the first dataset in a process of its own, beside the service that already serves what is there of it, and from then
 * on at low priority. The child is this module, too: what it does is at the end of the file.
 */
import { fork } from 'node:child_process';
import { setPriority } from 'node:os';
import type { Config } from '../config.ts';
import { Failure, UsageError } from '../errors.ts';
import type { BuildOptions } from './run-build.ts';

type Task = { config: Config; options: BuildOptions };
type Message = { arrived: string } | { built: string } | { failed: string; isUsage?: boolean };

/** A dataset that is being built and served at once. */
export type GrowingDataset = {
  /** Its directory, while it is not whole. */
  directory: string;
  /** Receives the directory each time that a layer has arrived, and at the end the whole dataset's version. */
  follow(follower: {
    onArrival(directory: string): void;
    onBuilt(version: string): void;
    onFailed(why: string): void;
  }): void;
};

/**
 * Starts the build and returns when there are places and time zones to serve; undefined if the dataset was whole by then.
 * Throws what the build failed with before that, as a UsageError or Failure.
 */
export function buildBesideService(config: Config, options: BuildOptions): Promise<GrowingDataset | undefined> {
  const child = fork(import.meta.filename, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  child.send({ config, options } satisfies Task);
  return new Promise((resolve, reject) => {
    const early: Message[] = [];
    let receive = (message: Message): void => {
      if ('failed' in message) reject(new (message.isUsage ? UsageError : Failure)(message.failed));
      else if ('built' in message) resolve(undefined);
      else {
        // The build ends with the service, and does not keep it from ending.
        child.unref();
        child.channel?.unref();
        resolve({ directory: message.arrived, follow });
      }
      receive = (later) => void early.push(later);
    };
    const follow: GrowingDataset['follow'] = ({ onArrival, onBuilt, onFailed }) => {
      receive = (message) => {
        if ('arrived' in message) onArrival(message.arrived);
        else if ('built' in message) onBuilt(message.built);
        else onFailed(message.failed);
      };
      for (const message of early) receive(message);
    };
    let isDone = false;
    child.on('message', (message: Message) => {
      isDone ||= !('arrived' in message);
      receive(message);
    });
    child.on('exit', (code, signal) => {
      if (!isDone) receive({ failed: `the build ended with ${signal ?? `code ${code}`}; start again to continue it` });
    });
  });
}

/** The lowest priority that leaves the build some time on a busy machine. */
const priority = 10;

if (process.argv[1] === import.meta.filename) {
  const send = (message: Message) => process.send?.(message);
  process.once('message', async ({ config, options }: Task) => {
    try {
      const { build } = await import('./run-build.ts');
      const onArrival = (directory: string) => {
        // Nobody is served before. On Linux it holds for the threads that begin later: one for each layer.
        setPriority(priority);
        send({ arrived: directory });
      };
      const { version } = await build(config, { ...options, onArrival });
      send({ built: version });
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      send({ failed: error.message, isUsage: error instanceof UsageError && !(error instanceof Failure) });
    }
    process.disconnect?.();
  });
  // Without the service nobody waits for the rest; the next start goes on.
  process.once('disconnect', () => process.exit());
}

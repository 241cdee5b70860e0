/**
 * Values that a thread of its own makes, for readers which damaged input may keep from ending: nothing else stops a
 * package that loops.
 */
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { parentPort, Worker } from 'node:worker_threads';

type Message<T> = { value: T } | { refusal: string } | { isEnd: true };

/** Names of errors about an input; their messages state the fault and the remedy. */
export const refusals: ReadonlySet<string> = new Set(['UsageError', 'SourceError']);

type ThreadOptions = {
  /** The error for what the script refuses, or for a value that took too long. */
  refuse: (reason?: string) => Error;
  /** Processor time for one value, ms. */
  maxCpuMs: number;
  /** What of the data moves to the thread instead of being copied. */
  transferList?: ArrayBuffer[];
  /** Most memory of its values; it ends with the error ERR_WORKER_OUT_OF_MEMORY. */
  maxHeapMb?: number;
};

/** In the thread: sends the values of a generator, each when it is requested. */
export function sendToParent(values: AsyncGenerator<unknown>): void {
  parentPort!.on('message', async () => parentPort!.postMessage(await nextMessage(values)));
}

async function nextMessage<T>(values: AsyncGenerator<T>): Promise<Message<T>> {
  try {
    const { done, value } = await values.next();
    return done ? { isEnd: true } : { value };
  } catch (error) {
    // Error classes are lost between threads; a bug is passed on whole, as an error of the worker.
    if (!(error instanceof Error && refusals.has(error.name))) throw error;
    return { refusal: error.message };
  }
}

/**
 * The values that a script sends, one read ahead. Throws what `refuse` makes of the script's reason, or of none when a
 * value takes more than `maxCpuMs` of processor time.
 */
export async function* fromThread<T>(
  script: URL,
  workerData: unknown,
  { refuse, maxCpuMs, transferList = [], maxHeapMb }: ThreadOptions,
): AsyncGenerator<T> {
  const worker = new Worker(script, {
    workerData,
    transferList,
    ...(maxHeapMb !== undefined && { resourceLimits: { maxOldGenerationSizeMb: maxHeapMb } }),
  });
  const next = async (): Promise<Message<T>> => {
    worker.postMessage('next');
    const done = new AbortController();
    const late = cpuMsPast(worker, maxCpuMs, done.signal).then(() => {
      throw refuse();
    });
    try {
      const [message] = await Promise.race([once(worker, 'message'), late]);
      return message;
    } finally {
      done.abort();
    }
  };
  try {
    let coming = next();
    for (;;) {
      const message = await coming;
      if ('isEnd' in message) return;
      if ('refusal' in message) throw refuse(message.refusal);
      coming = next();
      // It is thrown when its turn comes, which it may never do.
      coming.catch(() => {});
      yield message.value;
    }
  } finally {
    await worker.terminate();
  }
}

/** Resolves when a thread has used some processor time from now on; never after the signal. */
async function cpuMsPast(worker: Worker, ms: number, signal: AbortSignal): Promise<void> {
  const usedMs = async () => {
    // A thread that has not started yet has used none.
    const { user, system } = await worker.cpuUsage().catch(() => ({ user: 0, system: 0 }));
    return (user + system) / 1000;
  };
  const from = await usedMs();
  while (!signal.aborted && (await usedMs()) - from < ms) {
    await delay(ms / 10, undefined, { ref: false, signal }).catch(() => {});
  }
  if (signal.aborted) await new Promise(() => {});
}

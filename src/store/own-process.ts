/**
 * Values that a process of its own makes, for readers which damaged input may keep from ending: nothing else stops a package
 * that loops, and V8 ends a process where an array grows beyond all bounds, whatever the limits of a thread.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { pipeline } from 'node:stream/promises';
import { Worker } from 'node:worker_threads';

type Message<T> = { value: T } | { refusal: string } | { bug: Error; code?: string } | { isEnd: true };

/** Names of errors about an input; their messages state the fault and the remedy. */
export const refusals: ReadonlySet<string> = new Set(['UsageError', 'SourceError']);

type Limits = {
  /** The error for what the script refuses, or for a value that took too long or too much memory. */
  refuse: (reason?: string) => Error;
  /** Processor time for one value, ms. */
  maxCpuMs: number;
  /** Most memory of its values. */
  maxHeapMb?: number;
};

async function nextMessage<T>(values: AsyncGenerator<T>): Promise<Message<T>> {
  try {
    const { done, value } = await values.next();
    return done ? { isEnd: true } : { value };
  } catch (error) {
    // Error classes are lost on the way, and so is the code of the system's.
    const bug = error as NodeJS.ErrnoException;
    return refusals.has(bug.name) ? { refusal: bug.message } : { bug, code: bug.code };
  }
}

/**
 * The values that the script of a process sends, one read ahead, with `task` for its work and `input` as its stdin. Throws what
 * `refuse` makes of the script's reason, or of none when a value takes more than `maxCpuMs` of processor time, or the process is
 * ended otherwise, as V8 does where there is no more memory.
 */
export async function* fromProcess<T>(
  script: URL,
  task: unknown,
  { refuse, maxCpuMs, maxHeapMb, input }: Limits & { input?: AsyncIterable<Buffer> },
): AsyncGenerator<T> {
  const child = fork(script, [JSON.stringify({ task, maxCpuMs })], {
    serialization: 'advanced',
    execArgv: [...process.execArgv, ...(maxHeapMb === undefined ? [] : [`--max-old-space-size=${maxHeapMb}`])],
    // V8 writes a stack of its own to stderr as it ends.
    stdio: [input ? 'pipe' : 'ignore', 'ignore', 'ignore', 'ipc'],
  });
  const over = once(child, 'exit').then(([code, signal]) => {
    throw signal ? refuse() : new Error(`${script} ended with code ${code}`);
  });
  // What cannot be written to a process that has ended is of no interest.
  const fed =
    input && pipeline(input, child.stdin!).catch((error) => (error.code === 'EPIPE' ? over : Promise.reject(error)));
  const failed = Promise.race([over, ...(fed ? [fed.then(() => over)] : [])]);
  failed.catch(() => {});
  const next = async (): Promise<Message<T>> => {
    child.send('next', () => {});
    const [message] = await Promise.race([once(child, 'message'), failed]);
    return message;
  };
  try {
    yield* readAhead(next, refuse);
  } finally {
    child.kill('SIGKILL');
  }
}

/** In the process: sends the values of a generator, each when it is requested, and ends itself where one takes too long. */
export function sendFromProcess<T>(valuesOf: (task: T) => AsyncGenerator<unknown>): void {
  const { task, maxCpuMs } = JSON.parse(process.argv[2]);
  const values = valuesOf(task);
  const sent = new Int32Array(new SharedArrayBuffer(4));
  new Worker(watch, { eval: true, workerData: { sent, maxCpuMs } });
  process.on('message', async () => {
    process.send!(await nextMessage(values));
    sent[0]++;
  });
  process.on('disconnect', () => process.exit());
}

/** In a thread of the process, which can look while a value is made: nothing else runs then. */
const watch = `
  const { sent, maxCpuMs } = require('node:worker_threads').workerData;
  let [seen, from] = [0, 0];
  setInterval(() => {
    const { user, system } = process.cpuUsage();
    if (sent[0] !== seen) [seen, from] = [sent[0], user + system];
    else if (user + system - from > maxCpuMs * 1000) process.kill(process.pid, 'SIGKILL');
  }, maxCpuMs / 10);
`;

async function* readAhead<T>(next: () => Promise<Message<T>>, refuse: Limits['refuse']): AsyncGenerator<T> {
  let coming = next();
  for (;;) {
    const message = await coming;
    if ('isEnd' in message) return;
    if ('refusal' in message) throw refuse(message.refusal);
    if ('bug' in message) throw Object.assign(message.bug, { code: message.code });
    coming = next();
    // It is thrown when its turn comes, which it may never do.
    coming.catch(() => {});
    yield message.value;
  }
}

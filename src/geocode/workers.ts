/** Worker threads that answer rows, each with the dataset open, and the order of the rows kept. */
import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { AnsweredRow, NumberedRow, Question } from './answer-rows.ts';

export type WorkerJob = Question & { directory: string; endpoint: string };
export type WorkerAnswer = { answered: AnsweredRow[] } | { error: string };

const rowsPerBatch = 200;
/** Batches in progress for each worker: one is answered while the next waits. */
const batchesPerWorker = 2;

/**
 * The rows answered by several workers, in the order of the input. Rows are taken no faster than they are answered.
 * Throws when a worker ends or fails.
 */
export async function* answerInWorkers(
  rows: AsyncIterable<NumberedRow>,
  job: WorkerJob,
  count: number,
): AsyncGenerator<AnsweredRow> {
  const workers = Array.from({ length: count }, () => startWorker(job));
  const pending: Promise<AnsweredRow[]>[] = [];
  let batch: NumberedRow[] = [];
  let turn = 0;
  const send = () => {
    const answer = workers[turn++ % count].answer(batch);
    // A failure is thrown when its turn comes, not as an unhandled rejection.
    answer.catch(() => {});
    pending.push(answer);
    batch = [];
  };
  try {
    for await (const row of rows) {
      batch.push(row);
      if (batch.length < rowsPerBatch) continue;
      send();
      if (pending.length >= count * batchesPerWorker) yield* await pending.shift()!;
    }
    if (batch.length > 0) send();
    for (const answer of pending) yield* await answer;
  } finally {
    await Promise.all(workers.map((worker) => worker.close()));
  }
}

function startWorker(job: WorkerJob) {
  // The same ending as this file: .ts from the sources, .js in the published package.
  const script = new URL(`./row-worker${import.meta.url.slice(-3)}`, import.meta.url);
  const worker = new Worker(script, { workerData: job });
  let exitCode = 0;
  worker.once('exit', (code) => (exitCode = code));
  // In the order of the batches; an error of the thread is thrown by the next one.
  const answers = on(worker, 'message', { close: ['exit'] });
  return {
    async answer(rows: readonly NumberedRow[]): Promise<AnsweredRow[]> {
      worker.postMessage(rows);
      const { value, done } = await answers.next();
      if (done) throw new Error(`a worker exited with code ${exitCode}`);
      const [answer] = value as [WorkerAnswer];
      if ('error' in answer) throw new Error(answer.error);
      return answer.answered;
    },
    close: () => worker.terminate(),
  };
}

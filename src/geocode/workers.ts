/** Worker threads that answer rows, each with the dataset open, and the order of the rows kept. */
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
  const workers = Array.from({ length: count }, () => new AnsweringWorker(job));
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

class AnsweringWorker {
  readonly #worker: Worker;
  readonly #waiting: PromiseWithResolvers<AnsweredRow[]>[] = [];

  constructor(job: WorkerJob) {
    // The same ending as this file: .ts from the sources, .js in the published package.
    const script = new URL(`./row-worker${import.meta.url.slice(-3)}`, import.meta.url);
    this.#worker = new Worker(script, { workerData: job });
    this.#worker.on('message', (answer: WorkerAnswer) => {
      const { resolve, reject } = this.#waiting.shift()!;
      if ('error' in answer) reject(new Error(answer.error));
      else resolve(answer.answered);
    });
    this.#worker.on('error', (error) => this.#fail(error as Error));
    this.#worker.on('exit', (code) => this.#fail(new Error(`a worker exited with code ${code}`)));
  }

  answer(rows: readonly NumberedRow[]): Promise<AnsweredRow[]> {
    const waiting = Promise.withResolvers<AnsweredRow[]>();
    this.#waiting.push(waiting);
    this.#worker.postMessage(rows);
    return waiting.promise;
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #fail(error: Error): void {
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }
}

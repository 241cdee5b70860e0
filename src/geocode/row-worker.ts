/** A worker thread of a run: opens the dataset and answers the rows that it is sent. */
import { parentPort, workerData } from 'node:worker_threads';
import { openDataset } from '../api/open.ts';
import { endpointNamed } from '../endpoints/index.ts';
import { compileRow, type NumberedRow } from './answer-rows.ts';
import type { WorkerAnswer, WorkerJob } from './workers.ts';

const { directory, endpoint, ...question } = workerData as WorkerJob;
const answerRow = compileRow(openDataset(directory, { isLazy: true }), endpointNamed(endpoint), question);

parentPort!.on('message', (rows: NumberedRow[]) => {
  let answer: WorkerAnswer;
  try {
    // An error of ours is sent as its text: its object may not be sendable.
    const answered = rows
      .map(answerRow)
      .map(({ bug, ...row }) => ({ ...row, ...(bug !== undefined && { bug: textOf(bug) }) }));
    answer = { answered };
  } catch (error) {
    answer = { error: textOf(error) };
  }
  parentPort!.postMessage(answer);
});

const textOf = (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error));

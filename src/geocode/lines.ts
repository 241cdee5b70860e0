/** Answers lines of JSON as they come: one line out for each line in, in their order, for programs that feed a process. */
import { isUtf8 } from 'node:buffer';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { requireLayers } from '../api/execute.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { Store } from '../store/store.ts';
import { createAsk } from './answer-rows.ts';
import { checkParameters } from './columns.ts';
import { lineGroups, maxLineBytes } from './input.ts';

type LinesJob = {
  store: Store;
  endpoint: Endpoint;
  input: Readable;
  output: NodeJS.WritableStream;
  /** Parameters that all lines have; they go before those of a line. */
  fixed: Readonly<Record<string, string>>;
  /** Maximum number of results of a line. */
  limit: number;
  /** Receives bugs, whose lines get the error `internal`. */
  onBug: (line: number, error: unknown) => void;
};

/** Answers are written when this many characters are pending, and always before more input is waited for. */
const minPending = 131_072;

/**
 * Answers each line, an object of parameters, by `{"results":[…],"error":null}`. `error` is as in the column of a table:
 * null, `no_result`, or a code with its message; no line ends the run. Throws UsageError for parameters that the endpoint
 * does not have, and `dataset_missing`.
 */
export async function answerLines(job: LinesJob): Promise<void> {
  const { store, endpoint, input, output, fixed, limit } = job;
  requireLayers(endpoint, store);
  checkParameters(endpoint, Object.keys(fixed));
  const ask = createAsk(store, endpoint, limit);
  let count = 0;
  let pending = '';
  const flush = async () => {
    const text = pending;
    pending = '';
    if (text !== '' && !output.write(text)) await once(output, 'drain');
  };
  for await (const lines of lineGroups(input as AsyncIterable<Buffer>)) {
    for (const line of lines) {
      count++;
      const parameters = parametersOf(line);
      const answer = typeof parameters === 'string' ? { error: parameters } : ask({ ...parameters, ...fixed });
      if (answer.bug !== undefined) job.onBug(count, answer.bug);
      pending += `${JSON.stringify({ results: answer.found ?? [], error: answer.error ?? null })}\n`;
      if (pending.length >= minPending) await flush();
    }
    await flush();
  }
}

/** A line's parameters, without those that are null or empty, or say the form of an answer; a text says what is wrong. */
export function parametersOf(line: Buffer | undefined, maxBytes = maxLineBytes): Record<string, unknown> | string {
  if (line === undefined || line.length > maxBytes) return `invalid_row: it has more than ${maxBytes} bytes`;
  if (!isUtf8(line)) return 'invalid_row: it is not UTF-8';
  let value: unknown;
  try {
    value = JSON.parse(line.toString());
  } catch (error) {
    return `invalid_row: it is not JSON: ${(error as Error).message}`;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return 'invalid_row: it is not a JSON object of parameters';
  }
  const isParameter = ([name, value]: [string, unknown]) => value !== null && value !== '' && name !== 'format';
  return Object.fromEntries(Object.entries(value).filter(isParameter));
}

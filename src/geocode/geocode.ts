/** Calls an endpoint for every row of a table and writes the rows with their results; continues an interrupted output. */
import { once } from 'node:events';
import { createReadStream, existsSync } from 'node:fs';
import { open, readFile, rm, writeFile } from 'node:fs/promises';
import { pipeline, type Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { requireLayers } from '../api/execute.ts';
import { csvRecord } from '../core/csv.ts';
import { columnsOf, type Endpoint, recordsOf } from '../endpoints/endpoint.ts';
import { Failure, UsageError } from '../errors.ts';
import { fileHash } from '../store/manifest.ts';
import { lockFile } from '../store/sqlite/database.ts';
import type { Store } from '../store/store.ts';
import { type AnsweredRow, compileRow, createAsk, type NumberedRow, type Question } from './answer-rows.ts';
import { checkParameters, endpointFor } from './columns.ts';
import { BrokenInput, lineGroups, parametersOf, readTable, type TableInput } from './input.ts';
import { fileOutput, mapPage, type Output, outputForm, streamOutput } from './output.ts';
import { answerInWorkers } from './workers.ts';

export type GeocodeJob = TableInput &
  Omit<Question, 'header'> & {
    store: Store;
    /** Undefined: as the columns suggest (`endpointFor`). */
    endpoint?: Endpoint | undefined;
    /** Path of the output, whose name determines its format, or where CSV goes. */
    output: string | NodeJS.WritableStream;
    /** Put before the names of the columns that are added. */
    prefix: string;
    /** Path of a page with a map of the results, if there is to be one. */
    page?: string | undefined;
    /** Continues an output that exists, instead of refusing to. */
    isResumed: boolean;
    /** Number of threads that answer rows, and the dataset directory that they open; none by default. */
    workers?: { count: number; directory: string };
    /** Called for bugs, whose rows get the error `internal`. */
    onBug: (row: number, error: unknown) => void;
  };

/** A job whose endpoint is known. */
type Asked = GeocodeJob & { endpoint: Endpoint };

/** Rows by their outcome, those found by quality, layer and kind of match; `resumedAt` is the first row that this run did. */
export type GeocodeSummary = ReturnType<typeof emptySummary>;

const emptySummary = () => ({
  /** Path of the endpoint that answered. */
  endpoint: '',
  found: 0,
  withoutResult: 0,
  failed: 0,
  resumedAt: 1,
  exact: 0,
  partial: 0,
  layers: {} as Record<string, number>,
  matchTypes: {} as Record<string, number>,
});

/**
 * Runs a job. The output has the input's columns, the columns of a result, `error` and `row` (the number of the row in
 * the input, from 1). Rows are read, answered and written one after another, so memory does not grow with the file, but
 * for Excel and Parquet. Throws UsageError when the columns do not fit or a resumed run is another one,
 * `dataset_missing`, and Error naming the line where the input is not CSV.
 */
export async function geocode(asked: GeocodeJob): Promise<GeocodeSummary> {
  if (asked.endpoint) requireLayers(asked.endpoint, asked.store);
  const summary = emptySummary();
  if (asked.endpoint) summary.endpoint = asked.endpoint.path;
  // Whatever fails ends the reading: a thread that reads a Parquet file would keep the process alive.
  await using rows = readTable(asked);
  const first = await rows.next();
  if (first.done && asked.signal?.aborted) return summary;
  if (first.done) throw new UsageError('the input is empty; expected a table whose first row names the columns');
  const header = first.value;
  const job: Asked = { ...asked, endpoint: asked.endpoint ?? endpointFor(header, asked) };
  requireLayers(job.endpoint, job.store);
  summary.endpoint = job.endpoint.path;
  const answer = answering(job, header);
  const columns = outputHeader(job, header);
  const note = await noteOf(job);
  await using _lock = lockOf(job.output);
  const from = await whereToBegin(job, columns, note);
  summary.resumedAt = from.nextRow;
  const page = job.page === undefined ? undefined : mapPage(job.store, columns, header.length);
  let output: Output | undefined;
  let rowCount = 0;
  async function* wanted(): AsyncGenerator<NumberedRow> {
    for await (const cells of rows) {
      if (++rowCount < from.nextRow) continue;
      // Nothing of an earlier output is cut off before the input is known to be the one it was made from.
      if (rowCount === from.nextRow) checkSame(cells, header, from);
      yield { cells, number: rowCount };
    }
  }
  let isWhole = false;
  try {
    for await (const { records, outcome, number, bug } of answer(wanted())) {
      output ??= await openOutput(job, from, { columns, own: header.length }, note);
      if (bug !== undefined) job.onBug(number, bug);
      count(summary, outcome);
      page?.add(records, outcome);
      await output.write(records);
      if (job.signal?.aborted) break;
    }
    if (job.signal?.aborted) return summary;
    if (rowCount < from.nextRow && from.formerly !== undefined) {
      throw new UsageError(
        `the input has ${rowCount} rows, but the output continues at row ${from.nextRow}; resume with the original input`,
      );
    }
    output ??= await openOutput(job, from, { columns, own: header.length }, note);
    isWhole = true;
  } catch (error) {
    // The corrected file will differ, but the rows that are done are still compared.
    const isContinued = output && note && outputForm(String(job.output)) === 'csv';
    if (isContinued && error instanceof BrokenInput) await writeNote(String(job.output), { ...note, input: '' });
    throw error;
  } finally {
    await output?.close(isWhole);
  }
  if (isWhole && typeof job.output === 'string') await rm(pathOf(job.output), { force: true });
  if (page) await page.write(job.page!, summary);
  return summary;
}

function count(summary: GeocodeSummary, outcome: AnsweredRow['outcome']): void {
  summary[outcome.kind]++;
  if (outcome.kind !== 'found') return;
  const { quality, layer, matchType } = outcome;
  summary[quality]++;
  if (layer !== undefined) summary.layers[layer] = (summary.layers[layer] ?? 0) + 1;
  if (matchType !== undefined) summary.matchTypes[matchType] = (summary.matchTypes[matchType] ?? 0) + 1;
}

/** How rows are answered: one after the other here, or by workers. Throws UsageError when the columns do not fit. */
function answering(
  job: Asked,
  header: readonly string[],
): (rows: AsyncGenerator<NumberedRow>) => AsyncGenerator<AnsweredRow> {
  const { store, endpoint, workers, map, fixed, limitPerRow } = job;
  const question = { header, map, fixed, limitPerRow };
  const answerRow = compileRow(store, endpoint, question);
  if (workers) {
    const { directory, count } = workers;
    return (rows) => answerInWorkers(rows, { ...question, directory, endpoint: endpoint.path }, count);
  }
  return async function* (rows) {
    for await (const row of rows) yield answerRow(row);
  };
}

// One line out for each line in, in their order.

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
 * Answers lines of JSON as they come, for programs that feed a process: each line, an object of parameters, by `{"results":[…],"error":null}`. `error` is as in the column of a table:
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

async function noteOf(job: Asked): Promise<RunNote | undefined> {
  if (typeof job.output !== 'string') return undefined;
  const { endpoint, map, fixed, prefix, limitPerRow, encoding, delimiter, store } = job;
  const options = { endpoint: endpoint.path, map: [...map], set: fixed, prefix, limitPerRow, encoding, delimiter };
  const input = typeof job.input === 'string' ? await fileHash(job.input) : '';
  return { options: JSON.parse(JSON.stringify(options)), dataset: store.manifest.version, input };
}

function outputHeader({ endpoint, prefix }: Asked, header: readonly string[]): string[] {
  const results = columnsOf(recordsOf(endpoint).schema).map(({ name }) => prefix + name);
  const added = [...results, `${prefix}error`, `${prefix}row`];
  const twice = added.find((name) => header.includes(name));
  if (twice) throw new UsageError(`the input already has a column "${twice}"; choose another --prefix`);
  return [...header, ...added];
}

/**
 * Keeps an output from another run until it is disposed of; undefined for a stream, and where nothing can be made beside the output,
 * as its own writing says why. Throws UsageError while another run has it.
 */
function lockOf(output: GeocodeJob['output']): AsyncDisposable | undefined {
  if (typeof output !== 'string') return undefined;
  const path = `${output}.lock`;
  let lock: ReturnType<typeof lockFile>;
  try {
    lock = lockFile(path);
  } catch {
    return undefined;
  }
  if (!lock) throw new UsageError(`another run writes ${output}; wait until it has ended`);
  return {
    async [Symbol.asyncDispose]() {
      lock.close();
      await rm(path, { force: true });
    },
  };
}

async function whereToBegin(
  { output, isResumed }: GeocodeJob,
  columns: readonly string[],
  note: RunNote | undefined,
): Promise<ResumePoint> {
  const start = resumePoint(0);
  if (typeof output !== 'string' || !note) return start;
  const form = outputForm(output);
  if (isResumed && form !== 'csv') {
    throw new UsageError(`an output in ${form} cannot be resumed, because it is written at the end; write CSV`);
  }
  if (!existsSync(output)) return start;
  if (!isResumed) throw new UsageError(`${output} exists; continue it with --resume, or choose another --output`);
  await checkNote(output, note);
  return findResumePoint(output, csvRecord(columns));
}

async function openOutput(
  { output }: GeocodeJob,
  { keptBytes }: ResumePoint,
  { columns, own }: { columns: readonly string[]; own: number },
  note: RunNote | undefined,
): Promise<Output> {
  if (typeof output === 'string' && note && outputForm(output) === 'csv') await writeNote(output, note);
  const opened = typeof output === 'string' ? await fileOutput(output, keptBytes, own) : streamOutput(output, own);
  if (keptBytes === 0) await opened.write([columns]);
  return opened;
}

/** Throws UsageError when the row to go on with is not the one that the output was made from. */
function checkSame(row: readonly string[], header: readonly string[], { formerly, nextRow }: ResumePoint): void {
  const cells = csvRecord(header.map((_, position) => row[position] ?? '')).replace(/\r\n$/, '');
  if (formerly === undefined || formerly.startsWith(`${cells},`)) return;
  throw new UsageError(
    `row ${nextRow} of the input differs from row ${nextRow} of the output; resume with the original input`,
  );
}

// The inputs of a run, stored next to its output while it is in progress: `<output>.run.json`. A resumed run must have
// the same ones, or the output would be inconsistent.

/** `input` is its SHA-256, empty for a stream; differences of the others are described in words. */
type RunNote = { options: Record<string, unknown>; dataset: string; input: string };

const pathOf = (output: string) => `${output}.run.json`;

const writeNote = (output: string, note: RunNote): Promise<void> =>
  writeFile(pathOf(output), `${JSON.stringify(note, null, 2)}\n`);

/** Throws UsageError that names what is another than in the run that is to be resumed; an output without a note passes. */
async function checkNote(output: string, now: RunNote): Promise<void> {
  const text = await readFile(pathOf(output), 'utf8').catch(() => undefined);
  if (text === undefined) return;
  let then: RunNote;
  try {
    then = JSON.parse(text) as RunNote;
  } catch {
    throw new Failure(`${pathOf(output)} is damaged; delete it to resume without this check`);
  }
  const changed = Object.keys({ ...then.options, ...now.options }).filter(
    (name) => JSON.stringify(then.options[name]) !== JSON.stringify(now.options[name]),
  );
  if (then.dataset !== now.dataset) changed.push(`dataset (${then.dataset}, now ${now.dataset})`);
  if (then.input !== '' && now.input !== '' && then.input !== now.input) changed.push('input');
  if (changed.length === 0) return;
  throw new UsageError(
    `${output} was started with a different ${changed.join(', ')}; resume with the original one, or choose another --output`,
  );
}

/** From which row of the input to go on, and how many bytes of the output stay. */
type ResumePoint = ReturnType<typeof resumePoint>;

const resumePoint = (keptBytes: number) => ({
  keptBytes,
  /** Number of the first row to do, from 1. */
  nextRow: 1,
  /** The first record that row had in the output, without its end, if it had one: the input's row must begin it. */
  formerly: undefined as string | undefined,
});

/**
 * Finds the last row of the input that an output has a record of. That row is done again, as a kill may have cut off
 * its other records; whatever stands after it is half a record. Throws UsageError when the output's header is not the
 * one that would be written: then it was made by other options, or is not ours at all.
 */
async function findResumePoint(path: string, header: string): Promise<ResumePoint> {
  const expected = Buffer.from(header);
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(expected.length), position: 0 });
  if (!buffer.subarray(0, bytesRead).equals(expected.subarray(0, bytesRead))) {
    throw new UsageError(
      `${path} has a different header from the one that this run would write; resume with the original options, or choose another --output`,
    );
  }
  const found = resumePoint(bytesRead < expected.length ? 0 : bytesRead);
  const parser = parse({ info: true, raw: true, relax_column_count: true, relax_quotes: true });
  const records: AsyncIterable<{ record: string[]; raw: string; info: { bytes: number } }> = pipeline(
    createReadStream(path),
    parser,
    () => {},
  );
  try {
    let start = 0;
    for await (const { record, raw, info } of records) {
      // The last column is the row's number.
      const nextRow = Number(record.at(-1));
      const isSame = found.formerly !== undefined && nextRow === found.nextRow;
      // What has no end is half a record.
      if (start > 0 && raw.endsWith('\r') && !isSame)
        Object.assign(found, { keptBytes: start, nextRow, formerly: raw.slice(0, -1) });
      start = info.bytes;
    }
  } catch (error) {
    // Half a record may end within quotes.
    if (!(error instanceof CsvError)) throw error;
  }
  return found;
}

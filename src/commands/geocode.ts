import { createReadStream, existsSync } from 'node:fs';
import { access, constants, stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import cliProgress from 'cli-progress';
import { type Command, Option } from 'commander';
import { endpointNamed, endpointPaths } from '../endpoints/endpoint-named.ts';
import { UsageError } from '../errors.ts';
import { parseColumnMap } from '../geocode/columns.ts';
import { type GeocodeSummary, geocode } from '../geocode/geocode.ts';
import { answerLines } from '../geocode/lines.ts';
import { type Encoding, encodings } from '../geocode/text-form.ts';
import { openDataset } from '../store/open.ts';
import { systemReason } from '../system-error.ts';
import { configFor, currentDataset, wholeNumber } from './settings.ts';

type GeocodeOptions = {
  endpoint?: string;
  map?: string;
  set?: string[];
  output?: string;
  resume?: boolean;
  prefix: string;
  encoding?: Encoding;
  delimiter?: string;
  workers?: number | true;
  limitPerRow: number;
  ndjson?: boolean;
};

export function addGeocodeCommand(program: Command): void {
  program
    .command('geocode <file>')
    .description('ask an endpoint about every row of a table (- for standard input), without a server')
    .option(
      '--endpoint <endpoint>',
      `one of ${endpointPaths.join(', ')} (default: ip or reverse where the columns ip, or lat and lng, are there, else search)`,
    )
    .option(
      '--map <parameter=column,…>',
      'columns of parameters: q=street+city,country=cc; else those of the same name',
    )
    .option('--set <parameter=value...>', 'parameters that are the same for all rows')
    .option('--output <file>', 'file to write (default: standard output)')
    .option('--resume', 'continue an output that was broken off, with the same options')
    .option('--prefix <text>', 'put before the names of the added columns', 'result_')
    .addOption(new Option('--encoding <name>', 'encoding of a text (default: detected)').choices([...encodings]))
    .option('--delimiter <character>', 'what stands between the cells of a text; tab for a tab (default: detected)')
    .option(
      '--workers [count]',
      'answer rows in so many threads; one for each core when no number is given',
      wholeNumber('--workers'),
    )
    .option(
      '--limit-per-row <count>',
      'most results of a row, each a row of the output',
      wholeNumber('--limit-per-row'),
      1,
    )
    .addOption(
      new Option(
        '--ndjson',
        'answer each line, a JSON object of parameters, by a line of JSON as soon as it comes',
      ).conflicts(['map', 'output', 'resume', 'prefix', 'encoding', 'delimiter', 'workers']),
    )
    .addHelpText(
      'after',
      `
The input is CSV (any usual encoding, also as .gz), XLSX or Parquet, detected from its content. The output is CSV, or what its name ends
in: .csv.gz, .xlsx, .parquet. It has the columns of the input, those of a result, an error column and the number of the input's row.
  whereabouts geocode customers.csv --endpoint address --map q=street+number+city,country=cc --output done.csv
  whereabouts geocode visits.csv --endpoint ip --map ip=client > visits-with-countries.csv

With --ndjson another program can feed it: a line {"q":"berlin"} is answered by {"results":[{"name":"Berlin",...}],"error":null}.

Exit codes: 0 every row was done without an error, 3 some rows have an error, 1 it failed, 2 wrong usage, 130 stopped.`,
    )
    .action(async (file: string, options: GeocodeOptions, command: Command) => {
      const directory = currentDataset(configFor(command));
      const store = openDataset(directory, { isLazy: true });
      try {
        if (options.ndjson) await runLines(file, options, store);
        else await run(file, options, store, directory);
      } finally {
        store.close();
      }
    });
}

async function runLines(file: string, options: GeocodeOptions, store: ReturnType<typeof openDataset>): Promise<void> {
  checkLimit(options);
  if (options.endpoint === undefined) throw new UsageError('--ndjson needs --endpoint, such as --endpoint search');
  if (file !== '-') await sizeOf(file);
  process.stdout.on('error', endQuietly);
  await answerLines({
    store,
    endpoint: endpointNamed(options.endpoint),
    input: file === '-' ? process.stdin : createReadStream(file),
    output: process.stdout,
    fixed: readFixed(options.set ?? []),
    limit: options.limitPerRow,
    onBug: (line, error) => console.error(`whereabouts: line ${line}:`, error),
  });
}

async function run(
  file: string,
  options: GeocodeOptions,
  store: ReturnType<typeof openDataset>,
  directory: string,
): Promise<void> {
  checkLimit(options);
  if (options.resume && options.output === undefined) throw new UsageError('--resume needs --output');
  if (options.output !== undefined && !existsSync(dirname(options.output))) {
    throw new UsageError(`there is no folder ${dirname(options.output)} for --output; make it first`);
  }
  const bytes = file === '-' ? undefined : await sizeOf(file);
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  process.stdout.on('error', endQuietly);
  const bar = showBar(bytes);
  try {
    const summary = await geocode({
      store,
      endpoint: options.endpoint === undefined ? undefined : endpointNamed(options.endpoint),
      input: file === '-' ? process.stdin : file,
      output: options.output ?? process.stdout,
      map: options.map === undefined ? new Map() : parseColumnMap(options.map),
      fixed: readFixed(options.set ?? []),
      prefix: options.prefix,
      ...(options.encoding !== undefined && { encoding: options.encoding }),
      ...(options.delimiter !== undefined && { delimiter: options.delimiter === 'tab' ? '\t' : options.delimiter }),
      ...(options.workers !== undefined && { workers: { count: threadsOf(options.workers), directory } }),
      limitPerRow: options.limitPerRow,
      isResumed: options.resume ?? false,
      signal: stop.signal,
      progress: bar.update,
      onBug: (row, error) => console.error(`whereabouts: row ${row}:`, error),
    });
    bar.stop();
    console.error(summarise(summary));
    if (stop.signal.aborted) {
      console.error('stopped; continue with --resume');
      process.exitCode = 130;
    } else if (summary.failed > 0) process.exitCode = 3;
  } finally {
    bar.stop();
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  }
}

function checkLimit({ limitPerRow }: GeocodeOptions): void {
  if (limitPerRow < 1) throw new UsageError('--limit-per-row is 0, expected at least 1');
}

async function sizeOf(file: string): Promise<number> {
  try {
    const found = await stat(file);
    if (found.isFile()) {
      await access(file, constants.R_OK);
      return found.size;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      throw new UsageError(`${file} cannot be read: ${systemReason(error)}`);
  }
  throw new UsageError(`there is no file ${file}`);
}

function threadsOf(requested: number | true): number {
  if (requested === 0) throw new UsageError('--workers is 0, expected at least 1');
  return requested === true ? availableParallelism() : requested;
}

function readFixed(settings: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    settings.map((setting) => {
      const at = setting.indexOf('=');
      if (at < 1) throw new UsageError(`--set has "${setting}", expected parameter=value`);
      return [setting.slice(0, at), setting.slice(at + 1)];
    }),
  );
}

/** A bar on a terminal whose output goes elsewhere; nothing where nobody looks. */
function showBar(bytes: number | undefined): { update(bytesRead: number, rows: number): void; stop(): void } {
  if (!process.stderr.isTTY || bytes === undefined) return { update() {}, stop() {} };
  const format = '  [{bar}] {percentage}% {rows} rows, {duration_formatted}, {eta_formatted} left';
  const bar = new cliProgress.SingleBar(
    { stream: process.stderr, format, hideCursor: true },
    cliProgress.Presets.shades_classic,
  );
  bar.start(bytes, 0, { rows: 0 });
  return { update: (bytesRead, rows) => bar.update(bytesRead, { rows }), stop: () => bar.stop() };
}

function summarise({ endpoint, found, withoutResult, failed, resumedAt, matchTypes }: GeocodeSummary): string {
  const from = resumedAt === 1 ? '' : `, from row ${resumedAt} on`;
  const kinds = Object.entries(matchTypes).sort(([, a], [, b]) => b - a);
  const matches = kinds.length === 0 ? '' : ` (${kinds.map(([kind, count]) => `${count} ${kind}`).join(', ')})`;
  return (
    `${found + withoutResult + failed} rows asked of ${endpoint}${from}: ${found} found${matches}, ${withoutResult} without result, ` +
    `${failed} with an error`
  );
}

/** Whoever reads the output may close it early, as `head` does. */
function endQuietly(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
}

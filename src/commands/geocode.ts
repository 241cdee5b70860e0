import { createReadStream, existsSync } from 'node:fs';
import { access, constants, stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import cliProgress from 'cli-progress';
import { type Command, Option } from 'commander';
import { openDataset } from '../api/open.ts';
import { endpointNamed, endpointPaths } from '../endpoints/index.ts';
import { systemReason, UsageError } from '../errors.ts';
import { parseColumnMap } from '../geocode/columns.ts';
import { answerLines, type GeocodeSummary, geocode } from '../geocode/geocode.ts';
import { type Encoding, encodings } from '../geocode/input.ts';
import { outputForm } from '../geocode/output.ts';
import { configFor, currentDataset, wholeNumber } from './settings.ts';

type GeocodeOptions = {
  endpoint?: string;
  columns?: string;
  map?: string;
  json?: boolean;
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
    .description('send every row of a table to an endpoint (- for standard input), without a server')
    .option(
      '--endpoint <endpoint>',
      `one of ${endpointPaths.join(', ')} (default: ip, reverse or address if the table has the columns ip, or lat and lng, or street or city, or else search)`,
    )
    .option(
      '--columns <parameter=column,…>',
      'columns of parameters: q=street+city,country=cc (default: columns of the same or a usual name)',
      (columns: string, before?: string) => (before === undefined ? columns : `${before},${columns}`),
    )
    .option('--map <page.html>', 'a page to write with a map of the results')
    .option('--json', 'the summary as JSON, on standard output if --output is given')
    .option('--set <parameter=value...>', 'parameters with the same value for all rows')
    .option('--output <file>', 'file to write (default: standard output)')
    .option('--resume', 'continue an interrupted run, with the same options')
    .option('--prefix <text>', 'prefix of the names of the added columns', 'result_')
    .addOption(new Option('--encoding <name>', 'encoding of a CSV file (default: detected)').choices([...encodings]))
    .option('--delimiter <character>', 'separator of the cells of a CSV file; tab for a tab (default: detected)')
    .option('--workers [count]', 'number of threads; without a number, one for each core', wholeNumber('--workers', 1))
    .option(
      '--limit-per-row <count>',
      'maximum number of results for a row, each on its own output row',
      wholeNumber('--limit-per-row', 1),
      1,
    )
    .addOption(
      new Option(
        '--ndjson',
        'read one JSON object of parameters per line, and answer each with a line of JSON at once',
      ).conflicts(['columns', 'map', 'json', 'output', 'resume', 'prefix', 'encoding', 'delimiter', 'workers']),
    )
    .addHelpText(
      'after',
      `
The input is CSV (in any usual encoding, also compressed as .gz), XLSX or Parquet, detected from its content. The output is CSV, or the
format that its name ends in: .csv.gz, .geojson, .xlsx, .parquet. It has the columns of the input, those of a result, an error column and the row's number.
  whereabouts geocode customers.csv --endpoint address --columns q=street+number+city,country=cc --output done.csv
  whereabouts geocode visits.csv --endpoint ip --columns ip=client > visits-with-countries.csv

With --ndjson another program can feed it: the line {"q":"berlin"} is answered with {"results":[{"name":"Berlin",...}],"error":null}.

Exit codes: 0 all rows were processed without an error, 3 some rows have an error, 1 failure, 2 invalid command line, 130 interrupted.`,
    )
    .action(async (file: string, options: GeocodeOptions, command: Command) => {
      // Without the options of this command: its workers are threads, not those of the setting.
      const directory = currentDataset(configFor(command.parent!));
      using opened = new DisposableStack();
      const store = opened.adopt(openDataset(directory, { isLazy: true }), (one) => one.close());
      if (options.ndjson) await runLines(file, options, store);
      else await run(file, options, store, directory);
    });
}

async function runLines(file: string, options: GeocodeOptions, store: ReturnType<typeof openDataset>): Promise<void> {
  if (options.endpoint === undefined) throw new UsageError('--ndjson needs --endpoint, such as --endpoint search');
  if (file !== '-') await sizeOf(file);
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
  if (options.resume && options.output === undefined) throw new UsageError('--resume needs --output');
  const { map: page, columns, workers } = options;
  if (page !== undefined) checkPage(page, options);
  if (options.output !== undefined && !existsSync(dirname(options.output))) {
    throw new UsageError(`there is no folder ${dirname(options.output)} for --output; create it first`);
  }
  const bytes = file === '-' ? undefined : await sizeOf(file);
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  const bar = showBar(bytes);
  try {
    const summary = await geocode({
      store,
      endpoint: options.endpoint === undefined ? undefined : endpointNamed(options.endpoint),
      input: file === '-' ? process.stdin : file,
      output: options.output ?? process.stdout,
      page,
      map: columns === undefined ? new Map() : parseColumnMap(columns),
      fixed: readFixed(options.set ?? []),
      prefix: options.prefix,
      ...(options.encoding !== undefined && { encoding: options.encoding }),
      ...(options.delimiter !== undefined && { delimiter: delimiterOf(options.delimiter) }),
      ...(workers !== undefined && {
        workers: { count: workers === true ? availableParallelism() : workers, directory },
      }),
      limitPerRow: options.limitPerRow,
      isResumed: options.resume ?? false,
      signal: stop.signal,
      progress: bar.update,
      onBug: (row, error) => console.error(`whereabouts: row ${row}:`, error),
    });
    bar.stop();
    if (options.json) console[options.output === undefined ? 'error' : 'log'](JSON.stringify(asJson(summary)));
    else console.error(summarise(summary));
    if (stop.signal.aborted) {
      const isKept = options.output !== undefined && outputForm(options.output) === 'csv';
      console.error(isKept ? 'stopped; continue with --resume' : 'stopped');
      process.exitCode = 130;
    } else if (summary.failed > 0) process.exitCode = 3;
  } finally {
    bar.stop();
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  }
}

function checkPage(page: string, { resume }: GeocodeOptions): void {
  if (!/\.html?$/i.test(page))
    throw new UsageError(
      `--map has "${page}", expected the name of a page, such as out.html; columns of parameters are named by --columns`,
    );
  if (resume) throw new UsageError(`--map ${page} would have only the rest of the rows; leave it out with --resume`);
  if (existsSync(page)) throw new UsageError(`${page} exists; choose another name for --map`);
  if (!existsSync(dirname(page)))
    throw new UsageError(`there is no folder ${dirname(page)} for --map; create it first`);
}

function delimiterOf(written: string): string {
  const delimiter = written === 'tab' ? '\t' : written;
  if ([...delimiter].length === 1 && !'"\r\n'.includes(delimiter)) return delimiter;
  throw new UsageError(`--delimiter is ${JSON.stringify(written)}, expected one character, or tab`);
}

async function sizeOf(file: string): Promise<number> {
  try {
    const found = await stat(file);
    if (found.isFile()) {
      await access(file, constants.R_OK);
      return found.size;
    }
    const what = found.isDirectory() ? 'a folder' : 'no file';
    throw new UsageError(`${file} is ${what}; expected a table: CSV, XLSX or Parquet`);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      throw new UsageError(`${file} cannot be read: ${systemReason(error)}`);
  }
  throw new UsageError(`there is no file ${file}`);
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

const listed = (counts: Record<string, number>) =>
  Object.entries(counts)
    .sort(([, one], [, other]) => other - one)
    .map(([kind, count]) => `${count} ${kind}`)
    .join(', ');

function summarise(summary: GeocodeSummary): string {
  const { endpoint, found, withoutResult: none, failed, resumedAt, exact, partial, layers, matchTypes } = summary;
  const from = resumedAt === 1 ? '' : ` from row ${resumedAt}`;
  const matches = listed(matchTypes) === '' ? '' : ` (${listed(matchTypes)})`;
  return [
    `${found + none + failed} rows sent to ${endpoint}${from}: ${found} found${matches}, ${none} without a result, ` +
      `${failed} with an error`,
    `  quality: ${exact} exact, ${partial} partial, ${none} none`,
    ...(listed(layers) === '' ? [] : [`  kinds: ${listed(layers)}`]),
  ].join('\n');
}

const asJson = ({ withoutResult, failed, resumedAt, layers, matchTypes, ...summary }: GeocodeSummary) => ({
  rows: summary.found + withoutResult + failed,
  ...summary,
  none: withoutResult,
  errors: failed,
  kinds: layers,
  match_types: matchTypes,
  first_row: resumedAt,
});

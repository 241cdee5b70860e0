import { profiles } from '../../endpoints/endpoint.ts';
import { type AnswerCount, bucketsMs, sumCounts } from '../metrics.ts';
import type { ProcessReport } from './process-report.ts';

type Labels = Record<string, string | number>;

/** What each process reports of itself. */
const ofProcess: readonly [name: string, type: string, help: string, read: (report: ProcessReport) => number][] = [
  ['key_store_up', 'gauge', 'Whether the key store answers.', ({ isKeyStoreHealthy }) => +isKeyStoreHealthy],
  ['event_loop_lag_seconds', 'gauge', 'Mean lag of the event loop since the last report.', ({ lagMs }) => lagMs / 1000],
  ['waiting_requests', 'gauge', 'Requests that wait to be processed.', ({ waiting }) => waiting],
  [
    'refused_ratio',
    'gauge',
    'Share of the requests since the last report that were refused because of overload.',
    ({ refusedPart }) => refusedPart,
  ],
  ['connections', 'gauge', 'Open connections.', ({ connections }) => connections],
  ['cpu_seconds_total', 'counter', 'Processor time.', ({ cpuSeconds }) => cpuSeconds],
  ['resident_memory_bytes', 'gauge', 'Resident memory.', ({ residentBytes }) => residentBytes],
  ['heap_bytes', 'gauge', 'Used JavaScript heap.', ({ heapBytes }) => heapBytes],
  ['start_time_seconds', 'gauge', 'Start, seconds since 1970.', ({ startedAt }) => startedAt],
];

/**
 * The metrics of all processes in Prometheus' text format 0.0.4. `departed` are answers of ended processes, so that
 * counters never decrease; `restarts` is how many processes had to be replaced.
 */
export function metricsText(
  reports: readonly ProcessReport[],
  { version, departed = [], restarts = 0 }: { version: string; departed?: readonly AnswerCount[]; restarts?: number },
): string {
  const lines: string[] = [];
  const metric = (name: string, type: string, help: string, values: Iterable<readonly [Labels, number]>) => {
    lines.push(`# HELP whereabouts_${name} ${help}`, `# TYPE whereabouts_${name} ${type}`);
    for (const [labels, value] of values) lines.push(`whereabouts_${name}${labelsText(labels)} ${value}`);
  };
  const answers = sumCounts([...departed, ...reports.flatMap((report) => report.answers)]);

  metric('info', 'gauge', 'Version of the program.', [[{ version }, 1]]);
  metric('requests_total', 'counter', 'Answers by endpoint, status and profile.', requestsOf(answers));
  metric('plan_requests_total', 'counter', 'Answers to valid keys by plan and status.', plansOf(answers));
  lines.push(
    '# HELP whereabouts_request_duration_seconds Time from the head of a request to its answer.',
    '# TYPE whereabouts_request_duration_seconds histogram',
    ...answers.flatMap(histogramOf),
  );
  const datasets = Map.groupBy(reports, ({ dataset }) => dataset ?? 'none');
  metric(
    'dataset_info',
    'gauge',
    'Processes that serve a dataset; more than one line during a switch to a new one.',
    [...datasets].map(([dataset, { length }]) => [{ dataset }, length] as const),
  );
  metric('processes', 'gauge', 'Processes that serve.', [[{}, reports.length]]);
  metric('process_restarts_total', 'counter', 'Processes that ended by themselves and were replaced.', [
    [{}, restarts],
  ]);
  for (const [name, type, help, read] of ofProcess) {
    const values = reports.map((report) => [{ pid: report.pid }, read(report)] as const);
    metric(name, type, help, values);
  }
  return `${lines.join('\n')}\n`;
}

function* requestsOf(answers: readonly AnswerCount[]): Generator<[Labels, number]> {
  for (const { endpoint, status, byProfile } of answers) {
    for (const [index, profile] of profiles.entries()) {
      if (byProfile[index] > 0) yield [{ endpoint, status, profile }, byProfile[index]];
    }
  }
}

/** Answers of each plan, by status; in order of the plans' names. */
function plansOf(answers: readonly AnswerCount[]): [Labels, number][] {
  const sums = new Map<string, [Labels, number]>();
  for (const { status, byPlan } of answers) {
    for (const [plan, count] of Object.entries(byPlan)) {
      const name = `${plan} ${status}`;
      sums.set(name, [{ plan, status }, (sums.get(name)?.[1] ?? 0) + count]);
    }
  }
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum);
}

function histogramOf({ endpoint, status, buckets, sumMs }: AnswerCount): string[] {
  const name = 'whereabouts_request_duration_seconds';
  let count = 0;
  const lines = buckets.map((found, index) => {
    count += found;
    const le = index < bucketsMs.length ? bucketsMs[index] / 1000 : '+Inf';
    return `${name}_bucket${labelsText({ endpoint, status, le })} ${count}`;
  });
  const labels = labelsText({ endpoint, status });
  return [...lines, `${name}_sum${labels} ${sumMs / 1000}`, `${name}_count${labels} ${count}`];
}

function labelsText(labels: Labels): string {
  const written = Object.entries(labels).map(([name, value]) => {
    const escaped = String(value).replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
    return `${name}="${escaped}"`;
  });
  return written.length === 0 ? '' : `{${written.join()}}`;
}

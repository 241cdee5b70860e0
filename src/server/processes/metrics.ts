/** Metrics of the service for Prometheus, by prom-client: what each process counts, and all of them in one text. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { programVersion } from '../../config.ts';
import type { LookUpOutcome, StreetEngine } from '../../store/street-engine.ts';
import type { AppOptions } from '../app.ts';
import type { Service } from '../service.ts';

/** Metrics as prom-client's plain data, which is sent between processes. */
export type Samples = object[];

/** What a process has counted, and what it is like at this moment. */
export type ProcessMetrics = { counts: Samples; own: Samples };

/** Upper bounds of the buckets of answers, s. */
const buckets = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500].map((ms) => ms / 1000);
const lagResolutionMs = 10;

/** What each process states of itself, behind Node's usual metrics. */
const states: readonly [name: string, help: string, read: (service: Service) => number][] = [
  ['key_store_up', 'Whether the key store answers.', ({ keys }) => +keys.isHealthy()],
  ['waiting_requests', 'Requests that wait to be processed.', ({ lanes }) => lanes.waiting],
  ['connections', 'Open connections.', ({ connections }) => connections],
  ['resident_memory_bytes', 'Resident memory.', () => process.memoryUsage.rss()],
  ['heap_bytes', 'Used JavaScript heap.', () => process.memoryUsage().heapUsed],
  ['start_time_seconds', 'Start, seconds since 1970.', () => Math.round(Date.now() / 1000 - process.uptime())],
];

/**
 * Starts counting in this process. `hasEngine`: street-level data are in a search cluster. The package is loaded here, as
 * most services are run without metrics.
 */
export async function createMetrics({ hasEngine = false } = {}) {
  const { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } = await import('prom-client');
  const [counted, own, shared] = [new Registry(), new Registry(), new Registry()];
  own.setDefaultLabels({ pid: process.pid });
  collectDefaultMetrics({ register: own });
  const named = <T extends string>(register: typeof own, name: string, help: string, labelNames: T[] = []) => ({
    ...{ name: `whereabouts_${name}`, help, labelNames, registers: [register] },
  });
  const requests = new Counter(
    named(counted, 'requests_total', 'Answers by endpoint, status and profile.', ['endpoint', 'status', 'profile']),
  );
  const ofPlans = new Counter(
    named(counted, 'plan_requests_total', 'Answers to valid keys by plan and status.', ['plan', 'status']),
  );
  const durations = new Histogram({
    ...named(counted, 'request_duration_seconds', 'Time from the head of a request to its answer.', [
      'endpoint',
      'status',
    ]),
    buckets,
  });
  const lag = monitorEventLoopDelay({ resolution: lagResolutionMs });
  lag.enable();
  const lagSeconds = new Gauge(
    named(own, 'event_loop_lag_seconds', 'Mean lag of the event loop since the last report.'),
  );
  const refusedRatio = new Gauge(
    named(own, 'refused_ratio', 'Share of the requests since the last report that were refused because of overload.'),
  );
  const cpu = new Counter(named(own, 'cpu_seconds_total', 'Processor time.'));
  const gauges = states.map(([name, help, read]) => ({ gauge: new Gauge(named(own, name, help)), read }));
  const datasets = 'Processes that serve a dataset; more than one line during a switch to a new one.';
  const dataset = new Gauge(named(shared, 'dataset_info', datasets, ['dataset']));

  const incomplete = new Counter(
    named(counted, 'incomplete_answers_total', 'Answers without the street-level data that they should have.', [
      'endpoint',
    ]),
  );
  const ofEngine = hasEngine ? engineMetrics() : undefined;
  function engineMetrics() {
    const ended = 'Look-ups in the search cluster by how they ended: answered, failed, refused at once.';
    const took = named(counted, 'street_lookup_duration_seconds', 'Time of look-ups in the search cluster.', [
      'outcome',
    ]);
    return {
      lookUps: new Counter(named(counted, 'street_lookups_total', ended, ['outcome'])),
      durations: new Histogram({ ...took, buckets }),
      up: new Gauge(named(own, 'street_engine_up', 'Whether the search cluster answers.')),
      refusing: new Gauge(
        named(own, 'street_engine_refusing', 'Whether look-ups are refused at once, as the last ones had no answer.'),
      ),
    };
  }

  return {
    /** Counts a look-up in the search cluster; undefined where there is none. */
    recordLookUp:
      ofEngine &&
      ((outcome: LookUpOutcome, ms: number) => {
        ofEngine.lookUps.inc({ outcome });
        ofEngine.durations.observe({ outcome }, ms / 1000);
      }),
    /** Counts one answer. */
    record: (({ endpoint, profile, account, isIncomplete }, status, ms) => {
      if (isIncomplete) incomplete.inc({ endpoint });
      requests.inc({ endpoint, status, profile });
      if (account) ofPlans.inc({ plan: account.key.plan, status });
      durations.observe({ endpoint, status }, ms / 1000);
    }) satisfies AppOptions['record'],
    /** The metrics of this process; `service` is the one whose answers are recorded. */
    async read(service: Service, engine?: StreetEngine): Promise<ProcessMetrics> {
      if (engine) ofEngine?.up.set(+!engine.isUnavailable);
      if (engine) ofEngine?.refusing.set(+engine.isRefusing);
      // The histogram holds times between turns of a timer: without lag, its own interval.
      lagSeconds.set(lag.count === 0 ? 0 : Math.max(0, lag.mean / 1e6 - lagResolutionMs) / 1000);
      lag.reset();
      const { arrived, refused } = service;
      service.arrived = service.refused = 0;
      refusedRatio.set(arrived === 0 ? 0 : refused / arrived);
      const { user, system } = process.cpuUsage();
      cpu.reset();
      cpu.inc((user + system) / 1e6);
      for (const { gauge, read } of gauges) gauge.set(read(service));
      dataset.reset();
      dataset.set({ dataset: service.store.current?.manifest.version ?? 'none' }, 1);
      const [counts, ...rest] = await Promise.all([counted, own, shared].map((each) => each.getMetricsAsJSON()));
      return { counts, own: rest.flat() };
    },
  };
}

/**
 * The metrics of all processes in Prometheus' text format 0.0.4. `departed` are the counts of ended processes, so that
 * counters never decrease; `restarts` is how many processes had to be replaced.
 */
export async function metricsText(
  processes: readonly ProcessMetrics[],
  { departed = [], restarts = 0 }: { departed?: Samples; restarts?: number } = {},
): Promise<string> {
  const { AggregatorRegistry, Counter, Gauge, Registry } = await import('prom-client');
  const all = new Registry();
  const registers = [all];
  new Gauge({ name: 'whereabouts_info', help: 'Version of the program.', labelNames: ['version'], registers }).set(
    { version: programVersion },
    1,
  );
  new Gauge({ name: 'whereabouts_processes', help: 'Processes that serve.', registers }).set(processes.length);
  const name = 'whereabouts_process_restarts_total';
  new Counter({ name, help: 'Processes that ended by themselves and were replaced.', registers }).inc(restarts);
  const samples = [await all.getMetricsAsJSON(), departed, ...processes.flatMap(({ counts, own }) => [counts, own])];
  return AggregatorRegistry.aggregate(samples).metrics();
}

/** Creates the function that sums the counts of processes. */
export async function createSum(): Promise<(...counts: Samples[]) => Samples> {
  const { AggregatorRegistry } = await import('prom-client');
  return (...counts) => AggregatorRegistry.aggregate(counts).getMetricsAsArray();
}

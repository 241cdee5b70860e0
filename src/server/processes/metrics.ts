/** Metrics of the service for Prometheus, by prom-client: what each process counts, and all of them in one text. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Registry } from 'prom-client';
import { programVersion } from '../../config.ts';
import type { LookUpOutcome, StreetEngine } from '../../store/street-engine.ts';
import type { AppOptions } from '../app.ts';
import type { Service } from '../service.ts';
import metrics from './metrics.json' with { type: 'json' };

/** Metrics as prom-client's plain data, which is sent between processes. */
export type Samples = object[];

/** What a process has counted, and what it is like at this moment. */
export type ProcessMetrics = { counts: Samples; own: Samples };

/** Upper bounds of the buckets of answers, s. */
const buckets = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500].map((ms) => ms / 1000);
const lagResolutionMs = 10;

/** What each process states of itself, behind Node's usual metrics. */
const states: readonly [name: MetricName, read: (service: Service) => number][] = [
  ['key_store_up', ({ keys }) => +keys.isHealthy()],
  ['waiting_requests', ({ lanes }) => lanes.waiting],
  ['connections', ({ connections }) => connections],
  ['resident_memory_bytes', () => process.memoryUsage.rss()],
  ['heap_bytes', () => process.memoryUsage().heapUsed],
  ['start_time_seconds', () => Math.round(Date.now() / 1000 - process.uptime())],
];

/** In metrics.json with what they mean and what tells them apart. */
type MetricName = keyof typeof metrics;
const described = (register: Registry, name: MetricName) => ({
  ...{ name: `whereabouts_${name}`, registers: [register], ...metrics[name] },
});

/**
 * Starts counting in this process. `hasEngine`: street-level data are in a search cluster. The package is loaded here, as
 * most services are run without metrics.
 */
export async function createMetrics({ hasEngine = false } = {}) {
  const { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } = await import('prom-client');
  const [counted, own, shared] = [new Registry(), new Registry(), new Registry()];
  own.setDefaultLabels({ pid: process.pid });
  collectDefaultMetrics({ register: own });
  const requests = new Counter(described(counted, 'requests_total'));
  const ofPlans = new Counter(described(counted, 'plan_requests_total'));
  const durations = new Histogram({ ...described(counted, 'request_duration_seconds'), buckets });
  const lag = monitorEventLoopDelay({ resolution: lagResolutionMs });
  lag.enable();
  const lagSeconds = new Gauge(described(own, 'event_loop_lag_seconds'));
  const refusedRatio = new Gauge(described(own, 'refused_ratio'));
  const cpu = new Counter(described(own, 'cpu_seconds_total'));
  const gauges = states.map(([name, read]) => ({ gauge: new Gauge(described(own, name)), read }));
  const dataset = new Gauge(described(shared, 'dataset_info'));
  const incomplete = new Counter(described(counted, 'incomplete_answers_total'));
  const ofEngine = hasEngine
    ? {
        lookUps: new Counter(described(counted, 'street_lookups_total')),
        durations: new Histogram({ ...described(counted, 'street_lookup_duration_seconds'), buckets }),
        up: new Gauge(described(own, 'street_engine_up')),
        refusing: new Gauge(described(own, 'street_engine_refusing')),
      }
    : undefined;

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
  new Gauge(described(all, 'info')).set({ version: programVersion }, 1);
  new Gauge(described(all, 'processes')).set(processes.length);
  new Counter(described(all, 'process_restarts_total')).inc(restarts);
  const samples = [await all.getMetricsAsJSON(), departed, ...processes.flatMap(({ counts, own }) => [counts, own])];
  return AggregatorRegistry.aggregate(samples).metrics();
}

/** Creates the function that sums the counts of processes. */
export async function createSum(): Promise<(...counts: Samples[]) => Samples> {
  const { AggregatorRegistry } = await import('prom-client');
  return (...counts) => AggregatorRegistry.aggregate(counts).getMetricsAsArray();
}

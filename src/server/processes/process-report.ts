import type { AnswerCount, Metrics } from '../metrics.ts';
import type { Service } from '../service.ts';
import type { EventLoopLag } from './event-loop-lag.ts';

/** The report of one serving process; plain data, as it is sent between processes. */
export type ProcessReport = {
  pid: number;
  answers: AnswerCount[];
  dataset: string | undefined;
  /** Epoch seconds. */
  startedAt: number;
  lagMs: number;
  /** Requests that wait, and the share of those since the last report that were refused, 0 to 1. */
  waiting: number;
  refusedPart: number;
  connections: number;
  isKeyStoreHealthy: boolean;
  cpuSeconds: number;
  residentBytes: number;
  heapBytes: number;
};

export function reportProcess(
  service: Service,
  { metrics, lag }: { metrics: Metrics; lag: EventLoopLag },
): ProcessReport {
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed } = process.memoryUsage();
  const { arrived, refused, connections } = service;
  service.arrived = service.refused = 0;
  return {
    pid: process.pid,
    answers: metrics.snapshot(),
    dataset: service.store.current?.manifest.version,
    startedAt: Math.round(Date.now() / 1000 - process.uptime()),
    lagMs: lag.lagMs,
    waiting: service.lanes.waiting,
    refusedPart: arrived === 0 ? 0 : refused / arrived,
    connections,
    isKeyStoreHealthy: service.keys.isHealthy(),
    cpuSeconds: (user + system) / 1e6,
    residentBytes: rss,
    heapBytes: heapUsed,
  };
}

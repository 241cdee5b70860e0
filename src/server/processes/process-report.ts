import type { KeyStore } from '../../keys/key-store.ts';
import type { App } from '../app.ts';
import type { AnswerCount, Metrics } from '../metrics.ts';
import type { StoreHolder } from '../service.ts';
import type { EventLoopLag } from './event-loop-lag.ts';

/** The report of one serving process; plain data, as it is sent between processes. */
export type ProcessReport = {
  pid: number;
  answers: AnswerCount[];
  dataset: string | undefined;
  /** Epoch seconds. */
  startedAt: number;
  lagMs: number;
  /** See `App.load`. */
  waiting: number;
  refusedPart: number;
  connections: number;
  isKeyStoreHealthy: boolean;
  cpuSeconds: number;
  residentBytes: number;
  heapBytes: number;
};

export function reportProcess(parts: {
  app: App;
  metrics: Metrics;
  lag: EventLoopLag;
  keys: KeyStore;
  holder: StoreHolder;
}): ProcessReport {
  const { app, metrics, lag, keys, holder } = parts;
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed } = process.memoryUsage();
  return {
    pid: process.pid,
    answers: metrics.snapshot(),
    dataset: holder.current?.manifest.version,
    startedAt: Math.round(Date.now() / 1000 - process.uptime()),
    lagMs: lag.lagMs,
    ...app.load(),
    connections: app.connections,
    isKeyStoreHealthy: keys.isHealthy(),
    cpuSeconds: (user + system) / 1e6,
    residentBytes: rss,
    heapBytes: heapUsed,
  };
}

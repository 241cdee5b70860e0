import type { Server } from 'node:net';
import type { Load } from '../http/load.ts';
import type { AnswerCount, Metrics } from '../http/metrics.ts';
import type { StoreHolder } from '../http/service.ts';
import type { KeyStore } from '../keys/key-store.ts';

/** What one serving process tells of itself; plain data, as it passes between processes. */
export type ProcessReport = {
  pid: number;
  answers: AnswerCount[];
  dataset: string | undefined;
  /** Epoch seconds. */
  startedAt: number;
  lagMs: number;
  refusedPart: number;
  connections: number;
  isKeyStoreHealthy: boolean;
  cpuSeconds: number;
  residentBytes: number;
  heapBytes: number;
};

export async function reportProcess(parts: {
  server: Server;
  metrics: Metrics;
  load: Load;
  keys: KeyStore;
  holder: StoreHolder;
}): Promise<ProcessReport> {
  const { server, metrics, load, keys, holder } = parts;
  const connections = await new Promise<number>((resolve) => {
    server.getConnections((error, count) => resolve(error ? 0 : count));
  });
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed } = process.memoryUsage();
  return {
    pid: process.pid,
    answers: metrics.snapshot(),
    dataset: holder.current?.manifest.version,
    startedAt: Math.round(Date.now() / 1000 - process.uptime()),
    lagMs: load.lagMs,
    refusedPart: load.refusedPart,
    connections,
    isKeyStoreHealthy: keys.isHealthy(),
    cpuSeconds: (user + system) / 1e6,
    residentBytes: rss,
    heapBytes: heapUsed,
  };
}

/** The process that watches over the workers: starts them, replaces those that end, has datasets taken up in turn. */
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { type Config, hostAndPort } from '../config.ts';
import { UsageError } from '../errors.ts';
import { type AnswerCount, sumCounts } from '../http/metrics.ts';
import { programVersion } from '../version.ts';
import { createBackOff } from './back-off.ts';
import { type Log, watchDatasets } from './follow-dataset.ts';
import type { FromWorker, ToWorker } from './messages.ts';
import { serveMetrics } from './metrics-server.ts';
import { metricsText } from './metrics-text.ts';
import { cannotListen } from './process.ts';
import type { ProcessReport } from './process-report.ts';

/** How long a worker may take to open a dataset or to tell of itself before the others go on without it, ms. */
const takeUpMs = 60_000;
const reportMs = 2000;
/** What a worker may take longer than the configured time to stop, ms. */
const stopGraceMs = 3000;

export type Supervisor = {
  address: string;
  dataset: string | undefined;
  metricsAddress: string | undefined;
  /** Has every worker take up what `current` names, one after the other. */
  takeUp(isForced: boolean): Promise<void>;
  stop(): Promise<void>;
};

/** Starts so many workers; resolves when all serve. Throws when the first ones cannot, with the reason of one. */
export async function superviseWorkers(config: Config, count: number, log: Log): Promise<Supervisor> {
  const port = await freePort(config.host, config.port);
  const startedAt = new Map<Worker, number>();
  /** What each worker last told, so that its counts outlive it. */
  const lastReports = new Map<Worker, ProcessReport>();
  let departed: AnswerCount[] = [];
  let restarts = 0;
  let isStopping = false;
  let isUp = false;
  let failure: string | undefined;
  let nextId = 0;
  const backOffs = Array.from({ length: count }, createBackOff);

  const serving = new Set<Worker>();
  const tell = (worker: Worker, message: ToWorker) => {
    if (worker.isConnected()) worker.send(message);
  };

  /** Waits for a message of a worker; undefined when it ends first or takes too long. */
  async function answerOf<T extends FromWorker['type']>(
    worker: Worker,
    type: T,
    withinMs: number,
    isIt: (message: Extract<FromWorker, { type: T }>) => boolean = () => true,
  ): Promise<Extract<FromWorker, { type: T }> | undefined> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => done(undefined), withinMs);
      const onMessage = (message: FromWorker) => {
        if (message.type === type && isIt(message as never)) done(message as never);
      };
      const onExit = () => done(undefined);
      const done = (message: Extract<FromWorker, { type: T }> | undefined) => {
        clearTimeout(timer);
        worker.off('message', onMessage).off('exit', onExit);
        resolve(message);
      };
      worker.on('message', onMessage).once('exit', onExit);
    });
  }

  function startWorker(place: number): Worker {
    const worker = cluster.fork();
    startedAt.set(worker, performance.now());
    worker.on('message', (message: FromWorker) => {
      if (message.type === 'serving') serving.add(worker);
      if (message.type === 'failed') {
        failure = message.message;
        log.error({ worker: worker.process.pid, reason: message.message }, 'a worker could not start');
      }
    });
    worker.once('exit', (code, signal) => ended(worker, place, code, signal));
    tell(worker, { type: 'start', port });
    return worker;
  }

  function ended(worker: Worker, place: number, code: number | null, signal: string | null): void {
    serving.delete(worker);
    departed = sumCounts([...departed, ...(lastReports.get(worker)?.answers ?? [])]);
    lastReports.delete(worker);
    const livedMs = performance.now() - startedAt.get(worker)!;
    startedAt.delete(worker);
    if (!isUp) failure ??= signal ? `it was ended by ${signal}` : `it ended with code ${code}; see what it wrote`;
    if (isStopping || !isUp) return;
    restarts++;
    const waitMs = backOffs[place](livedMs);
    log.error(
      { worker: worker.process.pid, code, signal, wait_ms: waitMs },
      'a worker ended; another one takes its place',
    );
    setTimeout(() => !isStopping && startWorker(place), waitMs);
  }

  /** One round after the other, so that no two workers open a dataset at once. */
  let rounds = Promise.resolve();
  function takeUp(isForced: boolean): Promise<void> {
    rounds = rounds.then(async () => {
      for (const worker of [...serving]) {
        if (isStopping) return;
        const answer = answerOf(worker, 'taken-up', takeUpMs);
        tell(worker, { type: 'take-up', isForced });
        await answer;
      }
    });
    return rounds;
  }

  async function report(): Promise<string> {
    await Promise.all(
      [...serving].map(async (worker) => {
        const id = nextId++;
        const answer = answerOf(worker, 'report', reportMs, (message) => message.id === id);
        tell(worker, { type: 'report', id });
        const told = await answer;
        if (told && serving.has(worker)) lastReports.set(worker, told.report);
      }),
    );
    return metricsText([...lastReports.values()], { version: programVersion, departed, restarts });
  }

  async function stop(): Promise<void> {
    isStopping = true;
    watcher?.close();
    metrics?.close();
    const workers = [...startedAt.keys()];
    const ends = workers.map((worker) => once(worker, 'exit'));
    for (const worker of workers) tell(worker, { type: 'stop' });
    const forced = setTimeout(
      () => {
        for (const worker of workers) worker.process.kill('SIGKILL');
      },
      config.shutdownSeconds * 1000 + stopGraceMs,
    );
    await Promise.all(ends);
    clearTimeout(forced);
  }

  const metrics = await serveMetrics(config.metrics === '' ? undefined : hostAndPort(config.metrics), report, log);
  let watcher: { close(): void } | undefined;
  const first = await Promise.all(backOffs.map((_, place) => answerOf(startWorker(place), 'serving', takeUpMs)));
  if (first.some((message) => message === undefined)) {
    await stop();
    throw new UsageError(`a worker could not start: ${failure ?? 'it took more than a minute'}`);
  }
  isUp = true;
  watcher = watchDatasets(config.dataDirectory, () => takeUp(false), log);
  return {
    address: first[0]!.address,
    dataset: first[0]!.dataset,
    metricsAddress: metrics?.address,
    takeUp,
    stop,
  };
}

/**
 * The port to serve on, free at this moment. Workers share a port without asking who else has it, so it is tried first
 * as one that shares none would. Throws UsageError when it is taken.
 */
async function freePort(host: string, port: number): Promise<number> {
  const server = createServer();
  try {
    server.listen({ host, port, exclusive: true });
    await once(server, 'listening');
  } catch (error) {
    throw cannotListen(host, port, error as Error);
  }
  const found = (server.address() as AddressInfo).port;
  server.close();
  await once(server, 'close');
  return found;
}

/** The supervisor process: starts workers, replaces those that end, and makes them load datasets in turn. */
import cluster, { type Worker } from 'node:cluster';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { availableParallelism, totalmem } from 'node:os';
import type { Config } from '../../config.ts';
import { Failure, UsageError, WhereaboutsError } from '../../errors.ts';
import { DatasetError, type Manifest } from '../../store/manifest.ts';
import type { Log } from './follow-dataset.ts';
import { freePort } from './listeners.ts';
import { createSum, metricsText, type ProcessMetrics, type Samples } from './metrics.ts';
import type { Serving } from './process.ts';

/** How long to wait for a worker's report before reporting without it, ms. */
const reportMs = 2000;
/** Grace period beyond the configured time for a worker to stop, ms. */
const stopGraceMs = 3000;

/** Starts workers on a version; resolves when all serve. Throws when one cannot, with its reason. */
export async function superviseWorkers(
  config: Config,
  { count, version }: { count: number; version: string },
  log: Log,
) {
  const openTimeoutMs = config.openTimeoutSeconds * 1000;
  /** The version that workers serve, and that new workers open. */
  let dataset = version;
  const port = await freePort(config.host, config.port);
  const startedAt = new Map<Worker, number>();
  /** The last report of each worker, so that its counts outlive it. */
  const lastReports = new Map<Worker, ProcessMetrics>();
  const sumCounts = config.metrics === '' ? undefined : await createSum();
  let departed: Samples = [];
  let restarts = 0;
  let isStopping = false;
  let isUp = false;
  let failure: string | undefined;
  const backOffs = Array.from({ length: count }, createBackOff);

  const serving = new Set<Worker>();
  /** Workers that open a dataset and cannot answer meanwhile. */
  const opening = new Set<Worker>();
  /** When a worker was last killed for its silence, ms. */
  let silencedAt = Number.NEGATIVE_INFINITY;
  /**
   * Whether a silent worker may be killed: one at a time, so that a machine that is too busy to answer in time is not left with
   * none. A replacement that does not come is waited for as long as it may take to open the dataset.
   */
  const mayReplace = () =>
    performance.now() - silencedAt > openTimeoutMs ||
    [...serving].filter((worker) => !worker.process.killed).length === count;
  /** Workers that are not serving yet. */
  const starting = new Set<Promise<unknown>>();

  /** Starts a worker; `isServing` resolves with its address, or undefined when it could not serve in time. */
  function startWorker(place: number, ended?: number): Promise<string | undefined> {
    const worker = cluster.fork();
    startedAt.set(worker, performance.now());
    worker.once('exit', (code, signal) => onEnd(worker, place, code, signal));
    const opened = dataset;
    const answer = ask(worker, 'start', { port, dataset: opened, ended }, openTimeoutMs);
    starting.add(answer);
    return answer.then((started) => {
      starting.delete(answer);
      if (started?.fault !== undefined) {
        failure = started.fault;
        log.error({ worker: worker.process.pid, reason: failure }, 'a worker could not start');
      } else if (started) {
        serving.add(worker);
        // Loaded by the others while this one was opening the previous version.
        if (opened !== dataset) void catchUp(worker);
        watchHeartbeat(worker, config.workerTimeoutSeconds * 1000, {
          isExcused: () => opening.has(worker) || isStopping,
          mayReplace,
          onSilence() {
            silencedAt = performance.now();
            kill(worker, `it did not respond for ${config.workerTimeoutSeconds} s`);
          },
        });
      } else if (!worker.isDead() && !isStopping)
        kill(worker, `it did not serve within ${config.openTimeoutSeconds} s`);
      return started?.result;
    });
  }

  /** Kills a worker that does not respond; another one replaces it. */
  function kill(worker: Worker, reason: string): void {
    failure ??= reason;
    log.error({ worker: worker.process.pid, reason }, 'killing a worker');
    worker.process.kill('SIGKILL');
  }

  function onEnd(worker: Worker, place: number, code: number | null, signal: string | null): void {
    // One that has not served yet fails the start.
    const isStart = !serving.delete(worker) && !isUp;
    const last = lastReports.get(worker);
    if (last && sumCounts) departed = sumCounts(departed, last.counts);
    lastReports.delete(worker);
    const livedMs = performance.now() - startedAt.get(worker)!;
    startedAt.delete(worker);
    if (isStart) failure ??= signal ? `it was killed by ${signal}` : `it exited with code ${code}; see its output`;
    if (isStopping || isStart) return;
    restarts++;
    const waitMs = backOffs[place](livedMs);
    log.error({ worker: worker.process.pid, code, signal, wait_ms: waitMs }, 'a worker ended; starting another');
    setTimeout(() => !isStopping && startWorker(place, worker.process.pid), waitMs);
  }

  /** Makes a worker load a version; resolves with the reason if it could not. */
  async function switchTo(worker: Worker, version: string): Promise<string | undefined> {
    opening.add(worker);
    const reloaded = await ask(worker, 'reload', version, openTimeoutMs);
    opening.delete(worker);
    if (reloaded) return reloaded.fault;
    if (worker.isDead()) return 'a worker ended while opening the dataset';
    const reason = `a worker did not open the dataset within ${config.openTimeoutSeconds} s`;
    kill(worker, reason);
    return reason;
  }

  /** Makes a worker load what the others serve, or replaces it. */
  async function catchUp(worker: Worker): Promise<void> {
    const reason = await switchTo(worker, dataset);
    if (reason !== undefined && !worker.isDead() && !worker.process.killed) kill(worker, reason);
  }

  /**
   * Makes every worker load a version, one after the other. Throws when the first one cannot, or two ended as they
   * tried: then the others do not try, and workers that start later open the version before. A later one that cannot is
   * replaced.
   */
  async function takeNow(version: string): Promise<void> {
    // A worker that opens does not answer: the others would have to, and one of them may be about to open too.
    await Promise.all(starting);
    if (serving.size === 0) {
      // All have ended, perhaps by damage to what they served: those that replace them open the new version.
      dataset = version;
      return;
    }
    let taken = 0;
    let hasOneEnded = false;
    let reason: string | undefined;
    for (const worker of [...serving]) {
      if (isStopping) return;
      // It ended meanwhile; its replacement opens what the first has loaded.
      if (!serving.has(worker)) continue;
      if (taken > 0) await catchUp(worker);
      else {
        reason = await switchTo(worker, version);
        // A worker may be about to end for a reason of its own; two that end have it from the dataset.
        if (reason !== undefined && worker.isDead() && !hasOneEnded) {
          hasOneEnded = true;
          continue;
        }
        if (reason !== undefined) break;
        dataset = version;
      }
      taken++;
    }
    if (taken === 0) throw new Error(reason ?? 'no worker was running');
  }
  let taking = Promise.resolve();
  const take = (version: string) => {
    const taken = taking.then(() => takeNow(version));
    taking = taken.catch(() => {});
    return taken;
  };

  async function report(): Promise<string> {
    await Promise.all(
      [...serving].map(async (worker) => {
        const reply = await ask(worker, 'report', undefined, reportMs);
        if (reply?.result && serving.has(worker)) lastReports.set(worker, reply.result);
      }),
    );
    return metricsText([...lastReports.values()], { departed, restarts });
  }

  async function stop(): Promise<void> {
    isStopping = true;
    const workers = [...startedAt.keys()];
    const ends = workers.map((worker) => once(worker, 'exit'));
    for (const worker of workers) ask(worker, 'stop', undefined, 0);
    const forced = setTimeout(
      () => {
        for (const worker of workers) worker.process.kill('SIGKILL');
      },
      config.shutdownSeconds * 1000 + stopGraceMs,
    );
    await Promise.all(ends);
    clearTimeout(forced);
  }

  const addresses = await Promise.all(backOffs.map((_, place) => startWorker(place)));
  if (addresses.includes(undefined)) {
    await stop();
    throw new Failure(`a worker could not start: ${failure}`);
  }
  isUp = true;
  return { address: addresses[0]!, served: () => dataset, take, report, stop };
}

/** Number of consecutive unanswered pings after which a worker counts as hung; it may have been silent for an interval before them. */
const maxUnanswered = 4;

/**
 * Asks a worker for a sign of life again and again, and calls `onSilence` once when there was none for
 * `timeoutMs` at most and `mayReplace` allows it. Pings are counted, not time: a machine that was asleep has sent none
 * meanwhile. `isExcused`: the worker is at something during which it cannot answer. Stops with the worker.
 */
function watchHeartbeat(
  worker: Worker,
  timeoutMs: number,
  { isExcused, mayReplace, onSilence }: Record<'isExcused' | 'mayReplace', () => boolean> & { onSilence(): void },
): void {
  const intervalMs = timeoutMs / (maxUnanswered + 1);
  let unanswered = 0;
  const timer = setInterval(() => {
    if (isExcused()) unanswered = 0;
    else if (unanswered >= maxUnanswered) {
      if (!mayReplace()) return;
      clearInterval(timer);
      onSilence();
    } else {
      unanswered++;
      ask(worker, 'ping', undefined, intervalMs);
    }
  }, intervalMs);
  worker.on('message', () => {
    unanswered = 0;
  });
  worker.once('exit', () => clearInterval(timer));
}

const firstWaitMs = 100;
const maxWaitMs = 30_000;
/** A process that lived so long did not fail for the reason the one before did. */
const longMs = 60_000;

/**
 * How long to wait before a process that ended is started again, ms: doubled with each one that does not live for a
 * minute, from a tenth of a second to half a minute.
 */
export function createBackOff(): (livedMs: number) => number {
  let failures = 0;
  return (livedMs) => {
    failures = livedMs >= longMs ? 1 : failures + 1;
    return Math.min(maxWaitMs, firstWaitMs * 2 ** (failures - 1));
  };
}

const mib = 2 ** 20;
/** Memory of a worker besides the mapped dataset, under load, and of the supervisor; both measured, rounded up. */
const workerBytes = 220 * mib;
const watcherBytes = 128 * mib;

/**
 * How many workers `auto` stands for: one for each core, but no more than the memory of this machine or container holds
 * beside the dataset that they share and one that is being loaded; at least one.
 */
export function workerCount(
  manifest: Manifest,
  { cores = availableParallelism(), memoryBytes = Math.min(process.constrainedMemory() || Infinity, totalmem()) } = {},
): number {
  const files = Object.values(manifest.layers).flatMap((layer) => layer.files);
  // Packs should stay in memory; what is read of databases varies.
  const packs = files.filter(({ name }) => name.endsWith('.pack'));
  const datasetBytes = packs.reduce((sum, { bytes }) => sum + bytes, 0);
  const fitting = Math.floor((memoryBytes - watcherBytes - 2 * datasetBytes) / workerBytes);
  return Math.max(1, Math.min(cores, fitting));
}

/** What a worker begins with; `ended` is the process id of the one whose place it takes. */
type Start = { port: number; dataset: string; ended?: number | undefined };

/** What a worker does for its supervisor, by what it is given. */
type Duties = {
  /** Returns its address. */
  start(start: Start): Promise<string>;
  reload(dataset: string): void;
  report(): Promise<ProcessMetrics | undefined>;
  ping(): void;
  stop(): Promise<never>;
};
type Duty = keyof Duties;

type Question = { id: string; duty: Duty; given: unknown };
/** `fault` says why there is no result. */
type Reply<D extends Duty> = { id: string; result?: Awaited<ReturnType<Duties[D]>>; fault?: string };

/** Asks a worker to do something; undefined when it ends first or takes too long. */
function ask<D extends Duty>(
  worker: Worker,
  duty: D,
  given: Parameters<Duties[D]>[0],
  timeoutMs: number,
): Promise<Reply<D> | undefined> {
  const id = randomUUID();
  const { promise, resolve } = Promise.withResolvers<Reply<D> | undefined>();
  const onMessage = (reply: Reply<D>) => reply.id === id && resolve(reply);
  const onEnd = () => resolve(undefined);
  const timer = setTimeout(onEnd, timeoutMs);
  worker.on('message', onMessage).once('exit', onEnd);
  // With a callback, without which a message to a worker that was just killed would end this process.
  if (worker.isConnected()) worker.send({ id, duty, given } satisfies Question, () => {});
  else if (worker.isDead()) onEnd();
  return promise.finally(() => {
    clearTimeout(timer);
    worker.off('message', onMessage).off('exit', onEnd);
  });
}

/** A worker process: serves under the supervisor's control; ends when that process is gone. */
export function runWorker(startServing: (options: Start) => Promise<Serving>): void {
  let serving: Serving | undefined;
  const stop = async () => {
    await serving?.stop();
    process.exit(0);
  };
  const duties: Duties = {
    async start(options) {
      serving = await startServing(options);
      return serving.address;
    },
    reload: (dataset) => serving?.take(dataset),
    report: async () => serving?.metrics(),
    ping() {},
    stop,
  };
  process.on('message', async ({ id, duty, given }: Question) => {
    const reply: Reply<Duty> = { id };
    try {
      reply.result = await duties[duty](given as never);
    } catch (error) {
      reply.fault = reasonOf(error);
    }
    const sent = () => duty === 'start' && reply.fault !== undefined && process.exit(1);
    // With a callback, without which a message to a process that was just killed would end this one.
    if (process.connected) process.send!(reply, undefined, undefined, sent);
    else sent();
  });
  // A terminal sends SIGINT to all its processes; the supervisor stops the workers.
  process.on('SIGINT', () => {});
  process.on('SIGHUP', () => {});
  process.on('SIGTERM', stop);
  process.on('disconnect', stop);
}

/** One line for what the user can mend, all that is known of anything else. */
function reasonOf(error: unknown): string {
  const isPlain = error instanceof UsageError || error instanceof WhereaboutsError || error instanceof DatasetError;
  return isPlain ? error.message : String((error as Error).stack ?? error);
}

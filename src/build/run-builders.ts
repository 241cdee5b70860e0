/** Runs the builders of layers and parts, each in a worker thread of its own. */
import { stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Failure } from '../errors.ts';
import { packagesOf } from '../sources/default-data.ts';
import {
  fileHash,
  type LayerInfo,
  type LayerName,
  type Manifest,
  type Part,
  type SourceInfo,
} from '../store/manifest.ts';
import {
  type BuilderReport,
  type BuildOptions,
  type BuildTask,
  distinctSources,
  type InputPaths,
  type LayerReport,
} from './layer.ts';
import type { WorkerMessage, WorkerTask } from './layer-worker.ts';
import { layerBuilders } from './layers/index.ts';

/** Layers and parts of a dataset, with the sources of the layers; each part has its own. */
export type Built = { layers: Manifest['layers']; sources: SourceInfo[]; parts: Part[] };

/** A source's files cannot be used. */
class UnusableSource extends Failure {}

type BuilderContext = {
  /** The directory of the version that is being built. */
  directory: string;
  packages: InputPaths['packages'];
  /** Fulfilled when the files of these default packages are there. */
  ready(packages: readonly string[]): Promise<void>;
  /** Called when a builder has ended, with all that is built so far. */
  arrived?(built: Built): Promise<void>;
  /** The number of each part. */
  numbers: ReadonlyMap<string, number>;
  /** What is reused from the current dataset. */
  kept: Built;
  /** What stays of the current dataset where a task's source cannot be used; undefined if that ends the build. */
  keep(task: BuildTask, reason: string): Promise<Built | undefined>;
};

/** Runs the builders, each as soon as its inputs and the layers that it needs are there, as many at a time as there are cores. */
export async function runBuilders(
  { tasks, memoryMb, keepsExtract, progress }: Pick<BuildOptions, 'tasks' | 'memoryMb' | 'progress' | 'keepsExtract'>,
  { directory, packages, ready, arrived, numbers, kept, keep }: BuilderContext,
): Promise<Built & { emptySources: string[] }> {
  const done = new Set(Object.keys(kept.layers));
  const waiting = layerBuilders.flatMap((builder) =>
    tasks
      .filter(({ layer }) => layer === builder.name)
      .map((task) => ({ builder, task, hasData: false, data: ready(packagesOf(task.layer, task.part)) })),
  );
  for (const each of waiting) {
    each.data.then(
      () => (each.hasData = true),
      () => {},
    );
  }
  const running = new Set<Promise<void>>();
  const runs = new Map<LayerName, Promise<void>>();
  const built: Built & { emptySources: string[] } = { layers: {}, sources: [], parts: [], emptySources: [] };
  const workers = new Set<Worker>();
  const start = async (task: BuildTask, readable: Promise<unknown>) => {
    const { layer, part } = task;
    const step = part ?? layer;
    const startedAt = performance.now();
    let report: BuilderReport;
    try {
      const job = { ...task, directory, packages, memoryMb, keepsExtract };
      report = await runWorker(job, readable, workers, (share, doing) => progress(step, share, doing));
    } catch (error) {
      const former = error instanceof UnusableSource && (await keep(task, error.message));
      if (!former) throw error;
      Object.assign(built.layers, former.layers);
      built.sources.push(...former.sources);
      built.parts.push(...former.parts);
      done.add(layer);
      return;
    }
    const { also = {}, emptySources = [], bounds, replication, ...own } = report;
    built.emptySources.push(...emptySources);
    const seconds = (performance.now() - startedAt) / 1000;
    const made = inputsOf(task, packages);
    const described: Manifest['layers'] = {};
    for (const [name, one] of Object.entries({ [layer]: own, ...also }) as [LayerName, LayerReport][]) {
      described[name] = await describe(directory, one, seconds);
    }
    const sources = distinctSources([own, ...Object.values(also)].flatMap((one) => one.sources));
    if (part === undefined) {
      built.layers[layer] = { inputs: made, ...described[layer]! };
      built.sources.push(...sources);
    } else {
      const layers = described as Part['layers'];
      built.parts.push({
        name: part,
        number: numbers.get(part)!,
        inputs: made,
        ...(bounds && { bounds }),
        layers,
        sources,
        ...(replication && { replication }),
      });
    }
    done.add(layer);
    progress(step, 1, 'done');
    await arrived?.(built);
  };
  try {
    while (waiting.length > 0 || running.size > 0) {
      for (const next of [...waiting]) {
        const { needs, reads = [] } = next.builder;
        // What it reads has started before, so that one core is enough.
        const isLater = waiting.some(({ task }) => reads.includes(task.layer));
        const isReady = next.hasData && !isLater && needs.every((name) => done.has(name));
        if (!isReady || running.size >= availableParallelism()) continue;
        waiting.splice(waiting.indexOf(next), 1);
        const readable = Promise.all(reads.map((name) => runs.get(name)));
        const run = start(next.task, readable).finally(() => running.delete(run));
        runs.set(next.task.layer, run);
        running.add(run);
      }
      const arriving = waiting.filter(({ hasData }) => !hasData).map(({ data }) => data);
      if (running.size === 0 && arriving.length === 0) {
        const { name, needs } = waiting[0].builder;
        throw new Error(
          `the layer ${name} needs ${needs.join(', ')}, but neither this build nor the current dataset has that`,
        );
      }
      await Promise.race([...running, ...arriving]);
    }
  } finally {
    await Promise.all([...workers].map((worker) => worker.terminate()));
  }
  return built;
}

/** What a layer or part is made of, as the manifest has it: versions of default packages, and hashes of the user's sources. */
export const inputsOf = (
  { layer, part, inputs }: BuildTask,
  packages: InputPaths['packages'],
): Record<string, string> => ({
  ...Object.fromEntries(packagesOf(layer, part).map((name) => [name, packages[name].version])),
  ...inputs,
});

function runWorker(
  task: WorkerTask,
  readable: Promise<unknown>,
  workers: Set<Worker>,
  progress: (share: number, step: string) => void,
): Promise<BuilderReport> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(`./layer-worker${import.meta.url.slice(-3)}`, import.meta.url), {
      workerData: task,
      // Three semi-spaces of 32 MB. With those of 8 that a server has, collecting was a fifth of a builder's time.
      resourceLimits: { maxYoungGenerationSizeMb: 96 },
    });
    workers.add(worker);
    readable.then(
      () => worker.postMessage('readable'),
      () => {},
    );
    worker.on('message', (message: WorkerMessage) => {
      if ('report' in message) resolve(message.report);
      else if ('refusal' in message) {
        const Refused = message.isOfSource ? UnusableSource : Failure;
        reject(new Refused(`layer ${task.layer}: ${message.refusal}`));
      } else progress(message.share, message.step);
    });
    worker.on('error', reject);
    worker.on('exit', (code) => {
      workers.delete(worker);
      reject(new Error(`the builder of the layer ${task.layer} exited with code ${code} without a report`));
    });
  });
}

async function describe(
  directory: string,
  { sources, files, ...counts }: LayerReport,
  buildSeconds: number,
): Promise<LayerInfo> {
  const described = files.map(async (name) => {
    const path = join(directory, name);
    return { name, bytes: (await stat(path)).size, sha256: await fileHash(path) };
  });
  return {
    ...counts,
    sources: sources.map(({ id }) => id),
    files: await Promise.all(described),
    buildSeconds: Math.round(buildSeconds * 10) / 10,
  };
}

/**
 * Builds a dataset version aside and makes it the current one by a rename: a reader sees the old dataset or the new
 * one, never half of either, and a build that breaks off leaves the old one as it was.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { link, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Worker } from 'node:worker_threads';
import { UsageError } from '../errors.ts';
import type { SourceKind } from '../sources/source-kinds.ts';
import { DatasetError } from '../store/dataset-error.ts';
import { currentVersion, datasetSchemaVersion, readManifest } from '../store/manifest.ts';
import { type LayerInfo, type LayerName, layerNames, type Manifest, type SourceInfo } from '../store/store.ts';
import { withBuildLock } from './build-lock.ts';
import { fetchDefaultData, lockedPackages, packageDirectory } from './default-data.ts';
import { faultsOf } from './guards.ts';
import type { InputPaths } from './inputs.ts';
import type { BuilderReport, LayerBuilder, LayerReport } from './layer.ts';
import type { WorkerMessage, WorkerTask } from './layer-worker.ts';
import { layerBuilders } from './layers/index.ts';
import { packagesFor } from './layers/packages.ts';
import { ownProbes } from './probes.ts';
import { makeCurrent, newVersion, prune, refuse, writeDurably } from './versions.ts';

export type BuildOptions = {
  dataDirectory: string;
  /** Files the user gave, by kind; they take the place of the default data. */
  given: Partial<Record<SourceKind, string[]>>;
  /** Layers to build; all others are taken over from the current dataset, where it has them. */
  layers: readonly LayerName[];
  /** Keep the unpacked default data for the next build. */
  keepSources: boolean;
  /** Memory for the tables of each layer's builder in MB, 512 unless told. */
  memoryMb?: number;
  /** Most that a layer or a country may lose of its records, in percent; 5 unless told. */
  maxLossPercent?: number;
  /** Make the dataset current whatever the guards find; what they find is told all the same. */
  acceptLoss?: boolean;
  /** Told of each thing the guards found that the build goes on with. */
  warn?(fault: string): void;
  /** Versions that are kept, the new one among them; 3 unless told. */
  keepVersions?: number;
  /** Told how far each step is: `sources` and then every layer by name. */
  progress(step: string, share: number, doing: string): void;
};

const stagingPrefix = '.building-';
const defaultKeptVersions = 3;
const defaultMaxLossPercent = 5;

/** Builds, makes the result current, and gives its manifest. Throws with a remedy; then nothing has changed. */
export function buildDataset(options: BuildOptions): Promise<Manifest> {
  return withBuildLock(options.dataDirectory, () => buildLocked(options));
}

async function buildLocked(options: BuildOptions): Promise<Manifest> {
  const { dataDirectory } = options;
  // Read first: a mistake in it is not told after an hour of building.
  const probes = ownProbes(dataDirectory);
  await removeLeftovers(dataDirectory);
  const sourcesDirectory = join(dataDirectory, 'sources');
  const packages = packagesFor(options.layers, options.given);
  await fetchDefaultData(sourcesDirectory, packages, (share, doing) => options.progress('sources', share, doing));
  const inputs = await inputPaths(sourcesDirectory, options.given);

  const builtAt = new Date();
  const version = await newVersion(dataDirectory, builtAt);
  const staging = join(dataDirectory, `${stagingPrefix}${version}`);
  await mkdir(staging);
  try {
    const kept = await takeOver(dataDirectory, staging, layersBuilt(options.layers));
    const built = await buildLayers(options, staging, inputs, new Set(kept.names));
    const manifest: Manifest = {
      schemaVersion: datasetSchemaVersion,
      version,
      builtAt: builtAt.toISOString(),
      layers: inOrder({ ...kept.layers, ...built.layers }),
      sources: distinct([...kept.sources, ...built.sources]),
    };
    await writeDurably(join(staging, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    const { maxLossPercent = defaultMaxLossPercent, acceptLoss = false, warn = () => {} } = options;
    const { emptySources } = built;
    const layers = layersBuilt(options.layers);
    const faults = faultsOf({ dataDirectory, directory: staging, layers, emptySources, probes, maxLossPercent });
    await rename(staging, join(dataDirectory, version));
    if (faults.length > 0 && !acceptLoss) {
      await refuse(dataDirectory, version);
      throw new DatasetError(refusalOf(version, faults));
    }
    for (const fault of faults) warn(fault);
    await makeCurrent(dataDirectory, version);
    if (!options.keepSources) await rm(sourcesDirectory, { recursive: true, force: true });
    await prune(dataDirectory, options.keepVersions ?? defaultKeptVersions);
    return manifest;
  } catch (error) {
    await rm(staging, { recursive: true, force: true });
    throw error;
  }
}

/** What an earlier build left when it was killed. Safe, because the build lock is held. */
async function removeLeftovers(dataDirectory: string): Promise<void> {
  for (const name of await readdir(dataDirectory)) {
    if (name.startsWith(stagingPrefix)) await rm(join(dataDirectory, name), { recursive: true, force: true });
  }
}

async function inputPaths(sourcesDirectory: string, given: BuildOptions['given']): Promise<InputPaths> {
  const packages: InputPaths['packages'] = {};
  for (const locked of (await lockedPackages()).values()) {
    packages[locked.name] = { directory: packageDirectory(sourcesDirectory, locked), version: locked.version };
  }
  return { packages, given };
}

/** The layers that builders of the given names make, those that one makes in one go with its own among them. */
function layersBuilt(names: readonly LayerName[]): LayerName[] {
  return layerBuilders.filter(({ name }) => names.includes(name)).flatMap(({ name, also = [] }) => [name, ...also]);
}

const refusalOf = (version: string, faults: readonly string[]) =>
  `the new dataset is not made current:\n${faults.map((fault) => `  ${fault}`).join('\n')}\n` +
  `Mend the sources and build again, or agree with --accept-loss. What was built is kept: "whereabouts rollback ${version}" serves it as it is.`;

type Built = { layers: Manifest['layers']; sources: SourceInfo[] };

/** Links the files of layers that are not built again from the current dataset. */
async function takeOver(
  dataDirectory: string,
  staging: string,
  rebuilt: readonly LayerName[],
): Promise<Built & { names: LayerName[] }> {
  const version = currentVersion(dataDirectory);
  const names = layerNames.filter((name) => !rebuilt.includes(name));
  if (!version || names.length === 0) return { layers: {}, sources: [], names: [] };
  const directory = join(dataDirectory, version);
  const manifest = readManifest(directory);
  const layers: Manifest['layers'] = {};
  for (const name of names) {
    const layer = manifest.layers[name];
    if (!layer) continue;
    layers[name] = layer;
    for (const file of layer.files) await link(join(directory, file.name), join(staging, file.name));
  }
  const used = new Set(Object.values(layers).flatMap((layer) => layer.sources));
  return {
    layers,
    sources: manifest.sources.filter(({ id }) => used.has(id)),
    names: Object.keys(layers) as LayerName[],
  };
}

/** Runs the layers' builders, each as soon as what it needs is there, as many at once as there are cores. */
async function buildLayers(
  options: BuildOptions,
  directory: string,
  inputs: InputPaths,
  done: Set<LayerName>,
): Promise<Built & { emptySources: string[] }> {
  const waiting = layerBuilders.filter(({ name }) => options.layers.includes(name));
  const running = new Map<LayerName, Promise<void>>();
  const built = { layers: {}, sources: [], emptySources: [] } as Built & { emptySources: string[] };
  const workers = new Set<Worker>();
  const start = async (builder: LayerBuilder) => {
    const startedAt = performance.now();
    const task: WorkerTask = { layer: builder.name, directory, inputs, memoryMb: options.memoryMb };
    const report = await runWorker(task, workers, (share, doing) => options.progress(builder.name, share, doing));
    const { also = {}, emptySources = [], ...own } = report;
    built.emptySources.push(...emptySources);
    const seconds = (performance.now() - startedAt) / 1000;
    for (const [name, layer] of Object.entries({ [builder.name]: own, ...also })) {
      built.layers[name as LayerName] = await describe(directory, layer, seconds);
      built.sources.push(...layer.sources);
    }
    done.add(builder.name);
    running.delete(builder.name);
    options.progress(builder.name, 1, 'done');
  };
  try {
    while (waiting.length > 0 || running.size > 0) {
      for (const builder of [...waiting]) {
        const isReady = builder.needs.every((name) => done.has(name));
        if (!isReady || running.size >= availableParallelism()) continue;
        waiting.splice(waiting.indexOf(builder), 1);
        running.set(builder.name, start(builder));
      }
      if (running.size === 0) {
        throw new Error(
          `layer ${waiting[0].name} needs ${waiting[0].needs.join(', ')}, which neither the build nor the current dataset has`,
        );
      }
      await Promise.race(running.values());
    }
  } finally {
    await Promise.all([...workers].map((worker) => worker.terminate()));
  }
  return built;
}

function runWorker(
  task: WorkerTask,
  workers: Set<Worker>,
  progress: (share: number, step: string) => void,
): Promise<BuilderReport> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(`./layer-worker${import.meta.url.slice(-3)}`, import.meta.url), {
      workerData: task,
    });
    workers.add(worker);
    worker.on('message', (message: WorkerMessage) => {
      if ('report' in message) resolve(message.report);
      else if ('refusal' in message) reject(new UsageError(`layer ${task.layer}: ${message.refusal}`));
      else progress(message.share, message.step);
    });
    worker.on('error', reject);
    worker.on('exit', (code) => {
      workers.delete(worker);
      reject(new Error(`the builder of layer ${task.layer} ended with exit code ${code} and no report`));
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
    const hash = createHash('sha256');
    await pipeline(createReadStream(path), hash);
    return { name, bytes: (await stat(path)).size, sha256: hash.digest('hex') };
  });
  return {
    ...counts,
    sources: sources.map(({ id }) => id),
    files: await Promise.all(described),
    buildSeconds: Math.round(buildSeconds * 10) / 10,
  };
}

function inOrder(layers: Manifest['layers']): Manifest['layers'] {
  return Object.fromEntries(layerNames.flatMap((name) => (layers[name] ? [[name, layers[name]]] : [])));
}

function distinct(sources: SourceInfo[]): SourceInfo[] {
  return [...new Map(sources.map((source) => [source.id, source])).values()];
}

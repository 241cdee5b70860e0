/**
 * Builds a dataset version in a separate directory and makes it current by a rename: a reader sees the old dataset or
 * the new one, never a mixture, and a failed build leaves the old one unchanged.
 */
import { existsSync } from 'node:fs';
import { link, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Failure } from '../errors.ts';
import { packagesOf } from '../sources/default-data.ts';
import { replaceDurably } from '../store/durable.ts';
import {
  currentVersion,
  DatasetError,
  datasetSchemaVersion,
  filesOf,
  type LayerInfo,
  type LayerName,
  layerNames,
  type Manifest,
  type Part,
  readManifest,
  streetLayerNames,
  verifyFiles,
} from '../store/manifest.ts';
import { extractName, licenceGroups, maxParts, poiFileName, streetFileName } from '../store/sqlite/street-level.ts';
import { termHash } from '../store/sqlite/term-filter.ts';
import { fetchDefaultData, lockedPackages, packageDirectory } from './default-data.ts';
import { type BuildOptions, type BuildTask, distinctSources, type InputPaths } from './layer.ts';
import { layerBuilders } from './layers/index.ts';
import { withListLock } from './locks.ts';
import { NothingBuilt } from './plan.ts';
import { type Built, inputsOf, runBuilders } from './run-builders.ts';
import { makeCurrent, newVersion, prune, refuse } from './versions.ts';

const defaultKeptVersions = 3;
const defaultMaxLossPercent = 5;

/**
 * Builds a dataset, makes it current, and returns its manifest: that of the dataset before where the data are the same.
 * Throws with a remedy; then nothing has changed. The
 * caller holds the build lock, from before it read which dataset is current.
 */
export async function buildDataset(options: BuildOptions): Promise<Manifest> {
  const { dataDirectory } = options;
  const sourcesDirectory = join(dataDirectory, 'sources');
  const directories = await packageDirectories(sourcesDirectory);
  const interrupted = await interruptedBuild(options, directories);
  const builtAt = new Date(interrupted?.manifest.builtAt ?? Date.now());
  const version = interrupted?.manifest.version ?? (await newVersion(dataDirectory, builtAt));
  const staging = join(dataDirectory, `${stagingPrefix}${version}`);
  await removeLeftovers(dataDirectory, interrupted && basename(staging));
  await mkdir(staging, { recursive: true });
  const isFirst = currentVersion(dataDirectory) === undefined;
  const tasks = interrupted ? options.tasks.filter((task) => !hasResult(interrupted.built, task)) : options.tasks;
  // In the order in which the builders can begin: zones and world need no other layer.
  const groups = layerBuilders
    .toSorted((one, other) => one.needs.length - other.needs.length)
    .map(({ name }) =>
      tasks.filter(({ layer }) => layer === name).flatMap(({ layer, part }) => packagesOf(layer, part)),
    );
  const data = await fetchDefaultData(sourcesDirectory, groups, (share, doing) =>
    options.progress('sources', share, doing),
  );
  try {
    // Most of the program, as they ask every endpoint: loaded while packages arrive.
    const { faultsOf, ownProbes } = await import('./guards.ts');
    // Read first, so that an error in it is not reported after an hour of building.
    const probes = ownProbes(dataDirectory);
    const before = manifestBefore(options);
    const kept = interrupted?.built ?? (await linkKept(before, options, staging));
    const numbers = partNumbers(before, options, kept);
    let failed = 0;
    const keep = async (task: BuildTask, reason: string) => {
      if (!before || !hasResult(before, task) || !options.isKept?.(task, reason)) return undefined;
      failed++;
      return linkFormer(before, task, join(dataDirectory, before.version), staging);
    };
    const manifestOf = (built: Built): Manifest => {
      const parts = [...kept.parts, ...built.parts].sort((a, b) => a.number - b.number);
      const layers = inOrder({ ...kept.layers, ...built.layers, ...layersOfParts(parts) });
      return {
        schemaVersion: datasetSchemaVersion,
        version,
        builtAt: builtAt.toISOString(),
        layers,
        sources: distinctSources([...kept.sources, ...built.sources, ...parts.flatMap(({ sources }) => sources)]),
        parts,
      };
    };
    // Street-level parts are served together, so they arrive together.
    let writing = Promise.resolve();
    const arrived = async (built: Built) => {
      const whole = manifestOf(built);
      const isDone = (task: BuildTask) => hasResult({ ...built, layers: whole.layers, parts: whole.parts }, task);
      const coming = [
        ...new Set(options.tasks.filter((task) => !isDone(task)).flatMap(({ layer }) => layersBuiltWith(layer))),
      ];
      const manifest = { ...whole, coming };
      writing = writing.then(() => replaceDurably(join(staging, manifestName), JSON.stringify(manifest)));
      await writing;
      if (coming.length > 0 && whole.layers.world && whole.layers.zones) options.onArrival?.(staging);
    };
    if (interrupted) await arrived({ layers: {}, sources: [], parts: [] });
    const built = await runBuilders(
      { ...options, tasks },
      {
        ...{ directory: staging, packages: directories, ready: data.ready },
        ...{ numbers, kept, keep, ...(isFirst && { arrived }) },
      },
    );
    await data.close();
    if (failed > 0 && failed === options.tasks.length) throw new NothingBuilt();
    const manifest = manifestOf(built);
    await replaceDurably(join(staging, manifestName), `${JSON.stringify(manifest, null, 2)}\n`);
    const { maxLossPercent = defaultMaxLossPercent, acceptLoss = false, warn = () => {} } = options;
    const { emptySources } = built;
    const rebuiltLayers = new Set(options.tasks.flatMap(({ layer }) => layersBuiltWith(layer)));
    const faults = faultsOf({
      dataDirectory,
      directory: staging,
      layers: rebuiltLayers,
      emptySources,
      probes,
      maxLossPercent,
    });
    const isRefused = faults.length > 0 && !acceptLoss;
    const unchanged = isRefused ? undefined : await currentIfSame(dataDirectory, manifest);
    if (unchanged) {
      await withListLock(dataDirectory, async () => options.finish?.(dataDirectory, unchanged));
      await rm(staging, { recursive: true, force: true });
      if (!options.keepSources) await rm(sourcesDirectory, { recursive: true, force: true });
      return unchanged;
    }
    await withListLock(dataDirectory, async () => {
      await options.finish?.(staging, manifest);
      await rename(staging, join(dataDirectory, version));
      if (isRefused) {
        await refuse(dataDirectory, version);
        throw new DatasetError(refusalOf(version), { faults });
      }
      for (const fault of faults) warn(fault);
      await makeCurrent(dataDirectory, version);
    });
    if (!options.keepSources) await rm(sourcesDirectory, { recursive: true, force: true });
    await prune(dataDirectory, options.keepVersions ?? defaultKeptVersions);
    return manifest;
  } catch (error) {
    await data.close();
    // What a first build has made is taken up by the next one.
    if (!isFirst || !existsSync(join(staging, manifestName))) await rm(staging, { recursive: true, force: true });
    throw error;
  }
}

/**
 * The manifest of the current dataset where a build has made the same data again, so that it makes no version that would
 * push out another one; undefined where the data differ, or those of the current dataset are damaged.
 */
async function currentIfSame(dataDirectory: string, made: Manifest): Promise<Manifest | undefined> {
  const version = currentVersion(dataDirectory);
  if (version === undefined) return undefined;
  const dataOf = ({ layers, parts, sources }: Manifest) =>
    JSON.parse(
      JSON.stringify({ layers, parts, sources }, (key, value) => (key === 'buildSeconds' ? undefined : value)),
    );
  const directory = join(dataDirectory, version);
  try {
    const manifest = readManifest(directory);
    if (!isDeepStrictEqual(dataOf(manifest), dataOf(made))) return undefined;
    await verifyFiles(directory, manifest, { isFresh: true });
    return manifest;
  } catch (error) {
    if (error instanceof DatasetError) return undefined;
    throw error;
  }
}

/** Removes what a killed build left, except what is `kept`. Safe, because the build lock is held. */
async function removeLeftovers(dataDirectory: string, kept: string | undefined): Promise<void> {
  for (const name of await readdir(dataDirectory)) {
    if (name.startsWith(stagingPrefix) && name !== kept)
      await rm(join(dataDirectory, name), { recursive: true, force: true });
  }
}

async function packageDirectories(sourcesDirectory: string): Promise<InputPaths['packages']> {
  const packages: InputPaths['packages'] = {};
  for (const locked of (await lockedPackages()).values()) {
    packages[locked.name] = { directory: packageDirectory(sourcesDirectory, locked), version: locked.version };
  }
  return packages;
}

const refusalOf = (version: string) =>
  'the new dataset was not made current; fix the sources and build again, or accept this with --accept-loss; ' +
  `"whereabouts rollback ${version}" serves it as it is:`;

/** Hard-links what the dataset `before` has of a layer or part in place of what its builder wrote before it failed. */
async function linkFormer(before: Manifest, { layer, part }: BuildTask, from: string, staging: string): Promise<Built> {
  if (part !== undefined) {
    // Its builder may have started a file that the part did not have before.
    const written = licenceGroups.flatMap((group) => [streetFileName(group, part), poiFileName(group, part)]);
    for (const name of [...written, extractName(part)]) await rm(join(staging, name), { force: true });
  }
  const former = someOf(
    before,
    (name) => part === undefined && name === layer,
    (name) => name === part,
  );
  await linkFiles(from, former, staging);
  return former;
}

/** Hard-links the files of layers and parts, and the extracts that are kept of these parts, from another dataset. */
async function linkFiles(from: string, { layers, parts }: Omit<Built, 'sources'>, staging: string): Promise<void> {
  const files = filesOf({ layers: { ...layers, ...layersOfParts(parts) } }).map(({ name }) => name);
  const extracts = parts.map(({ name }) => extractName(name)).filter((name) => existsSync(join(from, name)));
  for (const name of [...files, ...extracts]) {
    await rm(join(staging, name), { force: true });
    await link(join(from, name), join(staging, name));
  }
}

/** Hard-links the files of layers and parts that are not rebuilt from the current dataset. */
async function linkKept(
  before: Manifest | undefined,
  { dataDirectory, tasks, keptParts }: BuildOptions,
  staging: string,
): Promise<Built> {
  if (!before) return { layers: {}, sources: [], parts: [] };
  const rebuilt = new Set<string>([...tasks.map(({ layer }) => layer), ...streetLayerNames]);
  const kept = someOf(
    before,
    (layer) => !rebuilt.has(layer),
    (part) => keptParts.includes(part),
  );
  await linkFiles(join(dataDirectory, before.version), kept, staging);
  return kept;
}

/** Some layers and parts of a dataset, with the sources of the layers. */
function someOf(
  manifest: Manifest,
  hasLayer: (name: LayerName) => boolean,
  hasPart: (name: string) => boolean = () => false,
): Built {
  const layers = Object.fromEntries(Object.entries(manifest.layers).filter(([name]) => hasLayer(name as LayerName)));
  const used = new Set(Object.values(layers).flatMap((layer) => layer.sources));
  const sources = manifest.sources.filter(({ id }) => used.has(id));
  return { layers, sources, parts: manifest.parts.filter(({ name }) => hasPart(name)) };
}

/**
 * The manifest of the current dataset; undefined where there is none, and where a complete build replaces one that this
 * program cannot read, for example because of an older schema. Throws when parts of such a dataset would be needed.
 */
function manifestBefore({ dataDirectory, tasks }: BuildOptions): Manifest | undefined {
  const version = currentVersion(dataDirectory);
  if (version === undefined) return undefined;
  try {
    return readManifest(join(dataDirectory, version));
  } catch (error) {
    const isWhole = layerBuilders.every(({ name }) => tasks.some(({ layer }) => layer === name));
    if (isWhole) return undefined;
    throw error;
  }
}

/** The numbers of the parts that are built: a part that is built again keeps its own. */
function partNumbers(before: Manifest | undefined, { tasks }: BuildOptions, kept: Built): Map<string, number> {
  const numbers = new Map(before?.parts.map(({ name, number }) => [name, number]));
  const names = tasks.flatMap(({ part }) => part ?? []).sort();
  const taken = new Set([
    ...kept.parts.map(({ number }) => number),
    ...names.flatMap((name) => numbers.get(name) ?? []),
  ]);
  for (const name of names) {
    if (numbers.has(name)) continue;
    const number = partNumber(name, taken);
    numbers.set(name, number);
    taken.add(number);
  }
  return numbers;
}

function inOrder(layers: Manifest['layers']): Manifest['layers'] {
  return Object.fromEntries(layerNames.flatMap((name) => (layers[name] ? [[name, layers[name]]] : [])));
}

// Resuming a first build that was interrupted: what it leaves to the next one.

/** Before the name of a version that is being built. */
export const stagingPrefix = '.building-';
const manifestName = 'manifest.json';

const isNote = (file: string) => file === manifestName || file.startsWith('.');

/** What an earlier first build wrote before it was interrupted, if it had the same inputs and its files are whole. */
async function interruptedBuild(
  { dataDirectory, tasks }: Pick<BuildOptions, 'dataDirectory' | 'tasks'>,
  packages: InputPaths['packages'],
): Promise<{ manifest: Manifest; built: Built } | undefined> {
  if (currentVersion(dataDirectory) !== undefined) return undefined;
  for (const name of await readdir(dataDirectory)) {
    if (!name.startsWith(stagingPrefix)) continue;
    try {
      const directory = join(dataDirectory, name);
      const manifest = readManifest(directory);
      const resultOf = ({ layer, part }: BuildTask) =>
        part === undefined ? manifest.layers[layer] : manifest.parts.find(({ name }) => name === part);
      const done = tasks.filter(
        (task) => JSON.stringify(resultOf(task)?.inputs) === JSON.stringify(inputsOf(task, packages)),
      );
      const names = new Set(
        done.filter(({ part }) => part === undefined).flatMap(({ layer }) => layersBuiltWith(layer)),
      );
      const built = someOf(
        manifest,
        (layer) => names.has(layer),
        (part) => done.some((task) => task.part === part),
      );
      const layers = { ...built.layers, ...layersOfParts(built.parts) };
      await verifyFiles(directory, { ...manifest, layers });
      const whole = new Set(filesOf({ layers }).map((file) => file.name));
      // The builder that was interrupted starts again.
      for (const file of await readdir(directory))
        if (!whole.has(file) && !isNote(file)) await rm(join(directory, file), { recursive: true, force: true });
      return { manifest, built };
    } catch {
      // Nothing of it can be used.
    }
  }
  return undefined;
}

/** Whether a builder's result is among what is built. */
const hasResult = (
  { layers, parts }: Pick<Built, 'layers' | 'parts'>,
  { layer, part }: Pick<BuildTask, 'layer' | 'part'>,
): boolean => (part === undefined ? layers[layer] !== undefined : parts.some(({ name }) => name === part));

/** All layers made by the builder of a layer. */
function layersBuiltWith(layer: LayerName): LayerName[] {
  return layerBuilders.filter(({ name }) => name === layer).flatMap(({ name, also = [] }) => [name, ...also]);
}

// The parts of the street-level layers: their numbers and their sums.

/** The street-level layers as the sum of their parts; none without parts. */
function layersOfParts(parts: readonly Part[]): Manifest['layers'] {
  if (parts.length === 0) return {};
  return Object.fromEntries(streetLayerNames.map((name) => [name, sum(parts.map(({ layers }) => layers[name]))]));
}

function sum(layers: readonly LayerInfo[]): LayerInfo {
  const all = (of: (layer: LayerInfo) => Record<string, number> | undefined) => {
    const total: Record<string, number> = {};
    for (const layer of layers)
      for (const [key, count] of Object.entries(of(layer) ?? {})) total[key] = (total[key] ?? 0) + count;
    return total;
  };
  return {
    records: all(({ records }) => records),
    countries: all(({ countries }) => countries),
    dropped: all(({ dropped }) => dropped),
    sources: [...new Set(layers.flatMap(({ sources }) => sources))],
    files: layers.flatMap(({ files }) => files),
    buildSeconds: Math.round(10 * layers.reduce((seconds, { buildSeconds }) => seconds + buildSeconds, 0)) / 10,
  };
}

/**
 * A number for a new part: the hash of its name, or the next free one, so that separately built datasets mostly agree.
 * `taken` are the numbers of the other parts. Throws when identifiers have room for no more.
 */
export function partNumber(name: string, taken: ReadonlySet<number>): number {
  if (taken.size >= maxParts)
    throw new Failure(`the dataset already has ${maxParts} parts, the maximum; put several sources into one folder`);
  let number = termHash(name) % maxParts;
  while (taken.has(number)) number = (number + 1) % maxParts;
  return number;
}

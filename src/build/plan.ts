/**
 * Plans which layers and parts a build makes for the requested sources, and which it reuses from the current dataset.
 */

import { realpath } from 'node:fs/promises';
import { sep } from 'node:path';
import { Failure, UsageError } from '../errors.ts';
import { defaultParts } from '../sources/default-data.ts';
import { type LayerName, type Manifest, streetLayerNames } from '../store/manifest.ts';
import type { BuildTask, ExtractChanges, UserFiles } from './layer.ts';
import { isUserInput, type Source, sampleSource } from './source-list.ts';
import { layersOfKind } from './user-files.ts';

/** No task's source can be used, so that there is nothing new. */
export class NothingBuilt extends Failure {
  constructor() {
    super('no dataset is built: nothing else was to be built');
  }
}

/** A source with its local files and what was found out about them. */
export type ReadSource = { source: Source; files: UserFiles };

export type BuildRequest = {
  /** All sources of the new dataset. */
  wanted: readonly Source[];
  /** Names of sources that are read again, and whose layers are rebuilt. */
  reread: ReadonlySet<string>;
  /** Layers to rebuild, by their builders' names: `streets` for all parts. */
  layers: readonly LayerName[];
  /** Parts of default data to rebuild. */
  parts: readonly string[];
  /** Layers that may be built at all, by their builders' names. */
  within: readonly LayerName[];
  /** Changes to apply to parts, by name. */
  changes?: ReadonlyMap<string, ExtractChanges>;
  /** Whether boundaries are requested by name, so that they are rebuilt with the areas of the user's files. */
  includesBoundaries?: boolean;
  current: Pick<Manifest, 'layers' | 'parts' | 'sources'> | undefined;
  /** Downloads a source's files where needed; undefined to keep what the current dataset has of it. */
  read(source: Source): Promise<ReadSource | undefined>;
};

export type Plan = { tasks: BuildTask[]; keptParts: string[]; read: ReadSource[] };

const isStreetLevel = (layer: LayerName) => streetLayerNames.some((name) => name === layer);

/**
 * The builders that read a source's files: `streets` for those of street-level layers. Boundaries, which are always
 * rebuilt as a whole, are included for an extract only on request.
 */
export function buildersOf(files: UserFiles, includesBoundaries = false): Set<LayerName> {
  const layers = (Object.keys(files) as (keyof UserFiles)[]).flatMap((kind) =>
    layersOfKind(kind).filter(
      (layer) => layer !== 'boundaries' || includesBoundaries || layersOfKind(kind).length === 1,
    ),
  );
  return new Set(layers.map((layer) => (isStreetLevel(layer) ? 'streets' : layer)));
}

/** Plans a build. Reads only sources that are needed. Throws UsageError for a file that two of them have. */
export async function planBuild(request: BuildRequest): Promise<Plan> {
  const { wanted, reread, layers, parts, within, includesBoundaries, changes = new Map(), current, read } = request;
  const before = current ? current.parts : [];
  const madeOf = (layer: LayerName) => new Set(Object.keys(current?.layers[layer]?.inputs ?? {}));
  const hasPart = (name: string) => before.some((part) => part.name === name);
  const isDefault = ({ from }: Source) => from === sampleSource.from;
  const isKnown = ({ name }: Source) => hasPart(name) || knownLayers(current).some((layer) => madeOf(layer).has(name));

  const opened = new Map<string, ReadSource>();
  const kept = new Set<string>();
  const open = async (source: Source) => {
    if (opened.has(source.name) || kept.has(source.name)) return;
    const found = await read(source);
    if (found) opened.set(source.name, found);
    else kept.add(source.name);
  };
  const own = wanted.filter((source) => !isDefault(source));
  for (const source of own) if (reread.has(source.name) || !isKnown(source)) await open(source);

  const names = new Set(wanted.map(({ name }) => name));
  const changed = [...opened.values()].flatMap(({ files }) => [...buildersOf(files, includesBoundaries)]);
  // A folder may have lost its files of one kind.
  const isWithout = ({ source, files }: ReadSource, layer: LayerName) =>
    madeOf(layer).has(source.name) && Object.keys(ofBuilder(layer, files)).length === 0;
  const lacking = knownLayers(current).filter(
    (layer) =>
      isSourceRemoved(current, layer, names) || [...opened.values()].some((source) => isWithout(source, layer)),
  );
  const built = within.filter((layer) => [...layers, ...changed, ...lacking].includes(layer));
  for (const source of own) {
    const isPartOf = (layer: LayerName) =>
      layer === 'streets' ? hasPart(source.name) : madeOf(layer).has(source.name);
    if (built.some((layer) => (layer !== 'streets' || layers.includes('streets')) && isPartOf(layer)))
      await open(source);
  }

  await refuseShared(own, opened);

  // A layer other than street-level data has no parts: without one of its sources it stays as a whole.
  const isKept = (layer: LayerName) => [...madeOf(layer)].some((name) => kept.has(name));
  const tasks = built
    .filter((layer) => layer !== 'streets' && !isKept(layer))
    .map((layer) => layerTask(layer, [...opened.values()]));
  const hasStreets = ({ files }: ReadSource) => Object.keys(ofBuilder('streets', files)).length > 0;
  const isStreetSource = (name: string) => !opened.has(name) || hasStreets(opened.get(name)!);
  const wantedParts = new Set([
    ...before.map(({ name }) => name).filter((name) => names.has(name) && isStreetSource(name)),
    defaultParts.worldwide,
  ]);
  if (names.has(defaultParts.samples)) wantedParts.add(defaultParts.samples);
  if (!within.includes('streets'))
    return { tasks, keptParts: before.map(({ name }) => name), read: [...opened.values()] };
  const all = layers.includes('streets');
  for (const name of [defaultParts.samples, defaultParts.worldwide]) {
    const isBuilt = wantedParts.has(name) && (all || parts.includes(name) || !hasPart(name));
    if (isBuilt) tasks.push({ layer: 'streets', part: name, userFiles: {}, inputs: {} });
  }
  for (const { source, files } of opened.values()) {
    const userFiles = ofBuilder('streets', files);
    if (isStreetSource(source.name))
      tasks.push({ layer: 'streets', part: source.name, userFiles, inputs: inputOf(source) });
  }
  for (const { name, inputs } of before) {
    const ofPart = changes.get(name);
    if (ofPart && !tasks.some(({ part }) => part === name))
      tasks.push({ layer: 'streets', part: name, userFiles: {}, inputs, changes: ofPart });
  }
  const rebuilt = new Set(tasks.map(({ part }) => part));
  return {
    tasks,
    keptParts: before.map(({ name }) => name).filter((name) => wantedParts.has(name) && !rebuilt.has(name)),
    read: [...opened.values()],
  };
}

const knownLayers = (current: BuildRequest['current']) => Object.keys(current?.layers ?? {}) as LayerName[];

/** Whether a layer was made of a source that is no longer wanted. */
function isSourceRemoved(current: BuildRequest['current'], layer: LayerName, names: ReadonlySet<string>): boolean {
  const inputs = Object.entries(current?.layers[layer]?.inputs ?? {});
  return inputs.some(([name, value]) => isUserInput(value) && !names.has(name));
}

/**
 * Throws UsageError for a file that two sources have, by its place or content: its records would count twice. Of a folder
 * that is not read it is known only where it lies.
 */
async function refuseShared(own: readonly Source[], opened: ReadonlyMap<string, ReadSource>): Promise<void> {
  const real = (path: string) => realpath(path).catch(() => path);
  const owners = new Map<string, string>();
  const folders: [folder: string, name: string][] = [];
  const refuse = (name: string, other: string, file: string) => {
    throw new UsageError(
      `${name} and ${other} have the same file ${file}, whose records would count twice; leave one of them out, or ` +
        `remove it from the list with "whereabouts sources remove ${other}"`,
    );
  };
  for (const { name, from, hash } of own.filter((source) => !opened.has(source.name))) {
    if (hash) owners.set(hash, name);
    folders.push([await real(from), name]);
  }
  for (const { source, files } of opened.values()) {
    const paths = await Promise.all(Object.values(files).flat().map(real));
    for (const key of new Set([...paths, source.hash ?? ''])) {
      const inside = folders.find(([folder]) => key === folder || key.startsWith(folder + sep))?.[1];
      const other = owners.get(key) ?? inside;
      if (other !== undefined) refuse(source.name, other, key.startsWith('sha256:') ? source.from : key);
      if (key !== '') owners.set(key, source.name);
    }
  }
}

const inputOf = ({ name, hash = '' }: Source) => ({ [name]: hash });

function layerTask(layer: LayerName, read: readonly ReadSource[]): BuildTask {
  const userFiles: UserFiles = {};
  const inputs: Record<string, string> = {};
  for (const { source, files } of read) {
    for (const [kind, paths] of Object.entries(ofBuilder(layer, files)) as [keyof UserFiles, string[]][]) {
      (userFiles[kind] ??= []).push(...paths);
      Object.assign(inputs, inputOf(source));
    }
  }
  return { layer, userFiles, inputs };
}

/** The files that the builder of a layer reads. */
function ofBuilder(layer: LayerName, files: UserFiles): UserFiles {
  return Object.fromEntries(
    Object.entries(files).filter(([kind]) => layersOfKind(kind as keyof UserFiles).includes(layer)),
  );
}

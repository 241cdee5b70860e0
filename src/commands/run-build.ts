import { rm, stat } from 'node:fs/promises';
import { layerBuilders } from '../build/layers/index.ts';
import { buildDataset } from '../build/pipeline.ts';
import type { Config } from '../config.ts';
import { publishers } from '../download/extracts.ts';
import { UsageError } from '../errors.ts';
import { detectSource } from '../sources/detect.ts';
import { type SourceKind, sourceKinds } from '../sources/source-kinds.ts';
import type { LayerName, Manifest } from '../store/store.ts';
import { showBuildProgress } from './build-progress.ts';
import { summarise } from './build-summary.ts';
import { downloadsDirectory, localSource, regionSources } from './region-sources.ts';

export type BuildOptions = {
  source?: string[];
  region?: string;
  from?: string;
  yes?: boolean;
  layer?: string[];
  keepSources?: boolean;
};

/** Builds with progress and a summary on standard error. */
export async function build(config: Config, options: BuildOptions = {}): Promise<Manifest> {
  const { dataDirectory } = config;
  const layers = chooseLayers(options.layer);
  const sources: string[] = [];
  for (const source of options.source ?? []) sources.push(await localSource(source, dataDirectory));
  if (options.region !== undefined) {
    const { region, from = publishers.join(','), yes: isAgreed = false } = options;
    sources.push(...(await regionSources(config, { region, from, isAgreed })));
  }
  const given = await sortSources(sources);
  const progress = showBuildProgress(['sources', ...layers]);
  try {
    const manifest = await buildDataset({
      dataDirectory,
      given,
      layers,
      keepSources: options.keepSources ?? false,
      memoryMb: config.buildMemoryMb,
      progress: progress.update,
    });
    progress.stop();
    // Kept only while a build may have to be repeated; the next one is to read what is then published.
    if (!options.keepSources) await rm(downloadsDirectory(dataDirectory), { recursive: true, force: true });
    console.error(summarise(manifest));
    return manifest;
  } finally {
    progress.stop();
  }
}

function chooseLayers(names: string[] | undefined): LayerName[] {
  const all = layerBuilders.map(({ name }) => name);
  for (const name of names ?? []) {
    if (!all.includes(name as LayerName))
      throw new UsageError(`there is no layer "${name}"; there are ${all.join(', ')}`);
  }
  return names ? all.filter((name) => names.includes(name)) : all;
}

async function sortSources(sources: readonly string[]): Promise<Partial<Record<SourceKind, string[]>>> {
  const given: Partial<Record<SourceKind, string[]>> = {};
  for (const source of sources) {
    const [, prefix, rest] = /^(?:([a-z0-9-]+)=)?(.*)$/s.exec(source)!;
    if (prefix && !sourceKinds.includes(prefix as SourceKind)) {
      throw new UsageError(`"${prefix}" is no kind of source; there are ${sourceKinds.join(', ')}`);
    }
    const isFile = await stat(rest).then(
      (found) => found.isFile(),
      () => false,
    );
    if (!isFile) throw new UsageError(`there is no file ${rest}`);
    const kind = (prefix as SourceKind | undefined) ?? (await detectSource(rest));
    (given[kind] ??= []).push(rest);
  }
  return given;
}

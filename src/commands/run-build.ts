import { rm } from 'node:fs/promises';
import type { LayerBuilder } from '../build/layer.ts';
import { layerBuilders } from '../build/layers/index.ts';
import { buildDataset } from '../build/pipeline.ts';
import type { Config } from '../config.ts';
import { publishers } from '../download/extracts.ts';
import { UsageError } from '../errors.ts';
import type { SourceKind } from '../sources/source-kinds.ts';
import { type LayerName, layerNames, type Manifest } from '../store/store.ts';
import { showBuildProgress } from './build-progress.ts';
import { summarise } from './build-summary.ts';
import { type GivenFiles, givenFiles, layersOfKind } from './given-files.ts';
import { downloadsDirectory, localSource, regionSources } from './region-sources.ts';

export type BuildOptions = {
  source?: string[];
  region?: string;
  from?: string;
  yes?: boolean;
  layer?: string[];
  keepSources?: boolean;
  acceptLoss?: boolean;
};

/** Builds with progress and a summary on standard error. */
export async function build(config: Config, options: BuildOptions = {}): Promise<Manifest> {
  const { dataDirectory } = config;
  const builders = chooseBuilders(options.layer);
  const sources: string[] = [];
  for (const source of options.source ?? []) sources.push(await localSource(source, dataDirectory));
  if (options.region !== undefined) {
    const { region, from = publishers.join(','), yes: isAgreed = false } = options;
    const isRead = (kind: SourceKind) => isReadBy(kind, builders.flatMap(layersOf));
    sources.push(...(await regionSources(config, { region, from, isAgreed, isRead })));
  }
  const given = await givenFiles(sources, (path) => console.error(`  passed over, of no known kind: ${path}`));
  refuseUnread(given, builders.flatMap(layersOf));
  const layers = builders.map(({ name }) => name);
  const progress = showBuildProgress(['sources', ...layers]);
  try {
    const manifest = await buildDataset({
      dataDirectory,
      given,
      layers,
      keepSources: options.keepSources ?? false,
      memoryMb: config.buildMemoryMb,
      keepVersions: config.keepVersions,
      maxLossPercent: config.maxLossPercent,
      acceptLoss: options.acceptLoss ?? false,
      warn: (fault) => console.error(`  accepted: ${fault}`),
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

/**
 * The builders of the layers named, separated by commas or given one by one. Layers that come from the same sources are
 * built together, whichever of them is named. Throws UsageError for an unknown name.
 */
export function chooseBuilders(names: readonly string[] | undefined): LayerBuilder[] {
  const wanted = names?.flatMap((name) => name.split(',')).map((name) => name.trim());
  for (const name of wanted ?? []) {
    if (!layerNames.includes(name as LayerName))
      throw new UsageError(`there is no layer "${name}"; there are ${layerNames.join(', ')}`);
  }
  return layerBuilders.filter((builder) => !wanted || layersOf(builder).some((name) => wanted.includes(name)));
}

const layersOf = ({ name, also = [] }: LayerBuilder): LayerName[] => [name, ...also];

const isReadBy = (kind: SourceKind, layers: readonly LayerName[]): boolean =>
  layersOfKind[kind].some((name) => layers.includes(name));

/** Throws UsageError for a source that none of the layers to be built is made of. */
export function refuseUnread(given: GivenFiles, layers: readonly LayerName[]): void {
  for (const [kind, files] of Object.entries(given) as [SourceKind, string[]][]) {
    if (isReadBy(kind, layers)) continue;
    const of = layersOfKind[kind];
    throw new UsageError(
      `${files[0]} is for the layer ${of.join(', ')}, which --layer leaves out; add --layer ${of[0]}, or leave the file out`,
    );
  }
}

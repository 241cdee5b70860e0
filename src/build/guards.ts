/** What a new dataset lost beside the current one; a build stops before the swap when that is more than it may. */
import { join } from 'node:path';
import { currentVersion, readManifest } from '../store/manifest.ts';
import { openDataset } from '../store/open.ts';
import type { LayerInfo, LayerName, Manifest } from '../store/store.ts';
import { type Probe, probeFault, shippedProbes } from './probes.ts';

/** So few records more or less are no loss, unless nothing is left. */
const fewRecords = 10;
const number = new Intl.NumberFormat('en');

export type GuardOptions = {
  dataDirectory: string;
  /** The new dataset, whole but not current yet. */
  directory: string;
  /** Layers that were built anew; the others are those of the current dataset. */
  layers: readonly LayerName[];
  /** Sources that held no record. */
  emptySources: readonly string[];
  /** The user's own probes. */
  probes: readonly Probe[];
  maxLossPercent: number;
};

/**
 * Reasons not to make a new dataset current, a sentence for each: a source without a record, losses, a probe of the
 * user's that fails, or one of ours that the current dataset answers as expected. Empty when all is well.
 */
export function faultsOf({
  dataDirectory,
  directory,
  layers,
  emptySources,
  probes,
  maxLossPercent,
}: GuardOptions): string[] {
  const version = currentVersion(dataDirectory);
  const current = version === undefined ? undefined : join(dataDirectory, version);
  const before = current === undefined ? undefined : readable(() => readManifest(current));
  return [
    ...emptySources.map((source) => `${source} holds no record`),
    ...(before ? losses(before, readManifest(directory), maxLossPercent) : []),
    ...failedProbes(before && current, directory, probes, layers),
  ];
}

function failedProbes(
  current: string | undefined,
  directory: string,
  own: readonly Probe[],
  layers: readonly LayerName[],
): string[] {
  const isOfLayers = ({ layer }: Probe) => layers.includes(layer);
  const shipped = current === undefined ? [] : shippedProbes().filter(isOfLayers);
  const probes = own.filter(isOfLayers);
  if (shipped.length + probes.length === 0) return [];
  const before = current === undefined ? undefined : readable(() => openDataset(current));
  const after = openDataset(directory);
  try {
    const regressions = before ? shipped.filter((probe) => probeFault(before, probe) === undefined) : [];
    return [...probes, ...regressions].flatMap((probe) => probeFault(after, probe) ?? []);
  } finally {
    before?.close();
    after.close();
  }
}

/** What is read of the current dataset; undefined when this program cannot read it, as one of another schema. */
function readable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

type Counted = Pick<LayerInfo, 'records' | 'countries'>;

/**
 * Layers and countries that lost more than `maxLossPercent` of their records from one dataset to the next, a sentence
 * for each; empty when none did. Countries are compared where both datasets counted them.
 */
export function losses(
  before: Pick<Manifest, 'layers'>,
  after: Pick<Manifest, 'layers'>,
  maxLossPercent: number,
): string[] {
  return Object.entries(before.layers).flatMap(([name, layer]) => {
    const now: Counted = after.layers[name as keyof Manifest['layers']] ?? { records: {}, countries: {} };
    return [
      ...fallen(layer.records, now.records, maxLossPercent, (kind) => `layer ${name}: ${kind}`),
      ...(layer.countries && now.countries
        ? fallen(layer.countries, now.countries, maxLossPercent, (country) => `layer ${name}, ${country}: records`)
        : []),
    ];
  });
}

function fallen(
  before: Readonly<Record<string, number>>,
  after: Readonly<Record<string, number>>,
  maxLossPercent: number,
  nameOf: (key: string) => string,
): string[] {
  return Object.entries(before).flatMap(([key, count]) => {
    const now = after[key] ?? 0;
    const lost = count - now;
    const isFew = lost <= fewRecords && now > 0;
    if (lost <= 0 || isFew || lost <= (count * maxLossPercent) / 100) return [];
    const share = Math.round((100 * lost) / count);
    return [`${nameOf(key)} fell from ${number.format(count)} to ${number.format(now)} (-${share}%)`];
  });
}

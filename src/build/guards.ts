/** Compares a new dataset with the current one; a build stops before the swap when the losses are too large. */
import { join } from 'node:path';
import { openDataset } from '../api/open.ts';
import { currentVersion, readManifest } from '../store/manifest.ts';
import { type LayerInfo, type LayerName, type Manifest, streetLayerNames } from '../store/manifest-format.ts';
import { type Probe, probeFault, shippedProbes } from './probes.ts';

/** Layers that lose fewer records than this are accepted, unless nothing is left. */
const minRecords = 10;
const number = new Intl.NumberFormat('en');

type GuardOptions = {
  dataDirectory: string;
  /** The new dataset, complete but not yet current. */
  directory: string;
  /** Layers that were rebuilt; the others are those of the current dataset. */
  layers: ReadonlySet<LayerName>;
  /** Sources without a record. */
  emptySources: readonly string[];
  /** The user's own probes. */
  probes: readonly Probe[];
  maxLossPercent: number;
};

/**
 * Reasons not to make a new dataset current, a sentence for each: a source without a record, losses, a probe of the
 * user's that fails, or a shipped one that the current dataset passes. Empty when all is well.
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
    ...emptySources.map((source) => `${source} has no records`),
    ...(before ? losses(before, readManifest(directory), maxLossPercent) : []),
    ...failedProbes(before && current, directory, probes, layers),
  ];
}

function failedProbes(
  current: string | undefined,
  directory: string,
  own: readonly Probe[],
  layers: ReadonlySet<LayerName>,
): string[] {
  const isOfLayers = ({ layer }: Probe) => layers.has(layer);
  const shipped = current === undefined ? [] : shippedProbes().filter(isOfLayers);
  const probes = own.filter(isOfLayers);
  if (shipped.length + probes.length === 0) return [];
  const before = current === undefined ? undefined : readable(() => openDataset(current, { isLazy: true }));
  const after = openDataset(directory, { isLazy: true });
  try {
    const regressions = before ? shipped.filter((probe) => probeFault(before, probe) === undefined) : [];
    return [...probes, ...regressions].flatMap((probe) => probeFault(after, probe) ?? []);
  } finally {
    before?.close();
    after.close();
  }
}

/**
 * What `read` reads of the current dataset; undefined when this program cannot read it, for example because of another
 * schema.
 */
function readable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

type Compared = Pick<Manifest, 'layers' | 'parts'>;
type Layers = Manifest['layers'];
type Counted = Pick<LayerInfo, 'records' | 'countries'>;

/**
 * Layers, parts and countries that lost more than `maxLossPercent` of their records from one dataset to the next, a
 * sentence for each; empty when none did. Countries are compared where both datasets counted them. A missing part was
 * removed on purpose.
 */
export function losses(before: Compared, after: Compared, maxLossPercent: number): string[] {
  const isOfParts = (name: string) => streetLayerNames.some((layer) => layer === name);
  const whole = Object.fromEntries(Object.entries(before.layers).filter(([name]) => !isOfParts(name)));
  const ofParts = before.parts.flatMap(({ name, layers }) => {
    const now = after.parts.find((part) => part.name === name);
    return now ? lossesOf(layers, now.layers, maxLossPercent, `part ${name}, `) : [];
  });
  return [...lossesOf(whole, after.layers, maxLossPercent, ''), ...ofParts];
}

function lossesOf(before: Layers, after: Layers, maxLossPercent: number, where: string): string[] {
  return Object.entries(before).flatMap(([name, layer]) => {
    const now: Counted = after[name as keyof Layers] ?? { records: {}, countries: {} };
    const layerName = `${where}layer ${name}`;
    return [
      ...decreased(layer.records, now.records, maxLossPercent, (kind) => `${layerName}: ${kind}`),
      ...(layer.countries && now.countries
        ? decreased(layer.countries, now.countries, maxLossPercent, (country) => `${layerName}, ${country}: records`)
        : []),
    ];
  });
}

function decreased(
  before: Readonly<Record<string, number>>,
  after: Readonly<Record<string, number>>,
  maxLossPercent: number,
  nameOf: (key: string) => string,
): string[] {
  return Object.entries(before).flatMap(([key, count]) => {
    const now = after[key] ?? 0;
    const lost = count - now;
    const isFew = lost <= minRecords && now > 0;
    if (lost <= 0 || isFew || lost <= (count * maxLossPercent) / 100) return [];
    const share = Math.round((100 * lost) / count);
    return [`${nameOf(key)} fell from ${number.format(count)} to ${number.format(now)} (-${share}%)`];
  });
}

/** The parts of the street-level layers: their numbers and their sums. */

import {
  type LayerInfo,
  type Manifest,
  oldestOf,
  type Part,
  type SourceInfo,
  streetLayerNames,
} from '../store/manifest-format.ts';
import { maxParts } from '../store/sqlite/street-level.ts';
import { termHash } from '../store/sqlite/term-filter.ts';

/** The street-level layers as the sum of their parts; none without parts. */
export function layersOfParts(parts: readonly Part[]): Manifest['layers'] {
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
    throw new Error(`the dataset already has ${maxParts} parts, the maximum; put several sources into one folder`);
  let number = termHash(name) % maxParts;
  while (taken.has(number)) number = (number + 1) % maxParts;
  return number;
}

/** Sources merged by publisher over all parts. */
export function distinctSources(sources: readonly SourceInfo[]): SourceInfo[] {
  const together = (values: readonly string[], separator: string) =>
    [...new Set(values.flatMap((value) => value.split(separator)))].join(separator);
  return [...Map.groupBy(sources, ({ id }) => id).values()].map((same) => ({
    ...same[0],
    vintage: oldestOf(same.map(({ vintage }) => vintage)),
    version: together(
      same.map(({ version }) => version),
      ', ',
    ),
    licence: together(
      same.map(({ licence }) => licence),
      '; ',
    ),
    attribution: together(
      same.map(({ attribution }) => attribution),
      '; ',
    ),
  }));
}

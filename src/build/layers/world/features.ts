/** What the gazetteer names besides settlements, from the default data. */
import { createHash } from 'node:crypto';
import type { NamedFeature } from '../../../core/named-feature.ts';
import { airportsOf } from '../../../sources/airports.ts';
import { firstFeatureId, firstStreetLevelId } from '../../../store/identifiers.ts';
import type { SourceInfo } from '../../../store/manifest-format.ts';
import type { Inputs } from '../../layer.ts';
import { airportsFile, ourAirports } from '../our-airports.ts';
import { airportFeature } from './airports.ts';

/** A feature as the builder ranks it. */
export type RankedFeature = NamedFeature & { id: number };

/** The features of the default data. */
export function readFeatures(inputs: Inputs): { features: NamedFeature[]; sources: SourceInfo[] } {
  return { features: airportsOf(airportsFile(inputs)).map(airportFeature), sources: [ourAirports(inputs)] };
}

/** Features in the order of a dataset, the most prominent first. Their identifiers are made of what the source calls them. */
export function rankFeatures(features: readonly NamedFeature[]): RankedFeature[] {
  const taken = new Set<number>();
  const ranked = features.map((feature) => ({ ...feature, id: madeId(feature, taken) }));
  return ranked.sort((left, right) => right.prominence - left.prominence || left.id - right.id);
}

function madeId({ source, sourceId }: NamedFeature, taken: Set<number>): number {
  const digest = createHash('sha256').update(`${source} ${sourceId}`).digest();
  let id = firstFeatureId + (digest.readUInt32BE() % (firstStreetLevelId - firstFeatureId));
  while (taken.has(id)) id++;
  taken.add(id);
  return id;
}

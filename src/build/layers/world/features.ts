/** What the gazetteer names besides settlements: airports of the default data, and what GeoNames' own files have. */

import { createHash } from 'node:crypto';
import type { NamedFeature } from '../../../core/named-feature.ts';
import { airportsOf, codedAirports, withCodedAirports } from '../../../sources/airports.ts';
import { type GeonamesFeature, geonamesFeatures } from '../../../sources/geonames-places.ts';
import { firstFeatureId, firstStreetLevelId } from '../../../store/identifiers.ts';
import type { SourceInfo } from '../../../store/manifest-format.ts';
import type { Inputs } from '../../layer.ts';
import { airportsFile, ourAirports } from '../our-airports.ts';
import { airportFeature } from './airports.ts';
import corrections from './country-corrections.json' with { type: 'json' };
import { type FeatureKinds, readKinds } from './landmarks.ts';

/** A feature as the builder ranks it. */
export type RankedFeature = NamedFeature & { id: number };

/** Landmarks, parks and natural features are held in memory, 1 KB each; of the whole world's million the most prominent are taken. */
const maxNatural = 400_000;

/**
 * Airports of the default data; landmarks, parks and natural features of the user's GeoNames files, at most `limit`; of
 * duplicates the last one. The country of one that is in no known country is left open.
 */
export async function readFeatures(
  inputs: Inputs,
  isCountry: (code: string) => boolean,
  limit = maxNatural,
): Promise<{ features: NamedFeature[]; sources: SourceInfo[] }> {
  const isKnown = ({ country }: NamedFeature) => country !== undefined && isCountry(country);
  const kinds = readKinds();
  let natural = new Map(uninhabited.filter(isKnown).map((island) => [island.sourceId, island]));
  for (const path of inputs.userFiles('geonames-places')) {
    for await (const batch of geonamesFeatures(path)) {
      for (const row of batch) {
        const feature = naturalFeature(row, kinds);
        natural.set(feature.sourceId, isKnown(feature) ? feature : { ...feature, country: undefined });
      }
      if (natural.size > 1.5 * limit) natural = mostProminent(natural, limit);
    }
  }
  const coded = codedAirports().filter(({ country }) => isCountry(country));
  const airports = withCodedAirports(airportsOf(airportsFile(inputs)), coded).map(airportFeature);
  return { features: [...airports, ...mostProminent(natural, limit).values()], sources: [ourAirports(inputs)] };
}

function mostProminent(features: Map<string, NamedFeature>, limit: number): Map<string, NamedFeature> {
  if (features.size <= limit) return features;
  return new Map([...features].sort(([, left], [, right]) => right.prominence - left.prominence).slice(0, limit));
}

const uninhabited: NamedFeature[] = corrections.islands.of.map(({ geonamesId, ...island }) => ({
  ...island,
  layer: 'island',
  source: 'geonames',
  sourceId: geonamesId,
  knownNames: [],
  otherNames: [],
  namesIn: {},
  region: undefined,
  prominence: 0,
}));

/** Points of a feature without known inhabitants: those of a hamlet. */
const naturalPoints = 12;

function naturalFeature(
  { kind, id, name, country, admin1Code, lat, lng, ...row }: GeonamesFeature,
  kinds: FeatureKinds,
): NamedFeature {
  const otherNames = [...new Set([row.asciiName, ...row.alternateNames])].filter(
    (each) => each !== '' && each !== name,
  );
  return {
    ...kinds[kind],
    kind,
    source: 'geonames',
    sourceId: String(id),
    name,
    knownNames: [],
    otherNames,
    namesIn: {},
    country: country || undefined,
    region: admin1Code || undefined,
    lat,
    lng,
    prominence: naturalPoints + 10 * Math.log10(Math.max(1, row.population)) + 14 * Math.log10(2 + otherNames.length),
  };
}

/** Features in the order of a dataset, the most prominent first. Their identifiers are derived from the source's. */
export function rankFeatures(features: readonly NamedFeature[]): RankedFeature[] {
  const taken = new Set<number>();
  const ranked = features.map((feature) => ({ ...feature, id: feature.id ?? syntheticId(feature, taken) }));
  return ranked.sort((left, right) => right.prominence - left.prominence || left.id - right.id);
}

function syntheticId({ source, sourceId }: NamedFeature, taken: Set<number>): number {
  const digest = createHash('sha256').update(`${source} ${sourceId}`).digest();
  let id = firstFeatureId + (digest.readUInt32BE() % (firstStreetLevelId - firstFeatureId));
  while (taken.has(id)) id++;
  taken.add(id);
  return id;
}

/** Two lists of features in which some are in both: one record each, with the names of both. */
import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { distanceKm } from '../../../core/geo.ts';
import type { FeatureLayer, NamedFeature } from '../../../core/named-feature.ts';
import { namesOf } from '../../../sources/landmarks.ts';
import { fold } from '../../../text/fold.ts';
import { airportWords } from '../../../text/word-lists.ts';

/**
 * Features of one layer and name within this distance are the same one; waters, ranges and regions have no exact centre, and a
 * feature with a box may lie anywhere in it.
 */
const sameKm: Readonly<Record<FeatureLayer, number>> = {
  landmark: 3,
  airport: 10,
  park: 40,
  peak: 150,
  island: 150,
  water: 150,
  natural: 150,
  continent: 5_000,
};

/**
 * Both lists; what `features` and `known` both have is one record: of `known` where that has an identifier of its own, else of
 * `features`, with the names and the prominence of both. Positions of airports and buildings are those of `features`, which
 * were measured.
 */
export function joinedFeatures(features: readonly NamedFeature[], known: readonly NamedFeature[]): NamedFeature[] {
  const keysOf = ({ layer, name, knownNames, otherNames, namesIn }: NamedFeature) =>
    [name, ...knownNames, ...otherNames, ...Object.values(namesIn)].map((each) => `${layer} ${keyOf(layer, each)}`);
  const byName = Map.groupBy(
    known.flatMap((each) => keysOf(each).map((key) => ({ key, each }))),
    ({ key }) => key,
  );
  const merged = new Set<NamedFeature>();
  const together = features.map((feature) => {
    const same = keysOf(feature)
      .flatMap((key) => byName.get(key) ?? [])
      .find(({ each }) => !merged.has(each) && distanceKm(each, feature) <= reachOf(each))?.each;
    if (!same) return feature;
    merged.add(same);
    return same.id === undefined
      ? withNamesOf(feature, same)
      : withNamesOf({ ...same, ...measured(feature, same) }, feature);
  });
  return [...together, ...known.filter((each) => !merged.has(each))];
}

/** A folded name, of an airport without the words that say only that it is one. */
function keyOf(layer: FeatureLayer, name: string): string {
  const words = fold(name).split(' ');
  return (layer === 'airport' ? words.filter((word) => !airportWords.has(word)) : words).join(' ');
}

/** How far from the middle of a feature another record of it may lie. */
function reachOf({ layer, bbox }: NamedFeature): number {
  const [west, south, east, north] = bbox ?? [0, 0, 0, 0];
  const diagonal = distanceKm({ lat: south, lng: west }, { lat: north, lng: east });
  return Math.max(sameKm[layer], diagonal / 2);
}

/** Of a record that lists a place to the metre: its position and region, unless the other one is of an area. */
const measured = ({ lat, lng, country, region }: NamedFeature, { bbox }: NamedFeature) =>
  bbox ? {} : { lat, lng, country, region };

/** A record with the other's names and prominence too. */
function withNamesOf(record: NamedFeature, other: NamedFeature): NamedFeature {
  const known = new Set([...record.knownNames, other.name, ...other.knownNames]);
  const others = new Set([...record.otherNames, ...other.otherNames]);
  return {
    ...record,
    kind: record.kind ?? other.kind,
    category: record.category ?? other.category ?? null,
    bbox: record.bbox ?? other.bbox,
    knownNames: [...known].filter((each) => each !== record.name),
    otherNames: [...others].filter((each) => each !== record.name && !known.has(each)),
    namesIn: { ...other.namesIn, ...record.namesIn },
    prominence: Math.max(record.prominence, other.prominence),
  };
}

// Islands, waters and mountains that people know by name: sources/names/features.csv, written for this project.

const table = new URL('../../../../sources/names/features.csv', import.meta.url);

/** Prominence by fame: known all over the world as a city of some 100,000 is, beyond its country, in its country. */
const points: Readonly<Record<string, number>> = { 1: 70, 2: 52, 3: 38 };

type Row = {
  layer: FeatureLayer;
  country: string;
  lat: string;
  lng: string;
  fame: string;
  name: string;
  other_names: string;
};

export const wellKnownSource = 'whereabouts';

/** The table's features in the countries that are known. */
export function wellKnownFeatures(isCountry: (code: string) => boolean): NamedFeature[] {
  const rows: Row[] = parse(readFileSync(table), { columns: true });
  return rows
    .filter(({ country }) => isCountry(country))
    .map(({ layer, country, name, fame, ...row }) => ({
      layer,
      source: wellKnownSource,
      sourceId: `${layer} ${country} ${name}`,
      name,
      ...namesOf(row.other_names, name),
      otherNames: [],
      country,
      region: undefined,
      lat: Number(row.lat),
      lng: Number(row.lng),
      prominence: points[fame],
    }));
}

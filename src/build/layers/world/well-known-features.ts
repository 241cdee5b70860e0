/** Islands, waters and mountains that people know by name: sources/names/features.csv, written for this project. */
import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { distanceKm } from '../../../core/geo.ts';
import type { FeatureLayer, NamedFeature } from '../../../core/named-feature.ts';
import type { SourceInfo } from '../../../store/manifest-format.ts';
import { fold } from '../../../text/fold.ts';

const table = new URL('../../../../sources/names/features.csv', import.meta.url);

/** Prominence by fame: known all over the world as a city of some 100,000 is, beyond its country, in its country. */
const points: Readonly<Record<string, number>> = { 1: 70, 2: 52, 3: 38 };
/** A feature of the same layer and name within this distance is the same one; large waters have no exact centre. */
const sameKm = 150;

type Row = {
  layer: FeatureLayer;
  country: string;
  lat: string;
  lng: string;
  fame: string;
  name: string;
  other_names: string;
};

export const wellKnownSource: SourceInfo = {
  id: 'whereabouts',
  title: 'Well-known islands, waters and mountains',
  version: 'sources/names/features.csv',
  vintage: '2026-11',
  licence: 'Apache-2.0',
  attribution: 'Whereabouts contributors',
  url: 'https://www.apache.org/licenses/LICENSE-2.0',
};

/** The table's features in the countries that are known. */
export function wellKnownFeatures(isCountry: (code: string) => boolean): NamedFeature[] {
  const rows: Row[] = parse(readFileSync(table), { columns: true });
  return rows
    .filter(({ country }) => isCountry(country))
    .map(({ layer, country, name, fame, ...row }) => ({
      layer,
      source: wellKnownSource.id,
      sourceId: `${layer} ${country} ${name}`,
      name,
      knownNames: row.other_names === '' ? [] : row.other_names.split(';'),
      otherNames: [],
      namesIn: {},
      country,
      region: undefined,
      lat: Number(row.lat),
      lng: Number(row.lng),
      prominence: points[fame],
    }));
}

/** Both lists; a feature of `features` that is well known too has the names and the prominence of both. */
export function withWellKnown(features: readonly NamedFeature[], wellKnown: readonly NamedFeature[]): NamedFeature[] {
  const keysOf = ({ layer, name, knownNames, otherNames }: NamedFeature) =>
    [name, ...knownNames, ...otherNames].map((each) => `${layer} ${fold(each)}`);
  const byName = Map.groupBy(
    wellKnown.flatMap((known) => keysOf(known).map((key) => ({ key, known }))),
    ({ key }) => key,
  );
  const merged = new Set<NamedFeature>();
  const together = features.map((feature) => {
    const same = keysOf(feature)
      .flatMap((key) => byName.get(key) ?? [])
      .find(({ known }) => !merged.has(known) && distanceKm(known, feature) <= sameKm)?.known;
    if (!same) return feature;
    merged.add(same);
    return {
      ...feature,
      knownNames: [...new Set([...feature.knownNames, same.name, ...same.knownNames])].filter(
        (each) => each !== feature.name,
      ),
      prominence: Math.max(feature.prominence, same.prominence),
    };
  });
  return [...together, ...wellKnown.filter((known) => !merged.has(known))];
}

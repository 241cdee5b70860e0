/** Islands, waters and mountains that people know by name: sources/names/features.csv, written for this project. */
import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import type { FeatureLayer, NamedFeature } from '../../../core/named-feature.ts';
import { namesOf } from '../../../sources/landmarks.ts';
import type { SourceInfo } from '../../../store/manifest-format.ts';

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
      ...namesOf(row.other_names, name),
      otherNames: [],
      country,
      region: undefined,
      lat: Number(row.lat),
      lng: Number(row.lng),
      prominence: points[fame],
    }));
}

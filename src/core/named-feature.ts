/** Features: what a gazetteer names besides settlements. */
import type { BoundingBox } from './bounding-box.ts';
import type { PoiCategory } from './poi-category.ts';

export const featureLayers = [
  'island',
  'airport',
  'water',
  'peak',
  'landmark',
  'park',
  'natural',
  'continent',
] as const;
export type FeatureLayer = (typeof featureLayers)[number];

/** Something besides settlements that has a name. */
export type NamedFeature = {
  layer: FeatureLayer;
  /** Short name of the source, and the source's key of the record; identifiers are derived from both. */
  source: string;
  sourceId: string;
  /** Identifier within the dataset; derived from the source's key where it is undefined. */
  id?: number | undefined;
  /** One of sources/landmarks/kinds.json; undefined when the source does not say it. */
  kind?: string | undefined;
  /** Its category among points of interest; null or undefined for what is none. */
  category?: PoiCategory | null;
  /** What it covers; undefined for a building and where the source does not say it. */
  bbox?: BoundingBox | undefined;
  name: string;
  /** Other names in use, including codes. */
  knownNames: readonly string[];
  /** Names that rarely mean this feature. */
  otherNames: readonly string[];
  /** Names by language (BCP 47, lower case), codes of airports as `iata` and `icao`. */
  namesIn: Readonly<Record<string, string>>;
  /**
   * Alpha-2 code, empty for what is in no country, such as an ocean; undefined when the source does not say it: then that of
   * the nearest place.
   */
  country: string | undefined;
  /** ISO 3166-2 code of the level-1 region, or GeoNames' code of it in its country; empty for what is in several; likewise. */
  region: string | undefined;
  lat: number;
  lng: number;
  /** On the scale of places: docs/places.md. */
  prominence: number;
};

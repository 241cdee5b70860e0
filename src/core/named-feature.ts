/** Features: what a gazetteer names besides settlements. */
export const featureLayers = ['island', 'airport', 'water', 'peak'] as const;
export type FeatureLayer = (typeof featureLayers)[number];

/** Something besides settlements that has a name. */
export type NamedFeature = {
  layer: FeatureLayer;
  /** Short name of the source, and the source's key of the record; identifiers are derived from both. */
  source: string;
  sourceId: string;
  name: string;
  /** Other names in use, including codes. */
  knownNames: readonly string[];
  /** Names that rarely mean this feature. */
  otherNames: readonly string[];
  /** Names by language (BCP 47, lower case), codes of airports as `iata` and `icao`. */
  namesIn: Readonly<Record<string, string>>;
  /** Alpha-2 code; undefined when the source does not say it: then that of the nearest place. */
  country: string | undefined;
  /** ISO 3166-2 code of the level-1 region, or GeoNames' code of it in its country; likewise. */
  region: string | undefined;
  lat: number;
  lng: number;
  /** On the scale of places: docs/places.md. */
  prominence: number;
};

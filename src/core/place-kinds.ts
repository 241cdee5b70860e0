import type { BoundingBox } from './geo.ts';
import points from './prominence.json' with { type: 'json' };

/** The categories of points of interest, as the specification lists them. */
export const poiCategories = [
  'restaurant',
  'hotel',
  'hospital',
  'school',
  'bank',
  'shop',
  'transport',
  'tourism',
  'sport',
  'parking',
  'fuel',
] as const;
export type PoiCategory = (typeof poiCategories)[number];

// The type and prominence of a GeoNames row, and whether it is used at all. docs/places.md explains.

/** Places that no longer exist: `PPLCH` former capital, `PPLH` historical, `PPLQ` abandoned, `PPLW` destroyed. */
const historicalCodes = new Set(['PPLCH', 'PPLH', 'PPLQ', 'PPLW']);
/** Farm village, locality, religious place: small by nature. */
const small = new Set(['PPLF', 'PPLL', 'PPLR']);

/** Whether a place of this feature code no longer exists. */
export function isHistorical(featureCode: string): boolean {
  return historicalCodes.has(featureCode);
}

/** The type of a place from its feature code and population (0 = unknown). */
export function placeTypeOf(
  featureCode: string,
  population: number,
): 'city' | 'town' | 'village' | 'suburb' | 'hamlet' {
  if (featureCode === 'PPLX') return 'suburb';
  if (featureCode === 'PPLC' || featureCode === 'PPLG' || population >= 50_000) return 'city';
  if (featureCode === 'PPLA' && population >= 5_000) return 'city';
  if (population >= 5_000 || featureCode === 'PPLA' || featureCode === 'PPLA2') return 'town';
  if (population >= 200) return 'village';
  return population > 0 || small.has(featureCode) ? 'hamlet' : 'village';
}

const ofFeatureCode: Readonly<Record<string, number>> = points.ofFeatureCode;

/**
 * How prominent a place is, in points of about -10 to 115: ten for each power of ten of its population, a bonus for
 * its rank among capitals (a malus for parts of places), and fourteen for each power of ten of its number of names,
 * which is how many languages found it worth naming: so Valencia in Spain comes before a larger namesake.
 */
export function prominenceOf(featureCode: string, population: number, names: number): number {
  return (
    points.perTenfoldPeople * Math.log10(Math.max(1, population)) +
    (isHistorical(featureCode) ? points.ofHistorical : (ofFeatureCode[featureCode] ?? 0)) +
    points.perTenfoldNames * Math.log10(1 + names)
  );
}

// The reach of a town from its centre.

const peoplePerKm2 = 3000;
const minKm = 3;
const maxKm = 40;

/**
 * Radius in km within which a place belongs to a town: that of a circle that holds its people at 3,000 per km², at
 * least 3 km (villages and towns of unknown population), at most 40 km. Berlin 19 km, a town of 100,000 3.3 km.
 */
export function reachKm(population: number): number {
  return Math.min(maxKm, Math.max(minKm, Math.sqrt(population / peoplePerKm2 / Math.PI)));
}

// Features: what a gazetteer names besides settlements.

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

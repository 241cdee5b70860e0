/** The read contract of the street-level layers: addresses, streets, points of interest. See store.ts. */
import type { BoundingBox } from '../core/bounding-box.ts';
import type { LatLng } from '../core/geo.ts';
import type { PoiCategory } from '../core/poi-category.ts';

export { type PoiCategory, poiCategories } from '../core/poi-category.ts';

export type Address = {
  id: number;
  houseNumber: string | null;
  street: string;
  city: string | null;
  admin1: string | null;
  postalCode: string | null;
  country: string;
  lat: number;
  lng: number;
  /** `intersection` is the crossing of two streets, whose names `street` has with an ampersand between them. */
  matchType: 'exact' | 'interpolated' | 'intersection' | 'street';
  source: string;
};

export type AddressQuery = {
  text: string;
  country?: string;
  city?: string;
  postalCode?: string;
  bbox?: BoundingBox;
  limit: number;
};

/** What each feature contributes, in points. */
export type AddressContributions = {
  /** Share of the words of the street's name that the text has: 100 for all. */
  nameMatch: number;
  /** Whether it is another name than the main one. */
  nameWorth: number;
  /** 200 where the house is there, 100 where its position was interpolated; less for a range or a door. */
  houseMatch: number;
  /** Whether name and number are spelled as the text has them: `Hof 2` before `Höf 2`. */
  spelling: number;
  /** What the words cost that nothing explains, and the one that was left out. */
  unexplained: number;
};

/** How the answers to a text came about. */
export type AddressExplanation = {
  /** The ways in which the text was read, likeliest first; words are folded and in Latin letters. */
  interpretations: { houseNumber: string | null; words: string[] }[];
  /** The step that found something; null where none did. */
  step: AddressStep | null;
  /** How many streets were compared with the text. */
  candidates: number;
  /** For each answer the name it was found by, what each feature contributed in points, and their sum. */
  answers: { name: string; contributions: AddressContributions; score: number }[];
};

/** From what was asked, each a step farther: see docs/addresses.md. */
export const addressSteps = [
  'as_written',
  'crossing',
  'in_country',
  'corrected',
  'name_beside_number',
  'corrected_short_words',
  'near_place',
  'one_word_less',
  'city_as_text',
] as const;
export type AddressStep = (typeof addressSteps)[number];

export type Addresses = {
  /**
   * The house, the position between houses or the whole street that an identifier is of; undefined where there is none, or
   * where it was a position that only the question explained.
   */
  byId(id: number): Address | undefined;
  /** Addresses that a text as people write it names, best first. */
  search(query: AddressQuery, explained?: (explanation: AddressExplanation) => void): Address[];
  /** Addresses nearest to a position within a distance, nearest first. */
  nearest(from: LatLng, options: { maxKm: number; limit: number }): (Address & { distanceKm: number })[];
};

export type Street = {
  id: number;
  name: string;
  /** OpenStreetMap's `highway` value; null where the source has none. */
  highwayType: string | null;
  city: string | null;
  admin1: string | null;
  country: string;
  lat: number;
  lng: number;
  distanceKm: number | null;
  source: string;
};

/** A street with all that is known of it. */
export type StreetDetails = Omit<Street, 'distanceKm'> & {
  otherNames: string[];
  postalCodes: string[];
  /** Short name of the data source. */
  source: string;
};

export type Streets = {
  /** Streets whose nearest vertex is within a distance of a position, nearest first. */
  nearest(from: LatLng, options: { maxKm: number; limit: number }): Street[];
  /** The street of an identifier; undefined where there is none. */
  byId(id: number): StreetDetails | undefined;
  /** Streets a text names; with `near` only those within `radiusKm`, nearest first. */
  search(query: {
    text: string;
    near?: LatLng;
    radiusKm: number;
    city?: string;
    country?: string;
    /** Only streets whose point lies in it. */
    bbox?: BoundingBox;
    limit: number;
    /** Whether words are looked for that are one mistake away where there are none; true by default. */
    fuzzy?: boolean;
  }): Street[];
};

export type Poi = {
  id: number;
  /** Null for one without a name, such as most car parks and pitches. */
  name: string | null;
  category: PoiCategory;
  lat: number;
  lng: number;
  distanceKm: number;
  cuisine: string | null;
};

/** A point with all that is known of it. */
export type PoiDetails = Omit<Poi, 'distanceKm'> & {
  otherNames: string[];
  /** Short name of the data source. */
  source: string;
};

export type Pois = {
  /** The point of an identifier; undefined where there is none. */
  byId(id: number): PoiDetails | undefined;
  /** Points of interest within a distance, nearest first, then id. */
  nearest(
    from: LatLng,
    options: {
      radiusKm: number;
      category?: PoiCategory;
      name?: string;
      cuisine?: string;
      bbox?: BoundingBox;
      limit: number;
    },
  ): Poi[];
};

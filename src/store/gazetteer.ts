/**
 * The contract of an engine of names: the keys, the places and areas with these names, and the facts for scoring. An
 * engine finds candidates; it scores nothing and decides nothing.
 */
import type { BoundingBox } from '../core/geo.ts';
import { firstAreaId, firstPostalId } from './identifiers.ts';

/** How a key names a place. */
export const nameKinds = {
  /** The main name or its ASCII form. */
  main: 0,
  /** Another name of a well-known place; includes the local and the English one, as there are no language tags. */
  known: 1,
  /** Another name. */
  other: 2,
  /** A main name from its second or a later word on: `angeles`. */
  inner: 3,
  /** A machine's romanisation: `bei jing shi`. */
  romanised: 4,
} as const;
export type NameKind = (typeof nameKinds)[keyof typeof nameKinds];

/** A range of keys [from, to). */
export type KeyRange = { from: number; to: number };

export type FuzzyOptions = {
  /** Maximum number of edits. */
  edits: number;
  /** Number of leading letters that must match; reduces the work of two edits. */
  fixedPrefix: number;
  /** Whether the text may be a prefix of the key. */
  isPrefix: boolean;
  /** Maximum number of trie nodes visited; bounds the time for any text. */
  budget: number;
};

/** Sorted folded names; a key is identified by its position. */
export type NameKeys = {
  /** The key that is a text; an empty range when there is none. */
  exact(text: string): KeyRange;
  /** The keys that begin with a text; an empty range when none does. */
  prefixRange(text: string): KeyRange;
  /**
   * The key at a position, its length in UTF-16 units, and one of its units, which may belong to the next key past its
   * end.
   */
  text(key: number): string;
  length(key: number): number;
  /** The key of a posting within a range of keys. */
  keyOf(posting: number, range: KeyRange): number;
  unit(key: number, at: number): number;
  /**
   * Calls `found` with each key of four letters and more that is one edit from a text: a wrong, missing or extra letter
   * or blank, or two neighbours swapped. Returns how many texts were looked up, at most `budget`.
   */
  oneEdit(text: string, budget: number, found: (key: number) => void): number;
  /**
   * Calls `found` with ranges of keys within some edits of a text, and how many. Returns how many nodes were visited.
   */
  fuzzy(text: string, options: FuzzyOptions, found: (range: KeyRange, edits: number) => void): number;
};

/**
 * An administrative area as one number: a country's number, or a region's position after all of those. Candidates and
 * context compare by it. Position -1, no region, has a number that no area has.
 */
const firstRegion = 1024;
export const areaOfCountry = (number: number) => number;
export const areaOfRegion = (position: number) => firstRegion + position;
export const isCountryArea = (area: number) => area < firstRegion;
/** Position of a region area in the region table. */
export const regionOfArea = (area: number) => area - firstRegion;

/** Identifiers of areas: equal ones mean equal areas within a dataset. */
export const areaId = (area: number) => firstAreaId + area;
/** The area of an identifier; undefined for those of other records. */
export const areaOfId = (id: number) => (id >= firstAreaId && id < firstPostalId ? id - firstAreaId : undefined);

/** Where an area lies: country number, and region positions, -1 for none; the area itself is one of the three. */
export type AreaFacts = { country: number; admin1: number; admin2: number; population: number };

/** Facts of places, and of features behind them, by position; in each part position order is falling prominence. */
export type PlaceFacts = {
  readonly size: number;
  id(index: number): number;
  /** Millionths of a degree. */
  lat(index: number): number;
  lng(index: number): number;
  prominence(index: number): number;
  population(index: number): number;
  /** Region positions, -1 when unknown. */
  admin1(index: number): number;
  admin2(index: number): number;
  /** Country number, and number of the kind of row (`rowKinds`). */
  country(index: number): number;
  type(index: number): number;
};

/** How a word is used that need not name a place: from 0, rare, to 1, the most frequent of a language. */
export type WordUse = { commonness: number; isGivenName: boolean };

export type Gazetteer = {
  readonly facts: PlaceFacts;
  readonly placeNames: NameKeys;
  /** Names, short forms and codes of countries and regions. */
  readonly areaNames: NameKeys;
  /** Number of a country with places; undefined for one without. */
  countryNumber(iso2: string): number | undefined;
  /** Alpha-2 code of a country number. */
  countryCode(number: number): string;
  /**
   * Visits the places with names in a range, best first, optionally of one country; `visit` returns whether to go on.
   * `placeNames.keyOf` has the key of a posting.
   */
  visitPlaces(
    range: KeyRange,
    country: number | undefined,
    visit: (index: number, kind: NameKind, posting: number) => boolean,
  ): void;
  /** Visits the areas of a range of names: by whole names before shortened ones, then the most populous first. */
  visitAreas(range: KeyRange, visit: (area: number, isShortened: boolean, posting: number) => boolean): void;
  /** The areas with names in a range, in no order, some several times; of more than `most` areas the most populous ones. */
  areasNamed(range: KeyRange, most: number): number[];
  /** Upper bound of area numbers, exclusive. */
  readonly areaCount: number;
  areaFacts(area: number): AreaFacts;
  /** Most populous places of an area, at most 30; features where it has none. */
  placesOfArea(area: number): Uint32Array;
  /** The capital of a country that is this area; undefined where the dataset lacks it. */
  capitalOf(area: number): number | undefined;
  /** Places nearest to a position. */
  nearest(lat: number, lng: number, limit: number): number[];
  /** The use of a folded word; undefined for one that is not common, and where the dataset has no such list. */
  wordUse(word: string): WordUse | undefined;
  /** The box of a feature that has one. */
  boxOf(index: number): BoundingBox | undefined;
  /** Name of a place in a language (BCP 47); the main name where that is unknown or none is given. */
  nameOf(index: number, language?: string): string;
  /** The same of an area. */
  nameOfArea(area: number, language?: string): string;
  /** A level-1 region's name in its country's main language; the main name of other areas. */
  ownNameOfArea(area: number): string;
};

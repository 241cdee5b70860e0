/**
 * The read contract: everything an endpoint may ask of a dataset. An engine implements it; nothing above this file
 * knows which. All of it is synchronous (the data is in memory or in an embedded database) and read-only.
 * A layer that the dataset lacks is `undefined`.
 */

import type { BoundingBox, LatLng } from '../core/geo.ts';
import type { IpRecord } from '../core/ip/address.ts';
import { type FeatureLayer, featureLayers, type PoiCategory } from '../core/place-kinds.ts';
import type { ZoneClock } from '../core/zone-clock.ts';
import { WhereaboutsError } from '../errors.ts';
import type { Addresses, Budget, Pois, Streets } from './address-contract.ts';
import type { Gazetteer } from './gazetteer.ts';
import type { Manifest } from './manifest.ts';
import type { AreaLabel, LandTiles, MapData } from './map-contract.ts';

export type Store = {
  readonly manifest: Manifest;
  readonly countries: Countries;
  readonly regions: Regions;
  readonly places: Places;
  /** What finds places and areas by name; geocoding/ judges what it finds. */
  readonly gazetteer: Gazetteer;
  readonly cities: CityNames;
  readonly zones: Zones | undefined;
  readonly boundaries: Boundaries | undefined;
  readonly postal: PostalCodes | undefined;
  readonly ip: IpRanges | undefined;
  readonly addresses: Addresses | undefined;
  readonly streets: Streets | undefined;
  readonly pois: Pois | undefined;
  /** What a map shows of streets, addresses and points. */
  readonly map: MapData | undefined;
  readonly land: LandTiles | undefined;
  /** Labels of countries and regions, those with most room first. */
  readonly areaLabels: readonly AreaLabel[] | undefined;
  /** Names of a place or feature, by identifier, besides the main one and those with a language; empty when there is none. */
  readonly otherNames: { of(id: number): string[] } | undefined;
  /** Whether remote street-level data are unavailable, so that answers may be incomplete; undefined where none are remote. */
  readonly isPartial?: boolean;
  /** Called by a search that goes on without remote street-level data; only in the view of one request. */
  readonly onStreetsLeftOut?: () => void;
  close(): void;
};

export type Country = {
  iso2: string;
  iso3: string;
  name: string;
  capital: string | null;
  currency: string | null;
  currencySymbol: string | null;
  /** With leading plus, e.g. `+49`. */
  phoneCode: string | null;
  /** English names of the official languages. */
  languages: string[];
  continent: string | null;
  flag: string;
  /** IANA zone of the capital. */
  timezone: string | null;
  region: string | null;
  isEu: boolean;
  population: number | null;
  /** False for codes that places have but ISO has not assigned (XK); those are not listed by `/countries`. */
  isAssigned: boolean;
};

export type Countries = {
  /** The 249 officially assigned countries, by name. */
  readonly assigned: readonly Country[];
  /** A country by alpha-2 code in upper case, user-assigned ones (XK) included. */
  get(iso2: string): Country | undefined;
  /** The country's name in a language (BCP 47), English where that is unknown or none is given. */
  nameIn(iso2: string, language?: string): string;
  /** The country's names by language (BCP 47, lower case), except the English one. */
  namesOf(iso2: string): Record<string, string>;
};

/** A first- or second-level administrative region. */
export type Region = {
  /** Position in the region table; places and boundaries refer to regions by it. */
  index: number;
  level: 1 | 2;
  /** Alpha-2 code. */
  country: string;
  name: string;
  /** ISO 3166-2 code such as `US-CA`, null where there is none. */
  isoCode: string | null;
  /** The gazetteer's own code inside its parent: GeoNames admin1 or admin2 code. */
  sourceCode: string;
  /** Position of the level-1 region that contains a level-2 region; -1 for level 1. */
  parent: number;
};

export type Regions = {
  readonly size: number;
  get(index: number): Region;
  /** What a region lies in, as its record has it: to make that reads two texts. */
  countryOf(index: number): string;
  parentOf(index: number): number;
  /** Position of a region by the gazetteer's codes; -1 when unknown. */
  find(country: string, admin1Code: string, admin2Code?: string): number;
  /** Position by ISO 3166-2 code; -1 when unknown. */
  byIsoCode(isoCode: string): number;
  /** Regions of a country, by name; for level 2 optionally of one level-1 region. */
  list(country: string, level: 1 | 2, parent?: number): Region[];
  /** Positions of level-1 regions whose name (any language) or code is the text, folded; empty when none. */
  matching(country: string, text: string): number[];
  /** Names of a region in all known languages, folded and distinct; for search context. */
  foldedNames(index: number): readonly string[];
  /** A region's name in a language, its local name where that is unknown; else its main name. */
  nameIn(index: number, language?: string): string;
  /** A level-1 region's names by language (BCP 47, lower case); empty for level 2 and where none is known. */
  namesOf(index: number): Record<string, string>;
};

/** `city`, `town`, `village`, `suburb`, `hamlet`: see docs/places.md for the rule. */
export const placeTypes = ['city', 'town', 'village', 'suburb', 'hamlet'] as const;
export type PlaceType = (typeof placeTypes)[number];

export { type FeatureLayer, featureLayers, type IpRecord };

/** Kinds of rows in the place table, by number: the types of places, then the layers of features. */
export const rowKinds = [...placeTypes, ...featureLayers] as const;
/** The layer of a row by the number of its kind. */
export const layerOfKind = (kind: number): 'place' | FeatureLayer =>
  kind < placeTypes.length ? 'place' : featureLayers[kind - placeTypes.length];

export type Place = {
  /**
   * Position in the place table. Places come first, ordered by falling prominence: 0 is the most prominent place. Features
   * follow, in the same order.
   */
  index: number;
  layer: 'place' | FeatureLayer;
  /** The gazetteer's identifier. */
  id: number;
  name: string;
  /** Alpha-2 code; empty for a feature in no country, such as an ocean. */
  country: string;
  /** Region positions; -1 when unknown. */
  admin1: number;
  admin2: number;
  lat: number;
  lng: number;
  /** IANA zone. */
  timezone: string;
  population: number;
  /** Null for features. */
  type: PlaceType | null;
  /** Short name of the source. */
  source: string;
};

/** A place without its name, which costs more to read than all other fields. */
export type UnnamedPlace = Omit<Place, 'name'>;

/** What a feature has besides a place's fields. */
type FeatureFacts = {
  /** One of sources/landmarks/kinds.json; null when unknown. */
  kind: string | null;
  /** Among points of interest; null for what is none, and when unknown. */
  category: PoiCategory | null;
  /** What it covers; undefined for a building and where that is unknown. */
  bbox: BoundingBox | undefined;
};

export type PlaceNear = { index: number; distanceKm: number };

type NearestOptions = {
  limit: number;
  maxKm?: number | undefined;
  /** Only places of this country, alpha-2. */
  country?: string | undefined;
  accept?: ((index: number) => boolean) | undefined;
};

export type Places = {
  /** Number of places; the positions of features follow. */
  readonly size: number;
  /** A place or feature by position. */
  get(index: number): Place;
  unnamed(index: number): UnnamedPlace;
  /** Identifier, alpha-2 code and source of a place; cost less than the record. */
  idOf(index: number): number;
  countryOf(index: number): string;
  sourceOf(index: number): string;
  /** A place's name in a language (BCP 47), a feature's local name where that is unknown; else its main name. */
  nameIn(index: number, language?: string): string;
  /** A place's names by language (BCP 47, lower case), besides the main one; empty when none is known. */
  namesOf(index: number): Record<string, string>;
  /** Position of a place or feature by identifier; -1 when unknown. */
  byId(id: number): number;
  /** Places nearest to a position, by distance then id; by default one. */
  nearest(from: LatLng, options: Partial<NearestOptions>): PlaceNear[];
  /** The same of large places only: the most prominent twentieth of all. */
  nearestProminent(from: LatLng, options: NearestOptions): PlaceNear[];
  /** Kind and extent of a feature; undefined for a place. */
  featureFacts(index: number): FeatureFacts | undefined;
  /** Features nearest to a position, by distance then id. */
  nearestFeatures(from: LatLng, options: Omit<NearestOptions, 'country'>): PlaceNear[];
  /** Positions of features whose boxes contain a position, the smallest box first. */
  featuresAround(from: LatLng): number[];
  /** Places of a country by falling population, then id. */
  ofCountry(
    country: string,
    options: {
      admin1?: readonly number[];
      minPopulation?: number;
      maxPopulation?: number;
      bbox?: BoundingBox;
      limit: number;
    },
  ): number[];
  /** Every place of a country with a name (any language), most prominent first. */
  named(name: string, country: string): number[];
};

/** Resolves names of cities and countries. */
export type CityNames = {
  /**
   * The place that a city name means, any language: the most prominent one with that name, else one that the text names
   * exactly with its context (`Paris, Texas`); undefined when there is none.
   */
  resolve(city: string, country?: string, budget?: Budget): Place | undefined;
  /**
   * Alpha-2 codes of the countries with exactly this name, in any language, most populous first; empty when there is
   * none.
   */
  countriesNamed(name: string): string[];
  /** Alpha-2 codes of the countries with a first-level region of exactly this name, in any language. */
  regionsNamed(name: string): string[];
};

export type Zones = {
  /** IANA zone at a position, oceans included; the first one where zones overlap. */
  at(position: LatLng): string;
  /** The clocks of a zone by its identifier, aliases included, any case; undefined when there is no such zone. */
  clock(id: string): ZoneClock | undefined;
  /** Version of the tz database whose rules the dataset has. */
  tzVersion: string;
};

/** A multipolygon as GeoJSON has it: polygons of rings of [lng, lat], the first ring of each the outer one. */
export type AreaShape = {
  /** Size of the smallest details: the step at or below what was requested. */
  toleranceM: number;
  /** Its coordinates as JSON between two texts, in UTF-8; the next outline is written over it. */
  json(before: string, after: string): Buffer;
  coordinates(): number[][][][];
};

/** A municipality by its area. */
export type Municipality = {
  /** As the source of the area calls it. */
  name: string;
  /** Position of its place in the place table; -1 where the gazetteer has none. */
  place: number;
};

export type Boundaries = {
  /** Position of the level-2 region of a user's source that contains a position; -1 when there is none. */
  admin2At(position: LatLng): number;
  /** The municipality whose area contains a position; undefined where no source has one. */
  municipalityAt(position: LatLng): Municipality | undefined;
  /** Alpha-2 code of the country whose land, lakes or coastal waters contain a position; undefined on the open sea. */
  countryAt(position: LatLng): string | undefined;
  /**
   * Position (in `regions`) of the level-1 region that contains a position; -1 when unknown or on the open sea. `near`
   * are the nearest places of its country, if already known.
   */
  admin1At(position: LatLng, near?: readonly PlaceNear[]): number;
  /** Position of the city that a landmark or park is in, -1 for none; undefined where the dataset has not noted it. */
  cityOfFeature(index: number): number | undefined;
  /**
   * The outline of a country (alpha-2) or of a level-1 region (position), simplified with a tolerance of `toleranceM`;
   * undefined where the dataset has none.
   */
  shapeOf(area: string | number, toleranceM: number): AreaShape | undefined;
  /** Whether there is an outline of a country or level-1 region. */
  hasShape(area: string | number): boolean;
  /** The box of that outline; undefined where there is none. */
  boxOf(area: string | number): BoundingBox | undefined;
  /** The outline of the municipality of a place, by its position, in a user's source, and its box; undefined where there is none. */
  shapeOfPlace(place: number, toleranceM: number): AreaShape | undefined;
  boxOfPlace(place: number): BoundingBox | undefined;
};

export type PostalCode = {
  /** Identifier within the dataset. */
  id: number;
  postalCode: string;
  place: string;
  /** Region names as the source writes them. */
  admin1: string | null;
  admin2: string | null;
  country: string;
  lat: number | null;
  lng: number | null;
  /** Radius of the place or area around the coordinate; null for measured and unknown ones. */
  radiusKm: number | null;
  /** Origin of the coordinate: measured for the code, that of its place, the centre of similar codes, or unknown. */
  accuracy: 'point' | 'place' | 'area' | null;
  source: string;
};

export type PostalCodes = {
  /** Records of a code as people type it (any spacing, case, dash), by place name; empty when unknown. */
  find(country: string, code: string): PostalCode[];
  /**
   * Records of the codes that begin with a text, one of each, in the order of codes; where none does, of the shorter form that it
   * goes on from: `SW1A` of `SW1A 9`.
   */
  beginning(country: string, text: string, limit: number): PostalCode[];
  /** Codes of a place (by position in the place table), main one first; at most `limit`, if set: a city has hundreds. */
  ofPlace(place: number, limit?: number): string[];
  /** The record of an identifier; undefined when there is none. */
  byId(id: number): PostalCode | undefined;
  /**
   * The country's code whose measured position is nearest to a position, within `maxKm`, one that shares its position with
   * another only where there is no other; undefined when there is none.
   */
  nearest(from: LatLng, country: string, maxKm: number): PostalCode | undefined;
  /** Number of distinct codes per country. */
  countByCountry(): Readonly<Record<string, number>>;
};

// The read contract of IP ranges. See store.ts.

export type IpRanges = {
  /** The record of an address of 4 or 16 bytes (IPv4-mapped IPv6 as 4); undefined when no database has it. */
  find(address: Uint8Array): IpRecord | undefined;
};

// Look-ups that are answered later. A search is a plain function: an engine that does not have an answer yet answers as if
// there was nothing, throws `Deferred` when the search settles its accounts (`settle`), and the caller repeats the search once
// the answers are there. Synchronous engines are unaffected, and no search becomes a chain of promises for the sake of
// asynchronous ones.

/** The look-ups of one search. */
export type LookUps = {
  /** Runs a search with the answers so far; look-ups without one are recorded. */
  within<T>(search: () => T): T;
  /** Resolves when all recorded look-ups have answers. Rejects when they cannot be answered. */
  fetch(): Promise<void>;
};

export class Deferred {
  readonly lookUps: LookUps;

  constructor(lookUps: LookUps) {
    this.lookUps = lookUps;
  }
}

/**
 * Runs a search: once if its engine is synchronous, else repeatedly until all of its look-ups have answers. `fetched` has them
 * fetched when it is the caller's turn, and resolves in the turn in which the search goes on. `known` has the answers so far.
 */
export function whenFound<T>(
  search: () => T,
  fetched = (lookUps: LookUps): Promise<void> => lookUps.fetch(),
  known?: LookUps,
): T | Promise<T> {
  try {
    return known ? known.within(search) : search();
  } catch (error) {
    if (!(error instanceof Deferred)) throw error;
    // Others than before if the search has to restart with data that were published meanwhile.
    const { lookUps } = error;
    return fetched(lookUps).then(() => whenFound(search, fetched, lookUps));
  }
}

/** The result of `each` for every item, as by `map`. If one is deferred, the look-ups of the later items are requested at the same time. */
export function together<T, R>(items: readonly T[], each: (item: T, at: number) => R): R[] {
  const results: R[] = [];
  let deferred: Deferred | undefined;
  for (const [at, item] of items.entries()) {
    try {
      if (deferred) deferred.lookUps.within(() => each(item, at));
      else results.push(each(item, at));
    } catch (error) {
      if (!(error instanceof Deferred)) throw error;
      deferred ??= error;
    }
  }
  if (deferred) throw deferred;
  return results;
}

// Errors of a remote engine of street-level data that does not answer.

/** A query needs street-level data that are unavailable now; a client may try again. */
export class StreetsUnavailable extends WhereaboutsError {
  readonly reason: string;

  constructor(reason: string, retryAfterSeconds: number) {
    super('unavailable', `street-level data cannot be reached (${reason}); try again`, { retryAfterSeconds });
    this.reason = reason;
  }
}

/** The result of a search, or `without` while street-level data are unavailable, which is reported to the store. */
export function orWithoutStreets<T>({ onStreetsLeftOut }: Store, search: () => T, without: T): T {
  try {
    return search();
  } catch (error) {
    if (!(error instanceof StreetsUnavailable)) throw error;
    onStreetsLeftOut?.();
    return without;
  }
}

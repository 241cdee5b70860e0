/**
 * The contract of an engine for street-level data: candidates and their facts. It scores nothing and decides nothing;
 * `geocoding/address` does. A dataset may have several parts (a file per licence, country or source), each searched
 * separately. Every look-up is a pure function of its arguments, so an engine that answers later can have a search
 * repeated once it knows the answers.
 */

import type { Bounds, LatLng } from '../core/geo.ts';
import type { PoiCategory } from '../core/place-kinds.ts';
import type { Poi } from './address-contract.ts';
import { type MapHouses, type MapPoi, type MapStreet, overlaps, touches } from './map-contract.ts';

/** A condition on a record; words are folded and in Latin letters. */
export type Clause =
  /** One of these words, in its names, its settlement or its postal codes. */
  | readonly string[]
  /** One of these as a whole name (text/whole-name.ts). */
  | { wholeName: readonly string[] }
  /** Alpha-2 code in upper case. */
  | { country: string }
  /** One of these postal codes, in small letters and digits only. */
  | { postalCodes: readonly string[] }
  /** A point in one of these circles, or a little outside. */
  | { around: readonly LatLng[]; km: number }
  | { category: PoiCategory }
  /** One of these kinds of food, folded and without blanks. */
  | { cuisines: readonly string[] };

/** A street in one settlement. */
export type Street = {
  id: number;
  /** The main name first; never empty. */
  names: string[];
  /** Number of its settlement. */
  area: number;
  postcodes: string[];
  lat: number;
  lng: number;
  highway: string | null;
  /** Position in the part's sources. */
  source: number;
  /** Interpolation lines as JSON: `[from, to, step, [lng, lat, …]]`; null where there are none. */
  interpolationRanges: string | null;
  /** Whether the source has its geometry. */
  isMapped: boolean;
  /** Its pieces as objects of OpenStreetMap (`w12`); empty where they are none. */
  objects: readonly string[];
};

/** The settlement of streets, with every word by which it is found. */
export type StreetArea = {
  city: string | null;
  admin1: string | null;
  country: string;
  terms: readonly string[];
};

/** `lat`, `lng` in degrees; `postcode` is a position in the street's list, -1 when unknown; `source` in the file's. */
export type House = {
  /** Ordinal of the house in its street, from 0: part of its identifier. */
  ordinal: number;
  text: string;
  /**
   * Normalised number that leads to a house with another number: `25` to `137/25`. The house itself has an entry
   * without it.
   */
  otherNumber?: string;
  base: number;
  lat: number;
  lng: number;
  postcode: number;
  source: number;
  /** The object of OpenStreetMap that it is: `n12`. */
  object?: string;
};

/** The words of the names in a part, with the number of records that have each. */
export type Vocabulary = {
  /** Number of records in all. */
  readonly records: number;
  /** Number of records with a word; 0 if there is none. */
  count(word: string): number;
  /** False if a word is not in the index, as far as filters in memory know. */
  mayHave(word: string): boolean;
  /**
   * False if a word is not in the index, nor one that is an edit away or, where it may be a prefix, begins with it: as far as
   * filters in memory know.
   */
  mayHaveSimilar(word: string, isPrefix: boolean): boolean;
  /** False if no word begins with a text, as far as filters in memory know. */
  mayBePrefix(text: string): boolean;
  /** False if no record has a word beside another that begins with the first letters of a text, as far as filters in memory know. */
  mayBeBeside(word: string, text: string): boolean;
  /** Words one edit away, in no order: a letter wrong, missing, extra or swapped; doubled letters count as one. */
  oneEdit(word: string): [word: string, records: number][];
  /** The first 512 words, in order, that begin with a text and are longer. */
  withPrefix(text: string): [word: string, records: number][];
};

/** False if nothing in any part has all words, of which the last may be unfinished, as far as filters in memory know. */
export const mayBegin = (
  parts: readonly { vocabulary: Vocabulary }[],
  words: readonly (readonly string[])[],
): boolean =>
  parts.some(({ vocabulary: { mayHave, mayBePrefix, mayBeBeside } }) => {
    const last = words[words.length - 1];
    return words.every((word) =>
      word === last
        ? word.some(mayHave) || mayBePrefix(word[0])
        : word.some((each) => mayHave(each) && last.some((text) => mayBeBeside(each, text))),
    );
  });

/** What an engine that answers later has besides. */
export type Answering = {
  /**
   * Ends a round: throws `Deferred` if something that was asked has no answer yet, which is as if there was nothing. Absent where
   * all is answered at once.
   */
  settle?(): void;
};

/**
 * Ends a round of a search, which then starts again with the answers: before what is not worth asking, or wrong to conclude,
 * unless those before are known. All parts are of one engine.
 */
export const settle = ([part]: readonly Answering[]): void => part?.settle?.();

export type StreetPart = Answering & {
  /** Number of its file in identifiers. */
  readonly number: number;
  /** Short names of the data sources. */
  readonly sources: readonly string[];
  readonly vocabulary: Vocabulary;
  /** False if no street matches all clauses, as far as filters in memory know; undefined where an engine knows only by looking. */
  mayMatch(clauses: readonly Clause[]): boolean | undefined;
  /**
   * Identifiers of the streets that match all clauses, the most prominent first, at most `limit`. An engine may leave out those
   * that do not match `all`, which has further clauses.
   */
  matching(clauses: readonly Clause[], limit: number, all?: readonly Clause[]): number[];
  street(id: number): Street;
  /** Prominence class of a street, the most prominent first: unlike identifiers it is comparable over parts. */
  prominence(id: number): number;
  /** Identifiers of the streets of which an object of OpenStreetMap is a piece or a house. */
  withObject(object: string): number[];
  hasStreet(id: number): boolean;
  /** A street and the distance of its nearest vertex from a position; infinite if it has no geometry. */
  streetFrom(id: number, from: LatLng): { street: Street; km: number };
  /** The vertices of a street's lines; empty where it has no geometry. */
  vertices(id: number): LatLng[];
  area(id: number): StreetArea;
  /** The houses of the block that contains a number, or would contain it; empty when all numbers are higher. */
  housesAt(street: number, number: number): House[];
  /** The houses of the first block whose numbers are all above a number. */
  housesAfter(street: number, number: number): House[];
  /** All houses of a street. */
  houses(street: number): House[];
  /** Blocks with houses near a position; they may include houses farther away. */
  housesNear(from: LatLng, radiusKm: number): { street: number; houses: House[] }[];
  /** As MapData.streets. */
  streetsIn(bounds: Bounds, limit: number): Iterable<MapStreet>;
  /** As MapData.houses. */
  housesIn(bounds: Bounds): Iterable<MapHouses>;
};

export type PoiPart = Answering & {
  /** Number of its file in identifiers. */
  readonly number: number;
  readonly vocabulary: Vocabulary;
  /** As that of `StreetPart`, true for few points that there are not. */
  mayMatch(clauses: readonly Clause[]): boolean | undefined;
  /**
   * Points that match all clauses, and possibly some just outside a circle. An engine may leave out all that are
   * farther away than the `wanted` nearest; one that does not know these reads at most `most`, in no order.
   */
  matching(clauses: readonly Clause[], wanted?: number, most?: number): ({ id: number } & LatLng)[];
  /** Points that match all of these anywhere, at most `limit`, in no order. */
  named(clauses: readonly Clause[], limit: number): ({ id: number } & LatLng)[];
  /** As `matching`, for points of a category in a circle. */
  ofCategory(
    category: PoiCategory,
    center: LatLng,
    radiusKm: number,
    wanted?: number,
    most?: number,
  ): ({ id: number } & LatLng)[];
  /** As MapData.pois. */
  poisIn(bounds: Bounds, limit: number): Iterable<MapPoi>;
  /** Identifiers of the points that are an object of OpenStreetMap. */
  withObject(object: string): number[];
  /** One point with all known details; undefined when there is none with that number. */
  poi(id: number): (LatLng & Required<Omit<Poi, 'id'>>) | undefined;
};

const mayTouch = (bounds: Bounds, clauses: readonly Clause[]) =>
  clauses.every(
    (clause) => !('around' in clause) || clause.around.some((center) => touches(bounds, center, clause.km)),
  );

/** The prominence class of a street by the first identifier of each. */
export const prominenceOf = (firsts: readonly number[], id: number): number =>
  Math.max(
    0,
    firsts.findLastIndex((first) => first <= id),
  );

/** A part that is not queried about places outside its bounds, where it has some. */
export function boundedStreets<P extends StreetPart>(part: P, bounds: Bounds | undefined): P {
  if (!bounds) return part;
  const { mayMatch, matching, housesNear, streetsIn, housesIn } = part;
  return Object.assign(part, {
    mayMatch: ((clauses) => mayTouch(bounds, clauses) && mayMatch(clauses)) satisfies P['mayMatch'],
    matching: ((clauses, limit, all) =>
      mayTouch(bounds, clauses) ? matching(clauses, limit, all) : []) satisfies P['matching'],
    housesNear: ((from, km) => (touches(bounds, from, km) ? housesNear(from, km) : [])) satisfies P['housesNear'],
    streetsIn: ((box, limit) => (overlaps(bounds, box) ? streetsIn(box, limit) : [])) satisfies P['streetsIn'],
    housesIn: ((box) => (overlaps(bounds, box) ? housesIn(box) : [])) satisfies P['housesIn'],
  });
}

/** The same of points of interest. */
export function boundedPois<P extends PoiPart>(part: P, bounds: Bounds | undefined): P {
  if (!bounds) return part;
  const { matching, ofCategory, poisIn } = part;
  return Object.assign(part, {
    matching: ((clauses, ...numbers) =>
      mayTouch(bounds, clauses) ? matching(clauses, ...numbers) : []) satisfies P['matching'],
    ofCategory: ((category, center, km, ...numbers) =>
      touches(bounds, center, km) ? ofCategory(category, center, km, ...numbers) : []) satisfies P['ofCategory'],
    poisIn: ((box, limit) => (overlaps(bounds, box) ? poisIn(box, limit) : [])) satisfies P['poisIn'],
  });
}

import type { AreaNames } from './area-names.ts';
import type { NameIndex } from './name-index.ts';
import type { PostingRanks } from './postings.ts';

/** What a search needs to know of places, by position; position order is falling prominence. */
export type PlaceTable = {
  /** Identifiers, which decide between equals. */
  id: Uint32Array;
  prominence: Float32Array;
  population: Uint32Array;
  /** Country numbers; the name index groups by them. */
  country: Uint8Array;
  /** Region positions, -1 when unknown. */
  admin1: Int32Array;
  admin2: Int32Array;
  type: Uint8Array;
  /** Millionths of a degree. */
  lat: Int32Array;
  lng: Int32Array;
};

/** The indexes a search reads. */
export type SearchIndexes = {
  table: PlaceTable;
  /** Place names; their values are posting ranks. */
  names: NameIndex;
  postings: PostingRanks;
  areas: AreaNames;
  /** Most populous places of an area, at most 30. */
  placesOfArea(area: number): number[];
  /** Whether an area is a second-level region. */
  isSubregion(area: number): boolean;
  /** Places nearest to a position. */
  nearest(lat: number, lng: number, limit: number): number[];
  /** Main name of a place. */
  nameOf(index: number): string;
};

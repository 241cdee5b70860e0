/** The read contract of maps: what lies in a rectangle, found by cells, the most prominent first where there is a choice. */

import type { Tile } from '../core/geo.ts';
import type { PoiCategory } from '../core/poi-category.ts';
import type { Bounds } from './bounds.ts';

export type MapStreet = {
  name: string;
  /** OpenStreetMap's `highway` value; null where the source has none. */
  highway: string | null;
  /** Size of its geometry in bytes, as a measure of the cost to draw it. */
  bytes: number;
  /** Its pieces, each lng, lat, lng, lat, … in degrees. */
  lines(): Float64Array[];
};

type MapHouse = { number: string; lat: number; lng: number };

/** Houses that are stored together; their neighbours may be in other groups. */
export type MapHouses = { street: string; houses: readonly MapHouse[] };

export type MapPoi = { name: string | null; category: PoiCategory; lat: number; lng: number };

/** Vector tiles of land and borders, made by the build. */
export type LandTiles = {
  /** The body of a tile; `land` where it is all land, undefined where there is none. */
  tile(tile: Tile): Buffer | 'land' | undefined;
};

/** The position of an area's label on a map. */
export type AreaLabel = {
  /** Alpha-2 code. */
  country: string;
  /** Position in the region table; -1 for a country. */
  region: number;
  lng: number;
  lat: number;
  /** Of the largest circle in the area, in degrees of latitude. */
  radius: number;
};

/**
 * Everything is yielded lazily, so that the caller may stop. Records slightly outside the rectangle may be included.
 */
export type MapData = {
  /** Streets with a geometry, the most prominent of each file first, at most `limit` of each. */
  streets(bounds: Bounds, limit: number): Iterable<MapStreet>;
  /** Groups of nearby houses, at most 512 groups in each cell of about 200 m. */
  houses(bounds: Bounds): Iterable<MapHouses>;
  /** At most `limit` points of each category in each of a few cells. */
  pois(bounds: Bounds, limit: number): Iterable<MapPoi>;
};

/** The read contract of maps: what lies in a rectangle, found by cells, the most prominent first where there is a choice. */

import type { Bounds, LatLng, Tile } from '../core/geo.ts';
import type { PoiCategory } from '../core/place-kinds.ts';

export type MapStreet = {
  name: string;
  /** OpenStreetMap's `highway` value; null where the source has none. */
  highway: string | null;
  /** Size of its geometry in bytes, as a measure of the cost to draw it. */
  bytes: number;
  /** Its pieces, each lng, lat, lng, lat, … in degrees. */
  lines(): Float64Array[];
};

type MapHouse = LatLng & { text: string };

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

// The bounding box of the data of a part, so that queries about other places skip it.

/** Less than the length of a degree of latitude, so that circles are too large rather than too small. */
const kmPerDegree = 110;
/** Rounding of positions and cells. */
const marginDegrees = 0.01;

/** The smallest rectangle that also contains a position. */
export function extended(bounds: Bounds | undefined, { lat, lng }: LatLng): Bounds {
  if (!bounds) return { south: lat, west: lng, north: lat, east: lng };
  return {
    south: Math.min(bounds.south, lat),
    west: Math.min(bounds.west, lng),
    north: Math.max(bounds.north, lat),
    east: Math.max(bounds.east, lng),
  };
}

/**
 * Whether a circle may touch a rectangle; always true near the poles and the date line, where the test is not simple.
 */
export function touches({ south, west, north, east }: Bounds, { lat, lng }: LatLng, km: number): boolean {
  const high = km / kmPerDegree + marginDegrees;
  if (lat + high < south || lat - high > north) return false;
  const poleward = Math.abs(lat) + high;
  if (poleward >= 89) return true;
  const wide = high / Math.cos((poleward * Math.PI) / 180);
  if (lng - wide < -180 || lng + wide > 180) return true;
  return lng + wide >= west && lng - wide <= east;
}

/** Whether two rectangles have a point in common. */
export const overlaps = (a: Bounds, b: Bounds) =>
  a.south <= b.north && a.north >= b.south && a.west <= b.east && a.east >= b.west;

/** The bounding box of the data of a part, so that queries about other places skip it. */
import type { LatLng } from '../core/geo.ts';

/** In degrees; west is never east of east. */
export type Bounds = { south: number; west: number; north: number; east: number };

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

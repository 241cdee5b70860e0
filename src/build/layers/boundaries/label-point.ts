import polylabel from 'polylabel';
import type { Area } from '../../../core/region-index/area.ts';
import { signedArea } from '../../../core/region-index/ring.ts';

/**
 * The position of an area's label on a map, in degrees, and the radius of the largest circle around it inside the area,
 * in degrees of latitude.
 */
export type LabelPoint = { lng: number; lat: number; radius: number };

/** Precision in degrees; a label is wider. */
const precision = 0.05;

/** The point of an area's largest part that is farthest from its edge. */
export function labelPoint({ rings }: Area): LabelPoint {
  const sized = rings.map(({ xy }) => ({ xy, size: signedArea(xy) }));
  const largest = sized.reduce((one, other) => (other.size > one.size ? other : one)).xy;
  const ring: [number, number][] = [];
  let sum = 0;
  for (let at = 1; at < largest.length; at += 2) sum += largest[at];
  // Longitudes as long as latitudes, in the middle of the part.
  const narrowing = Math.cos(((sum / (largest.length / 2)) * Math.PI) / 180);
  for (let at = 0; at < largest.length; at += 2) ring.push([largest[at] * narrowing, largest[at + 1]]);
  const found = polylabel([ring], Math.min(precision, Math.sqrt(signedArea(largest)) / 20));
  return { lng: found[0] / narrowing, lat: found[1], radius: found.distance };
}

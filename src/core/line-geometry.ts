/**
 * Geometry of lines and rings as flat lists lng, lat, lng, lat, … in degrees. Longitudes may jump at the antimeridian:
 * every function takes the short way between two neighbours.
 */
import { distanceKm, type LatLng, wrapLongitude } from './geo.ts';

/** The longitude that is the same place as `lng` and within 180 degrees of `reference`. */
function unwrapped(lng: number, reference: number): number {
  return lng - 360 * Math.round((lng - reference) / 360);
}

/** True when a line comes back to its first point and encloses an area (four points or more). */
export function isRing(line: Float64Array): boolean {
  const { length } = line;
  return length >= 8 && line[0] === line[length - 2] && line[1] === line[length - 1];
}

/** Twice the signed area of a ring and its centroid, in plain degrees around the first point. */
function ringMoments(ring: Float64Array): { area: number; lat: number; lng: number } {
  let [area, lat, lng] = [0, 0, 0];
  let [lastX, lastY] = [0, 0];
  for (let at = 2; at < ring.length; at += 2) {
    const x = unwrapped(ring[at], ring[0]) - ring[0];
    const y = ring[at + 1] - ring[1];
    const cross = lastX * y - x * lastY;
    area += cross;
    lng += cross * (lastX + x);
    lat += cross * (lastY + y);
    [lastX, lastY] = [x, y];
  }
  return { area, lat: ring[1] + lat / (3 * area), lng: ring[0] + lng / (3 * area) };
}

/** The centroid of rings that do not overlap (the outer rings of a multipolygon), weighted by their areas. */
export function centroidOfRings(rings: readonly Float64Array[]): LatLng {
  let [sum, lat, lng] = [0, 0, 0];
  for (const ring of rings) {
    const moments = ringMoments(ring);
    const area = Math.abs(moments.area);
    // A ring so thin that its area is lost in rounding (below about 1 cm²) has no meaningful centroid.
    if (!(area > 1e-14)) continue;
    sum += area;
    lat += area * moments.lat;
    lng += area * unwrapped(moments.lng, rings[0][0]);
  }
  if (sum === 0) return pointAlong(rings[0]);
  return { lat: lat / sum, lng: wrapLongitude(lng / sum) };
}

/** The point at a share of a line's length, half-way by default; for a line of one point, that point. */
export function pointAlong(line: ArrayLike<number>, share = 0.5): LatLng {
  let left = lengthKm(line) * share;
  let at = 2;
  for (; at < line.length - 2 && segmentKm(line, at) < left; at += 2) left -= segmentKm(line, at);
  if (at >= line.length) return { lat: line[1], lng: line[0] };
  const length = segmentKm(line, at);
  const part = length === 0 ? 0 : Math.min(1, left / length);
  const lng = unwrapped(line[at], line[at - 2]);
  return {
    lat: line[at - 1] + part * (line[at + 1] - line[at - 1]),
    lng: wrapLongitude(line[at - 2] + part * (lng - line[at - 2])),
  };
}

function segmentKm(line: ArrayLike<number>, at: number): number {
  return distanceKm({ lat: line[at - 1], lng: line[at - 2] }, { lat: line[at + 1], lng: line[at] });
}

/** Length of a line in km. */
export function lengthKm(line: ArrayLike<number>): number {
  let total = 0;
  for (let at = 2; at < line.length; at += 2) total += segmentKm(line, at);
  return total;
}

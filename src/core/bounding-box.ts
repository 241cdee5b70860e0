import { distanceKm, type LatLng } from './geo.ts';

/** West, south, east and north in degrees; west > east crosses the antimeridian. */
export type BoundingBox = readonly [west: number, south: number, east: number, north: number];

/** Whether a box contains a position, edges included. */
export function isWithin(lat: number, lng: number, [west, south, east, north]: BoundingBox): boolean {
  if (lat < south || lat > north) return false;
  return west <= east ? lng >= west && lng <= east : lng >= west || lng <= east;
}

/** Maximum width of a box for which a circle around it excludes much. */
const maxCircledDegrees = 60;

/** A circle around a box, for indexes that know circles; undefined for a box that covers much of the globe. */
export function circleAround([west, south, east, north]: BoundingBox): { center: LatLng; km: number } | undefined {
  const width = east - west + (west <= east ? 0 : 360);
  if (width > maxCircledDegrees || north - south > maxCircledDegrees) return undefined;
  const lng = west + width / 2;
  const center = { lat: (south + north) / 2, lng: lng > 180 ? lng - 360 : lng };
  // The edge nearest to the equator is the longest one; if the box contains it, its middle is no farther than a corner.
  const corners = [south, north].map((lat) => distanceKm(center, { lat, lng: west }));
  return { center, km: Math.max(...corners) * (1 + 1e-9) };
}

/**
 * The smallest box around boxes of which none crosses the antimeridian; it does where the widest gap between them is elsewhere
 * (Russia, Fiji). Undefined for none.
 */
export function boxAroundAll(
  boxes: readonly { west: number; south: number; east: number; north: number }[],
): BoundingBox | undefined {
  if (boxes.length === 0) return undefined;
  const [first, ...others] = boxes.toSorted((one, other) => one.west - other.west);
  let reached = first.east;
  let gap = { degrees: 0, before: 0, after: 0 };
  let { south, north } = first;
  for (const box of others) {
    if (box.west - reached > gap.degrees) gap = { degrees: box.west - reached, before: reached, after: box.west };
    reached = Math.max(reached, box.east);
    south = Math.min(south, box.south);
    north = Math.max(north, box.north);
  }
  const isAcross = gap.degrees > first.west + 360 - reached;
  return isAcross ? [gap.after, south, gap.before, north] : [first.west, south, reached, north];
}

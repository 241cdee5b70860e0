/** West, south, east and north in degrees; west > east crosses the antimeridian. */
export type BoundingBox = readonly [west: number, south: number, east: number, north: number];

/** Whether a box holds a position; its edges belong to it. */
export function isWithin(lat: number, lng: number, [west, south, east, north]: BoundingBox): boolean {
  if (lat < south || lat > north) return false;
  return west <= east ? lng >= west && lng <= east : lng >= west || lng <= east;
}

/**
 * One closed ring of an area: `xy` is [x0, y0, x1, y1, …] in degrees (x = lng, y = lat) without the first point
 * repeated at the end, with its bounding box.
 */
export type Ring = { xy: Float64Array; west: number; south: number; east: number; north: number };

/** A rectangle in degrees. */
export type Box = { west: number; south: number; east: number; north: number };

/** The whole Earth. */
export const worldBounds: Box = { west: -180, south: -90, east: 180, north: 90 };

/** A ring from its coordinates; a repeated last point is dropped. */
export function ringOf(coordinates: Float64Array): Ring {
  let xy = coordinates;
  const end = xy.length;
  if (end >= 4 && xy[0] === xy[end - 2] && xy[1] === xy[end - 1]) xy = xy.subarray(0, end - 2);
  let west = Number.POSITIVE_INFINITY;
  let south = Number.POSITIVE_INFINITY;
  let east = Number.NEGATIVE_INFINITY;
  let north = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < xy.length; i += 2) {
    const x = xy[i];
    const y = xy[i + 1];
    if (x < west) west = x;
    if (x > east) east = x;
    if (y < south) south = y;
    if (y > north) north = y;
  }
  return { xy, west, south, east, north };
}

/** Signed area in square degrees by the shoelace formula, positive for anticlockwise rings. */
export function signedArea(xy: Float64Array): number {
  const length = xy.length;
  if (length < 6) return 0;
  let sum = 0;
  let x0 = xy[length - 2];
  let y0 = xy[length - 1];
  for (let i = 0; i < length; i += 2) {
    const x1 = xy[i];
    const y1 = xy[i + 1];
    sum += x0 * y1 - x1 * y0;
    x0 = x1;
    y0 = y1;
  }
  return sum / 2;
}

/** The ring turned so that its area has the wanted sign: outer rings anticlockwise, holes clockwise. */
export function orientedRing(coordinates: Float64Array, isHole: boolean): Ring {
  const ring = ringOf(coordinates);
  if (signedArea(ring.xy) > 0 !== isHole) return ring;
  const turned = new Float64Array(ring.xy.length);
  for (let i = 0, j = ring.xy.length - 2; j >= 0; i += 2, j -= 2) {
    turned[i] = ring.xy[j];
    turned[i + 1] = ring.xy[j + 1];
  }
  return { ...ring, xy: turned };
}

/** The ring without vertices nearer than `tolerance` (in each axis) to the last one kept; its box if it is that small. */
export function thinned(ring: Ring, tolerance: number): Ring {
  const { xy, west, south, east, north } = ring;
  const kept = new Float64Array(xy.length);
  let length = 0;
  let lastX = Number.POSITIVE_INFINITY;
  let lastY = Number.POSITIVE_INFINITY;
  for (let i = 0; i < xy.length; i += 2) {
    const x = xy[i];
    const y = xy[i + 1];
    if (Math.abs(x - lastX) < tolerance && Math.abs(y - lastY) < tolerance) continue;
    kept[length++] = lastX = x;
    kept[length++] = lastY = y;
  }
  if (length < 6) return ringOf(Float64Array.of(west, south, east, south, east, north, west, north));
  return ringOf(kept.slice(0, length));
}

/** A position inside a ring: on the parallel half-way between two vertices, the middle of the widest span inside. */
export function pointInside({ xy, south, north }: Ring): [x: number, y: number] {
  const middle = (south + north) / 2;
  // A parallel through no vertex crosses the ring an even number of times.
  let above = north;
  for (let i = 1; i < xy.length; i += 2) {
    const y = xy[i];
    if (y > middle && y < above) above = y;
  }
  const y = (middle + above) / 2;
  const crossings: number[] = [];
  for (let i = 0, j = xy.length - 2; i < xy.length; j = i, i += 2) {
    const [x0, y0, x1, y1] = [xy[j], xy[j + 1], xy[i], xy[i + 1]] as [number, number, number, number];
    if (y1 > y !== y0 > y) crossings.push(((x0 - x1) * (y - y1)) / (y0 - y1) + x1);
  }
  crossings.sort((a, b) => a - b);
  let best = 0;
  for (let i = 0; i + 1 < crossings.length; i += 2) {
    const width = (at: number) => crossings[at + 1] - crossings[at];
    if (width(i) > width(best)) best = i;
  }
  return [(crossings[best] + crossings[best + 1]) / 2, y];
}

/** Whether a position is inside a ring. */
export function holds({ xy }: Ring, x: number, y: number): boolean {
  let isInside = false;
  let x0 = xy[xy.length - 2];
  let y0 = xy[xy.length - 1];
  for (let i = 0; i < xy.length; i += 2) {
    const x1 = xy[i];
    const y1 = xy[i + 1];
    if (y1 > y !== y0 > y && x < ((x0 - x1) * (y - y1)) / (y0 - y1) + x1) isInside = !isInside;
    x0 = x1;
    y0 = y1;
  }
  return isInside;
}

/** A box with a margin in degrees on each side. */
export function grown(box: Box, margin: number): Box {
  return { west: box.west - margin, south: box.south - margin, east: box.east + margin, north: box.north + margin };
}

/** The part of a box inside another. */
export function within(box: Box, bounds: Box): Box {
  return {
    west: Math.max(box.west, bounds.west),
    south: Math.max(box.south, bounds.south),
    east: Math.min(box.east, bounds.east),
    north: Math.min(box.north, bounds.north),
  };
}

import { type Bounds, isRing } from '../geo.ts';

/**
 * One closed ring of an area: `xy` is [x0, y0, x1, y1, …] in degrees (x = lng, y = lat) without the first point
 * repeated at the end, with its bounding box.
 */
export type Ring = Bounds & { xy: Float64Array };

/** The whole Earth. */
export const worldBounds: Bounds = { west: -180, south: -90, east: 180, north: 90 };

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
export function grown(box: Bounds, margin: number): Bounds {
  return { west: box.west - margin, south: box.south - margin, east: box.east + margin, north: box.north + margin };
}

/** The part of a box inside another. */
export function within(box: Bounds, bounds: Bounds): Bounds {
  return {
    west: Math.max(box.west, bounds.west),
    south: Math.max(box.south, bounds.south),
    east: Math.min(box.east, bounds.east),
    north: Math.min(box.north, bounds.north),
  };
}

/** One region's land: outer rings anticlockwise, holes clockwise (see `orientedRing`); parts do not overlap. */
export type Area = { value: number; rings: Ring[] };

/** An area of polygons, each an outer ring and its holes as [lng0, lat0, lng1, lat1, …]. */
export const areaOfPolygons = (value: number, polygons: readonly (readonly Float64Array[])[]): Area => ({
  value,
  rings: polygons.flatMap((rings) => rings.map((ring, at) => orientedRing(ring, at > 0))),
});

/** Areas with their rings clipped; those of which nothing is left are gone. */
export function clipped(areas: readonly Area[], clip: (rings: Ring[]) => Ring[]): Area[] {
  return areas.map(({ value, rings }) => ({ value, rings: clip(rings) })).filter(({ rings }) => rings.length > 0);
}

/** In square degrees. */
export const boxArea = (box: Bounds) => (box.east - box.west) * (box.north - box.south);

/** What areas cover in square degrees, where they overlap more than once. */
export function areaOf(areas: readonly Area[]): number {
  let sum = 0;
  for (const area of areas) for (const ring of area.rings) sum += signedArea(ring.xy);
  return sum;
}

/** What areas cover together at least, in square degrees: their sum, or the largest of them if that is above a limit. */
export function coveredArea(areas: readonly Area[], limit: number): number {
  const sum = areaOf(areas);
  return sum <= limit ? sum : Math.max(...areas.map((area) => areaOf([area])));
}

/** Numbers in an area's rings: two for each vertex. */
export function vertexCount(area: Area): number {
  let count = 0;
  for (const ring of area.rings) count += ring.xy.length;
  return count;
}

/** Room for a clipped ring while it grows, and the block that small results are cut from: both save allocations only. */
let scratch = new Float64Array(1 << 16);
let block = new Float64Array(1 << 16);
let blockUsed = 0;

/**
 * The part of a ring on one side of a line parallel to an axis (Sutherland and Hodgman's step): `axis` 0 is x, 1 is y,
 * `keepBelow` keeps the side of smaller values. Where the ring leaves and comes back it runs along the line; those runs
 * may overlap, which neither an even-odd test nor a signed area minds. Undefined when nothing is left; the same ring
 * when all of it is.
 */
export function clipRing(ring: Ring, axis: 0 | 1, line: number, keepBelow: boolean): Ring | undefined {
  const low = axis === 0 ? ring.west : ring.south;
  const high = axis === 0 ? ring.east : ring.north;
  if (keepBelow ? high <= line : low >= line) return ring;
  if (keepBelow ? low >= line : high <= line) return undefined;
  const { xy } = ring;
  const count = xy.length;
  // A vertex adds at most itself and one crossing.
  if (scratch.length < count * 2) scratch = new Float64Array(count * 3);
  const out = scratch;
  const other = 1 - axis;
  let length = 0;
  let a0 = xy[count - 2 + axis];
  let b0 = xy[count - 2 + other];
  let inside0 = keepBelow ? a0 <= line : a0 >= line;
  for (let i = 0; i < count; i += 2) {
    const a1 = xy[i + axis];
    const b1 = xy[i + other];
    const inside1 = keepBelow ? a1 <= line : a1 >= line;
    if (inside0 !== inside1) {
      out[length + axis] = line;
      out[length + other] = b0 + ((b1 - b0) * (line - a0)) / (a1 - a0);
      length = withoutMiddle(out, length + 2, axis, line);
    }
    if (inside1) {
      out[length + axis] = a1;
      out[length + other] = b1;
      length = a1 === line ? withoutMiddle(out, length + 2, axis, line) : length + 2;
    }
    a0 = a1;
    b0 = b1;
    inside0 = inside1;
  }
  if (length < 6) return undefined;
  const part = ringOf(copyOf(out, length));
  // A ring that only touches the line leaves nothing but runs along it.
  return part.west === part.east || part.south === part.north ? undefined : part;
}

/** A typed array of its own costs a microsecond, which millions of small rings would feel. */
function copyOf(out: Float64Array, length: number): Float64Array {
  if (length > 2048) return out.slice(0, length);
  if (blockUsed + length > block.length) {
    block = new Float64Array(1 << 16);
    blockUsed = 0;
  }
  const copy = block.subarray(blockUsed, blockUsed + length);
  for (let i = 0; i < length; i++) copy[i] = out[i];
  blockUsed += length;
  return copy;
}

/** Of three points in a row on the line the middle one says nothing: drops it and returns the new length. */
function withoutMiddle(out: Float64Array, length: number, axis: 0 | 1, line: number): number {
  if (length < 6 || out[length - 4 + axis] !== line || out[length - 6 + axis] !== line) return length;
  out[length - 4] = out[length - 2];
  out[length - 3] = out[length - 1];
  return length - 2;
}

/** The parts of rings on one side of a line, as `clipRing`. */
export function clipRings(rings: readonly Ring[], axis: 0 | 1, line: number, keepBelow: boolean): Ring[] {
  const kept: Ring[] = [];
  for (const ring of rings) {
    const part = clipRing(ring, axis, line, keepBelow);
    if (part) kept.push(part);
  }
  return kept;
}

/** The parts of rings inside a box. */
export function clipToBox(rings: readonly Ring[], box: Bounds): Ring[] {
  const below = clipRings(clipRings(rings, 0, box.east, true), 1, box.north, true);
  return clipRings(clipRings(below, 0, box.west, false), 1, box.south, false);
}

// Closed rings from lines, such as the ways of a multipolygon, and a quick test whether a point is inside.

const endKey = (line: Float64Array, at: number) => `${line[at]} ${line[at + 1]}`;

/**
 * Joins lines at equal ends into rings. `open` counts the pieces that do not close, which is usual where an extract
 * cuts a boundary.
 */
export function assembleRings(lines: readonly Float64Array[]): { rings: Float64Array[]; open: number } {
  const rings: Float64Array[] = [];
  const byEnd = new Map<string, Set<Float64Array>>();
  const unused = new Set<Float64Array>();
  for (const line of lines) {
    if (isRing(line)) rings.push(line);
    else if (line.length >= 4) {
      unused.add(line);
      for (const at of [0, line.length - 2]) byEnd.getOrInsertComputed(endKey(line, at), () => new Set()).add(line);
    }
  }
  let open = 0;
  for (const start of unused) {
    unused.delete(start);
    const pieces: Float64Array[] = [start];
    const goal = endKey(start, 0);
    let end = endKey(start, start.length - 2);
    while (end !== goal) {
      const ending = byEnd.get(end);
      // Used ones are forgotten on the way, so that each is passed once.
      const next = ending?.values().find((line) => unused.has(line) || !ending.delete(line));
      if (!next) break;
      unused.delete(next);
      const isForward = endKey(next, 0) === end;
      pieces.push(isForward ? next : reversed(next));
      end = endKey(next, isForward ? next.length - 2 : 0);
    }
    const ring = joined(pieces);
    if (isRing(ring)) rings.push(ring);
    else open++;
  }
  return { rings, open };
}

function reversed(line: Float64Array): Float64Array {
  const other = new Float64Array(line.length);
  for (let at = 0; at < line.length; at += 2) {
    other[line.length - 2 - at] = line[at];
    other[line.length - 1 - at] = line[at + 1];
  }
  return other;
}

function joined(pieces: Float64Array[]): Float64Array {
  const coordinates: number[] = [];
  for (const piece of pieces) {
    // The first point of a piece is the last of the one before.
    for (let at = coordinates.length === 0 ? 0 : 2; at < piece.length; at++) coordinates.push(piece[at]);
  }
  return Float64Array.from(coordinates);
}

/** Bands that an edge crosses at most, on average. */
const maxBandsOfEdge = 8;

/** What is within rings by the even-odd rule, also across the antimeridian; edges lie in bands of latitude, so that a test examines few of them. */
export class Polygon {
  readonly south: number;
  readonly north: number;
  readonly west: number;
  readonly east: number;
  /** Memory that it takes, about. */
  readonly bytes: number;
  readonly #bands: Uint32Array[];
  /** x1, y1, x2, y2 of every edge, longitudes running on across the antimeridian. */
  readonly #edges: Float64Array;

  constructor(rings: readonly Float64Array[]) {
    const edges: number[] = [];
    const start = rings[0][0];
    let [south, north, west, east] = [90, -90, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const ring of rings) {
      let x = ring[0] - 360 * Math.round((ring[0] - start) / 360);
      for (let at = 0; at < ring.length; at += 2) {
        const next = ring[at] - 360 * Math.round((ring[at] - x) / 360);
        const y = ring[at + 1];
        if (at > 0) edges.push(x, ring[at - 1], next, y);
        x = next;
        [south, north] = [Math.min(south, y), Math.max(north, y)];
        [west, east] = [Math.min(west, x), Math.max(east, x)];
      }
    }
    [this.south, this.north, this.west, this.east] = [south, north, west, east];
    this.#edges = Float64Array.from(edges);
    let heights = 0;
    for (let at = 0; at < edges.length; at += 4) heights += Math.abs(edges[at + 1] - edges[at + 3]);
    // Each edge stands in every band that it crosses: of long ones there are fewer bands.
    const most = Math.floor((maxBandsOfEdge * (edges.length / 4) * (north - south)) / heights) || 1;
    const count = Math.max(1, Math.min(most, Math.ceil(edges.length / 32)));
    const bands: number[][] = Array.from({ length: count }, () => []);
    for (let at = 0; at < edges.length; at += 4) {
      const last = bandOf(this, bands.length, Math.max(edges[at + 1], edges[at + 3]));
      for (let band = bandOf(this, bands.length, Math.min(edges[at + 1], edges[at + 3])); band <= last; band++) {
        bands[band].push(at);
      }
    }
    this.#bands = bands.map((band) => Uint32Array.from(band));
    // A band is an object of about 200 bytes besides its numbers.
    this.bytes = this.#bands.reduce((sum, band) => sum + 200 + band.byteLength, this.#edges.byteLength);
  }

  contains(lat: number, lng: number): boolean {
    if (lat < this.south || lat > this.north) return false;
    let x = lng;
    if (x < this.west) x += 360;
    if (x > this.east) x -= 360;
    if (x < this.west || x > this.east) return false;
    const edges = this.#edges;
    let isInside = false;
    for (const at of this.#bands[bandOf(this, this.#bands.length, lat)]) {
      const [x1, y1, x2, y2] = [edges[at], edges[at + 1], edges[at + 2], edges[at + 3]];
      if (y1 > lat !== y2 > lat && x < x1 + ((lat - y1) * (x2 - x1)) / (y2 - y1)) isInside = !isInside;
    }
    return isInside;
  }
}

function bandOf({ south, north }: Pick<Bounds, 'south' | 'north'>, count: number, lat: number): number {
  const height = north - south;
  return height === 0 ? 0 : Math.min(count - 1, Math.floor(((lat - south) / height) * count));
}

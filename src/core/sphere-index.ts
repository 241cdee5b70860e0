/**
 * Exact nearest neighbours on the globe: an implicit k-d tree over unit vectors. Chord length grows with great-circle
 * distance, so the poles and the antimeridian need no special case. (Bentley 1975; the tree is an order of the points,
 * as in the field's flat k-d trees: the middle of every range is the node that splits it.)
 */
import { grown } from './columns.ts';
import { earthRadiusKm, type LatLng } from './geo.ts';

const leafSize = 8;
const radians = Math.PI / 180;

/** The tree's columns: point numbers in tree order, and their unit vectors x, y, z in the same order. */
type SphereColumns = { points: Uint32Array; vectors: Float64Array };

/** Whether a point may be found; `at` is its position in tree order, in which neighbours lie side by side. */
type Accept = (point: number, at: number) => boolean;

/** Builds the columns from positions in degrees. */
export function buildSphereIndex(size: number, position: (point: number) => LatLng): SphereColumns {
  const points = new Uint32Array(size);
  const unsorted = new Float64Array(size * 3);
  for (let point = 0; point < size; point++) {
    points[point] = point;
    unsorted.set(unitVector(position(point)), point * 3);
  }
  sortByAxis(points, unsorted, 0, size, 0);
  const vectors = new Float64Array(size * 3);
  for (const [at, point] of points.entries()) vectors.set(unsorted.subarray(point * 3, point * 3 + 3), at * 3);
  return { points, vectors };
}

function unitVector({ lat, lng }: LatLng): [number, number, number] {
  const cosLat = Math.cos(lat * radians);
  return [cosLat * Math.cos(lng * radians), cosLat * Math.sin(lng * radians), Math.sin(lat * radians)];
}

function sortByAxis(points: Uint32Array, vectors: Float64Array, from: number, to: number, axis: number): void {
  if (to - from <= leafSize) return;
  const middle = (from + to) >> 1;
  select(points, vectors, from, to - 1, middle, axis);
  const next = axis === 2 ? 0 : axis + 1;
  sortByAxis(points, vectors, from, middle, next);
  sortByAxis(points, vectors, middle + 1, to, next);
}

/** Hoare's selection: afterwards no point left of `middle` is greater on the axis, none right of it smaller. */
function select(points: Uint32Array, vectors: Float64Array, from: number, to: number, middle: number, axis: number) {
  let left = from;
  let right = to;
  while (left < right) {
    const pivot = vectors[points[(left + right) >> 1] * 3 + axis];
    let low = left;
    let high = right;
    while (low <= high) {
      while (vectors[points[low] * 3 + axis] < pivot) low++;
      while (vectors[points[high] * 3 + axis] > pivot) high--;
      if (low <= high) {
        const swapped = points[low];
        points[low++] = points[high];
        points[high--] = swapped;
      }
    }
    if (middle <= high) right = high;
    else if (middle >= low) left = low;
    else return;
  }
}

export type SphereIndex = ReturnType<typeof sphereIndex>;

/** Opens an index; `tieOrder` returns the number that decides between points at equal distance: the smaller comes first. */
export function sphereIndex({ points, vectors }: SphereColumns, tieOrder: (point: number) => number) {
  // The search that is in progress. Here, as closures made for each search took a third of its time.
  const origin = new Float64Array(3);
  /** By axis, how far the part of the tree that is visited lies from the origin. */
  const offsets = new Float64Array(3);
  let [most, farthest, found] = [0, 0, 0];
  let isAccepted: Accept | undefined;
  let slots = new Uint32Array(16);
  let squares = new Float64Array(16);

  /**
   * The points nearest to a position that `accept` admits, at most `limit`, none farther than `maxKm`, by distance and
   * then by tie order. Distances are great-circle km on the mean Earth radius. `accept` must not search itself.
   */
  function nearest(from: LatLng, limit: number, maxKm = Number.POSITIVE_INFINITY, accept?: Accept) {
    const angle = Math.min(Math.PI, maxKm / earthRadiusKm);
    origin.set(unitVector(from));
    // A margin, so that a point exactly at maxKm is not lost to rounding; the exact test follows below.
    [most, farthest, found] = [limit, (2 * Math.sin(angle / 2)) ** 2 * (1 + 1e-12) + 1e-18, 0];
    isAccepted = accept;
    if (limit > 0) visit(0, points.length, 0);
    isAccepted = undefined;

    const hits: { index: number; distanceKm: number }[] = [];
    for (let slot = 0; slot < found; slot++) {
      const distanceKm = chordToKm(squares[slot]);
      if (distanceKm <= maxKm + 1e-9) hits.push({ index: slots[slot], distanceKm });
    }
    return hits;
  }

  function visit(start: number, end: number, axis: number): void {
    if (end - start <= leafSize) {
      for (let at = start; at < end; at++) consider(at);
      return;
    }
    const middle = (start + end) >> 1;
    const offset = origin[axis] - vectors[middle * 3 + axis];
    const next = axis === 2 ? 0 : axis + 1;
    if (offset <= 0) visit(start, middle, next);
    else visit(middle + 1, end, next);
    consider(middle);
    const before = offsets[axis];
    offsets[axis] = offset;
    // Summed as squares of distances are, so that rounding excludes no point.
    if (offsets[0] * offsets[0] + offsets[1] * offsets[1] + offsets[2] * offsets[2] <= farthest)
      if (offset <= 0) visit(middle + 1, end, next);
      else visit(start, middle, next);
    offsets[axis] = before;
  }

  function consider(at: number): void {
    const dx = vectors[at * 3] - origin[0];
    const dy = vectors[at * 3 + 1] - origin[1];
    const dz = vectors[at * 3 + 2] - origin[2];
    const square = dx * dx + dy * dy + dz * dz;
    if (square > farthest) return;
    const point = points[at];
    const isFull = found === most;
    if (isFull && square === farthest && isBefore(slots[most - 1], point)) return;
    if (isAccepted !== undefined && !isAccepted(point, at)) return;
    if (!isFull) {
      slots = grown(slots, found + 1);
      squares = grown(squares, found + 1);
    }
    let slot = isFull ? most - 1 : found++;
    while (slot > 0) {
      const before = squares[slot - 1];
      if (before < square || (before === square && !isBefore(point, slots[slot - 1]))) break;
      slots[slot] = slots[slot - 1];
      squares[slot] = before;
      slot--;
    }
    slots[slot] = point;
    squares[slot] = square;
    if (found === most) farthest = squares[most - 1];
  }

  /** Whether one of two points at equal distance comes first. */
  const isBefore = (one: number, other: number): boolean => tieOrder(one) < tieOrder(other);

  return { nearest };
}

function chordToKm(square: number): number {
  return 2 * earthRadiusKm * Math.asin(Math.min(1, Math.sqrt(square) / 2));
}

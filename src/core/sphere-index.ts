/**
 * Exact nearest neighbours on the globe: an implicit k-d tree over unit vectors. Chord length grows with great-circle
 * distance, so the poles and the antimeridian need no special case. (Bentley 1975; the tree is an order of the points,
 * as in the field's flat k-d trees: the middle of every range is the node that splits it.)
 */
import { earthRadiusKm, type LatLng } from './geo.ts';

const leafSize = 8;
const radians = Math.PI / 180;

/** The tree's columns: point numbers in tree order, and their unit vectors x, y, z in the same order. */
export type SphereColumns = { points: Uint32Array; vectors: Float64Array };

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
  for (let at = 0; at < size; at++) {
    for (let axis = 0; axis < 3; axis++) vectors[at * 3 + axis] = unsorted[points[at] * 3 + axis];
  }
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

export class SphereIndex {
  readonly #points: Uint32Array;
  readonly #vectors: Float64Array;
  readonly #tieOrder: (point: number) => number;

  /** `tieOrder` gives the number that decides between points at equal distance: the smaller comes first. */
  constructor(columns: SphereColumns, tieOrder: (point: number) => number) {
    this.#points = columns.points;
    this.#vectors = columns.vectors;
    this.#tieOrder = tieOrder;
  }

  /**
   * The points nearest to a position that `accept` admits, at most `limit`, none farther than `maxKm`, by distance and
   * then by tie order. Distances are great-circle km on the mean Earth radius.
   */
  nearest(
    from: LatLng,
    limit: number,
    maxKm = Number.POSITIVE_INFINITY,
    accept?: (point: number) => boolean,
  ): { index: number; distanceKm: number }[] {
    const [x, y, z] = unitVector(from);
    const points = this.#points;
    const vectors = this.#vectors;
    const angle = maxKm / earthRadiusKm;
    // A hair of slack, so that a point exactly at maxKm is not lost to rounding; the exact test follows below.
    let farthest = angle >= Math.PI ? 5 : (2 * Math.sin(angle / 2)) ** 2 * (1 + 1e-12) + 1e-18;
    const found: number[] = [];
    const squares: number[] = [];

    const consider = (at: number) => {
      const dx = vectors[at * 3] - x;
      const dy = vectors[at * 3 + 1] - y;
      const dz = vectors[at * 3 + 2] - z;
      const square = dx * dx + dy * dy + dz * dz;
      if (square > farthest) return;
      const point = points[at];
      const isFull = found.length === limit;
      if (isFull && square === farthest && this.#tieOrder(point) > this.#tieOrder(found[limit - 1])) return;
      if (accept && !accept(point)) return;
      let slot = isFull ? limit - 1 : found.length;
      while (
        slot > 0 &&
        (squares[slot - 1] > square ||
          (squares[slot - 1] === square && this.#tieOrder(found[slot - 1]) > this.#tieOrder(point)))
      ) {
        found[slot] = found[slot - 1];
        squares[slot] = squares[slot - 1];
        slot--;
      }
      found[slot] = point;
      squares[slot] = square;
      if (found.length === limit) farthest = squares[limit - 1];
    };

    const origin = [x, y, z];
    const visit = (start: number, end: number, axis: number) => {
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
      if (offset * offset > farthest) return;
      if (offset <= 0) visit(middle + 1, end, next);
      else visit(start, middle, next);
    };
    if (limit > 0) visit(0, points.length, 0);

    const hits = found.map((index, slot) => ({ index, distanceKm: chordToKm(squares[slot]) }));
    return maxKm === Number.POSITIVE_INFINITY ? hits : hits.filter(({ distanceKm }) => distanceKm <= maxKm + 1e-9);
  }
}

function chordToKm(square: number): number {
  return 2 * earthRadiusKm * Math.asin(Math.min(1, Math.sqrt(square) / 2));
}

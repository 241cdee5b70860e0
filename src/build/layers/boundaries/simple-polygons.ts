/** Polygons that no ring of theirs touches itself in, on the grid on which the store keeps coordinates. */
import { holds, pointInside, type Ring, ringOf, signedArea } from '../../../core/region-index/ring.ts';
import { parts } from '../../../store/packed/area-shapes.ts';
import type { Polygon } from './geos.ts';

/**
 * An area's rings, holes behind their outer ring, as polygons. A ring that touches itself, as the default source has them
 * by the hundred, is divided there.
 */
export function simplePolygons(rings: readonly Ring[]): Polygon[] {
  const polygons: Float64Array[][] = [];
  /** The polygons of the last outer ring. */
  let around: Float64Array[][] = [];
  for (const ring of rings) {
    const loops = loopsOf(rounded(ring.xy));
    const outers = loops.filter((loop) => signedArea(loop) > 0).map((loop) => [loop]);
    if (signedArea(ring.xy) > 0) around = outers;
    polygons.push(...outers);
    for (const hole of loops.filter((loop) => signedArea(loop) < 0)) {
      const inside = around.length > 1 ? pointInside(ringOf(hole)) : undefined;
      const of = inside ? around.find(([outer]) => holds(ringOf(outer), ...inside)) : around[0];
      of?.push(hole);
    }
  }
  return polygons;
}

/** The loops of a ring, of which none has a vertex twice. */
function loopsOf(xy: Float64Array): Float64Array[] {
  const loops: Float64Array[] = [];
  const positions = new Map<number, number>();
  const open: number[] = [];
  const close = (from: number) => {
    const loop = open.splice(from);
    for (const at of loop) positions.delete(vertexKey(xy, at));
    if (loop.length > 2) loops.push(Float64Array.from(loop.flatMap((at) => [xy[at], xy[at + 1]])));
  };
  for (let at = 0; at < xy.length; at += 2) {
    const before = positions.get(vertexKey(xy, at));
    if (before !== undefined) close(before);
    positions.set(vertexKey(xy, at), open.length);
    open.push(at);
  }
  if (open.length === xy.length / 2) return xy.length > 4 ? [xy] : [];
  close(0);
  return loops;
}

/** A whole number below 2^53 for a vertex on the grid. */
export const vertexKey = (xy: Float64Array, at: number): number =>
  Math.round((xy[at] + 180) * parts) * 2 ** 24 + (Math.round((xy[at + 1] + 90) * parts) % 2 ** 24);

/** Polygons with their vertices on the grid; slivers that have no area there are left out. */
export function onGrid(polygons: readonly Polygon[]): Polygon[] {
  return polygons.flatMap((rings) => {
    const [outer, ...holes] = rings.map(rounded);
    return signedArea(outer) === 0 ? [] : [[outer, ...holes.filter((hole) => signedArea(hole) !== 0)]];
  });
}

function rounded(xy: Float64Array): Float64Array {
  const result = new Float64Array(xy.length);
  let length = 0;
  for (let at = 0; at < xy.length; at += 2) {
    const [x, y] = [Math.round(xy[at] * parts) / parts, Math.round(xy[at + 1] * parts) / parts];
    if (length > 0 && result[length - 2] === x && result[length - 1] === y) continue;
    result[length++] = x;
    result[length++] = y;
  }
  while (length > 2 && result[0] === result[length - 2] && result[1] === result[length - 1]) length -= 2;
  return result.subarray(0, length);
}

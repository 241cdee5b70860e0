/** The outlines of countries and regions at several tolerances, for maps; read on demand. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Area } from '../../core/region-index/area.ts';
import { signedArea, thinned } from '../../core/region-index/ring.ts';
import { simplifiedRing } from '../../core/simplify.ts';
import type { AreaShape } from '../store.ts';
import { readPack, writePack } from './pack-file.ts';

export const areaShapesFile = 'area-outlines.pack';

/** Tolerances there are outlines for, in metres. */
const levelsM = [500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000];
/** Maximum number of vertices of an outline: about 200 KB of GeoJSON. Larger ones are left out in favour of the next tolerance. */
const maxVertices = 8_000;
const metresPerDegree = 111_195;

/** Rings in degrees, lng before lat. Holes follow their outer ring. */
type Rings = { isHole: boolean; xy: Float64Array }[];

/**
 * Writes the outlines of areas by key: the alpha-2 code of a country, `US.CA` for a region by the gazetteer's codes. All
 * tolerances are written, because simplifying a coast takes up to half a second.
 */
export function writeAreaShapes(path: string, areas: Iterable<readonly [key: string, area: Area]>): void {
  const keys: string[] = [];
  const ringStarts = [0];
  const starts = [0];
  const isHole: number[] = [];
  const xy: number[] = [];
  for (const [key, area] of areas) {
    keys.push(key);
    const finest = finestRings(area);
    for (const [level, metres] of levelsM.entries()) {
      const rings = level === 0 ? finest : simplified(finest, metres / metresPerDegree);
      const isWritten = level === levelsM.length - 1 || verticesOf(rings) <= maxVertices;
      for (const ring of isWritten ? rings : []) {
        for (const degrees of ring.xy) xy.push(Math.round(degrees * 1e6));
        starts.push(xy.length);
        isHole.push(ring.isHole ? 1 : 0);
      }
      ringStarts.push(isHole.length);
    }
  }
  writePack(
    path,
    { keys },
    {
      ringStarts: Uint32Array.from(ringStarts),
      starts: Uint32Array.from(starts),
      isHole: Uint8Array.from(isHole),
      xy: Int32Array.from(xy),
    },
  );
}

/**
 * Opens the outlines of a dataset: by key and tolerance in metres, the finest outline up to this tolerance or else the next
 * coarser one; undefined where there is none. The file is read on first use.
 */
export function openAreaShapes(directory: string): (key: string, toleranceM: number) => AreaShape | undefined {
  const path = join(directory, areaShapesFile);
  let columns: ReturnType<typeof read> | undefined;

  return (key, toleranceM) => {
    if (!columns && !existsSync(path)) return undefined;
    const { keys, ringStarts, starts, isHole, xy } = (columns ??= read(path));
    const area = keys.get(key);
    if (area === undefined) return undefined;
    const first = Math.max(
      0,
      levelsM.findLastIndex((metres) => metres <= toleranceM),
    );
    for (let level = first; level < levelsM.length; level++) {
      const outline = area * levelsM.length + level;
      const coordinates: number[][][][] = [];
      for (let ring = ringStarts[outline]; ring < ringStarts[outline + 1]; ring++) {
        const points = closed(xy.subarray(starts[ring], starts[ring + 1]));
        if (isHole[ring] === 1) coordinates.at(-1)?.push(points);
        else coordinates.push([points]);
      }
      if (coordinates.length > 0) return { toleranceM: levelsM[level], coordinates };
    }
    return undefined;
  };
}

function read(path: string) {
  const pack = readPack(path);
  const { keys } = pack.meta as { keys: string[] };
  return {
    keys: new Map(keys.map((key, area) => [key, area])),
    ringStarts: pack.column('ringStarts', 'u32'),
    starts: pack.column('starts', 'u32'),
    isHole: pack.column('isHole', 'u8'),
    xy: pack.column('xy', 'i32'),
  };
}

/** The rings of an area at the first tolerance. A first pass removes most vertices, which saves the exact one most of its work. */
function finestRings({ rings }: Area): Rings {
  const tolerance = levelsM[0] / metresPerDegree;
  const all = rings.map((ring) => ({ isHole: signedArea(ring.xy) <= 0, xy: ring.xy, ring }));
  return simplified(all, tolerance, ({ xy, ring }) => {
    const fewer = thinned(ring, tolerance / 4).xy;
    return fewer.length < 6 ? xy : fewer;
  });
}

/** Rings simplified to a tolerance, without those too small to show; the largest one always remains. */
function simplified<T extends Rings[number]>(
  rings: readonly T[],
  degrees: number,
  verticesOfRing: (ring: T) => Float64Array = ({ xy }) => xy,
): Rings {
  const largest = rings.reduce((before, ring) => (sizeOf(ring) > sizeOf(before) ? ring : before), rings[0]);
  const found: Rings = [];
  let isKept = false;
  for (const ring of rings) {
    const isTiny = sizeOf(ring) < degrees ** 2 && ring !== largest;
    if (!ring.isHole) isKept = !isTiny;
    if (isTiny || !isKept) continue;
    found.push({ isHole: ring.isHole, xy: simplifiedArea(verticesOfRing(ring), degrees) });
  }
  return found;
}

/** A ring at the largest tolerance up to this one at which it still has an area. */
function simplifiedArea(xy: Float64Array, degrees: number): Float64Array {
  const fewer = simplifiedRing(xy, degrees);
  if (fewer.length >= 6 || xy.length < 6) return fewer;
  return degrees < 1e-6 ? xy : simplifiedArea(xy, degrees / 2);
}

const sizeOf = ({ xy }: Rings[number]): number => Math.abs(signedArea(xy));

const verticesOf = (rings: Rings): number => rings.reduce((sum, { xy }) => sum + xy.length / 2, 0);

/** A ring as in GeoJSON: [lng, lat] pairs, the first one repeated at the end. */
function closed(xy: Int32Array): number[][] {
  const points: number[][] = [];
  for (let at = 0; at < xy.length; at += 2) points.push([xy[at] / 1e6, xy[at + 1] / 1e6]);
  points.push([...points[0]]);
  return points;
}

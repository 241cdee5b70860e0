/** The outlines of countries and regions, for maps: coarser than what look-ups use, and read only when asked for. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Area } from '../../core/region-index/area.ts';
import { signedArea, thinned } from '../../core/region-index/ring.ts';
import { simplifiedRing } from '../../core/simplify.ts';
import type { AreaShape } from '../store.ts';
import { readPack, writePack } from './pack-file.ts';

export const areaShapesFile = 'area-shapes.pack';

/** How far an outline may lie off the source's, in degrees of latitude: some 500 m. */
const toleranceDegrees = 0.0045;

/** Areas by a key: the alpha-2 code of a country, `US.CA` for a region by the gazetteer's codes. Holes follow their outer ring. */
export function writeAreaShapes(path: string, areas: Iterable<readonly [key: string, area: Area]>): void {
  const keys: string[] = [];
  const areaEnds: number[] = [];
  const ringEnds: number[] = [];
  const isHole: number[] = [];
  const xy: number[] = [];
  for (const [key, { rings }] of areas) {
    const largest = Math.max(...rings.map((ring) => signedArea(ring.xy)));
    let isKept = false;
    for (const ring of rings) {
      const area = signedArea(ring.xy);
      const isSmall = Math.abs(area) < toleranceDegrees ** 2 && area !== largest;
      if (area > 0) isKept = !isSmall;
      if (isSmall || !isKept) continue;
      // Most vertices go at once, which spares the exact way most of its work.
      const simplified = simplifiedRing(thinned(ring, toleranceDegrees / 4).xy, toleranceDegrees);
      for (const degrees of simplified.length < 6 ? ring.xy : simplified) xy.push(Math.round(degrees * 1e6));
      ringEnds.push(xy.length);
      isHole.push(area > 0 ? 0 : 1);
    }
    keys.push(key);
    areaEnds.push(ringEnds.length);
  }
  writePack(
    path,
    { keys },
    {
      areaEnds: Uint32Array.from(areaEnds),
      ringEnds: Uint32Array.from(ringEnds),
      isHole: Uint8Array.from(isHole),
      xy: Int32Array.from(xy),
    },
  );
}

/** The outline of an area of a dataset, simplified; undefined where the dataset has none. Reads the file on each call. */
export function readAreaShape(directory: string, key: string, toleranceM: number): AreaShape | undefined {
  const path = join(directory, areaShapesFile);
  if (!existsSync(path)) return undefined;
  const pack = readPack(path);
  const at = (pack.meta as { keys: string[] }).keys.indexOf(key);
  if (at < 0) return undefined;
  const areaEnds = pack.column('areaEnds', 'u32');
  const ringEnds = pack.column('ringEnds', 'u32');
  const isHole = pack.column('isHole', 'u8');
  const xy = pack.column('xy', 'i32');
  const shape: number[][][][] = [];
  let smallest: number[][][] | undefined;
  for (let ring = at === 0 ? 0 : areaEnds[at - 1]; ring < areaEnds[at]; ring++) {
    const exact = Float64Array.from(
      xy.subarray(ring === 0 ? 0 : ringEnds[ring - 1], ringEnds[ring]),
      (value) => value / 1e6,
    );
    const simplified = simplifiedRing(exact, toleranceM / metresPerDegree);
    const points = closed(simplified.length < 6 ? exact : simplified);
    const isTiny = Math.abs(signedArea(exact)) < (toleranceM / metresPerDegree) ** 2;
    if (isHole[ring] === 1) {
      if (!isTiny) shape.at(-1)?.push(points);
    } else if (!isTiny) shape.push([points]);
    else smallest ??= [points];
  }
  return shape.length > 0 || !smallest ? shape : [smallest];
}

const metresPerDegree = 111_195;

/** A ring as GeoJSON has it: [lng, lat] pairs, the first one repeated at the end. */
function closed(xy: Float64Array): number[][] {
  const points: number[][] = [];
  for (let at = 0; at < xy.length; at += 2) points.push([round(xy[at]), round(xy[at + 1])]);
  points.push([...points[0]]);
  return points;
}

const round = (degrees: number) => Math.round(degrees * 1e6) / 1e6;

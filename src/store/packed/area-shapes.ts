/** The outlines of countries and regions, for maps: coarser than those of look-ups, and read on demand. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Area } from '../../core/region-index/area.ts';
import { signedArea, thinned } from '../../core/region-index/ring.ts';
import { simplifiedRing } from '../../core/simplify.ts';
import type { AreaShape } from '../store.ts';
import { type Pack, readPack, writePack } from './pack-file.ts';

export const areaShapesFile = 'area-shapes.pack';

/** Maximum deviation from the source's outline, in degrees of latitude: about 500 m. */
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
      // A first pass removes most vertices, which saves the exact one most of its work.
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

/** Tolerances of the outlines, in metres; few, so that simplified outlines can be cached. */
const levelsM = [500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000];
/**
 * Maximum number of vertices of an outline: about 200 KB of GeoJSON. Larger ones are returned at the next tolerance
 * with fewer.
 */
const maxVertices = 8_000;
/** Maximum number of cached outlines, each at most 128 KB. */
const maxCachedOutlines = 128;

/** Rings of an outline as degrees, lng before lat. Holes follow their outer ring. */
type Outline = { toleranceM: number; rings: { isHole: boolean; xy: Float64Array }[] };

/**
 * Opens the outlines of a dataset: by key and tolerance, undefined where there is none. The file is read on first use.
 */
export function openAreaShapes(directory: string): (key: string, toleranceM: number) => AreaShape | undefined {
  let pack: Pack | undefined;
  const kept = new Map<string, Outline>();

  function exactRings(key: string): Outline['rings'] | undefined {
    const path = join(directory, areaShapesFile);
    if (!pack && !existsSync(path)) return undefined;
    pack ??= readPack(path);
    const at = (pack.meta as { keys: string[] }).keys.indexOf(key);
    if (at < 0) return undefined;
    const areaEnds = pack.column('areaEnds', 'u32');
    const ringEnds = pack.column('ringEnds', 'u32');
    const isHole = pack.column('isHole', 'u8');
    const xy = pack.column('xy', 'i32');
    const rings: Outline['rings'] = [];
    for (let ring = at === 0 ? 0 : areaEnds[at - 1]; ring < areaEnds[at]; ring++) {
      const range = xy.subarray(ring === 0 ? 0 : ringEnds[ring - 1], ringEnds[ring]);
      rings.push({ isHole: isHole[ring] === 1, xy: Float64Array.from(range, (value) => value / 1e6) });
    }
    return rings;
  }

  function outlineOf(key: string, toleranceM: number): Outline | undefined {
    let level = Math.max(
      0,
      levelsM.findLastIndex((metres) => metres <= toleranceM),
    );
    const name = `${key} ${level}`;
    const known = kept.get(name);
    if (known) {
      // Moves it to the end: the least recently used outline is evicted first.
      kept.delete(name);
      kept.set(name, known);
      return known;
    }
    let rings = exactRings(key);
    if (!rings) return undefined;
    rings = simplified(rings, levelsM[level]);
    while (verticesOf(rings) > maxVertices && level < levelsM.length - 1) rings = simplified(rings, levelsM[++level]);
    const outline = { toleranceM: levelsM[level], rings };
    if (kept.size >= maxCachedOutlines) kept.delete(kept.keys().next().value!);
    kept.set(name, outline);
    return outline;
  }

  return (key, toleranceM) => {
    const outline = outlineOf(key, toleranceM);
    if (!outline) return undefined;
    const coordinates: number[][][][] = [];
    for (const { isHole, xy } of outline.rings) {
      if (isHole) coordinates.at(-1)?.push(closed(xy));
      else coordinates.push([closed(xy)]);
    }
    return { toleranceM: outline.toleranceM, coordinates };
  };
}

/** Rings at a tolerance, without those too small to show; at least the largest one is kept. */
function simplified(rings: Outline['rings'], toleranceM: number): Outline['rings'] {
  const degrees = toleranceM / metresPerDegree;
  const found: Outline['rings'] = [];
  let isKept = false;
  for (const { isHole, xy } of rings) {
    const isTiny = Math.abs(signedArea(xy)) < degrees ** 2;
    if (!isHole) isKept = !isTiny;
    if (isTiny || !isKept) continue;
    const fewer = simplifiedRing(xy, degrees);
    found.push({ isHole, xy: fewer.length < 6 ? xy : fewer });
  }
  return found.length > 0 ? found : rings.slice(0, 1);
}

const verticesOf = (rings: Outline['rings']): number => rings.reduce((sum, { xy }) => sum + xy.length / 2, 0);

const metresPerDegree = 111_195;

/** A ring as GeoJSON has it: [lng, lat] pairs, the first one repeated at the end. */
function closed(xy: Float64Array): number[][] {
  const points: number[][] = [];
  for (let at = 0; at < xy.length; at += 2) points.push([round(xy[at]), round(xy[at + 1])]);
  points.push([...points[0]]);
  return points;
}

const round = (degrees: number) => Math.round(degrees * 1e6) / 1e6;

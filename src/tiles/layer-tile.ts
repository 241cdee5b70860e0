/** One layer of a vector tile: positions in degrees become features of Mapbox Vector Tile 2. */
import { fromGeojsonVt } from '@maplibre/vt-pbf';
import { clipPolyline } from 'lineclip';
import { acrossWorld, downWorld, type Tile } from '../core/geo.ts';
import { signedArea } from '../core/region-index/ring.ts';

/** Units across a tile. */
export const extent = 4096;
/** Units that lines reach past the edges, so that a broad line has no end there. */
export const buffer = 64;
/** Vertices nearer than this to the last one that was kept are left out by default: a quarter of a pixel on a tile of 512. */
const fine = 2;
/** Rings that enclose less than this, in square units, are left out. */
const minArea = 12;

type Properties = Record<string, string | number | boolean | null>;
type Feature = { type: 1 | 2 | 3; geometry: Point[] | Point[][]; tags: Properties };

/** Collects the features of a layer of a tile. */
export function layerTile(name: string, { z, x: column, y: row }: Tile, coarseness = fine) {
  const features: Feature[] = [];
  const scale = extent * 2 ** z;
  const across = (lng: number) => Math.round(acrossWorld(lng) * scale - column * extent);
  const down = (lat: number) => Math.round(downWorld(lat) * scale - row * extent);

  function projected(line: Float64Array): Point[] {
    const points: Point[] = [];
    let [lastX, lastY] = [Number.POSITIVE_INFINITY, 0];
    const last = line.length - 2;
    for (let at = 0; at <= last; at += 2) {
      const x = across(line[at]);
      const y = down(line[at + 1]);
      if (Math.abs(x - lastX) < coarseness && Math.abs(y - lastY) < coarseness && at < last) continue;
      points.push([x, y]);
      lastX = x;
      lastY = y;
    }
    return points;
  }

  return {
    /** Number of features so far. */
    get size(): number {
      return features.length;
    },
    /** The point of a position in units of the tile; undefined outside of it. */
    point(lat: number, lng: number): Point | undefined {
      const [x, y] = [across(lng), down(lat)];
      return x >= 0 && x < extent && y >= 0 && y < extent ? [x, y] : undefined;
    },
    addPoint(point: Point, tags: Properties): void {
      features.push({ type: 1, geometry: [point], tags });
    },
    /** Adds lines, each lng, lat, lng, lat, … in degrees, as one feature, unless nothing of them lies in the tile. */
    addLines(lines: Iterable<Float64Array>, tags: Properties): void {
      const parts: Point[][] = [];
      for (const line of lines) {
        const points = projected(line);
        if (points.length > 1)
          parts.push(...clipPolyline(points, [-buffer, -buffer, extent + buffer, extent + buffer]).map(rounded));
      }
      const drawn = parts.filter(({ length }) => length > 1).map((part) => simplified(part, coarseness / 2));
      if (drawn.length > 0) features.push({ type: 2, geometry: drawn, tags });
    },
    /**
     * Adds rings, each lng, lat, lng, lat, … in degrees and cut to the surroundings of the tile, as one feature: outer ones
     * anticlockwise, each followed by its holes clockwise.
     */
    addArea(rings: Iterable<Float64Array>, tags: Properties): void {
      const geometry: Point[][] = [];
      let isOuterKept = false;
      for (const ring of rings) {
        // Rows are counted downwards, which turns rings around; in a tile outer ones have a positive area.
        const points = projected(ring).reverse();
        const area = signedArea(new Float64Array(points.flat()));
        const isKept = Math.abs(area) >= minArea;
        if (area > 0) isOuterKept = isKept;
        if (isKept && isOuterKept) geometry.push([...points, points[0]]);
      }
      if (geometry.length > 0) features.push({ type: 3, geometry, tags });
    },
    /** The tile; undefined when it is empty. */
    encoded(): Buffer | undefined {
      if (features.length === 0) return undefined;
      const layer = { features } as unknown as Parameters<typeof fromGeojsonVt>[0][string];
      const bytes = fromGeojsonVt({ [name]: layer }, { version: 2, extent });
      return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    },
  };
}

/** The fewest vertices of a line that no other is farther from than the tolerance (Douglas and Peucker 1973). */
function simplified(line: Point[], tolerance: number): Point[] {
  const [[x0, y0], [x1, y1]] = [line[0], line.at(-1)!];
  const [dx, dy] = [x1 - x0, y1 - y0];
  let [farthest, at] = [tolerance, 0];
  for (let index = 1; index < line.length - 1; index++) {
    const [x, y] = [line[index][0] - x0, line[index][1] - y0];
    const along = Math.max(0, Math.min(1, (x * dx + y * dy) / (dx * dx + dy * dy || 1)));
    const distance = Math.hypot(x - along * dx, y - along * dy);
    if (distance > farthest) [farthest, at] = [distance, index];
  }
  if (at === 0) return line.length > 1 ? [line[0], line.at(-1)!] : line;
  return [...simplified(line.slice(0, at + 1), tolerance), ...simplified(line.slice(at), tolerance).slice(1)];
}

/** A line in whole units, no point twice in a row. */
function rounded(line: readonly Point[]): Point[] {
  const whole = line.map(([x, y]): Point => [Math.round(x), Math.round(y)]);
  return whole.filter(([x, y], at) => at === 0 || x !== whole[at - 1][0] || y !== whole[at - 1][1]);
}

export type Point = [x: number, y: number];

/** Areas of made-up maps, their index, and a scan of all areas to compare it with. */

import {
  openIndex,
  type RegionIndexOptions,
  regionIndexBuilder,
} from '../../src/core/region-index/region-index-builder.ts';
import { type Area, orientedRing, type Ring, worldBounds } from '../../src/core/region-index/ring.ts';

export const options: RegionIndexOptions = {
  bounds: worldBounds,
  layerOf: new Uint16Array(16),
  slackDegrees: 1e-9,
  maxVertices: 24,
  minDepth: 8,
  maxDepth: 16,
};

/** A star-shaped ring around a centre, `radius` to half of that from it. */
export function star(random: () => number, lng: number, lat: number, radius: number, points: number): Ring {
  const xy = new Float64Array(points * 2);
  for (let i = 0; i < points; i++) {
    const length = radius * (0.5 + random() / 2);
    xy[i * 2] = lng + length * Math.cos((2 * Math.PI * i) / points);
    xy[i * 2 + 1] = lat + length * Math.sin((2 * Math.PI * i) / points);
  }
  return orientedRing(xy, false);
}

export const square = (west: number, south: number, east: number, north: number, isHole = false) =>
  orientedRing(Float64Array.of(west, south, east, south, east, north, west, north, west, south), isHole);

/** Columns of a grid whose dividing lines are jagged and shared by both neighbours. */
export function jaggedColumns(random: () => number, points: number): Area[] {
  const lines = Array.from({ length: 6 }, (_, column) =>
    Array.from(
      { length: points },
      (_, i) => [-50 + column * 20 + (random() - 0.5) * 8, -80 + (160 * i) / (points - 1)] as const,
    ),
  );
  return lines.slice(1).map((right, value) => ({
    value,
    rings: [orientedRing(Float64Array.from([...lines[value], ...right.toReversed()].flat()), false)],
  }));
}

export function isInside({ rings }: Area, lng: number, lat: number): boolean {
  let inside = false;
  for (const { xy } of rings) {
    for (let i = 0, j = xy.length - 2; i < xy.length; j = i, i += 2) {
      if (xy[i + 1] > lat === xy[j + 1] > lat) continue;
      if (lng < ((xy[j] - xy[i]) * (lat - xy[i + 1])) / (xy[j + 1] - xy[i + 1]) + xy[i]) inside = !inside;
    }
  }
  return inside;
}

/** Degrees from a position to the nearest edge of any area. */
export function toBorder(areas: readonly Area[], lng: number, lat: number): number {
  let best = Number.POSITIVE_INFINITY;
  for (const { xy } of areas.flatMap(({ rings }) => rings)) {
    for (let i = 0, j = xy.length - 2; i < xy.length; j = i, i += 2) {
      const [dx, dy] = [xy[i] - xy[j], xy[i + 1] - xy[j + 1]];
      const share = ((lng - xy[j]) * dx + (lat - xy[j + 1]) * dy) / (dx * dx + dy * dy);
      const along = Math.max(0, Math.min(1, share));
      best = Math.min(best, Math.hypot(xy[j] + along * dx - lng, xy[j + 1] + along * dy - lat));
    }
  }
  return best;
}

export function build(areas: readonly Area[], more: Partial<RegionIndexOptions> = {}): ReturnType<typeof openIndex> {
  const builder = regionIndexBuilder({ ...options, ...more });
  const { meta, columns } = builder.finish(builder.subtree(worldBounds, 0, areas));
  return openIndex({ meta, columns });
}

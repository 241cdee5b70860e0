/**
 * Which region of the gazetteer each of Natural Earth's polygons belongs to: the one that most of the places inside it
 * are in. Codes cannot tell it: ISO codes have changed since, and many polygons are second-level units.
 */
import { RegionIndex } from '../../../core/region-index/region-index.ts';
import { type Area, RegionIndexBuilder } from '../../../core/region-index/region-index-builder.ts';
import { orientedRing } from '../../../core/region-index/ring.ts';
import type { Admin1Polygon } from '../../../sources/admin1-polygons.ts';
import type { Places, Regions } from '../../../store/store.ts';

/** Fewer votes than this, or less than half of them, and the polygon's own codes decide if they name a region. */
const enoughVotes = 3;

/** The whole Earth. */
export const worldBounds = { west: -180, south: -90, east: 180, north: 90 };

/** Natural Earth's polygons as areas of the region index; values are positions in the list. */
export function areasOf(polygons: readonly Admin1Polygon[]): Area[] {
  return polygons.map(({ polygons: parts }, value) => ({
    value,
    rings: parts.flatMap((rings) => rings.map((ring, i) => orientedRing(ring, i > 0))),
  }));
}

/** For each polygon the position of its region in `regions`; -1 where neither places nor codes tell. */
export function regionsOfPolygons(
  polygons: readonly Admin1Polygon[],
  areas: readonly Area[],
  places: Places,
  regions: Regions,
): Int32Array {
  const votes = countVotes(polygons.length, areas, places);
  return Int32Array.from(polygons, (polygon, i) => {
    const counts = votes[i] as Map<number, number>;
    let winner = -1;
    let most = 0;
    let total = 0;
    for (const [region, count] of counts) {
      total += count;
      if (count > most || (count === most && region < winner)) [winner, most] = [region, count];
    }
    if (most >= enoughVotes && most * 2 > total) return winner;
    const named = regionByCode(polygon, regions);
    return named >= 0 ? named : winner;
  });
}

function countVotes(size: number, areas: readonly Area[], places: Places): Map<number, number>[] {
  const builder = new RegionIndexBuilder({
    bounds: worldBounds,
    layerOf: new Uint16Array(size),
    slackDegrees: 1e-4,
    maxVertices: 128,
    minDepth: 8,
    maxDepth: 14,
  });
  const { meta, columns } = builder.finish(builder.subtree(worldBounds, 0, areas));
  const index = new RegionIndex(meta, columns);
  const votes = Array.from({ length: size }, () => new Map<number, number>());
  for (let i = 0; i < places.size; i++) {
    const { lat, lng, admin1 } = places.get(i);
    const polygon = admin1 < 0 ? -1 : index.find(lng, lat, 0);
    const counts = votes[polygon];
    if (counts) counts.set(admin1, (counts.get(admin1) ?? 0) + 1);
  }
  return votes;
}

function regionByCode({ isoCode, geonamesCode }: Admin1Polygon, regions: Regions): number {
  const byIso = isoCode ? regions.byIsoCode(isoCode) : -1;
  if (byIso >= 0 && regions.get(byIso).level === 1) return byIso;
  const [country = '', code = ''] = geonamesCode.split('.');
  return code ? regions.find(country, code) : -1;
}

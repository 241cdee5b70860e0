/**
 * Assigns Natural Earth's polygons to regions of the gazetteer: to the region of most places inside. Codes cannot be
 * used: ISO codes have changed since, and many polygons are second-level units.
 */

import type { Area } from '../../../core/region-index/area.ts';
import { RegionIndex } from '../../../core/region-index/region-index.ts';
import { RegionIndexBuilder } from '../../../core/region-index/region-index-builder.ts';
import { orientedRing, worldBounds } from '../../../core/region-index/ring.ts';
import type { Admin1Polygon } from '../../../sources/admin-polygons.ts';
import type { Places, Regions } from '../../../store/store.ts';

/**
 * With fewer places than this the polygon's own codes decide, if they name a region; not where all its places are in
 * others, and the named region's elsewhere: the codes of Guyana and Eritrea are mixed up.
 */
const minVotes = 3;

/** Natural Earth's polygons as areas of the region index; values are positions in the list. */
export function areasOf(polygons: readonly Admin1Polygon[]): Area[] {
  return polygons.map(({ polygons: parts }, value) => ({
    value,
    rings: parts.flatMap((rings) => rings.map((ring, i) => orientedRing(ring, i > 0))),
  }));
}

/**
 * For each polygon the position of its region in `regions`; -1 where neither places nor codes decide, or where several
 * regions share the polygon (Natural Earth's division is coarser or older), so that the nearest place is a better
 * guess.
 */
export function regionsOfPolygons(
  polygons: readonly Admin1Polygon[],
  areas: readonly Area[],
  places: Places,
  regions: Regions,
): Int32Array {
  const inside = placesInside(polygons.length, areas, places);
  const regionOf = (place: number) => places.get(place).admin1;
  const inhabited = new Set(Array.from({ length: places.size }, (_, place) => regionOf(place)));
  const holdsOneOf = (region: number, members: readonly number[]) =>
    members.some((place) => regionOf(place) === region);
  return Int32Array.from(polygons, (polygon, i) => {
    const members = inside[i];
    const { winner, votes } = majority(members, places);
    const named = members.length < minVotes ? regionByCode(polygon, regions) : -1;
    if (named >= 0 && (members.length === 0 || holdsOneOf(named, members) || !inhabited.has(named))) return named;
    if (winner < 0 || votes > 0.97 * members.length) return winner;
    // A polygon of many regions (Guernsey's ten parishes) is no more the one of them with most places than another.
    if (votes * 2 <= members.length) return -1;
    return votes >= rightByNeighbour(members, places) ? winner : -1;
  });
}

function majority(members: readonly number[], places: Places): { winner: number; votes: number } {
  const counts = new Map<number, number>();
  for (const member of members) {
    const { admin1 } = places.get(member);
    counts.set(admin1, (counts.get(admin1) ?? 0) + 1);
  }
  let winner = -1;
  let votes = 0;
  for (const [region, count] of counts) {
    if (count > votes || (count === votes && region < winner)) [winner, votes] = [region, count];
  }
  return { winner, votes };
}

/** How many places have the region of the nearest other place of their country. */
function rightByNeighbour(members: readonly number[], places: Places): number {
  let right = 0;
  for (const member of members) {
    const place = places.get(member);
    const accept = (index: number) => {
      if (index === member) return false;
      const { country, admin1 } = places.get(index);
      return country === place.country && admin1 >= 0;
    };
    const [neighbour] = places.nearest(place, { limit: 1, accept });
    if (neighbour && places.get(neighbour.index).admin1 === place.admin1) right++;
  }
  return right;
}

/** Positions of the places with a region that are inside each polygon. */
function placesInside(size: number, areas: readonly Area[], places: Places): number[][] {
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
  const inside = Array.from({ length: size }, (): number[] => []);
  for (let i = 0; i < places.size; i++) {
    const { lat, lng, admin1 } = places.get(i);
    if (admin1 >= 0) inside[index.find(lng, lat, 0)]?.push(i);
  }
  return inside;
}

function regionByCode({ isoCode, geonamesCode }: Admin1Polygon, regions: Regions): number {
  const byIso = isoCode ? regions.byIsoCode(isoCode) : -1;
  if (byIso >= 0 && regions.get(byIso).level === 1) return byIso;
  const [country = '', code = ''] = geonamesCode.split('.');
  return code ? regions.find(country, code) : -1;
}

import { type Box, type Ring, signedArea } from './ring.ts';

/** One region's land: outer rings anticlockwise, holes clockwise (see `orientedRing`); parts do not overlap. */
export type Area = { value: number; rings: Ring[] };

/** Areas with their rings clipped; those of which nothing is left are gone. */
export function clipped(areas: readonly Area[], clip: (rings: Ring[]) => Ring[]): Area[] {
  return areas.map(({ value, rings }) => ({ value, rings: clip(rings) })).filter(({ rings }) => rings.length > 0);
}

/** In square degrees. */
export const boxArea = (box: Box) => (box.east - box.west) * (box.north - box.south);

/** What areas cover in square degrees, where they overlap more than once. */
export function areaOf(areas: readonly Area[]): number {
  let sum = 0;
  for (const area of areas) for (const ring of area.rings) sum += signedArea(ring.xy);
  return sum;
}

/** What areas cover together at least, in square degrees: their sum, or the largest of them if that is above a limit. */
export function coveredArea(areas: readonly Area[], limit: number): number {
  const sum = areaOf(areas);
  return sum <= limit ? sum : Math.max(...areas.map((area) => areaOf([area])));
}

/** Numbers in an area's rings: two for each vertex. */
export function vertexCount(area: Area): number {
  let count = 0;
  for (const ring of area.rings) count += ring.xy.length;
  return count;
}

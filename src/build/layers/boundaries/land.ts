/**
 * Land of countries as areas for the region index: no polygon in two countries, no lake cut out of a country. The
 * source cuts every pond out of the land, which is half of its vertices, and gives the polygons of some dependent
 * territories to their parent as well.
 */
import type { Area } from '../../../core/region-index/region-index-builder.ts';
import { orientedRing, type Ring, signedArea } from '../../../core/region-index/ring.ts';

type Polygon = { country: number; outer: Ring; holes: Ring[]; area: number; isDropped: boolean };

/** Collects the polygons of countries (numbered) and makes areas of them. */
export class LandCollector {
  readonly #polygons: Polygon[] = [];
  readonly #countryAreas: number[] = [];

  add(country: number, polygons: readonly (readonly Float64Array[])[]): void {
    for (const [outer, ...holes] of polygons) {
      if (!outer || outer.length < 8) continue;
      const ring = orientedRing(outer, false);
      const area = signedArea(ring.xy);
      this.#countryAreas[country] = (this.#countryAreas[country] ?? 0) + area;
      this.#polygons.push({
        country,
        outer: ring,
        holes: holes.filter((hole) => hole.length >= 8).map((hole) => orientedRing(hole, true)),
        area,
        isDropped: false,
      });
    }
  }

  /** One area a country; the smallest country first, so that it wins where two claim the same land. */
  finish(): { areas: Area[]; dropped: Record<string, number> } {
    const shared = this.#dropShared();
    const lakes = this.#fillLakes();
    const areas: Area[] = this.#countryAreas.map((_, value) => ({ value, rings: [] }));
    for (const polygon of this.#polygons) {
      if (!polygon.isDropped) areas[polygon.country]?.rings.push(polygon.outer, ...polygon.holes);
    }
    const size = (area: Area) => this.#countryAreas[area.value] ?? 0;
    areas.sort((a, b) => size(a) - size(b));
    return {
      areas: areas.filter((area) => area.rings.length > 0),
      dropped: { 'polygons also in a smaller country': shared, 'lakes inside one country': lakes },
    };
  }

  /** The same polygon in two countries belongs to the smaller one: a territory and its parent. */
  #dropShared(): number {
    const owners = new Map<string, Polygon>();
    let dropped = 0;
    for (const polygon of this.#polygons) {
      const { west, south, east, north, xy } = polygon.outer;
      const key = [west, south, east, north, xy.length].join();
      const other = owners.get(key);
      owners.set(key, polygon);
      if (!other || other.country === polygon.country) continue;
      const sizeOf = ({ country }: Polygon) => this.#countryAreas[country] ?? 0;
      const [keep, drop] = sizeOf(other) < sizeOf(polygon) ? [other, polygon] : [polygon, other];
      owners.set(key, keep);
      drop.isDropped = true;
      dropped++;
    }
    return dropped;
  }

  /** A hole with no other country's land inside is water: the hole goes, and so do the islands in it. */
  #fillLakes(): number {
    const grid = new PolygonGrid(this.#polygons.filter((polygon) => !polygon.isDropped));
    let filled = 0;
    for (const polygon of this.#polygons) {
      if (polygon.isDropped) continue;
      polygon.holes = polygon.holes.filter((hole) => {
        const inside = grid.inside(hole);
        if (inside.some(({ country }) => country !== polygon.country)) return true;
        for (const island of inside) island.isDropped = true;
        filled++;
        return false;
      });
    }
    return filled;
  }
}

/** Polygons by the cell of half a degree that their first vertex is in. */
class PolygonGrid {
  readonly #cells = new Map<number, Polygon[]>();

  constructor(polygons: readonly Polygon[]) {
    for (const polygon of polygons) {
      const key = cellKey(column(polygon.outer.xy[0] as number), column(polygon.outer.xy[1] as number));
      const cell = this.#cells.get(key);
      if (cell) cell.push(polygon);
      else this.#cells.set(key, [polygon]);
    }
  }

  inside(hole: Ring): Polygon[] {
    const found: Polygon[] = [];
    for (let x = column(hole.west); x <= column(hole.east); x++) {
      for (let y = column(hole.south); y <= column(hole.north); y++) {
        for (const polygon of this.#cells.get(cellKey(x, y)) ?? []) {
          if (isWithin(polygon.outer, hole)) found.push(polygon);
        }
      }
    }
    return found;
  }
}

const column = (degrees: number) => Math.floor(degrees * 2);
const cellKey = (x: number, y: number) => x * 1000 + y;

/** Whether a ring lies inside another that it does not cross; a shared vertex may lie on either side. */
function isWithin(inner: Ring, outer: Ring): boolean {
  if (inner.west < outer.west || inner.east > outer.east || inner.south < outer.south || inner.north > outer.north) {
    return false;
  }
  // The middle of the first edge is on the outline only where the two share that edge.
  const { xy } = inner;
  return holds(outer, ((xy[0] as number) + (xy[2] as number)) / 2, ((xy[1] as number) + (xy[3] as number)) / 2);
}

function holds({ xy }: Ring, x: number, y: number): boolean {
  let isInside = false;
  let x0 = xy[xy.length - 2] as number;
  let y0 = xy[xy.length - 1] as number;
  for (let i = 0; i < xy.length; i += 2) {
    const x1 = xy[i] as number;
    const y1 = xy[i + 1] as number;
    if (y1 > y !== y0 > y && x < ((x0 - x1) * (y - y1)) / (y0 - y1) + x1) isInside = !isInside;
    x0 = x1;
    y0 = y1;
  }
  return isInside;
}

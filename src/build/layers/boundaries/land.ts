/**
 * Land of countries as areas for the region index: no polygon in two countries, no lake cut out of a country. The
 * source cuts every pond out of the land, which is half of its vertices, and assigns the polygons of some dependent
 * territories to their parent as well.
 */

import { openIndex, worldIndex } from '../../../core/region-index/region-index-builder.ts';
import { type Area, holds, orientedRing, pointInside, type Ring, signedArea } from '../../../core/region-index/ring.ts';

type Polygon = {
  country: number;
  outer: Ring;
  holes: Ring[];
  area: number;
  /** A position inside `outer`. */
  inside: readonly [x: number, y: number];
  isDropped: boolean;
};

/**
 * In square degrees, about 5 km² at the equator: smaller lakes are not drawn on maps, as the source has most of them, and rivers,
 * only in pieces.
 */
const minLake = 4e-4;

/** In square degrees, about 1,000 km²: no enclave of a country in a smaller one is half as large. */
const maxEnclave = 0.1;

/** An index that keeps the polygons as they are. */
export const exactIndex = { slackDegrees: 1e-9, maxVertices: 512, minDepth: 8, maxDepth: 13 } as const;

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
        inside: pointInside(ring),
        isDropped: false,
      });
    }
  }

  /**
   * One area a country; the smallest country first, so that it wins where two claim the same land. `lakes` are the rings of
   * the larger lakes and wide rivers, which the areas include, as those of areas.
   */
  finish(): { areas: Area[]; lakes: Ring[]; enclaves: number; dropped: Record<string, number> } {
    const shared = this.#dropShared();
    const { lakes, filled } = this.#fillLakes();
    const enclaves = this.#cutEnclaves();
    const areas: Area[] = this.#countryAreas.map((_, value) => ({ value, rings: [] }));
    for (const polygon of this.#polygons) {
      if (!polygon.isDropped) areas[polygon.country]?.rings.push(polygon.outer, ...polygon.holes);
    }
    const size = (area: Area) => this.#countryAreas[area.value] ?? 0;
    areas.sort((a, b) => size(a) - size(b));
    return {
      areas: areas.filter((area) => area.rings.length > 0),
      lakes,
      enclaves,
      dropped: { 'polygons also in a smaller country': shared, 'lakes inside one country': filled },
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
  #fillLakes(): { lakes: Ring[]; filled: number } {
    const lakes: Ring[] = [];
    const grid = new PolygonGrid(this.#polygons.filter((polygon) => !polygon.isDropped));
    let filled = 0;
    for (const polygon of this.#polygons) {
      if (polygon.isDropped) continue;
      polygon.holes = polygon.holes.filter((hole) => {
        const inside = grid.inside(hole);
        if (inside.some(({ country }) => country !== polygon.country)) return true;
        for (const island of inside) island.isDropped = true;
        if (Math.abs(signedArea(hole.xy)) > minLake) {
          lakes.push(orientedRing(hole.xy, false), ...inside.map(({ outer }) => orientedRing(outer.xy, true)));
        }
        filled++;
        return false;
      });
    }
    return { lakes, filled };
  }

  /**
   * A polygon on the land of another country, which the source does not cut out: the land of an enclave or a territory
   * becomes a hole (Campione, Lesotho, Hong Kong), the claim of a larger country goes (Crimea).
   */
  #cutEnclaves(): number {
    const kept = this.#polygons.filter((polygon) => !polygon.isDropped).sort((a, b) => b.area - a.area);
    const large = kept.slice(0, 65_000).filter(({ area }) => area > 1e-4);
    const rings = large.map(({ outer, holes }, value) => ({ value, rings: [outer, ...holes] }));
    const index = openIndex(worldIndex(rings, { layerOf: new Uint16Array(large.length), ...exactIndex }));
    const sizeOf = ({ country }: Polygon) => this.#countryAreas[country] ?? 0;
    let cut = 0;
    for (const polygon of kept) {
      for (const value of index.findAll(...polygon.inside)) {
        const around = large[value];
        if (around.country === polygon.country || around.area <= polygon.area) continue;
        if (polygon.area > maxEnclave && sizeOf(polygon) > sizeOf(around)) {
          polygon.isDropped = true;
          continue;
        }
        around.holes.push(orientedRing(polygon.outer.xy, true));
        cut++;
      }
    }
    return cut;
  }
}

/** Polygons by the half-degree cell of their inner position. */
class PolygonGrid {
  readonly #cells: Map<number, Polygon[]>;

  constructor(polygons: readonly Polygon[]) {
    this.#cells = Map.groupBy(polygons, ({ inside: [x, y] }) => cellKey(column(x), column(y)));
  }

  inside(hole: Ring): Polygon[] {
    const found: Polygon[] = [];
    for (let x = column(hole.west); x <= column(hole.east); x++) {
      for (let y = column(hole.south); y <= column(hole.north); y++) {
        for (const polygon of this.#cells.get(cellKey(x, y)) ?? []) {
          if (isWithin(polygon, hole)) found.push(polygon);
        }
      }
    }
    return found;
  }
}

const column = (degrees: number) => Math.floor(degrees * 2);
const cellKey = (x: number, y: number) => x * 1000 + y;

/**
 * Whether a polygon lies inside a hole or fills it. The two outlines may differ by the source's simplification, so
 * boxes say little; what fills a hole is not much larger than it.
 */
function isWithin({ inside: [x, y], area }: Polygon, hole: Ring): boolean {
  if (x < hole.west || x > hole.east || y < hole.south || y > hole.north) return false;
  return area < 1.5 * Math.abs(signedArea(hole.xy)) && holds(hole, x, y);
}

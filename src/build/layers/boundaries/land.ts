/**
 * Land of countries as areas for the region index: no polygon in two countries, no lake cut out of a country. The
 * source cuts every pond out of the land, which is half of its vertices, and assigns the polygons of some dependent
 * territories to their parent as well.
 */

import { clipPolyline } from 'lineclip';
import { cellNumber, cellNumbersIn, type Tile, tileBounds } from '../../../core/geo.ts';
import { openIndex, worldIndex } from '../../../core/region-index/region-index-builder.ts';
import {
  type Area,
  boxArea,
  clipToBox,
  holds,
  orientedRing,
  pointInside,
  type Ring,
  signedArea,
} from '../../../core/region-index/ring.ts';
import { buffer, extent, layerTile, type Point } from '../../../tiles/layer-tile.ts';
import { tileLayers } from '../../../tiles/layers.ts';
import type { River } from './rivers.ts';

type Polygon = {
  country: number;
  outer: Ring;
  holes: Ring[];
  area: number;
  /** A position inside `outer`. */
  inside: readonly [x: number, y: number];
  isDropped: boolean;
};

/** In square degrees, about 5 km² at the equator: smaller lakes are not drawn on maps, as the source has most of them only in pieces. */
const minLake = 4e-4;

/** Edge in degrees of the cells by which polygons are found by their inner positions. */
const cellSize = 0.5;

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
   * the larger lakes and wide rivers, which the areas include, as those of areas; without those that are the piece of a river.
   */
  finish(isRiverPiece: (ring: Ring) => boolean): {
    areas: Area[];
    lakes: Ring[];
    enclaves: number;
    dropped: Record<string, number>;
  } {
    const shared = this.#dropShared();
    const { lakes, filled } = this.#fillLakes(isRiverPiece);
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
  #fillLakes(isRiverPiece: (ring: Ring) => boolean): { lakes: Ring[]; filled: number } {
    const lakes: Ring[] = [];
    const cells = Map.groupBy(
      this.#polygons.filter((polygon) => !polygon.isDropped),
      ({ inside: [lng, lat] }) => cellNumber({ lat, lng }, cellSize),
    );
    let filled = 0;
    for (const polygon of this.#polygons) {
      if (polygon.isDropped) continue;
      polygon.holes = polygon.holes.filter((hole) => {
        const around = cellNumbersIn(hole, cellSize).flatMap((cell) => cells.get(cell) ?? []);
        const inside = around.filter((polygon) => isWithin(polygon, hole));
        if (inside.some(({ country }) => country !== polygon.country)) return true;
        for (const island of inside) island.isDropped = true;
        if (Math.abs(signedArea(hole.xy)) > minLake && !isRiverPiece(hole)) {
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

/**
 * Whether a polygon lies inside a hole or fills it. The two outlines may differ by the source's simplification, so
 * boxes say little; what fills a hole is not much larger than it.
 */
function isWithin({ inside: [x, y], area }: Polygon, hole: Ring): boolean {
  if (x < hole.west || x > hole.east || y < hole.south || y > hole.north) return false;
  return area < 1.5 * Math.abs(signedArea(hole.xy)) && holds(hole, x, y);
}

// The vector tiles of land, lakes, rivers and borders: the pyramid is descended until a tile is all land or all sea.

const margin = buffer / extent;
/** The lowest zoom with borders of regions. */
const regionsFrom = 5;
/** Rivers by rank: the least length in degrees of latitude, and the lowest zoom. */
const riverRanks = [
  [6, 0],
  [3, 4],
  [1.5, 6],
  [0.7, 8],
  [0, 9],
] as const;
/** Tolerance in tile units where a finer tile exists: a pixel of a 512-pixel tile. */
const coarse = 8;

type Land = {
  areas: readonly Area[];
  /** Rings of lakes, oriented as those of areas. */
  lakes: readonly Ring[];
  rivers: readonly River[];
  /** Lines as lng, lat, lng, lat, …, between countries, and between regions of one country. */
  countryBorders: readonly Float64Array[];
  regionBorders: readonly Float64Array[];
};

/** Lines of one layer of a tile, with the same properties, from a zoom to another. */
type Lines = { layer: 'rivers' | 'borders'; tags: Record<string, number>; from: number; to: number; lines: Point[][] };
type Part = { rings: Ring[]; lakes: Ring[]; lines: Lines[] };

/** Yields every tile that is not within one that is all land or all sea; the body of one that is all land is empty. */
export function* landTiles({
  areas,
  lakes,
  rivers,
  countryBorders,
  regionBorders,
}: Land): Generator<[Tile, Uint8Array]> {
  const rankOf = ({ length }: River) => riverRanks.findIndex(([least]) => length >= least);
  const border = (level: number, from: number, of: readonly Float64Array[]): Lines => ({
    layer: 'borders',
    tags: { level },
    from,
    to: tileLayers.boundaries.maxZoom,
    lines: of.map(pointsOf),
  });
  const whole: Part = {
    rings: areas.flatMap(({ rings }) => rings),
    lakes: [...lakes],
    lines: [
      ...riverRanks.flatMap(([, from], rank) =>
        [...Map.groupBy(rivers, ({ toZoom }) => toZoom)].map(([to, some]): Lines => {
          const lines = some.filter((river) => rankOf(river) === rank).map(({ xy }) => smoothed(pointsOf(xy)));
          return { layer: 'rivers', tags: { rank }, from, to, lines };
        }),
      ),
      border(1, regionsFrom, regionBorders),
      border(0, 0, countryBorders),
    ],
  };
  yield* below({ z: 0, x: 0, y: 0 }, whole);
}

function* below(tile: Tile, around: Part): Generator<[Tile, Uint8Array]> {
  const box = tileBounds(tile, margin);
  const part: Part = {
    rings: clipToBox(around.rings, box),
    lakes: clipToBox(around.lakes, box),
    lines: around.lines
      .filter(({ to }) => to >= tile.z)
      .map((of) => ({
        ...of,
        lines: of.lines.flatMap((line) => clipPolyline(line, [box.west, box.south, box.east, box.north])),
      }))
      .filter(({ lines }) => lines.length > 0),
  };
  const { z, x, y } = tile;
  if (part.rings.length === 0) return;
  const hasMore = part.lakes.length + part.lines.length > 0;
  const isWhole = part.rings.length === 1 && signedArea(part.rings[0].xy) > boxArea(box) * (1 - 1e-9);
  if (isWhole && !hasMore) {
    yield [tile, new Uint8Array(0)];
    return;
  }
  const body = drawn(tile, part);
  if (body) yield [tile, body];
  if (z === tileLayers.boundaries.maxZoom) return;
  for (const quarter of [0, 1, 2, 3])
    yield* below({ z: z + 1, x: 2 * x + (quarter & 1), y: 2 * y + (quarter >> 1) }, part);
}

function drawn(tile: Tile, { rings, lakes, lines }: Part): Buffer | undefined {
  const coarseness = tile.z < tileLayers.boundaries.maxZoom ? coarse : undefined;
  const area = (name: string, of: readonly Ring[]) => {
    const layer = layerTile(name, tile, coarseness);
    layer.addArea(
      of.map(({ xy }) => xy),
      {},
    );
    return layer;
  };
  const linesOf = (name: Lines['layer']) => {
    const layer = layerTile(name, tile, name === 'rivers' ? coarse : coarseness);
    for (const { lines: some, tags } of lines.filter((of) => of.layer === name && of.from <= tile.z))
      layer.addLines(
        some.map((line) => new Float64Array(line.flat())),
        tags,
      );
    return layer;
  };
  // A tile is a list of layers: two tiles in a row are one with the layers of both.
  const layers = [area('land', rings), area('lakes', lakes), linesOf('rivers'), linesOf('borders')].flatMap(
    (layer) => layer.encoded() ?? [],
  );
  return layers.length > 0 ? Buffer.concat(layers) : undefined;
}

/** A line whose corners are cut at a quarter of the way to the next ones, by Chaikin's rule (1974). */
function smoothed(line: readonly Point[]): Point[] {
  const cuts = line.slice(1).flatMap(([x1, y1], at): Point[] => {
    const [x0, y0] = line[at];
    return [
      [x0 + (x1 - x0) / 4, y0 + (y1 - y0) / 4],
      [x1 - (x1 - x0) / 4, y1 - (y1 - y0) / 4],
    ];
  });
  return [line[0], ...cuts, line.at(-1)!];
}

const pointsOf = (xy: Float64Array): Point[] =>
  Array.from({ length: xy.length / 2 }, (_, at) => [xy[2 * at], xy[2 * at + 1]]);

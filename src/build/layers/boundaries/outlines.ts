/**
 * Outlines of areas at the store's ladder of tolerances. All areas are simplified together, so that neighbours keep one
 * border and no lines cross, and each step is made of the finer one before it.
 */

import initGeos from 'geos-wasm';
import { openIndex, worldIndex } from '../../../core/region-index/region-index-builder.ts';
import {
  type Area,
  holds,
  orientedRing,
  pointInside,
  type Ring,
  ringOf,
  signedArea,
} from '../../../core/region-index/ring.ts';
import { type OutlineRing, parts, stepsM } from '../../../store/packed/area-shapes.ts';
import { exactIndex } from './land.ts';

const metresPerDegree = 111_195;
/** Putting what was mended on the grid may make it invalid again, so that it is mended once more. */
const maxMends = 4;

/** Areas as polygons of rings, the outer one first. */
type Areas<R> = R[][][];

/**
 * The polygons of each area. Areas are in order of precedence: where two have land along the same side of a line, it is
 * the first one's. Islands and lakes smaller than the square of the tolerance are left out, but the largest part of an
 * area remains, and so does the hole around it. The tolerances are those of the ladder, times `scale`.
 */
export function outlinesOf(geos: Geos, areas: readonly Area[], scale = 1): Areas<OutlineRing> {
  const tolerances = stepsM.map((metres) => (metres * scale) / metresPerDegree);
  const source = areas.map(({ rings }) => simplePolygons(rings).map((polygon) => polygon.map((xy) => ({ xy }))));
  const finest = simplify(geos, withoutSmall(source, tolerances[0]), tolerances[0]).map((area) =>
    area.map((rings) => rings.map(({ xy }) => xy)),
  );
  const valid = withoutOverlaps(geos, finest).map((polygons) =>
    validArea(geos, polygons).map((polygon) => polygon.map((xy, at) => outlineRing(orientedRing(xy, at > 0).xy))),
  );
  const outlines = withoutSmall(valid, tolerances[0]);
  let rings = outlines.map((area) => area.map((polygon) => polygon.map((of) => ({ of, xy: of.xy }))));
  for (let step = 1; step < tolerances.length; step++) {
    rings = withoutSmall(simplify(geos, rings, tolerances[step]), tolerances[step]);
    for (const { of, xy } of rings.flat(2)) markStep(of, xy, step);
  }
  return outlines;
}

/** All areas simplified to a tolerance in degrees, ring by ring. */
function simplify<R extends { xy: Float64Array }>(geos: Geos, areas: Areas<R>, tolerance: number): Areas<R> {
  const polygons = areas.map((area) => area.map((rings) => rings.map(({ xy }) => xy)));
  return geos
    .simplified(polygons, tolerance)
    .map((area, a) => area.map((polygon, p) => polygon.map((xy, ring) => ({ ...areas[a][p][ring], xy }))));
}

function withoutSmall<R extends { xy: Float64Array }>(areas: Areas<R>, tolerance: number): Areas<R> {
  const least = tolerance ** 2;
  const size = ({ xy }: R) => Math.abs(signedArea(xy));
  /** Vertices of small areas that remain, around which there may be a hole. */
  const small = new Set<number>();
  const kept = areas.map((area) => {
    const largest = area.reduce((max, [outer]) => Math.max(max, size(outer)), 0);
    if (largest >= least) return area.filter(([outer]) => size(outer) >= least);
    const only = area.filter(([outer]) => size(outer) === largest).slice(0, 1);
    for (const [{ xy }] of only) for (let at = 0; at < xy.length; at += 2) small.add(vertexKey(xy, at));
    return only;
  });
  const isAround = ({ xy }: R) => small.has(vertexKey(xy, 0)) || small.has(vertexKey(xy, 2));
  return kept.map((area) =>
    area.map(([outer, ...holes]) => [outer, ...holes.filter((hole) => size(hole) >= least || isAround(hole))]),
  );
}

/** An area as valid polygons on the grid that do not overlap each other. */
function validArea(geos: Geos, polygons: readonly Polygon[], mends = 0): readonly Polygon[] {
  if (mends === maxMends || geos.isValid(polygons)) return polygons;
  const valid = polygons.flatMap((polygon) => (geos.isValid([polygon]) ? [polygon] : onGrid(geos.madeValid(polygon))));
  return validArea(geos, geos.isValid(valid) ? valid : onGrid(geos.union(valid)), mends + 1);
}

/**
 * What a later area shares with an earlier one is taken from it: they have an edge with land on the same side, or one has a
 * vertex of its own in the other (East Jerusalem).
 */
function withoutOverlaps(geos: Geos, areas: readonly Polygon[][]): Polygon[][] {
  const polygons = areas.flatMap((of, area) =>
    of.map(
      (rings, polygon): PolygonOfArea => ({ rings: rings.map((xy, at) => orientedRing(xy, at > 0)), area, polygon }),
    ),
  );
  const owners = new FirstOwners(edgesOf(polygons.flatMap(({ rings }) => rings)));
  /** For each claimed polygon and owner, by their numbers. */
  const claims = new Map<number, [owner: number, from: number]>();
  const claim = (owner: number, from: number) => claims.set(owner * polygons.length + from, [owner, from]);
  for (const [from, { rings, area }] of polygons.entries()) {
    for (const { xy } of rings) {
      for (let at = 0; at < xy.length; at += 2) {
        const edge = vertexKey(xy, at) * Math.SQRT2 + vertexKey(xy, (at + 2) % xy.length);
        const owner = owners.ownerOf(edge, from);
        if (owner !== undefined && polygons[owner].area !== area) claim(owner, from);
      }
    }
  }
  for (const [one, other] of overlapping(polygons)) claim(Math.min(one, other), Math.max(one, other));
  const remaining = areas.map((polygons) => polygons.map((polygon): Polygon[] => [polygon]));
  for (const [owner, from] of claims.values()) {
    const { area, polygon } = polygons[from];
    const taken = validArea(geos, [areas[polygons[owner].area][polygons[owner].polygon]]);
    const parts = validArea(geos, remaining[area][polygon]);
    remaining[area][polygon] = taken.reduce<Polygon[]>(
      (left, one) => left.flatMap((part) => onGrid(geos.difference(part, one))),
      [...parts],
    );
  }
  return remaining.map((polygons) => polygons.flat());
}

/** Smallest polygon, in square degrees, that may hold land of another area; and how many of them an index numbers. */
const minHolder = 1e-4;
const maxHolders = 65_000;

type PolygonOfArea = { rings: readonly Ring[]; area: number; polygon: number };

/** Pairs of polygons of two areas, by number, of which one has a vertex in the other that this other's area does not have. */
function* overlapping(polygons: readonly PolygonOfArea[]): Generator<[number, number]> {
  const large = [...polygons.entries()].filter(([, { rings }]) => signedArea(rings[0].xy) > minHolder);
  if (large.length > maxHolders) {
    throw new Error(
      `the map has ${large.length} polygons above ${minHolder} square degrees, expected at most ${maxHolders}: ` +
        'overlaps with the others would not be found; use a coarser map',
    );
  }
  const rings = large.map(([, { rings }], value) => ({ value, rings: [...rings] }));
  const layerOf = Uint16Array.from(large, ([, { area }]) => area);
  const index = openIndex(worldIndex(rings, { layerOf, ...exactIndex }));
  const areaAt = new FirstOwners(edgesOf(polygons.flatMap(({ rings }) => rings)));
  const shared = new Set<number>();
  for (const { rings, area } of polygons) {
    for (const { xy } of rings) {
      for (let at = 0; at < xy.length; at += 2) {
        const key = vertexKey(xy, at);
        if ((areaAt.ownerOf(key, area) ?? area) !== area) shared.add(key);
      }
    }
  }
  for (const [polygon, { rings, area }] of polygons.entries()) {
    for (const { xy } of rings) {
      for (let at = 0; at < xy.length; at += 2) {
        if (shared.has(vertexKey(xy, at))) continue;
        for (const value of index.findAll(xy[at], xy[at + 1])) {
          if (large[value][1].area !== area) yield [polygon, large[value][0]];
        }
      }
    }
  }
}

const outlineRing = (xy: Float64Array): OutlineRing => ({ xy, lastSteps: new Uint8Array(xy.length / 2) });

/** Marks the vertices of a ring that a step has, in the ring's order from any of them. */
function markStep({ xy, lastSteps }: OutlineRing, simpler: Float64Array, step: number): void {
  const count = lastSteps.length;
  let at = 0;
  for (let vertex = 0; vertex < simpler.length; vertex += 2) {
    let tries = 0;
    while (xy[2 * at] !== simpler[vertex] || xy[2 * at + 1] !== simpler[vertex + 1]) {
      at = (at + 1) % count;
      if (++tries > count) throw new Error('a simplified outline has a vertex that its finer one lacks');
    }
    lastSteps[at] = step;
  }
}

// Polygons that no ring of theirs touches itself in, on the grid on which the store keeps coordinates.

/**
 * An area's rings, holes behind their outer ring, as polygons. A ring that touches itself, as the default source has them
 * by the hundred, is divided there.
 */
function simplePolygons(rings: readonly Ring[]): Polygon[] {
  const polygons: Float64Array[][] = [];
  /** The polygons of the last outer ring. */
  let around: Float64Array[][] = [];
  for (const ring of rings) {
    const loops = loopsOf(rounded(ring.xy));
    const outers = loops.filter((loop) => signedArea(loop) > 0).map((loop) => [loop]);
    if (signedArea(ring.xy) > 0) around = outers;
    for (const outer of outers) polygons.push(outer);
    for (const hole of loops.filter((loop) => signedArea(loop) < 0)) {
      const inside = around.length > 1 ? pointInside(ringOf(hole)) : undefined;
      const of = inside ? around.find(([outer]) => holds(ringOf(outer), ...inside)) : around[0];
      of?.push(hole);
    }
  }
  return polygons;
}

/** The loops of a ring, of which none has a vertex twice. */
function loopsOf(xy: Float64Array): Float64Array[] {
  const loops: Float64Array[] = [];
  const positions = new Map<number, number>();
  const open: number[] = [];
  const close = (from: number) => {
    const loop = open.splice(from);
    for (const at of loop) positions.delete(vertexKey(xy, at));
    if (loop.length > 2) loops.push(Float64Array.from(loop.flatMap((at) => [xy[at], xy[at + 1]])));
  };
  for (let at = 0; at < xy.length; at += 2) {
    const before = positions.get(vertexKey(xy, at));
    if (before !== undefined) close(before);
    positions.set(vertexKey(xy, at), open.length);
    open.push(at);
  }
  if (open.length === xy.length / 2) return xy.length > 4 ? [xy] : [];
  close(0);
  return loops;
}

/** A whole number below 2^53 for a vertex on the grid. */
const vertexKey = (xy: Float64Array, at: number): number =>
  Math.round((xy[at] + 180) * parts) * 2 ** 24 + (Math.round((xy[at + 1] + 90) * parts) % 2 ** 24);

/** Polygons with their vertices on the grid; slivers that have no area there are left out. */
function onGrid(polygons: readonly Polygon[]): Polygon[] {
  return polygons.flatMap((rings) => {
    const [outer, ...holes] = rings.map(rounded);
    return signedArea(outer) === 0 ? [] : [[outer, ...holes.filter((hole) => signedArea(hole) !== 0)]];
  });
}

function rounded(xy: Float64Array): Float64Array {
  const result = new Float64Array(xy.length);
  let length = 0;
  for (let at = 0; at < xy.length; at += 2) {
    const [x, y] = [Math.round(xy[at] * parts) / parts, Math.round(xy[at + 1] * parts) / parts];
    if (length > 0 && result[length - 2] === x && result[length - 1] === y) continue;
    result[length++] = x;
    result[length++] = y;
  }
  while (length > 2 && result[0] === result[length - 2] && result[1] === result[length - 1]) length -= 2;
  return result.subarray(0, length);
}

/** Maximum number of vertices of a piece of border, so that its bounding box stays small. */
const maxVertices = 128;

/**
 * The edges that two areas share, as lines lng, lat, lng, lat, …; each once, in pieces. Neighbours must have the same
 * vertices, as those of one topology do. `isBorder` decides by two values whether their common edges are included.
 */
export function sharedBorders(
  areas: readonly Area[],
  isBorder: (one: number, other: number) => boolean,
): Float64Array[] {
  const firstOwners = new FirstOwners(edgesOf(areas.flatMap(({ rings }) => rings)));
  const lines: Float64Array[] = [];
  let line: number[] = [];
  const endLine = () => {
    if (line.length > 0) lines.push(Float64Array.from(line));
    line = [];
  };
  for (const { value, rings } of areas) {
    for (const { xy } of rings) {
      for (let at = 0; at < xy.length; at += 2) {
        const owner = firstOwners.ownerOf(edgeKey(xy, at), value);
        if (owner === undefined || owner === value || !isBorder(owner, value)) {
          endLine();
          continue;
        }
        const next = (at + 2) % xy.length;
        if (line.length === 0) line.push(xy[at], xy[at + 1]);
        line.push(xy[next], xy[next + 1]);
        if (line.length >= 2 * maxVertices) endLine();
      }
      endLine();
    }
  }
  return lines;
}

/** How many edges rings have in all. */
const edgesOf = (rings: readonly { xy: Float64Array }[]): number =>
  rings.reduce((sum, { xy }) => sum + xy.length / 2, 0);

/**
 * Which of several (numbered) has a key first, such as an area an edge: an open-addressing table, because a Map of millions
 * of numbers took most of the time and memory. `maxKeys` is how many different keys there may be.
 */
class FirstOwners {
  readonly #mask: number;
  readonly #keys: Float64Array;
  /** One above the value of the owner; 0 where a slot is free. */
  readonly #owners: Uint32Array;
  readonly #bits = new Float64Array(1);
  readonly #halves = new Uint32Array(this.#bits.buffer);

  constructor(maxKeys: number) {
    const slots = 2 ** Math.ceil(Math.log2(1.5 * maxKeys + 1));
    this.#mask = slots - 1;
    this.#keys = new Float64Array(slots);
    this.#owners = new Uint32Array(slots);
  }

  /** The first owner of a key; `undefined` where it had none, which is `value` from now on. */
  ownerOf(key: number, value: number): number | undefined {
    this.#bits[0] = key;
    const hash = Math.imul(this.#halves[0] ^ Math.imul(this.#halves[1], 0x85ebca6b), 0x9e3779b1);
    for (let slot = (hash ^ (hash >>> 15)) & this.#mask; ; slot = (slot + 1) & this.#mask) {
      if (this.#owners[slot] === 0) {
        this.#keys[slot] = key;
        this.#owners[slot] = value + 1;
        return undefined;
      }
      if (this.#keys[slot] === key) return this.#owners[slot] - 1;
    }
  }
}

/** A hash of an edge, the same in both directions; collisions are practically impossible. */
function edgeKey(xy: Float64Array, at: number): number {
  const next = (at + 2) % xy.length;
  const [x0, y0, x1, y1] = [xy[at], xy[at + 1], xy[next], xy[next + 1]];
  const isForward = x0 < x1 || (x0 === x1 && y0 < y1);
  const [a, b, c, d] = isForward ? [x0, y0, x1, y1] : [x1, y1, x0, y0];
  return a * 1.370_513 + b * 7.910_237 + c * 3.330_091 + d * 11.170_873;
}

// What is needed of GEOS, the geometry library of PostGIS and shapely, over flat rings.

/** Rings as [lng, lat, lng, lat, …] without the first point repeated; the first one is the outer one. */
type Polygon = readonly Float64Array[];
/** A handle of GEOS. What is made of others owns them. */
type Geometry = number;

const types = { polygon: 3, multiPolygon: 6, collection: 7 } as const;

type Geos = Awaited<ReturnType<typeof openGeos>>;

/** Loads GEOS. Its errors are thrown; an invalid geometry is none. Of what it returns only the polygons are kept. */
export async function openGeos() {
  const geos = await initGeos({ noticeHandler: () => {} });
  const { Module: memory } = geos;

  function ring(xy: Float64Array): Geometry {
    const at = memory._malloc(8 * (xy.length + 2));
    memory.HEAPF64.set(xy, at / 8);
    memory.HEAPF64.set(xy.subarray(0, 2), at / 8 + xy.length);
    const sequence = geos.GEOSCoordSeq_copyFromBuffer(at, xy.length / 2 + 1, 0, 0);
    memory._free(at);
    return geos.GEOSGeom_createLinearRing(sequence);
  }

  function verticesOf(ring: Geometry): Float64Array {
    const length = 2 * geos.GEOSGetNumCoordinates(ring);
    const at = memory._malloc(8 * length);
    geos.GEOSCoordSeq_copyToBuffer(geos.GEOSGeom_getCoordSeq(ring), at, 0, 0);
    const xy = memory.HEAPF64.slice(at / 8, at / 8 + length - 2);
    memory._free(at);
    return xy;
  }

  function withHandles<T>(handles: readonly Geometry[], use: (at: number, count: number) => T): T {
    const at = memory._malloc(4 * handles.length + 4);
    memory.HEAPU32.set(handles, at / 4);
    const result = use(at, handles.length);
    memory._free(at);
    return result;
  }

  const collection = (type: number, parts: readonly Geometry[]): Geometry =>
    withHandles(parts, (at, count) => geos.GEOSGeom_createCollection(type, at, count));
  const polygon = ([outer, ...holes]: Polygon): Geometry =>
    withHandles(holes.map(ring), (at, count) => geos.GEOSGeom_createPolygon(ring(outer), at, count));
  const area = (polygons: readonly Polygon[]): Geometry => collection(types.multiPolygon, polygons.map(polygon));

  /** Polygons in a geometry; its points and lines are left out. */
  function polygonsIn(geometry: Geometry): Polygon[] {
    const type = geos.GEOSGeomTypeId(geometry);
    if (type < types.polygon || geos.GEOSisEmpty(geometry) === 1) return [];
    const count = geos.GEOSGetNumGeometries(geometry);
    if (type > types.polygon)
      return Array.from({ length: count }, (_, at) => polygonsIn(geos.GEOSGetGeometryN(geometry, at))).flat();
    const holes = Array.from({ length: geos.GEOSGetNumInteriorRings(geometry) }, (_, at) =>
      verticesOf(geos.GEOSGetInteriorRingN(geometry, at)),
    );
    return [[verticesOf(geos.GEOSGetExteriorRing(geometry)), ...holes]];
  }

  function withGeometries<T>(geometries: readonly Geometry[], use: (...geometries: Geometry[]) => T): T {
    const result = use(...geometries);
    for (const geometry of geometries) geos.GEOSGeom_destroy(geometry);
    return result;
  }

  const made = (from: readonly Geometry[], make: (...from: Geometry[]) => Geometry): Polygon[] =>
    withGeometries(from, (...geometries) => withGeometries([make(...geometries)], polygonsIn));

  return {
    /** Whether polygons are an area by the OGC's rules: no ring crosses itself or another, no two polygons overlap. */
    isValid: (polygons: readonly Polygon[]): boolean =>
      withGeometries([area(polygons)], (geometry) => geos.GEOSisValid(geometry) === 1),

    madeValid: (of: Polygon): Polygon[] => made([polygon(of)], geos.GEOSMakeValid),
    union: (polygons: readonly Polygon[]): Polygon[] => made([area(polygons)], geos.GEOSUnaryUnion),
    difference: (from: Polygon, taken: Polygon): Polygon[] =>
      made([polygon(from), polygon(taken)], geos.GEOSDifference),

    /**
     * Simplifies areas together: vertices go whose triangle with their neighbours is smaller than the square of the
     * tolerance in degrees (Visvalingam and Whyatt 1993), from both sides of a border alike, and never so that lines cross.
     */
    simplified: (areas: readonly (readonly Polygon[])[], tolerance: number): Polygon[][] =>
      withGeometries([collection(types.collection, areas.map(area))], (together) =>
        withGeometries([geos.GEOSCoverageSimplifyVW(together, tolerance, 0)], (geometry) =>
          areas.map((_, at) => polygonsIn(geos.GEOSGetGeometryN(geometry, at))),
        ),
      ),
  };
}

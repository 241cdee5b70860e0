/** What is needed of GEOS, the geometry library of PostGIS and shapely, over flat rings. */
import initGeos from 'geos-wasm';

/** Rings as [lng, lat, lng, lat, …] without the first point repeated; the first one is the outer one. */
export type Polygon = readonly Float64Array[];
/** A handle of GEOS. What is made of others owns them. */
type Geometry = number;

const types = { polygon: 3, multiPolygon: 6, collection: 7 } as const;

export type Geos = Awaited<ReturnType<typeof openGeos>>;

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

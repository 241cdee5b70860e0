/** The outlines of countries and regions at several tolerances, for maps. */
import { join } from 'node:path';
import { type BoundingBox, boxAroundAll } from '../../core/geo.ts';
import type { AreaLabel } from '../map-contract.ts';
import type { AreaShape, Regions } from '../store.ts';
import { readPack, writePack } from './pack-file.ts';

// The positions of the labels of countries and regions on a map, those with most room first.

export const areaLabelsFile = 'area-labels.pack';

type WrittenLabel = {
  /** The alpha-2 code of a country, `US.CA` for a region by the gazetteer's codes. */
  key: string;
  lng: number;
  lat: number;
  /** Of the largest circle in the area, in degrees of latitude. */
  radius: number;
};

/** Writes labels, those with most room first. */
export function writeAreaLabels(path: string, labels: readonly WrittenLabel[]): void {
  const sorted = labels.toSorted((one, other) => other.radius - one.radius || (one.key < other.key ? -1 : 1));
  const degrees = (name: 'lng' | 'lat' | 'radius') => Float32Array.from(sorted, (label) => label[name]);
  writePack(
    path,
    { keys: sorted.map(({ key }) => key) },
    { lng: degrees('lng'), lat: degrees('lat'), radius: degrees('radius') },
  );
}

/** The labels of a dataset, those with most room first. */
export function openAreaLabels(directory: string, regions: Regions): readonly AreaLabel[] {
  const pack = readPack(join(directory, areaLabelsFile));
  const { lng, lat, radius } = pack.columns({ lng: 'f32', lat: 'f32', radius: 'f32' });
  return (pack.meta as { keys: string[] }).keys.map((key, at) => {
    const [country, code] = key.split('.');
    const region = code === undefined ? -1 : regions.find(country, code);
    return { country, region, lng: lng[at], lat: lat[at], radius: radius[at] };
  });
}

export const areaShapesFile = 'outlines.pack';

/** Tolerances there are outlines for, in metres. */
export const stepsM = [500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000];

/** Coordinates are multiples of this part of a degree. */
export const parts = 1e6;

export type OutlineRing = {
  /** Vertices of the finest outline: lng, lat, lng, lat, … in degrees, without the first one repeated. */
  xy: Float64Array;
  /** The coarsest step that has each vertex. A ring without vertices at a step is left out there. */
  lastSteps: Uint8Array;
};

/**
 * Writes the outlines of areas, polygons of rings with the outer ring first, by key: the alpha-2 code of a country, `US.CA`
 * for a region by the gazetteer's codes, the identifier of a place.
 */
export function writeAreaShapes(
  path: string,
  areas: Iterable<readonly [key: string, polygons: readonly (readonly OutlineRing[])[]]>,
): void {
  const keys: string[] = [];
  const ringStarts = [0];
  const starts = [0];
  const isHole: number[] = [];
  const all: OutlineRing[] = [];
  for (const [key, polygons] of areas) {
    keys.push(key);
    for (const [at, ring] of polygons.flatMap((rings) => [...rings.entries()])) {
      all.push(ring);
      isHole.push(at > 0 ? 1 : 0);
      starts.push(starts.at(-1)! + ring.lastSteps.length);
    }
    ringStarts.push(isHole.length);
  }
  const xy = new Int32Array(2 * starts.at(-1)!);
  const lastSteps = new Uint8Array(starts.at(-1)!);
  for (const [at, ring] of all.entries()) {
    xy.set(
      ring.xy.map((degrees) => Math.round(degrees * parts)),
      2 * starts[at],
    );
    lastSteps.set(ring.lastSteps, starts[at]);
  }
  writePack(
    path,
    { keys },
    {
      ringStarts: Uint32Array.from(ringStarts),
      starts: Uint32Array.from(starts),
      isHole: Uint8Array.from(isHole),
      xy,
      lastSteps,
    },
  );
}

export type AreaShapes = {
  /** The outline of the step at or below a tolerance in metres, the finest one below all; undefined where there is none. */
  shapeOf(key: string, toleranceM: number): AreaShape | undefined;
  /** The box of the finest outline; undefined where there is none. */
  boxOf(key: string): BoundingBox | undefined;
  has(key: string): boolean;
};

/** Opens the outlines of a file, which are found by key; their tolerances are those of the ladder, times `scale`. */
export function openAreaShapes(path: string, scale = 1): AreaShapes {
  const pack = readPack(path);
  const keys = new Map((pack.meta as { keys: string[] }).keys.map((key, area) => [key, area]));
  const types = { ringStarts: 'u32', starts: 'u32', isHole: 'u8', lastSteps: 'u8', xy: 'i32' } as const;
  const { ringStarts, starts, isHole, lastSteps, xy } = pack.columns(types);
  const boxes = new Map<string, BoundingBox | undefined>();

  function boxOfRing(ring: number) {
    const box = { west: 180, south: 90, east: -180, north: -90 };
    for (let at = starts[ring]; at < starts[ring + 1]; at++) {
      const [lng, lat] = [xy[2 * at] / parts, xy[2 * at + 1] / parts];
      box.west = Math.min(box.west, lng);
      box.south = Math.min(box.south, lat);
      box.east = Math.max(box.east, lng);
      box.north = Math.max(box.north, lat);
    }
    return box;
  }

  function boxOf(key: string): BoundingBox | undefined {
    const area = keys.get(key);
    if (area === undefined) return undefined;
    return boxes.getOrInsertComputed(key, () => {
      const rings = Array.from({ length: ringStarts[area + 1] - ringStarts[area] }, (_, at) => ringStarts[area] + at);
      return boxAroundAll(rings.filter((ring) => isHole[ring] === 0).map(boxOfRing));
    });
  }

  const shapeOf: AreaShapes['shapeOf'] = (key, toleranceM) => {
    const area = keys.get(key);
    if (area === undefined) return undefined;
    const step = Math.max(
      0,
      stepsM.findLastIndex((metres) => metres * scale <= toleranceM),
    );
    const coordinates: number[][][][] = [];
    for (let ring = ringStarts[area]; ring < ringStarts[area + 1]; ring++) {
      const points: number[][] = [];
      for (let at = starts[ring]; at < starts[ring + 1]; at++)
        if (lastSteps[at] >= step) points.push([xy[2 * at] / parts, xy[2 * at + 1] / parts]);
      if (points.length === 0) continue;
      points.push([...points[0]]);
      if (isHole[ring] === 1) coordinates.at(-1)?.push(points);
      else coordinates.push([points]);
    }
    return { toleranceM: stepsM[step] * scale, coordinates };
  };
  return { shapeOf, boxOf, has: (key) => keys.has(key) };
}

/** The outlines of countries and regions at several tolerances, for maps. */
import { join } from 'node:path';
import { type BoundingBox, boxAroundAll } from '../../core/geo.ts';
import type { AreaLabel } from '../map-contract.ts';
import type { AreaShape, Regions } from '../store.ts';
import { readPack, writePack } from './pack-file.ts';

// The positions of the labels of countries and regions on a map, those with most room first.

export const areaLabelsFile = 'area-labels.pack';

/** By the alpha-2 code of a country, `US.CA` for a region by the gazetteer's codes. */
type WrittenLabel = Omit<AreaLabel, 'country' | 'region'> & { key: string };

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

/** What each outline is written to, as its size is known only then; 6 MB behind Canada's. */
let written = Buffer.alloc(0);

const [opening, closing, comma, minus, point, zero] = Buffer.from('[],-.0');

/** Writes a stored coordinate as JSON has it, behind a mark; returns where it ends. */
function writeDegrees(bytes: Buffer, start: number, mark: number, value: number): number {
  let at = start;
  bytes[at++] = mark;
  if (value < 0) bytes[at++] = minus;
  let rest = value < 0 ? -value : value;
  const whole = (rest / parts) | 0;
  if (whole >= 100) bytes[at++] = zero + ((whole / 100) | 0);
  if (whole >= 10) bytes[at++] = zero + (((whole / 10) | 0) % 10);
  bytes[at++] = zero + (whole % 10);
  rest -= whole * parts;
  if (rest > 0) bytes[at++] = point;
  for (; rest > 0; rest = (10 * rest) % parts) bytes[at++] = zero + (((10 * rest) / parts) | 0);
  return at;
}

/** Opens the outlines of a file, which are found by key; their tolerances are those of the ladder, times `scale`. */
export function openAreaShapes(path: string, scale = 1) {
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

  /** The box of the finest outline; undefined where there is none. */
  function boxOf(key: string): BoundingBox | undefined {
    const area = keys.get(key);
    if (area === undefined) return undefined;
    return boxes.getOrInsertComputed(key, () => {
      const rings = Array.from({ length: ringStarts[area + 1] - ringStarts[area] }, (_, at) => ringStarts[area] + at);
      return boxAroundAll(rings.filter((ring) => isHole[ring] === 0).map(boxOfRing));
    });
  }

  /** The coordinates as JSON, between two texts. Arrays of Canada's 460,000 numbers and the copies of their text took 55 ms; this takes 15. */
  function jsonOf(area: number, step: number, before: string, after: string): Buffer {
    const [first, end] = [ringStarts[area], ringStarts[area + 1]];
    let vertices = 0;
    for (let vertex = starts[first]; vertex < starts[end]; vertex++) if (lastSteps[vertex] >= step) vertices++;
    // A position has 25 characters at most. A ring has its first one again, and brackets.
    const most = 3 * (before.length + after.length) + 25 * vertices + 30 * (end - first) + 2;
    if (written.length < most) written = Buffer.allocUnsafeSlow(most);
    const bytes = written;
    const begin = bytes.write(`${before}[`);
    let at = begin;
    for (let ring = first; ring < end; ring++) {
      // A hole is written over the end of the polygon before it.
      const isInner = isHole[ring] === 1 && at > begin;
      const start = isInner ? at : at + 2;
      let [to, firstEnd] = [start, 0];
      for (let vertex = starts[ring]; vertex < starts[ring + 1]; vertex++) {
        if (lastSteps[vertex] < step) continue;
        to = writeDegrees(bytes, to, opening, xy[2 * vertex]);
        to = writeDegrees(bytes, to, comma, xy[2 * vertex + 1]);
        bytes[to++] = closing;
        bytes[to++] = comma;
        firstEnd ||= to;
      }
      if (firstEnd === 0) continue;
      bytes.write(isInner ? ',[' : '[[', start - 2);
      at = to + bytes.copy(bytes, to, start, firstEnd - 1);
      at += bytes.write(']],', at);
    }
    // In place of the last comma.
    at = Math.max(begin, at - 1);
    return bytes.subarray(0, at + bytes.write(`]${after}`, at));
  }

  /** The outline of the step at or below a tolerance in metres, the finest one below all; undefined where there is none. */
  function shapeOf(key: string, toleranceM: number): AreaShape | undefined {
    const area = keys.get(key);
    if (area === undefined) return undefined;
    const step = Math.max(
      0,
      stepsM.findLastIndex((metres) => metres * scale <= toleranceM),
    );
    const json = (before = '', after = '') => jsonOf(area, step, before, after);
    return { toleranceM: stepsM[step] * scale, json, coordinates: () => JSON.parse(json().toString()) };
  }
  return { shapeOf, boxOf, has: (key: string) => keys.has(key) };
}

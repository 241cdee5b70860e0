/** Addresses sampled from a file by another tool than ours: osmium export for OpenStreetMap, plain splitting for CSV. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LatLng } from '../../src/core/geo.ts';

export type Sample = {
  street: string;
  number: string;
  city?: string;
  postcode?: string;
  /** The country's English name. */
  country?: string;
  lat: number;
  lng: number;
};

type Feature = { properties: Record<string, string>; geometry: { type: string; coordinates: unknown } };

/** Every address of an OpenStreetMap file with its tags, also where it has no street; lists of numbers are left out. */
export function taggedAddresses(path: string): (Sample & { tags: Record<string, string> })[] {
  return osmFeatures(path).flatMap(({ properties: tags, geometry }) => {
    const number = tags['addr:housenumber'];
    if (!/^[^;,]*\d[^;,]*$/.test(number ?? '') || isClosedLine(geometry)) return [];
    const [lng, lat] = middleOf(geometry);
    const street = tags['addr:street'] ?? tags['addr:place'] ?? '';
    return [{ street, number, city: tags['addr:city'], postcode: tags['addr:postcode'], lat, lng, tags }];
  });
}

/** Every address of a file, in its order. */
export function addressesOf(path: string): Sample[] {
  return path.endsWith('.csv') ? csvAddresses(path) : osmAddresses(path);
}

function osmAddresses(path: string): Sample[] {
  return osmFeatures(path).flatMap(({ properties, geometry }) => {
    const number = properties['addr:housenumber'];
    const street = properties['addr:street'] ?? properties['addr:place'];
    // Lists stand for several houses; objects without a street cannot be queried by one.
    if (number === undefined || street === undefined || !/^[^;,]*\d[^;,]*$/.test(number)) return [];
    // osmium exports a closed way twice, as an area and as the line around it.
    if (isClosedLine(geometry)) return [];
    const [lng, lat] = middleOf(geometry);
    return [{ street, number, city: properties['addr:city'], postcode: properties['addr:postcode'], lat, lng }];
  });
}

/** Two streets of a file that share points, in the order of their names, and where. */
export type CrossingSample = { one: string; other: string; at: LatLng[] };

/** The pairs of named streets of an OpenStreetMap file whose lines have a point in common. */
export function crossingsOf(path: string): CrossingSample[] {
  const streetsAt = new Map<string, Set<string>>();
  for (const { properties, geometry } of osmFeatures(path, 'w/highway')) {
    if (geometry.type !== 'LineString' || !properties.name || !drivable.test(properties.highway)) continue;
    for (const [lng, lat] of geometry.coordinates as [number, number][]) {
      const key = `${lat} ${lng}`;
      streetsAt.set(key, (streetsAt.get(key) ?? new Set()).add(properties.name));
    }
  }
  const pairs = new Map<string, CrossingSample>();
  for (const [key, names] of streetsAt) {
    const [lat, lng] = key.split(' ').map(Number);
    const sorted = [...names].sort();
    for (const [index, one] of sorted.entries()) {
      for (const other of sorted.slice(index + 1)) {
        const pair = pairs.get(`${one}\t${other}`) ?? { one, other, at: [] };
        pair.at.push({ lat, lng });
        pairs.set(`${one}\t${other}`, pair);
      }
    }
  }
  return [...pairs.values()];
}
const drivable = /^(?:primary|secondary|tertiary|residential|unclassified|living_street|pedestrian)$/;

/** The objects of a file that have a house number, or what an osmium filter names. */
function osmFeatures(path: string, filter = 'nwr/addr:housenumber'): Feature[] {
  const directory = mkdtempSync(join(tmpdir(), 'whereabouts-quality-'));
  try {
    const sorted = join(directory, 'sorted.osm.pbf');
    const filtered = join(directory, 'addresses.osm.pbf');
    const exported = join(directory, 'addresses.geojsonseq');
    // Some extracts have their ways after their relations, which osmium export does not take.
    execFileSync('osmium', ['sort', path, '-o', sorted], { stdio: 'ignore' });
    execFileSync('osmium', ['tags-filter', sorted, filter, '-o', filtered], { stdio: 'ignore' });
    execFileSync(
      'osmium',
      ['export', filtered, '-f', 'geojsonseq', '-x', 'print_record_separator=false', '-o', exported],
      {
        stdio: 'ignore',
      },
    );
    return readFileSync(exported, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Feature);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function isClosedLine({ type, coordinates }: Feature['geometry']): boolean {
  if (type !== 'LineString') return false;
  const points = coordinates as [number, number][];
  const [[x, y], last] = [points[0], points[points.length - 1]];
  return points.length > 3 && x === last[0] && y === last[1];
}

/** The centroid of a polygon by area, of everything else the mean of its points. */
function middleOf({ type, coordinates }: Feature['geometry']): [lng: number, lat: number] {
  if (type === 'Point') return coordinates as [number, number];
  const outer =
    type === 'Polygon'
      ? [(coordinates as number[][][])[0]]
      : type === 'MultiPolygon'
        ? (coordinates as number[][][][]).map(([ring]) => ring)
        : undefined;
  const [originX, originY] = (coordinates as unknown[]).flat(4) as number[];
  if (outer) {
    let [area, x, y] = [0, 0, 0];
    for (const ring of outer) {
      for (let at = 1; at < ring.length; at++) {
        const [x0, y0, x1, y1] = [
          ring[at - 1][0] - originX,
          ring[at - 1][1] - originY,
          ring[at][0] - originX,
          ring[at][1] - originY,
        ];
        const cross = x0 * y1 - x1 * y0;
        area += cross;
        x += cross * (x0 + x1);
        y += cross * (y0 + y1);
      }
    }
    if (area !== 0) return [originX + x / (3 * area), originY + y / (3 * area)];
  }
  const flat = (coordinates as unknown[]).flat(4) as number[];
  const points = flat.length / 2;
  const mean = (offset: number) =>
    flat.filter((_, at) => at % 2 === offset).reduce((sum, value) => sum + value, 0) / points;
  return [mean(0), mean(1)];
}

/** OpenAddresses CSV: no field of the sampled files holds a comma inside quotes except the ones left out here. */
function csvAddresses(path: string): Sample[] {
  const [head, ...lines] = readFileSync(path, 'utf8').split(/\r?\n/);
  const columns = head.toUpperCase().split(',');
  return lines.flatMap((line) => {
    const fields = line.split(',');
    if (fields.length !== columns.length) return [];
    const at = (name: string) => fields[columns.indexOf(name)] || undefined;
    const [number, street] = [at('NUMBER'), at('STREET')];
    if (number === undefined || street === undefined || /^0+$/.test(number)) return [];
    const [lat, lng] = [Number(at('LAT')), Number(at('LON'))];
    // `FAKE ST 123, ANYTOWN` is in both files, with no position or one that is not on Earth: no address.
    if (!(Math.abs(lat) <= 90 && Math.abs(lng) <= 180)) return [];
    return [{ street, number, city: at('CITY'), postcode: at('POSTCODE'), lat, lng }];
  });
}

/** A fixed sequence of numbers in [0, 1), so that every run asks the same (Park and Miller 1988). */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48271) % 2147483647;
    return (state - 1) / 2147483646;
  };
}

/** At most `count` of a list, drawn without putting back. */
export function draw<T>(list: readonly T[], count: number, random: () => number): T[] {
  const rest = [...list];
  return Array.from(
    { length: Math.min(count, rest.length) },
    () => rest.splice(Math.floor(random() * rest.length), 1)[0],
  );
}

/**
 * How fast the zone and country of a position are found in the default dataset, next to geo-tz/all in the same run
 * where that package is installed: `node bench/zones.ts` (`npm install --no-save geo-tz@8.1.9` before, to compare).
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { loadConfig } from '../src/config.ts';
import type { LatLng } from '../src/core/geo.ts';
import { currentVersion } from '../src/store/manifest.ts';
import { openBoundaries } from '../src/store/packed/boundaries.ts';
import { openWorld } from '../src/store/packed/world.ts';
import { openZones } from '../src/store/packed/zones.ts';

const { dataDirectory } = loadConfig();
const version = currentVersion(dataDirectory);
if (version === undefined) throw new Error(`no dataset in ${dataDirectory}; build one with "whereabouts build"`);
const directory = join(dataDirectory, version);
const world = openWorld(directory);
const megabytes = () => process.memoryUsage().arrayBuffers / 1e6;

const beforeZones = megabytes();
const zones = openZones(directory);
const beforeBoundaries = megabytes();
const boundaries = openBoundaries(directory, world);
console.log(
  `in memory: zones ${(beforeBoundaries - beforeZones).toFixed(1)} MB, boundaries ${(megabytes() - beforeBoundaries).toFixed(1)} MB`,
);

/** Typical positions: the dataset's places, shuffled; and anywhere on the globe. */
const { places } = world;
const settled = Array.from({ length: 100_000 }, (_, i): LatLng => places.get((i * 48_271) % places.size));
const golden = Math.PI * (3 - Math.sqrt(5));
const anywhere = Array.from(
  { length: 100_000 },
  (_, i): LatLng => ({
    lat: (Math.asin(1 - (2 * i + 1) / 100_000) * 180) / Math.PI,
    lng: (((i * golden * 180) / Math.PI) % 360) - 180,
  }),
);

/** Median of five runs, in ns a call. */
function nanoseconds(points: readonly LatLng[], run: (point: LatLng) => unknown): number {
  const runs = Array.from({ length: 5 }, () => {
    const start = performance.now();
    for (const point of points) run(point);
    return ((performance.now() - start) * 1e6) / points.length;
  });
  return runs.sort((a, b) => a - b)[2];
}

function row(what: string, run: (point: LatLng) => unknown): [number, number] {
  const times: [number, number] = [nanoseconds(settled, run), nanoseconds(anywhere, run)];
  console.log(`  ${what.padEnd(22)} ${times.map((time) => `${time.toFixed(0)} ns`.padStart(12)).join('')}`);
  return times;
}

console.log(`  ${'one call'.padEnd(22)} ${'at places'.padStart(12)}${'anywhere'.padStart(12)}`);
const own = row('zone', (point) => zones.at(point));
row('country', (point) => boundaries.countryAt(point));
row('level-1 region', (point) => boundaries.admin1At(point));
try {
  const { find, preCache } = createRequire(import.meta.url)('geo-tz/all') as {
    find(lat: number, lng: number): string[];
    preCache(): void;
  };
  const cold = row('geo-tz/all', ({ lat, lng }) => find(lat, lng));
  console.log(`  geo-tz/all takes ${cold.map((time, i) => (time / own[i]).toFixed(1)).join(' and ')} times as long`);
  const before = process.memoryUsage().rss;
  preCache();
  console.log(
    `  geo-tz/all with everything in memory: ${((process.memoryUsage().rss - before) / 1e6).toFixed(0)} MB more`,
  );
} catch (error) {
  if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
  console.log('  geo-tz is not installed: npm install --no-save geo-tz@8.1.9');
}

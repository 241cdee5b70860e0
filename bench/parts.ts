/**
 * The same made-up addresses in one part and in twenty, cut by longitude as countries are: how long queries take in both, in
 * one run, as a ratio. `node bench/parts.ts <data directory> [addresses]`
 */
import { linkSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildStreetLevel } from '../src/build/layers/streets.ts';
import type { StreetBatch } from '../src/core/street-records.ts';
import { cityNames } from '../src/geocoding/resolve-city.ts';
import { currentVersion } from '../src/store/manifest.ts';
import type { Part } from '../src/store/manifest-format.ts';
import { openWorld } from '../src/store/packed/world.ts';
import { openStreetLevel } from '../src/store/street-level.ts';
import { type Sample, syntheticCountry } from './scale/synthetic-country.ts';

const [dataDirectory = 'data', written = '1000000'] = process.argv.slice(2);
const count = Number(written);
const partCount = 20;
const asked = 400;

const dataset = join(dataDirectory, currentVersion(dataDirectory)!);
const directory = mkdtempSync(join(dataDirectory, 'bench-parts-'));
try {
  for (const name of readdirSync(dataset).filter((one) => one.endsWith('.pack')))
    linkSync(join(dataset, name), join(directory, name));
  const sample: Sample = { addresses: [], streets: [], pois: [] };
  await write('whole', () => true, sample);
  const parts = Array.from({ length: partCount }, (_, number) => ({ name: `part-${number}`, number: number + 1 }));
  const opened: (Pick<Part, 'bounds'> & (typeof parts)[number])[] = [];
  for (const [at, part] of parts.entries()) {
    const { name } = part;
    const isOwn = ({ addresses }: StreetBatch) => Math.floor(((addresses[0].lng - 7) / 7) * partCount) === at;
    opened.push({ ...part, ...(await write(name, isOwn, { addresses: [], streets: [], pois: [] })) });
  }
  const places = cityNames(openWorld(directory));
  const one = openStreetLevel(directory, places, [{ name: 'whole', number: 0 }]);
  const many = openStreetLevel(directory, places, opened);
  const every = <T>(list: readonly T[]) => list.filter((_, at) => at % Math.ceil(list.length / asked) === 0);
  const near = ({ lat, lng }: { lat: number; lng: number }) => ({ lat: lat + 0.001, lng: lng - 0.001 });
  type Level = typeof one;
  compare(
    '/address, with city',
    every(sample.addresses),
    ({ street, houseNumber, city }) =>
      (level: Level) =>
        level.addresses.search({ text: `${street} ${houseNumber}, ${city}`, limit: 10 }),
  );
  compare(
    '/address, street and number only',
    every(sample.addresses),
    ({ street, houseNumber }) =>
      (level: Level) =>
        level.addresses.search({ text: `${street} ${houseNumber}`, limit: 10 }),
  );
  compare(
    '/address, one letter missing',
    every(sample.addresses),
    ({ street, houseNumber, city }) =>
      (level: Level) =>
        level.addresses.search({ text: `${street.slice(0, 2)}${street.slice(3)} ${houseNumber}, ${city}`, limit: 10 }),
  );
  compare(
    '/streets, within 5 km',
    every(sample.streets),
    (street) => (level: Level) =>
      level.streets.search({ text: street.name, near: near(street), radiusKm: 5, limit: 10 }),
  );
  compare(
    '/pois, within 1 km',
    every(sample.pois),
    (poi) => (level: Level) => level.pois.nearest(near(poi), { radiusKm: 1, limit: 20 }),
  );
  compare(
    'nearest address',
    every(sample.addresses),
    (address) => (level: Level) => level.addresses.nearest(address, { maxKm: 0.05, limit: 1 }),
  );
  one.close();
  many.close();

  function compare<T>(name: string, list: readonly T[], queryOf: (of: T) => (level: Level) => unknown): void {
    const median = (times: number[]) => times.sort((a, b) => a - b)[times.length >> 1];
    const times: [number[], number[]] = [[], []];
    for (const item of list) {
      const query = queryOf(item);
      for (const [at, level] of [one, many].entries()) {
        query(level);
        // In turns, the faster of three: the machine has other things to do.
        let fastest = Number.POSITIVE_INFINITY;
        for (let turn = 0; turn < 3; turn++) {
          const startedAt = performance.now();
          query(level);
          fastest = Math.min(fastest, performance.now() - startedAt);
        }
        times[at].push(1000 * fastest);
      }
    }
    const [whole, cut] = times.map(median);
    console.log(
      `${name}: ${Math.round(whole)} µs in one part, ${Math.round(cut)} µs in ${partCount}: ${(cut / whole).toFixed(1)} times`,
    );
  }
} finally {
  rmSync(directory, { recursive: true });
}

async function write(
  part: string,
  isOwn: (batch: StreetBatch) => boolean,
  sample: Sample,
): Promise<Pick<Part, 'bounds'>> {
  const startedAt = performance.now();
  const info = {
    id: 'made-up',
    title: part,
    version: '1',
    vintage: null,
    licence: 'CC0-1.0',
    attribution: '',
    url: '',
  };
  async function* read() {
    for (const batch of syntheticCountry(count, sample)) if (isOwn(batch)) yield batch;
  }
  const report = await buildStreetLevel({ directory, part, progress() {} }, [{ group: 'open', info, read }]);
  const { addresses } = report.also!.addresses!.records;
  const { bounds } = report;
  console.log(`${part}: ${addresses} addresses in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  return bounds ? { bounds } : {};
}

/**
 * How the street-level store grows: loading rate, bytes an address, memory of the build, and times of queries, for
 * made-up countries of each size. Each phase runs in a process of its own.
 *   node bench/addresses.ts <dataset directory> <working directory> 1000000 10000000
 */
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { openStreetLevel } from '../src/api/open.ts';
import { buildStreetLevel } from '../src/build/layers/streets.ts';
import { cityNames } from '../src/geocoding/resolve-city.ts';
import { openWorld } from '../src/store/packed/world.ts';
import { type Sample, syntheticCountry } from './scale/synthetic-country.ts';

const [phase, ...rest] = process.argv.slice(2);
if (phase === '--build') await build(rest[0], Number(rest[1]));
else if (phase === '--ask') ask(rest[0], Number(rest[1]));
else run(phase, rest[0], rest.slice(1).map(Number));

function run(dataset: string, working: string, counts: number[]): void {
  for (const count of counts) {
    const directory = join(working, String(count));
    rmSync(directory, { recursive: true, force: true });
    mkdirSync(directory, { recursive: true });
    for (const name of readdirSync(dataset)) {
      if (/^(countries|regions|place.*|boundaries|outlines|word-use)\.pack$/.test(name))
        copyFileSync(join(dataset, name), join(directory, name));
    }
    for (const step of ['--build', '--ask']) {
      const { status } = spawnSync(process.execPath, [import.meta.filename, step, directory, String(count)], {
        stdio: 'inherit',
      });
      if (status !== 0) process.exit(status ?? 1);
    }
  }
}

async function build(directory: string, count: number): Promise<void> {
  const sample: Sample = { addresses: [], streets: [], pois: [] };
  const before = process.resourceUsage();
  const startedAt = performance.now();
  // Making the records is not part of loading them: it is timed separately and subtracted.
  let making = 0;
  function* timed() {
    const batches = syntheticCountry(count, sample);
    for (;;) {
      const from = process.cpuUsage();
      const { value, done } = batches.next();
      const { user, system } = process.cpuUsage(from);
      making += user + system;
      if (done) return;
      yield value;
    }
  }
  const info = {
    id: 'made-up',
    title: 'made up',
    version: '1',
    vintage: null,
    licence: 'CC0-1.0',
    attribution: '',
    url: '',
  };
  const source = {
    group: 'open' as const,
    info,
    read: async function* () {
      yield* timed();
    },
  };
  const report = await buildStreetLevel({ directory, progress() {} }, [source]);
  const seconds = (performance.now() - startedAt) / 1000;
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const cpu = (userCPUTime + systemCPUTime - before.userCPUTime - before.systemCPUTime - making) / 1e6;
  const { addresses } = report.also!.addresses!.records;
  const bytes = (name: string) => statSync(join(directory, name)).size;
  const [streetBytes, poiBytes] = ['streets-open.sqlite', 'pois-open.sqlite'].map(bytes);
  console.log(
    `${count}: ${addresses} addresses, ${report.records.streets} streets, ${report.also!.pois!.records.pois} points; ` +
      `${seconds.toFixed(0)} s, ${cpu.toFixed(0)} s of processor: ${Math.round(addresses / cpu)} addresses/s/core; ` +
      `${(streetBytes / addresses).toFixed(1)} bytes an address (streets included), points ${(poiBytes / 1e6).toFixed(1)} MB; ` +
      `peak memory ${Math.round(maxRSS / 1024)} MB`,
  );
  writeFileSync(
    join(directory, 'sample.json'),
    JSON.stringify(sample, (_, value) => (value instanceof Float64Array ? [...value] : value)),
  );
}

function ask(directory: string, count: number): void {
  const sample: Sample = JSON.parse(readFileSync(join(directory, 'sample.json'), 'utf8'));
  const level = openStreetLevel(directory, cityNames(openWorld(directory)));
  const { addresses, streets, pois } = level;
  const near = ({ lat, lng }: { lat: number; lng: number }) => ({ lat: lat + 0.001, lng: lng - 0.001 });
  const memory = memoryMb();
  const lines = [
    time('/address, with city', sample.addresses, ({ street, houseNumber, city }) =>
      addresses.search({ text: `${street} ${houseNumber}, ${city}`, limit: 10 }),
    ),
    time('/address, street and number only', sample.addresses, ({ street, houseNumber }) =>
      addresses.search({ text: `${street} ${houseNumber}`, limit: 10 }),
    ),
    time('/address, one letter missing, with city', sample.addresses, ({ street, houseNumber, city }) =>
      addresses.search({ text: `${street.slice(0, 2)}${street.slice(3)} ${houseNumber}, ${city}`, limit: 10 }),
    ),
    time('/streets, within 5 km', sample.streets, (street) =>
      streets.search({ text: street.name, near: near(street), radiusKm: 5, limit: 10 }),
    ),
    time('/streets, in a city', sample.streets, ({ name, city }) =>
      streets.search({ text: name, city, radiusKm: 5, limit: 10 }),
    ),
    time('/pois, within 1 km', sample.pois, (poi) => pois.nearest(near(poi), { radiusKm: 1, limit: 20 })),
    time('/pois, of a category within 50 km', sample.pois, (poi) =>
      pois.nearest(near(poi), { radiusKm: 50, category: poi.category, limit: 20 }),
    ),
    time('nearest address within 50 m', sample.addresses, (address) =>
      addresses.nearest(address, { maxKm: 0.05, limit: 1 }),
    ),
  ];
  console.log(`${count}: memory at start ${memory}, after ${memoryMb()}`);
  for (const line of lines) console.log(`  ${line}`);
  level.close();
}

/** The memory of this process; with pages of mapped files, which the system can reclaim, counted separately. */
function memoryMb(): string {
  const all = `${Math.round(process.memoryUsage().rss / 1e6)} MB`;
  const status = '/proc/self/status';
  const mapped = existsSync(status) ? /^RssFile:\s*(\d+) kB$/m.exec(readFileSync(status, 'utf8')) : null;
  return mapped ? `${all}, ${Math.round(Number(mapped[1]) / 976.5625)} MB of it mapped files` : all;
}

/**
 * Each query three times, of which the fastest counts: this measures the store, not other load on the machine. In
 * microseconds, with the share of queries that have an answer.
 */
function time<T>(name: string, queries: readonly T[], query: (of: T) => unknown[]): string {
  for (const one of queries.slice(0, 200)) query(one);
  let answered = 0;
  const times = queries.map((one) => {
    if (query(one).length > 0) answered++;
    let fastest = Number.POSITIVE_INFINITY;
    for (let turn = 0; turn < 3; turn++) {
      const startedAt = performance.now();
      query(one);
      fastest = Math.min(fastest, (performance.now() - startedAt) * 1000);
    }
    return fastest;
  });
  times.sort((a, b) => a - b);
  const at = (share: number) => Math.round(times[Math.floor(times.length * share)]);
  return `${name}: p50 ${at(0.5)} µs, p99 ${at(0.99)} µs (${((100 * answered) / queries.length).toFixed(1)} % answered)`;
}

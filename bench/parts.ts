/**
 * The same made-up addresses in one part and in twenty, strips of longitude as countries are: how long queries take in both, in
 * one run, as a ratio, and what building one part takes of the time for the whole.
 *
 *     node bench/parts.ts <dataset directory> <working directory> 10000000 [--strips 10] [--ask]
 *
 * A run that was ended goes on with what it has not built. With `--strips` the one part has only the first strips, so that the
 * ratio is an upper bound. `--ask` asks what an earlier run built.
 */
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openStreetLevel, type StreetLevel } from '../src/api/open.ts';
import { buildStreetLevel } from '../src/build/layers/streets.ts';
import { cityNames } from '../src/geocoding/resolve-city.ts';
import type { Part } from '../src/store/manifest.ts';
import { openWorld } from '../src/store/packed/world.ts';
import { type Sample, syntheticCountry } from './scale/synthetic-country.ts';

type Written = Pick<Part, 'name' | 'number' | 'bounds'> & { addresses: number; cpuSeconds: number };
type Notes = { one?: Written; parts: Written[]; sample: Sample };

const { positionals, values: options } = parseArgs({
  allowPositionals: true,
  options: { ask: { type: 'boolean' }, strips: { type: 'string', default: '20' } },
});
const [dataset, working, written] = positionals;
const count = Number(written);
const partCount = 20;
const sampleCount = 400;
/** Asked before measuring: a little of what is kept in memory is read with each of the first questions. */
const warmingQuestions = 60;
const [west, east] = [7, 14];

const directory = join(working, `parts-${count}`);
const notesPath = join(directory, 'notes.json');
const notes: Notes = existsSync(notesPath)
  ? JSON.parse(readFileSync(notesPath, 'utf8'))
  : { parts: [], sample: emptySample() };
if (!options.ask) await build();
ask(notes);

async function build(): Promise<void> {
  mkdirSync(directory, { recursive: true });
  for (const name of readdirSync(dataset).filter((one) =>
    /^(countries|regions|place.*|boundaries|outlines|word-use)\.pack$/.test(one),
  ))
    copyFileSync(join(dataset, name), join(directory, name));
  const strips = Array.from({ length: Number(options.strips) }, (_, at) => at);
  // The one part first where it is smaller: it is compared with however many parts there are.
  if (strips.length < partCount) await buildWhole(strips);
  while (notes.parts.length < partCount) {
    const at = notes.parts.length;
    notes.parts.push(await write(`part-${at}`, at + 1, [at], emptySample()));
    save();
  }
  await buildWhole(strips);
}

async function buildWhole(strips: readonly number[]): Promise<void> {
  if (notes.one) return;
  const sample = emptySample();
  const one = await write('whole', 0, strips, sample);
  Object.assign(notes, { one, sample });
  save();
}

function save(): void {
  writeFileSync(
    notesPath,
    JSON.stringify(notes, (key, value) => (key === 'lines' ? undefined : value)),
  );
}

/** Some of the strips of the country as one part. */
async function write(name: string, number: number, strips: readonly number[], sample: Sample): Promise<Written> {
  const info = { id: 'made-up', title: name, version: '1', vintage: null };
  const terms = { licence: 'CC0-1.0', attribution: '', url: '' };
  const width = (east - west) / partCount;
  async function* read() {
    for (const at of strips) {
      const strip = {
        seed: at,
        west: west + at * width,
        east: west + (at + 1) * width,
        samples: sampleCount / partCount,
      };
      yield* syntheticCountry(count / partCount, sample, strip);
    }
  }
  // What an ended run left.
  for (const file of readdirSync(directory))
    if (file.includes(`${name}.`)) rmSync(join(directory, file), { recursive: true });
  const before = process.cpuUsage();
  const source = { group: 'open' as const, info: { ...info, ...terms }, read };
  const report = await buildStreetLevel({ directory, part: name, progress() {} }, [source]);
  const { user, system } = process.cpuUsage(before);
  const { addresses } = report.also!.addresses!.records;
  const cpuSeconds = (user + system) / 1e6;
  console.log(`${name}: ${addresses} addresses in ${cpuSeconds.toFixed(1)} s of processor time`);
  return { name, number, bounds: report.bounds, addresses, cpuSeconds };
}

function emptySample(): Sample {
  return { addresses: [], streets: [], pois: [] };
}

function ask({ one, parts, sample }: Notes): void {
  if (!one) throw new Error('the one part is not built yet');
  // The median: the first one also compiles the program.
  const perAddress = parts.map(({ addresses, cpuSeconds }) => cpuSeconds / addresses).sort((a, b) => a - b);
  const share = (perAddress[parts.length >> 1] * one.addresses) / one.cpuSeconds;
  console.log(`a part takes ${share.toFixed(2)} times its share of the time for the whole`);
  const places = cityNames(openWorld(directory));
  const levels = [[one], parts].map((opened) => openStreetLevel(directory, places, opened));
  const near = ({ lat, lng }: { lat: number; lng: number }) => ({ lat: lat + 0.001, lng: lng - 0.001 });
  const mistyped = (name: string) => name.slice(0, 2) + name.slice(3);
  const { addresses, streets, pois } = sample;
  compare(levels, '/address, with city', addresses, ({ addresses }, { street, houseNumber, city }) =>
    addresses.search({ text: `${street} ${houseNumber}, ${city}`, limit: 10 }),
  );
  compare(levels, '/address, street and number only', addresses, ({ addresses }, { street, houseNumber }) =>
    addresses.search({ text: `${street} ${houseNumber}`, limit: 10 }),
  );
  compare(levels, '/address, one letter missing', addresses, ({ addresses }, { street, houseNumber, city }) =>
    addresses.search({ text: `${mistyped(street)} ${houseNumber}, ${city}`, limit: 10 }),
  );
  compare(levels, '/address, one letter missing, no city', addresses, ({ addresses }, { street, houseNumber }) =>
    addresses.search({ text: `${mistyped(street)} ${houseNumber}`, limit: 10 }),
  );
  compare(levels, '/streets, by name', streets, ({ streets }, { name }) =>
    streets.search({ text: name, radiusKm: 5, limit: 10 }),
  );
  compare(levels, '/streets, within 5 km', streets, ({ streets }, street) =>
    streets.search({ text: street.name, near: near(street), radiusKm: 5, limit: 10 }),
  );
  compare(levels, '/pois, within 1 km', pois, ({ pois }, poi) => pois.nearest(near(poi), { radiusKm: 1, limit: 20 }));
  compare(levels, 'nearest address', addresses, ({ addresses }, address) =>
    addresses.nearest(address, { maxKm: 0.05, limit: 1 }),
  );
  for (const level of levels) level.close();
}

/** Each question in turns, the fastest of five counts: the machine has other load. */
function compare<T>(
  levels: readonly StreetLevel[],
  name: string,
  list: readonly T[],
  query: (level: StreetLevel, of: T) => unknown[],
): void {
  const times: number[][] = levels.map(() => []);
  const answered = levels.map(() => 0);
  for (const item of list.slice(0, warmingQuestions)) for (const level of levels) query(level, item);
  for (const item of list) {
    const fastest = levels.map(() => Number.POSITIVE_INFINITY);
    for (let turn = 0; turn < 5; turn++) {
      for (const [at, level] of levels.entries()) {
        const startedAt = performance.now();
        const found = query(level, item);
        fastest[at] = Math.min(fastest[at], 1000 * (performance.now() - startedAt));
        if (turn === 0 && found.length > 0) answered[at]++;
      }
    }
    for (const [at, time] of fastest.entries()) times[at].push(time);
  }
  for (const list of times) list.sort((a, b) => a - b);
  const at = (share: number) => times.map((list) => list[Math.floor(share * list.length)]);
  const [p50, p99, mean] = [
    at(0.5),
    at(0.99),
    times.map((list) => list.reduce((sum, one) => sum + one, 0) / list.length),
  ];
  const shown = ([whole, cut]: number[]) =>
    `${Math.round(whole)} and ${Math.round(cut)} µs (${(cut / whole).toFixed(2)})`;
  console.log(`${name}: p50 ${shown(p50)}, p99 ${shown(p99)}, mean ${shown(mean)}, answered ${answered}`);
}

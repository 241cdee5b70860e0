/**
 * How often the first answer of /search is the right one, and how often a suggestion comes in time, over tables made
 * from the dataset: `node bench/quality/places.ts [misses to print [table]]`. Misses are printed of the training half only.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { distanceKm } from '../../src/core/geo.ts';
import { autocomplete } from '../../src/endpoints/autocomplete.ts';
import type { Profile } from '../../src/endpoints/endpoint.ts';
import { search } from '../../src/endpoints/search.ts';
import { openDataset } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';
import { ask } from '../../test/support/ask.ts';
import { defaultDataset } from '../../test/support/dataset.ts';
import { type Answer, type Case, isTraining, placeCases } from './place-cases.ts';

const printed = Number(process.argv[2] ?? 0);
const only = process.argv[3];
const directory = defaultDataset();
if (!directory) throw new Error('no dataset is built; run "npm run whereabouts -- build" first');
const store = openDataset(directory);

const firstOf = (q: string, profile: Profile = 'default') =>
  (ask(search, store, { q, limit: 1 }, { profile }).results as Answer[])[0];
const tables: Record<string, Case[]> = {
  'as people type them': typed(),
  'relevance table': relevance(),
  ...placeCases(store),
};
for (const [name, cases] of Object.entries(tables)) {
  if (only && !name.includes(only)) continue;
  report(name, cases, ({ query, isRight }) => {
    const first = firstOf(query, name === 'relevance table' ? 'a' : 'default');
    return first && isRight(first) ? undefined : first ? `${first.name}, ${first.admin1}, ${first.country}` : 'nothing';
  });
}
for (const letters of [2, 3, 4, 5]) {
  if (only && !'suggestions'.includes(only)) continue;
  report(`suggestions after ${letters} letters`, beginnings(store, letters), ({ query, isRight }) => {
    const suggested = ask(autocomplete, store, { q: query, limit: 5 }).results as Answer[];
    return suggested.some(isRight) ? undefined : suggested.map(({ name, country }) => `${name} ${country}`).join(', ');
  });
}

/** Prints a row: each half's number of cases and the share that is right, and misses of the training half. */
function report(name: string, cases: readonly Case[], missOf: (each: Case) => string | undefined): void {
  const halves = { train: { asked: 0, right: 0 }, 'held out': { asked: 0, right: 0 } };
  const misses: string[] = [];
  const start = performance.now();
  for (const each of cases) {
    const half = isTraining(each) ? halves.train : halves['held out'];
    half.asked++;
    const miss = missOf(each);
    if (miss === undefined) half.right++;
    else if (half === halves.train) misses.push(`${each.query} (${each.wanted}) → ${miss}`);
  }
  const cell = ({ asked, right }: { asked: number; right: number }) =>
    `${right} of ${asked} (${((100 * right) / Math.max(1, asked)).toFixed(1)}%)`;
  const ms = ((performance.now() - start) / Math.max(1, cases.length)).toFixed(2);
  console.log(
    `${name.padEnd(28)} | ${cell(halves.train).padEnd(22)} | ${cell(halves['held out']).padEnd(22)} | ${ms} ms`,
  );
  for (const miss of misses.slice(0, printed)) console.log(`    ${miss}`);
}

/** Rows of acceptance/relevance.csv: `query;lat;lng;within metres;why`. */
function relevance(): Case[] {
  return rowsOf('../../acceptance/relevance.csv').map(([query, lat, lng, withinM, why]) => {
    const at = { lat: Number(lat), lng: Number(lng) };
    return { query, wanted: why, isRight: (first) => distanceKm(first, at) * 1000 <= Number(withinM) };
  });
}

/** Rows of cases/typed-places.csv; its head says what they mean. */
function typed(): Case[] {
  return rowsOf('cases/typed-places.csv').map(([query, layer, code, lat, lng, km]) => ({
    query,
    wanted: [layer, code, lat, lng].join(' '),
    isRight: (first) =>
      (layer === 'any' || layer === 'position' || layer === (first.layer ?? 'place')) &&
      (code === '' || isCalled(first, code)) &&
      (km === '' || distanceKm(first, { lat: Number(lat), lng: Number(lng) }) <= Number(km)),
  }));
}

/** Whether an answer is, or lies in, what an ISO 3166 code of a country or region names. */
function isCalled({ name, country, admin1 }: Answer, code: string): boolean {
  if (code.length === 2) return country === code;
  const region = store.regions.byIsoCode(code);
  return region >= 0 && country === code.slice(0, 2) && [name, admin1].includes(store.regions.get(region).name);
}

function rowsOf(path: string): string[][] {
  const lines = readFileSync(join(import.meta.dirname, path), 'utf8')
    .trim()
    .split('\n')
    .slice(1);
  return lines.filter((line) => !line.startsWith('#')).map((line) => line.split(';'));
}

/** The first letters of every city of over 100,000, which is to be among five suggestions. */
function beginnings({ places }: Store, letters: number): Case[] {
  const cases: Case[] = [];
  for (let index = 0; index < places.size; index++) {
    const { id, name, population, type, country } = places.get(index);
    if (population < 100_000 || type === 'suburb') continue;
    const query = [...name].slice(0, letters).join('').trim();
    if (query.length > 1) cases.push({ query, wanted: `${name}, ${country}`, isRight: (each) => each.id === id });
  }
  return cases;
}

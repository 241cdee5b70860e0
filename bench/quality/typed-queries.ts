/**
 * How often the first answer of `/search` is the right one, and one of five of `/autocomplete`, over queries that were
 * written without a look at the code (`cases/typed-queries.tsv`; its head says what the columns mean):
 * `node bench/quality/typed-queries.ts [misses to print [group]]`. Misses are printed of half `a` only. Environment:
 * SERVICE and KEY ask a running service over HTTP instead of the dataset in `data`.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { distanceKm } from '../../src/core/geo.ts';
import { type Operations, open } from '../../src/index.ts';

type Answer = { name: string; layer: string; admin1: string | null; country: string; lat: number; lng: number };
type Row = Record<'half' | 'group' | 'query' | 'layer' | 'code' | 'lat' | 'lng' | 'km' | 'near', string>;

const printed = Number(process.argv[2] ?? 0);
const only = process.argv[3] ?? '';
const { SERVICE: service, KEY: key = '', DATASET: directory = 'data' } = process.env;
const ask = service ? overHttp(service, key) : inProcess(open(directory));
/** Layers of settlements and areas, none of which is a point inside a city. */
const areas = ['place', 'region', 'subregion', 'country', 'island', 'postal'];

const tally = new Map<string, { a: number[]; b: number[] }>();
const misses: string[] = [];
for (const row of rows('cases/typed-queries.tsv').filter(({ group }) => group.includes(only))) {
  const found = await ask(row);
  const right = found.some((answer) => isRight(answer, row));
  for (const name of [row.group, 'all']) {
    const halves = tally.get(name) ?? { a: [], b: [] };
    halves[row.half as 'a' | 'b'].push(Number(right));
    tally.set(name, halves);
  }
  if (!right && row.half === 'a') {
    const got = found.map((each) => `${each.name}, ${each.admin1}, ${each.country} ${each.layer}`).join('; ');
    misses.push(
      `    ${row.group} | ${row.query} (${row.layer} ${row.code} ${row.lat} ${row.lng}) → ${got || 'nothing'}`,
    );
  }
}
for (const [group, { a, b }] of tally) console.log(`${group.padEnd(14)} | ${share(a)} | ${share(b)}`);
for (const miss of misses.slice(0, printed)) console.log(miss);

function isRight(answer: Answer, { layer, code, lat, lng, km }: Row): boolean {
  const layers = layer === 'area' ? areas : layer.split('|');
  if (layer !== '' && !layers.includes(answer.layer)) return false;
  if (code !== '' && answer.country !== code) return false;
  return km === '' || distanceKm(answer, { lat: Number(lat), lng: Number(lng) }) <= Number(km);
}

function inProcess(operations: Operations) {
  return async ({ group, query: q, near }: Row): Promise<Answer[]> =>
    group === 'suggest'
      ? (operations.autocomplete({ q, limit: 5, ...positionOf(near) }).results as Answer[])
      : (operations.search({ q, limit: 1, ...positionOf(near) }).results as Answer[]);
}

function overHttp(base: string, apiKey: string) {
  return async ({ group, query: q, near }: Row): Promise<Answer[]> => {
    const { lat, lng } = positionOf(near);
    const isSuggestion = group === 'suggest';
    const parameters = new URLSearchParams({ q, limit: isSuggestion ? '5' : '1' });
    if (lat !== undefined) parameters.set('lat', String(lat));
    if (lng !== undefined) parameters.set('lng', String(lng));
    const path = isSuggestion ? 'autocomplete' : 'search';
    const response = await fetch(`${base}/v1/${path}?${parameters}`, { headers: { 'X-API-Key': apiKey } });
    if (response.status === 429) throw new Error('the key has no calls left: create one with more a day');
    return ((await response.json()) as { results?: Answer[] }).results ?? [];
  };
}

function positionOf(near: string): { lat?: number; lng?: number } {
  const [lat, lng] = near.split(' ').map(Number);
  return near === '' ? {} : { lat, lng };
}

function share(results: readonly number[]): string {
  const right = results.filter(Boolean).length;
  return `${right} of ${results.length} (${((100 * right) / Math.max(1, results.length)).toFixed(1)}%)`.padEnd(20);
}

/** Rows of a file of cases as records by column name; lines that start with `#` say what they mean. */
function rows(file: string): Row[] {
  const [head = '', ...lines] = readFileSync(join(import.meta.dirname, file), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('# '));
  const names = head.split('\t');
  return lines.map((line) => {
    const cells = line.split('\t');
    return Object.fromEntries(names.map((name, index) => [name, cells[index] ?? ''])) as Row;
  });
}

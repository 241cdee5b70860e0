/**
 * Natural Earth's populated places by their names, and the larger ones by their names in Russian and Chinese, in two halves
 * by a hash. The first answer of /search is right within 25 km:
 *   node bench/quality/natural-earth.ts <ne_10m_populated_places.dbf> [misses to print [row]]
 */
import { readFileSync } from 'node:fs';
import { openDataset } from '../../src/api/open.ts';
import { distanceKm } from '../../src/core/geo.ts';
import { search } from '../../src/endpoints/search.ts';
import { fold } from '../../src/text/fold.ts';
import { ask } from '../../test/support/ask.ts';
import { defaultDataset } from '../../test/support/dataset.ts';
import type { Answer } from './place-cases.ts';
import { rowPrinter } from './rows.ts';

type Place = { id: number; name: string; ru: string; zh: string; lat: number; lng: number; people: number };

const [path, printed = '0', only = ''] = process.argv.slice(2);
if (path === undefined) throw new Error('name the file ne_10m_populated_places.dbf of naturalearthdata.com');
const directory = defaultDataset();
if (!directory) throw new Error('no dataset is built; run "npm run whereabouts -- build" first');
const store = openDataset(directory);
const row = rowPrinter(Number(printed), only);
const nearKm = 25;

const places = rowsOf(readFileSync(path)).map(
  (field): Place => ({
    id: Number(field('GEONAMEID')),
    name: field('NAME'),
    ru: field('NAME_RU'),
    zh: field('NAME_ZH'),
    lat: Number(field('LATITUDE')),
    lng: Number(field('LONGITUDE')),
    people: Number(field('POP_MAX')),
  }),
);
const keyOf = ({ name, lat }: Place) => `${name} ${lat}`;
/** The largest place of each name: of several places of one name only one can be the first answer. */
const largest = new Map<string, Place>();
for (const place of places) {
  const key = fold(place.name);
  if ((largest.get(key)?.people ?? Number.NEGATIVE_INFINITY) < place.people) largest.set(key, place);
}
const isFirst = (place: Place, q: string) => {
  const [found] = ask(search, store, { q, limit: 1 }).results as Answer[];
  return found !== undefined && distanceKm(found, place) <= nearKm;
};

const sizes: [string, (place: Place) => boolean][] = [
  ['1M and more', ({ people }) => people >= 1e6],
  ['100k to 1M', ({ people }) => people >= 1e5 && people < 1e6],
  ['smaller', ({ people }) => people < 1e5],
];
for (const [size, isOf] of sizes) {
  const ofSize = places.filter(isOf);
  row(size, ofSize, keyOf, (place) => isFirst(place, place.name));
  const isMeant = (place: Place) =>
    store.places.byId(place.id) >= 0 && distanceKm(largest.get(fold(place.name))!, place) <= nearKm;
  row(`of these in the dataset and the largest of their name, ${size}`, ofSize.filter(isMeant), keyOf, (place) =>
    isFirst(place, place.name),
  );
}
for (const language of ['ru', 'zh'] as const) {
  const named = places.filter((place) => place.people >= 1e5 && place[language] !== '');
  row(`in ${language}, 100k and more`, named, keyOf, (place) => isFirst(place, place[language]));
}

/** The records of a dBASE table, each as a look-up of its fields by name, whatever their case. */
function rowsOf(bytes: Buffer): ((name: string) => string)[] {
  const [count, head, length] = [bytes.readUInt32LE(4), bytes.readUInt16LE(8), bytes.readUInt16LE(10)];
  const fields = new Map<string, [from: number, to: number]>();
  for (let at = 32, from = 1; bytes[at] !== 0x0d; at += 32) {
    const name = bytes.toString('latin1', at, at + 11).replace(/\0.*$/s, '');
    fields.set(name.toUpperCase(), [from, (from += bytes[at + 16])]);
  }
  return Array.from({ length: count }, (_, number) => (name: string) => {
    const [from, to] = fields.get(name)!;
    return bytes.toString('utf8', head + number * length + from, head + number * length + to).trim();
  });
}

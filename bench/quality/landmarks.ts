/**
 * Landmarks, airports and names by language, over the lists of `../shared/data/landmarks` and the texts of
 * `../shared/data/queries`; figures of each half (SHA-1 of the text, as in shared-queries.ts):
 *   node bench/quality/landmarks.ts [misses to print [row]]
 * Misses are printed of the half for mending only.
 */
import { join } from 'node:path';
import { bytes, csv, type Entry } from '../../scripts/landmarks/list-formats.ts';
import { readLists } from '../../scripts/landmarks/lists.ts';
import { openDataset } from '../../src/api/open.ts';
import { distanceKm, type LatLng } from '../../src/core/geo.ts';
import { autocomplete } from '../../src/endpoints/autocomplete.ts';
import { place } from '../../src/endpoints/place.ts';
import { search } from '../../src/endpoints/search.ts';
import { type GeonamesPlace, geonamesPlaces } from '../../src/sources/geonames.ts';
import { fold } from '../../src/text/fold.ts';
import { ask } from '../../test/support/ask.ts';
import { defaultDataset, sharedData } from '../../test/support/dataset.ts';
import { share } from './page.ts';
import type { Answer } from './place-cases.ts';
import { halfOf, sharedQueries } from './shared-queries.ts';

const [printed = '0', only = ''] = process.argv.slice(2);
const directory = defaultDataset();
const lists = sharedData('landmarks');
if (!directory || !lists)
  throw new Error('needs a dataset ("npm run whereabouts -- build") and ../shared/data/landmarks');
const store = openDataset(directory);

const languages = 'ar de es fr he hi it ja ko pt ru zh'.split(' ');
const scripts: Readonly<Record<string, RegExp>> = {
  ar: /\p{Script=Arabic}/u,
  he: /\p{Script=Hebrew}/u,
  hi: /\p{Script=Devanagari}/u,
  ja: /[\p{Script=Katakana}\p{Script=Hiragana}\p{Script=Han}]/u,
  ko: /\p{Script=Hangul}/u,
  ru: /\p{Script=Cyrillic}/u,
  zh: /\p{Script=Han}/u,
};
/** A city is found where the first answer is as near as this. */
const cityKm = 25;
/** Cities by population, the largest, whose names in each language are asked. */
const largestCities = 2_000;
const bestKnown = 100;

/** Prints a row: the share right of each half; `isRight` returns undefined for what is no case. */
function row<T>(name: string, cases: Iterable<T>, text: (one: T) => string, isRight: (one: T) => boolean | undefined) {
  if (!name.includes(only)) return;
  const count = { fit: [0, 0], report: [0, 0] };
  const misses: string[] = [];
  for (const one of cases) {
    const right = isRight(one);
    if (right === undefined) continue;
    const half = halfOf(text(one));
    count[half][0] += Number(right);
    count[half][1]++;
    if (!right && half === 'fit') misses.push(text(one));
  }
  const cell = ([right, all]: number[]) => `${share(right, all)} of ${all}`;
  console.log(`| ${name} | ${cell(count.fit)} | ${cell(count.report)} |`);
  for (const miss of misses.slice(0, Number(printed))) console.log(`    ${miss} → ${told(first(miss))}`);
}

const told = (answer?: Answer) => (answer ? `${answer.name}, ${answer.country}, ${answer.layer}` : 'nothing');
const first = (q: string): Answer | undefined => (ask(search, store, { q, limit: 1 }).results as Answer[])[0];
const isWithin = (q: string, at: LatLng, km: number) => {
  const found = first(q);
  return found !== undefined && distanceKm(found, at) <= km;
};

/** Whether the first answer has the very name that was asked, whatever place was meant: Vancouver is not only in Canada. */
function bearsName(q: string): boolean {
  const found = first(q);
  if (!found) return false;
  const { name, names, other_names } = ask(place, store, { id: String(found.id) }) as Names;
  return [name, ...Object.values(names), ...other_names].some((each) => fold(each) === fold(q));
}

type Names = { name: string; names: Record<string, string>; other_names: string[] };

/** Whether an answer is a list's thing: near its position, or within the box of its shape. */
function isAt(found: Answer | undefined, entry: Entry, km: number): boolean {
  if (!found) return false;
  const corners = entry.shape?.flat() ?? [];
  const span = (degrees: number[], at: number) => Math.min(...degrees) - 0.5 <= at && at <= Math.max(...degrees) + 0.5;
  const isInBox =
    span(
      corners.map(([lng]) => lng),
      found.lng,
    ) &&
    span(
      corners.map(([, lat]) => lat),
      found.lat,
    );
  return isInBox || distanceKm(found, entry) <= km;
}

const typed = sharedQueries().filter(({ isNothing }) => !isNothing);
for (const group of ['feature', 'region', 'island', 'airport', 'hood', 'old', 'country', 'exonym', 'script'])
  row(
    `typed: ${group}`,
    typed.filter((each) => each.group === group),
    ({ query }) => query,
    ({ query, isRight }) => {
      const found = first(query);
      return found !== undefined && isRight(found);
    },
  );

for (const { name, slackKm, entries } of await readLists(lists)) {
  const ranked = entries.filter(({ fame }) => fame !== undefined).sort((a, b) => b.fame! - a.fame!);
  const asked = ranked.length > 0 ? ranked.slice(0, bestKnown) : entries;
  if (asked.length > 3_000) continue;
  row(
    `list: ${name}, ${ranked.length > 0 ? `${asked.length} best known` : 'all'}`,
    asked,
    ({ names }) => names[0],
    (entry) => isAt(first(entry.names[0]), entry, Math.max(10, 2 * slackKm)),
  );
}

type NamedCity = LatLng & { id: number; population: number; names: ReadonlyMap<string, readonly string[]> };

const naturalEarth = csv(bytes(join(lists, 'ne_50m_populated_places.csv.gz'))).map(
  (each): NamedCity => ({
    id: Number(each.GEONAMESID),
    lat: Number(each.LATITUDE),
    lng: Number(each.LONGITUDE),
    population: Number(each.POP_MAX),
    names: new Map(languages.map((language) => [language, [each[`NAME_${language.toUpperCase()}`]].filter(Boolean)])),
  }),
);
for (const [size, isOf] of [
  ['100k and more', ({ population }: NamedCity) => population >= 100_000],
  ['smaller', ({ population }: NamedCity) => population < 100_000],
] as const)
  for (const language of languages) {
    const cities = naturalEarth.filter((city) => isOf(city) && city.names.get(language)!.length > 0);
    const name = (city: NamedCity) => city.names.get(language)![0];
    row(`Natural Earth ${size}, ${language}: found`, cities, name, (city) => isWithin(name(city), city, cityKm));
    row(
      `Natural Earth ${size}, ${language}: found, or a namesake`,
      cities,
      name,
      (city) => isWithin(name(city), city, cityKm) || bearsName(name(city)),
    );
    row(`Natural Earth ${size}, ${language}: shown`, cities, name, (city) => isShown(city, language));
  }

const towns: GeonamesPlace[] = [];
for await (const batch of geonamesPlaces(sharedData('geonames/cities15000-2026-05.zip')!)) towns.push(...batch);
const largest = towns
  .filter(({ featureCode, id }) => featureCode !== 'PPLX' && store.places.byId(id) >= 0)
  .sort((left, right) => right.population - left.population)
  .slice(0, largestCities);
for (const [language, script] of Object.entries(scripts))
  row(
    `${largestCities} largest cities, ${language}: shown in its script`,
    largest,
    ({ name }) => name,
    ({ id }) => script.test(shownName(id, language)),
  );

function shownName(id: number, language: string): string {
  return (ask(place, store, { id: String(id), lang: language }) as { name: string }).name;
}

/** Whether the answer in a language bears one of the city's names; a part of one counts (`北京` of `北京市`). */
function isShown(city: NamedCity, language: string): boolean | undefined {
  if (store.places.byId(city.id) < 0) return undefined;
  const folded = fold(shownName(city.id, language));
  return city.names.get(language)!.some((each) => fold(each).includes(folded) || folded.includes(fold(each)));
}

const airports = csv(bytes(join(lists, 'optd-por-public.csv.gz')), { delimiter: '^', quote: null }).filter(
  ({ location_type, date_until }) => location_type === 'A' && date_until === '',
);
const positionOf = ({ latitude, longitude }: Record<string, string>) => ({ lat: +latitude, lng: +longitude });
const airportKm = 10;
const code = ({ iata_code }: Record<string, string>) => iata_code;
row('airports by code', airports, code, (each) => isWithin(each.iata_code, positionOf(each), airportKm));
const positions = new Map(airports.map((each) => [each.iata_code, positionOf(each)]));
const ofNaturalEarth = csv(bytes(join(lists, 'ne_10m_airports.csv.gz'))).filter((each) =>
  positions.has(each.iata_code),
);
row(
  'airports of Natural Earth by English name',
  ofNaturalEarth.filter(({ name_en }) => name_en),
  ({ name_en }) => name_en,
  (each) => isWithin(each.name_en, positions.get(each.iata_code)!, airportKm),
);

const halfTyped = typed.filter(({ group }) => ['feature', 'island', 'region'].includes(group));
row(
  'half-typed features (two thirds of the letters), one of five',
  halfTyped,
  ({ query }) => query,
  ({ query, isRight }) => {
    const q = query.slice(0, Math.max(4, Math.ceil((query.length * 2) / 3)));
    return (ask(autocomplete, store, { q, limit: 5 }).results as Answer[]).some(isRight);
  },
);

/**
 * What the tables of places.ts do not cover: regions of points, postal codes, agreement of city and code, coverage,
 * famous places and their names in Russian and Chinese. Cases come from ../shared/data, in two halves by a hash:
 *   node bench/quality/other-rows.ts [folder of gettext catalogues by GeoNames identifier [misses to print [row]]]
 * (Debian's libgeonames-common, usr/share/locale; without it, or with '', the two languages are left out.) Prints rows of
 * a table, and misses of the training half.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { catalogue } from '../../scripts/gettext-catalogue.ts';
import { openDataset } from '../../src/api/open.ts';
import { distanceKm, type LatLng } from '../../src/core/geo.ts';
import { address } from '../../src/endpoints/address.ts';
import { autocomplete } from '../../src/endpoints/autocomplete.ts';
import type { Endpoint } from '../../src/endpoints/endpoint.ts';
import { postal } from '../../src/endpoints/postal.ts';
import { reverse } from '../../src/endpoints/reverse.ts';
import { search } from '../../src/endpoints/search.ts';
import { validate } from '../../src/endpoints/validate.ts';
import { type GeonamesPlace, geonamesPlaces } from '../../src/sources/geonames.ts';
import { fold } from '../../src/text/fold.ts';
import { ask } from '../../test/support/ask.ts';
import { defaultDataset, sharedData } from '../../test/support/dataset.ts';
import type { Answer } from './place-cases.ts';
import { rowPrinter } from './rows.ts';
import { draw, randomNumbers } from './samples.ts';

type PostalAnswer = Answer & { postal_code: string; label: string; radius_km: number | null };
type Row = { country: string; code: string; place: string; region: string; at: LatLng };

const [catalogues = '', printed = '0', only = ''] = process.argv.slice(2);
const directory = defaultDataset();
if (!directory) throw new Error('no dataset is built; run "npm run whereabouts -- build" first');
const store = openDataset(directory);
const { regions } = store;
const perCountry = 1_500;
const resultsOf = <T = Answer>(endpoint: Endpoint, parameters: Record<string, unknown>) =>
  ask(endpoint, store, parameters).results as T[];
const first = (q: string, more: Record<string, unknown> = {}) =>
  (resultsOf(search, { q, limit: 1, ...more }) as (Answer | undefined)[])[0];

const row = rowPrinter(Number(printed), only);

const countries = 'AT AU BR CA CH DE ES GB LI MC NL SE US'.split(' ');
const dumps = new Map(
  countries.map((country) => [country, draw([...postalRows(country)], perCountry, randomNumbers(3))]),
);
const rows = [...dumps.values()].flat();
const keyOf = ({ country, code, place }: Row) => `${country} ${code} ${place}`;

for (const [country, cases] of dumps) row(`region of postal points, ${country}`, cases, keyOf, isInItsRegion);
row('region of postal points, all', rows, keyOf, isInItsRegion);

const towns: GeonamesPlace[] = [];
const table = sharedData('geonames/cities15000-2026-05.zip');
if (table) for await (const batch of geonamesPlaces(table)) towns.push(...batch);
const idOf = ({ id }: GeonamesPlace) => String(id);
const sizes: [string, (town: GeonamesPlace) => boolean][] = [
  ['1M and more', ({ population }) => population >= 1_000_000],
  ['100k to 1M', ({ population }) => population >= 100_000 && population < 1_000_000],
  [
    'smaller capitals of regions',
    ({ population, featureCode }) => population < 100_000 && /^PPL[CA]$/.test(featureCode),
  ],
];
row('region of the centres of cities15000 of 2026', towns, idOf, (town) => {
  const region = regions.find(town.country, town.admin1Code);
  const [found] = resultsOf(reverse, town);
  return region < 0 ? undefined : found.country === town.country && found.admin1 === regions.get(region).name;
});
/** People of the largest place of each name: of several places of one name only one can be the first answer. */
const largest = new Map<string, number>();
for (const { name, population } of towns) largest.set(fold(name), Math.max(largest.get(fold(name)) ?? 0, population));
for (const [size, isOf] of sizes) {
  const famous = towns.filter(isOf);
  row(`famous places by name, ${size}`, famous, idOf, (town) => isAt(first(town.name), town));
  row(
    `of these in the dataset and the largest of their name, ${size}`,
    famous.filter(({ id, name, population }) => store.places.byId(id) >= 0 && population === largest.get(fold(name))),
    idOf,
    (town) => isAt(first(town.name), town),
  );
}
for (const language of catalogues !== '' ? ['ru', 'zh'] : []) {
  const names = catalogue(join(catalogues, language, 'LC_MESSAGES/geonames.mo'));
  const named = towns.filter(({ id, population }) => population >= 100_000 && names.has(String(id)));
  row(`the same in ${language}, 100k and more`, named, idOf, (town) => isAt(first(names.get(idOf(town))!), town));
}

const known = rows.filter(({ country, code }) => resultsOf(postal, { country, code }).length > 0);
const some = draw(known, 2_000, randomNumbers(4));
row('codes in /autocomplete, near', some, keyOf, ({ code, at, country }) =>
  resultsOf<PostalAnswer>(autocomplete, { q: code, ...at, limit: 5 }).some(
    (each) => each.layer === 'postal' && each.country === country && isCode(each.label, code),
  ),
);
row('bare code, near: first answer', some, keyOf, ({ code, at, country }) => {
  const found = first(code, at);
  return found?.country === country && found.layer === 'postal';
});
row(
  'postal positions: the point is in the radius, or within 25 km of a code’s',
  known,
  keyOf,
  ({ country, code, at }) => {
    const found = resultsOf<PostalAnswer>(postal, { country, code }).filter(({ lat }) => lat !== null);
    if (found.length === 0) return undefined;
    return found.some((each) => distanceKm(each, at) <= Math.max(25, each.radius_km ?? 0));
  },
);
const pairs = (isOwn: boolean) =>
  some.map((one, at) => ({ ...one, place: isOwn ? one.place : some[(at + 997) % some.length].place }));
const statusOf = ({ country, code, place }: Row) =>
  ask(validate, store, { country, city: place, postal_code: code }).status;
row(
  '/validate: a pair that goes together is not rejected',
  pairs(true),
  keyOf,
  (pair) => statusOf(pair) !== 'mismatch',
);
row('/validate: a pair that does not is not called valid', pairs(false), keyOf, (pair) => statusOf(pair) !== 'valid');
const assigned = store.countries.assigned.map(({ iso2 }) => iso2);
row('/address without addresses says so', assigned, String, (country) => {
  const { results, coverage } = ask(address, store, { q: '10 Zobelstraße', country }) as {
    results: unknown[];
    coverage: { addresses: number } | null;
  };
  return results.length > 0 || coverage !== null;
});

function* postalRows(country: string): Generator<Row> {
  const path = sharedData(`geonames-postal/${country}.txt`);
  if (!path) return;
  for (const line of readFileSync(path, 'utf8').trim().split('\n')) {
    const [, code, place, name, region, , , , , lat, lng] = line.split('\t');
    const number = regions.find(country, region);
    const named = number >= 0 ? number : regions.list(country, 1).find((each) => fold(each.name) === fold(name));
    const known = typeof named === 'number' ? regions.get(named) : named;
    yield { country, code, place, region: known?.name ?? '', at: { lat: Number(lat), lng: Number(lng) } };
  }
}

/** Whether /reverse has the region that the row has; rows whose region is none of the dataset's are no case. */
function isInItsRegion({ country, region, at }: Row): boolean | undefined {
  if (region === '') return undefined;
  const [found] = resultsOf(reverse, at);
  return found.country === country && found.admin1 === region;
}

function isAt(found: Answer | undefined, town: LatLng): boolean {
  return found !== undefined && distanceKm(found, town) <= 25;
}

function isCode(label: string, code: string): boolean {
  const plain = (text: string) => text.replaceAll(/[^A-Z0-9]/g, '');
  return plain(label).startsWith(plain(code));
}

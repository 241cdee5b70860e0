/**
 * Countries and regions of the default dataset at hard points, at every country's largest place, and at coordinates
 * that the dataset does not hold: postal codes and addresses of ../shared/data.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDataset } from '../src/api/open.ts';
import type { LatLng } from '../src/core/geo.ts';
import { readStreets } from '../src/sources/source-kinds.ts';
import { datasetMissing, defaultDataset, sharedData } from '../test/support/dataset.ts';

const directory = defaultDataset();
const skip = directory === undefined && datasetMissing;
const world = skip ? undefined : openDataset(directory!, { layers: ['world', 'boundaries'] });
const boundaries = world?.boundaries;

const regionAt = (point: LatLng) => {
  const region = boundaries!.admin1At(point);
  return region < 0 ? undefined : world!.regions.get(region);
};

test('every hard point has its country, and its region where one is given', { skip }, () => {
  const wrong: string[] = [];
  const lines = readFileSync(join(import.meta.dirname, 'boundary-points.csv'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  assert.ok(lines.length >= 60);
  for (const line of lines) {
    const [country, isoCode, lat, lng, what] = line.split(';');
    const point = { lat: Number(lat), lng: Number(lng) };
    const found = [boundaries!.countryAt(point) ?? '-', isoCode && regionAt(point)?.isoCode].join();
    if (found !== [country, isoCode].join()) wrong.push(`${what}: ${found}, expected ${country},${isoCode}`);
  }
  assert.deepEqual(wrong, []);
});

test("each of the 249 countries answers at its capital or largest place, if it has one, or at a point of the list's", {
  skip,
}, () => {
  const { countries, places } = world!;
  const wrong = countries.assigned.filter(({ iso2 }) => {
    const [largest] = places.ofCountry(iso2, { limit: 1 });
    return largest !== undefined && boundaries!.countryAt(places.get(largest)) !== iso2;
  });
  assert.deepEqual(wrong, []);
  const withoutPlaces = countries.assigned.filter(({ iso2 }) => places.ofCountry(iso2, { limit: 1 }).length === 0);
  const listed = readFileSync(join(import.meta.dirname, 'boundary-points.csv'), 'utf8');
  for (const { iso2 } of withoutPlaces) assert.match(listed, new RegExp(`^${iso2};`, 'm'), iso2);
});

test('the places of the dataset itself lie in their countries and regions', { skip }, (t) => {
  const { places } = world!;
  let [country, region, regions] = [0, 0, 0];
  for (let i = 0; i < places.size; i++) {
    const place = places.get(i);
    if (boundaries!.countryAt(place) !== place.country) continue;
    country++;
    if (place.admin1 < 0) continue;
    regions++;
    if (boundaries!.admin1At(place) === place.admin1) region++;
  }
  t.diagnostic(`country ${percent(country, places.size)}, region ${percent(region, regions)} of ${places.size} places`);
  assert.ok(country >= 0.999 * places.size);
  assert.ok(region >= 0.98 * regions);
});

/** British post serves islands that are countries of their own. */
const postalIslands: Readonly<Record<string, string>> = { IM: 'IM', GY: 'GG', JE: 'JE' };

test('20,000 postal codes: the country of at least 99.8 %, the region of at least 98 %', (t) => {
  const folder = sharedData('geonames-postal');
  if (skip || !folder) return t.skip(skip || 'needs ../shared/data/geonames-postal');
  let [seen, country, region] = [0, 0, 0];
  for (const iso2 of ['AT', 'AU', 'CA', 'CH', 'DE', 'ES', 'GB', 'LI', 'SE', 'US']) {
    // One region of the dataset for each of the file's codes: the one that most of its points are in.
    const points = postalPoints(join(folder, `${iso2}.txt`)).map((row) => ({
      ...row,
      found: boundaries!.admin1At(row),
    }));
    const regionOf = new Map(
      [...Map.groupBy(points, ({ admin1 }) => admin1)].map(([admin1, rows]) => [
        admin1,
        mostFrequent(rows.map(({ found }) => found)),
      ]),
    );
    const sample = points.filter((_, i) => i % Math.max(1, Math.floor(points.length / 2600)) === 0);
    for (const point of sample) {
      const expected = (iso2 === 'GB' && postalIslands[point.code.slice(0, 2)]) || iso2;
      seen++;
      if (boundaries!.countryAt(point) !== expected) continue;
      country++;
      if (expected !== iso2 || point.found === regionOf.get(point.admin1)) region++;
    }
  }
  t.diagnostic(`country ${percent(country, seen)}, region ${percent(region, country)} of ${seen} points`);
  assert.ok(seen >= 20_000);
  assert.ok(country >= 0.998 * seen);
  assert.ok(region >= 0.98 * country);
});

function postalPoints(path: string) {
  return readFileSync(path, 'utf8')
    .split('\n')
    .map((line) => line.split('\t'))
    .filter((row) => Number(row[11]) >= 4)
    .map((row) => ({ code: row[1], admin1: row[4], lat: Number(row[9]), lng: Number(row[10]) }));
}

function mostFrequent(values: readonly number[]): number {
  const groups = [...Map.groupBy(values, (value) => value)];
  return groups.reduce((a, b) => (b[1].length > a[1].length ? b : a))[0];
}

/** Files of addresses in one country: those whose `addr:country` says another are left out. */
const addressFiles = [
  ['osm/liechtenstein-2024.osm.pbf', 'LI', undefined],
  ['osm/monaco-planetiler.osm.pbf', 'MC', undefined],
  ['osm/fi-helsinki.osm.pbf', 'FI', 'Uusimaa'],
  ['osm/us-baltimore.osm.pbf', 'US', 'Maryland'],
  ['osm/de-dreieich.osm.gz', 'DE', 'Hesse'],
  ['osm/at-krems.osm.gz', 'AT', 'Lower Austria'],
  ['osm/ru-moscow.osm.gz', 'RU', 'Moscow'],
  ['openaddresses/oa-output-alameda/alameda/us/ca/alameda.csv', 'US', 'California'],
  ['openaddresses/oa-output-santa_clara/santa_clara/us/ca/santa_clara.csv', 'US', 'California'],
] as const;

for (const [file, country, region] of addressFiles) {
  test(`addresses of ${file} are in ${country}`, async (t) => {
    const path = sharedData(file);
    if (skip || !path) return t.skip(skip || `needs ../shared/data/${file}`);
    const { seen, right } = await countAddresses(path, country, region);
    t.diagnostic(`${percent(right, seen)} of ${seen} addresses`);
    assert.ok(seen > 200);
    assert.ok(right >= 0.998 * seen);
  });
}

async function countAddresses(path: string, country: string, region: string | undefined) {
  let [seen, right] = [0, 0];
  for await (const { addresses = [] } of readStreets(path.endsWith('.csv') ? 'openaddresses' : 'osm-pbf', path)) {
    for (const address of addresses) {
      if (address.country !== undefined && address.country !== country) continue;
      seen++;
      const isRight = boundaries!.countryAt(address) === country;
      if (isRight && (region === undefined || regionAt(address)?.name === region)) right++;
    }
  }
  return { seen, right };
}

const percent = (part: number, all: number) => `${((100 * part) / all).toFixed(2)} %`;

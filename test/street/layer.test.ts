/** What the builder of the street-level layers does with records: settlements, duplicates, licences. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openStreetLevel } from '../../src/api/open.ts';
import { buildStreetLevel } from '../../src/build/layers/streets.ts';
import { buildSmallDataset } from '../support/small-store.ts';
import { sourceOf } from '../support/small-streets.ts';
import type { AddressRecord } from '../support/street-batches.ts';
import { citiesOf, openStreets } from '../support/street-engines.ts';

async function built(t: TestContext, sources: Parameters<typeof buildStreetLevel>[1]) {
  const directory = mkdtempSync(join(tmpdir(), 'whereabouts-layer-'));
  await buildSmallDataset(directory);
  for (const name of readdirSync(directory)) if (/^(streets|pois).*\.sqlite$/.test(name)) rmSync(join(directory, name));
  const report = await buildStreetLevel({ directory, progress() {} }, sources);
  const level = openStreets(directory, citiesOf(directory));
  t.after(() => {
    level.close();
    rmSync(directory, { recursive: true });
  });
  const find = (text: string, more = {}) => level.addresses.search({ text, limit: 10, ...more });
  return { ...level, directory, report, find };
}

const house = (more: Partial<AddressRecord>): AddressRecord => ({
  street: 'Hauptstraße',
  houseNumber: '1',
  city: 'Berlin',
  country: 'DE',
  lat: 52.48,
  lng: 13.35,
  ...more,
});

test('city, region and country come from the nearest place and the borders where the source has none', async (t) => {
  const { find, report } = await built(t, [
    sourceOf({
      addresses: [
        house({ city: undefined, country: undefined, lat: 48.15, lng: 11.6 }),
        house({ street: 'Nowhere Road', city: undefined, country: undefined, lat: 0, lng: -30 }),
      ],
    }),
  ]);
  const [found] = find('Hauptstr. 1');
  assert.deepEqual([found.city, found.admin1, found.country], ['Munich', 'Bavaria', 'DE']);
  assert.equal(find('Hauptstr. 1, München, Bayern, Germany').length, 1);
  assert.deepEqual(report.also?.addresses?.records, { addresses: 1 });
  assert.deepEqual(report.also?.addresses?.dropped, { 'address in no country': 1 });
});

test('a house that several sources have is returned once, merged at build or at query time', async (t) => {
  const near = house({ lat: 52.4801 });
  const { find, report } = await built(t, [
    sourceOf({ addresses: [house({ postalCode: '10827' })] }, { id: 'one' }),
    sourceOf({ addresses: [near, house({ street: 'HAUPTSTR.', lat: 52.4803, postalCode: '10827' })] }, { id: 'two' }),
    sourceOf({ addresses: [near, house({ lat: 52.49 })] }, { id: 'map', group: 'odbl' }),
  ]);
  const found = find('Hauptstraße 1, Berlin');
  assert.equal(found.length, 2);
  const far = found.filter(({ lat }) => lat === 52.49);
  assert.deepEqual(
    far.map(({ source }) => source),
    ['map'],
  );
  const [close] = found.filter(({ lat }) => lat < 52.49);
  assert.equal(close.postalCode, '10827');
  assert.deepEqual(report.also?.addresses?.records, { addresses: 4 });
});

test('entrances of one house at one source stay apart, its repetitions do not', async (t) => {
  const { find } = await built(t, [
    sourceOf({
      addresses: [house({}), house({ lat: 52.4801 }), house({ lat: 52.4803 }), house({ houseNumber: '1 A' })],
    }),
  ]);
  assert.equal(find('Hauptstraße 1, Berlin').length, 2);
  assert.equal(find('Hauptstraße 1a').length, 1);
});

test('data under the ODbL is in files of its own, and only there', async (t) => {
  const { directory, report } = await built(t, [
    sourceOf({ addresses: [house({})] }, { id: 'open-one' }),
    sourceOf(
      { addresses: [house({})], pois: [{ name: 'Bar', category: 'restaurant', lat: 52.5, lng: 13.4 }] },
      { id: 'map', group: 'odbl' },
    ),
  ]);
  assert.deepEqual(report.files, ['streets-open.sqlite', 'streets-odbl.sqlite']);
  const alone = openStreetLevel(mkdtempSync(join(tmpdir(), 'whereabouts-none-')), {
    resolve: () => undefined,
    countriesNamed: () => [],
    regionsNamed: () => [],
  });
  assert.deepEqual(alone.addresses.search({ text: 'Hauptstraße 1', limit: 10 }), []);
  for (const name of [...report.files, 'pois-odbl.sqlite']) assert.ok(existsSync(join(directory, name)), name);
  rmSync(join(directory, 'streets-odbl.sqlite'));
  const open = openStreets(directory, citiesOf(directory));
  assert.deepEqual(
    open.addresses.search({ text: 'Hauptstraße 1', limit: 10 }).map(({ source }) => source),
    ['open-one'],
  );
  open.close();
});

test('interpolation lines yield positions between their ends', async (t) => {
  const { find } = await built(t, [
    sourceOf({
      addresses: [house({ houseNumber: '1' })],
      interpolations: [
        {
          street: 'Hauptstraße',
          from: 11,
          to: 19,
          step: 2,
          city: 'Berlin',
          country: 'DE',
          line: Float64Array.of(13.35, 52.481, 13.35, 52.489),
        },
      ],
    }),
  ]);
  const [found] = find('Hauptstraße 15, Berlin');
  assert.deepEqual([found.matchType, found.houseNumber], ['interpolated', '15']);
  assert.ok(Math.abs(found.lat - 52.485) < 1e-9);
  assert.equal(find('Hauptstraße 16, Berlin')[0].matchType, 'street');
});

test('a street of thousands of houses answers for each of them', async (t) => {
  const addresses = Array.from({ length: 3000 }, (_, at) =>
    house({ houseNumber: String(at + 1), lat: 52.4 + at * 0.0001 }),
  );
  const { find, addresses: store } = await built(t, [sourceOf({ addresses })]);
  for (const number of [1, 2, 192, 193, 194, 1500, 2999, 3000]) {
    const [found] = find(`Hauptstraße ${number}`);
    assert.deepEqual([found.matchType, found.houseNumber], ['exact', String(number)]);
  }
  assert.equal(find('Hauptstraße 3001')[0].matchType, 'street');
  const [nearest] = store.nearest({ lat: 52.4 + 0.0001 * 999, lng: 13.35 }, { maxKm: 0.05, limit: 1 });
  assert.equal(nearest.houseNumber, '1000');
});

test('a mistake is corrected to what a street is called, not to an abbreviation nor to a mere kind of street', async (t) => {
  const named = (name: string) => ({
    name,
    city: 'Berlin',
    country: 'DE',
    lat: 52.48,
    lng: 13.35,
    lines: [Float64Array.of(13.35, 52.48, 13.351, 52.48)],
  });
  const { streets, find } = await built(t, [
    sourceOf({
      streets: ['Senda R', 'Rue Verte', 'Main Street', 'Mill Ave'].map(named),
      addresses: [house({ street: 'Senda R' }), house({ street: 'Main Street' })],
    }),
  ]);
  const called = (text: string) => streets.search({ text, radiusKm: 5, limit: 10 }).map(({ name }) => name);
  assert.deepEqual(called('rue').sort(), ['Rue Verte', 'Senda R']);
  // One letter from `rue`, for which `R` stands; from `street`; from `ave`.
  for (const text of ['true', 'stret', 'aver']) assert.deepEqual(called(text), [], text);
  assert.deepEqual(find('true 1'), []);
  assert.deepEqual(called('Main Stret'), ['Main Street']);
  assert.equal(find('Main Stret 1')[0].houseNumber, '1');
  assert.deepEqual(called('Sendo R'), ['Senda R']);
});

test('the house comes before what is in it, and takes over the postal code it lacks', async (t) => {
  const shop = { isPart: true as const, postalCode: '10827' };
  const { find } = await built(t, [
    sourceOf({
      addresses: [
        house({ ...shop, lat: 52.4805 }),
        house({ ...shop, lat: 52.48005 }),
        house({}),
        house({ houseNumber: '2', ...shop }),
      ],
    }),
  ]);
  const [first, second] = find('Hauptstraße 1, Berlin');
  assert.deepEqual([first.lat, first.postalCode], [52.48, '10827']);
  assert.equal(second.lat, 52.4805);
  assert.equal(find('Hauptstraße 2, Berlin').length, 1);
});

test('a word that is dropped leaves more than a kind of street; rare words are names, whatever they are short for', async (t) => {
  const common = Array.from({ length: 120 }, (_, at) =>
    house({ street: `Windsor${'abcdefghij'[at % 10]}${'klmnopqrstuv'[at % 12]} Terrace` }),
  );
  const { find } = await built(t, [
    sourceOf({
      addresses: [
        ...common,
        house({ street: 'Polk Street', houseNumber: '601' }),
        house({ street: 'Grove Street', houseNumber: '401' }),
      ],
    }),
  ]);
  const first = (text: string) => find(text)[0]?.street;
  assert.equal(first('PLK ST 601'), 'Polk Street');
  assert.equal(first('GROVE T 401'), 'Grove Street');
  assert.equal(first('ASH T 1'), undefined);
});

test('a text that no street has does not match one that shares only a number or three letters with it', async (t) => {
  const { addresses, streets } = await built(t, [
    sourceOf({
      streets: ['12 de Octubre', 'William Summers III Avenue'].map((name) => ({
        name,
        city: 'Chemnitz',
        country: 'DE',
        lat: 52.48,
        lng: 13.35,
        lines: [Float64Array.of(13.35, 52.48, 13.351, 52.48)],
      })),
      addresses: [
        house({ street: 'Bahnhofstraße', city: 'San Jorge' }),
        house({ street: '14TH ST', houseNumber: '337' }),
      ],
    }),
  ]);
  const find = (text: string, city?: string) => addresses.search({ text, city, limit: 10 }).map(({ street }) => street);
  assert.deepEqual(find('qqqqzz 12'), []);
  // A number with a mistyped kind of street next to it is enough.
  assert.deepEqual(find('14th aSt 337'), ['14TH ST']);
  assert.deepEqual(find('zzzz'), []);
  assert.deepEqual(streets.search({ text: 'zzzz', radiusKm: 5, limit: 10 }), []);
  // `san` is a letter from `nan`; of a requested city, no other word shows that it was mistyped.
  assert.deepEqual(find('Bahnhofstr 1', 'Nan Jorge'), []);
  assert.deepEqual(find('Bahnhofstr 1', 'San Jorge'), ['Bahnhofstraße']);
});

test('a point at sea is one of the layer, and of no country', async (t) => {
  const lightship = { category: 'tourism' as const, name: 'Lightship', lat: 30.1, lng: -40.1 };
  const cafe = { category: 'restaurant' as const, name: 'Café', lat: 52.48, lng: 13.35 };
  const { report } = await built(t, [sourceOf({ pois: [lightship, cafe] })]);
  assert.deepEqual(report.also!.pois!.records, { pois: 2 });
  const { countries } = report.also!.pois!;
  assert.deepEqual(countries, { DE: 1, none: 1 });
});

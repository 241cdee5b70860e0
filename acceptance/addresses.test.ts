/**
 * Addresses of real places over real data: the two countries of the default dataset, and eleven more from the files
 * next to the project. Positions are those of the publishers, read by other tools (osmium export; the CSV itself).
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openDataset } from '../src/api/open.ts';
import { distanceKm } from '../src/core/geo.ts';
import { endpoints } from '../src/endpoints/index.ts';
import type { Store } from '../src/store/store.ts';
import { ask } from '../test/support/ask.ts';
import { datasetMissing, defaultDataset, sharedData } from '../test/support/dataset.ts';
import { testService } from '../test/support/service.ts';
import { importStreetFiles, type StreetDataset } from '../test/support/street-dataset.ts';

const { address } = endpoints;

/**
 * The query, and the house (number and street as the source spells the queried name) and position expected in the
 * answer.
 */
type Row = readonly [
  country: string,
  q: string,
  house: string,
  matchType: string,
  lat: number,
  lng: number,
  withinM: number,
];

const byDefault: readonly Row[] = [
  ['UY', 'Avenida 18 de Julio 932, Montevideo', '932 Avenida 18 de Julio', 'exact', -34.90638, -56.1963, 25],
  ['UY', 'av 18 de julio 931 bis', '931 BIS Avenida 18 de Julio', 'exact', -34.90615, -56.19633, 25],
  ['UY', '18 de Julio 932 CP 11100', '932 Avenida 18 de Julio', 'exact', -34.90638, -56.1963, 25],
  // Not in the data, unlike the houses next to it.
  ['UY', 'Avenida 18 de Julio 1200, Montevideo', '1200 Avenida 18 de Julio', 'interpolated', -34.90592, -56.19016, 60],
  ['KZ', 'проспект Кабанбай Батыра 46/1', '46/1 проспект Кабанбай Батыра', 'exact', 51.11437, 71.41289, 25],
  ['KZ', 'prospekt Kabanbay Batyra 46/1, Astana', '46/1 проспект Кабанбай Батыра', 'exact', 51.11437, 71.41289, 25],
];

const files: readonly string[] = [
  'osm/liechtenstein-2024.osm.pbf',
  'osm/monaco-planetiler.osm.pbf',
  'osm/fi-helsinki.osm.pbf',
  'osm/us-baltimore.osm.pbf',
  'osm/de-dreieich.osm.gz',
  'osm/at-krems.osm.gz',
  'osm/ru-moscow.osm.gz',
  'openaddresses/oa-output-alameda/alameda/us/ca/alameda.csv',
  'openaddresses/source-layouts/BAN_licence_gratuite_repartage_75.zip',
  'openaddresses/source-layouts/nl.zip',
  'openaddresses/source-layouts/iceland.zip',
];

const imported: readonly Row[] = [
  ['LI', 'Städtle 15, 9490 Vaduz', '15 Städtle', 'exact', 47.1406122, 9.5228179, 25],
  ['LI', 'FL-9497 Triesenberg, untere gschindstr. 42', '42 Untere Gschindstrasse', 'exact', 47.1215608, 9.5391908, 25],
  ['MC', '19 bd de Suisse, 98000 Monaco', '19 Boulevard de Suisse', 'exact', 43.7381042, 7.4228809, 25],
  ['FI', 'Yrjönkatu 16, Helsinki', '16 Yrjönkatu', 'exact', 60.1653097, 24.9423015, 25],
  ['FI', 'Georgsgatan 16, Helsinki', '16 Georgsgatan', 'exact', 60.1653097, 24.9423015, 25],
  [
    'US',
    '2120 E Fairmount Ave, Baltimore MD 21231',
    '2120 East Fairmount Avenue',
    'exact',
    39.2930418,
    -76.5866517,
    25,
  ],
  ['US', '1216 Santa Clara Avenue, Alameda CA', '1216 SANTA CLARA AV', 'exact', 37.7727802, -122.2637604, 25],
  ['DE', 'Münzenbergstr. 21, 63303 Dreieich', '21 Münzenbergstraße', 'exact', 50.0010315, 8.7044028, 25],
  ['AT', 'Florianigasse 4, 3500 Krems', '4 Florianigasse', 'exact', 48.411137, 15.6114497, 25],
  ['RU', 'ул. Руставели, д. 3, Москва', '3 улица Руставели', 'exact', 55.8130456, 37.5836694, 25],
  ['RU', 'ulitsa Rustaveli 3, Moscow', '3 улица Руставели', 'exact', 55.8130456, 37.5836694, 25],
  ['FR', '17 rue Gramme 75015 Paris', '17 rue gramme', 'exact', 48.8451104, 2.2960344, 25],
  [
    'NL',
    'Pastoor Gielenstraat 34x, 1614 LN Lutjebroek',
    '34x Pastoor Gielenstraat',
    'exact',
    52.6964603,
    5.2086175,
    25,
  ],
  ['IS', '3. Gata við Rauðavatn 4', '4 3.Gata v/Rauðavatn', 'exact', 64.1105793, -21.7686414, 25],
];

type Answer = { house_number: string; street: string; country: string; match_type: string; lat: number; lng: number };

/** Sends the query, compares the answer with the row, and returns the country of the answer. */
function check(store: Store, [country, q, house, matchType, lat, lng, withinM]: Row): string {
  const [first] = ask(address, store, { q, country }).results as Answer[];
  assert.ok(first, `${q} has an answer`);
  assert.equal(`${first.house_number} ${first.street}`, house);
  assert.deepEqual([first.country, first.match_type], [country, matchType], JSON.stringify(first));
  assert.ok(distanceKm(first, { lat, lng }) * 1000 <= withinM, JSON.stringify(first));
  return first.country;
}

describe('addresses of the default dataset', () => {
  const directory = defaultDataset();
  let store: Store | undefined;
  before(() => {
    if (directory) store = openDataset(directory);
  });
  after(() => store?.close());
  for (const row of byDefault) {
    test(`${row[0]}: ${row[1]}`, (t) => {
      if (!store?.addresses) return t.skip(datasetMissing);
      check(store, row);
    });
  }
  test('a word for another kind of street is not read as a place', (t) => {
    if (!store?.addresses) return t.skip(datasetMissing);
    const [{ components }] = ask(address, store, { q: 'Calle 18 de Julio 932' }).results as {
      components: { component: string; input: string | null; status: string }[];
    }[];
    const { component, status } = components.find(({ input }) => input === 'Calle')!;
    assert.deepEqual([component, status], ['other', 'unread']);
  });
  test('the settlement and region are in the language asked, in every interface', (t) => {
    if (!store?.addresses) return t.skip(datasetMissing);
    const q = 'Avenida 18 de Julio 932, Montevideo';
    for (const endpoint of [address, endpoints.search]) {
      const [first] = ask(endpoint, store, { q, lang: 'ru' }).results as { city: string; admin1: string }[];
      assert.deepEqual([first.city, first.admin1], ['Монтевидео', 'Монтевидео']);
    }
    const [town] = ask(address, store, { street: 'Nowhere 1', city: 'Astana', lang: 'en' }).results as {
      city: string;
    }[];
    assert.equal(town.city, 'Astana');
  });
});

test('a street is found through Nominatim and Photon whichever other countries are asked, in any order', async (t) => {
  const directory = defaultDataset();
  if (!directory) return t.skip(datasetMissing);
  const current = openDataset(directory);
  const { ask: get } = await testService(t, { store: { current } });
  t.after(() => current.close());
  const q = 'Carlos de la Vega 12 Montevideo';
  for (const codes of ['uy', 'de,us,uy', 'us,de,uy', 'br,ar,uy', 'uy,us,de', 'de,uy']) {
    const places = await get(`/nominatim/search?${new URLSearchParams({ q, countrycodes: codes })}`);
    assert.match(JSON.stringify(places.body), /"display_name":"Carlos de la Vega, Montevideo/, codes);
    const features = await get(`/photon/api?${new URLSearchParams({ q, countrycode: codes })}`);
    assert.match(JSON.stringify(features.body), /"name":"Carlos de la Vega"/, codes);
  }
});

describe('addresses of files next to the project', () => {
  const dataset = defaultDataset();
  const paths = files.map(sharedData);
  const isThere = dataset !== undefined && paths.every((path) => path !== undefined);
  let streets: StreetDataset | undefined;
  let store: Store;
  before(async () => {
    if (!isThere) return;
    streets = await importStreetFiles(dataset, paths as string[]);
    store = { ...openDataset(dataset), addresses: streets.addresses };
  });
  after(() => streets?.remove());
  for (const row of imported) {
    test(`${row[0]}: ${row[1]}`, (t) => {
      if (!isThere) return t.skip(dataset ? 'needs ../shared/data' : datasetMissing);
      check(store, row);
    });
  }

  test('twelve countries and more have addresses', (t) => {
    if (!isThere) return t.skip(dataset ? 'needs ../shared/data' : datasetMissing);
    const atHome = openDataset(dataset);
    const answered = [...imported.map((row) => check(store, row)), ...byDefault.map((row) => check(atHome, row))];
    atHome.close();
    assert.ok(new Set(answered).size >= 12, [...new Set(answered)].join());
  });
});

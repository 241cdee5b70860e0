import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { regionSources } from '../../src/commands/read-source.ts';
import { loadConfig } from '../../src/config.ts';
import { UsageError } from '../../src/errors.ts';
import { type FileServer, startFileServer } from './file-server.ts';

let server: FileServer;
let mirrors: { geofabrikMirror: string; geonamesMirror: string; openaddressesMirror: string };

/** What is to be downloaded for countries; without `isAgreed` only what is small. */
const sourcesOf = (region: string, from: string, more: Partial<typeof mirrors> & { isAgreed?: boolean } = {}) => {
  const { isAgreed = true, ...others } = more;
  const config = loadConfig({ environment: {}, overrides: { ...mirrors, ...others } });
  return regionSources(config, { region, from, isAgreed });
};

const feature = (id: string, name: string, codes: string[] | undefined, path: string) => ({
  type: 'Feature',
  properties: {
    id,
    name,
    ...(codes && { 'iso3166-1:alpha2': codes }),
    urls: { pbf: `https://download.geofabrik.de/${path}-latest.osm.pbf` },
  },
  geometry: null,
});

// Peculiarities of Geofabrik's real index: shared extracts, a wrong code, countries without one, one code twice.
const features = [
  feature('europe', 'Europe', undefined, 'europe'),
  feature('liechtenstein', 'Liechtenstein', ['LI'], 'europe/liechtenstein'),
  feature('dach', 'Germany, Austria, Switzerland', ['AT', 'CH', 'DE', 'LI'], 'europe/dach'),
  feature('senegal-and-gambia', 'Senegal and Gambia', ['SN', 'GM'], 'africa/senegal-and-gambia'),
  feature('malaysia-singapore-brunei', 'Malaysia, Singapore, and Brunei', ['MY'], 'asia/malaysia-singapore-brunei'),
  feature('american-oceania', 'American Oceania', ['VU'], 'australia-oceania/american-oceania'),
  feature('vanuatu', 'Vanuatu', ['VU'], 'australia-oceania/vanuatu'),
  feature('great-britain', 'Great Britain', ['GB'], 'europe/great-britain'),
  feature('united-kingdom', 'United Kingdom', ['GB'], 'europe/united-kingdom'),
  feature('cuba', 'Cuba', undefined, 'central-america/cuba'),
  feature('us', 'United States of America', ['US'], 'north-america/us'),
  feature('us/puerto-rico', 'Puerto Rico', ['PR'], 'north-america/us/puerto-rico'),
];

before(async () => {
  server = await startFileServer(Buffer.from('pbf'));
  const base = new URL('/', server.url).href;
  mirrors = { geofabrikMirror: base, geonamesMirror: base, openaddressesMirror: new URL('/api/', server.url).href };
  for (const name of ['LI.zip', 'GB.zip', 'GB_full.csv.zip']) server.files.set(`/export/zip/${name}`, 'zip');
  server.files.set('/index-v1.json', JSON.stringify({ type: 'FeatureCollection', features }));
  const result = (source: string, job: number, more: object = {}) => ({
    ...{ id: job, fabric: true, source, updated: 1, layer: 'addresses', name: 'country', job, latest_job: job },
    ...{ size: 1000 + job, output: { cache: true, output: true, preview: true, validated: false }, ...more },
  });
  server.files.set(
    '/api/data?source=li%2F&layer=addresses',
    JSON.stringify([
      result('li/countrywide', 7),
      // The API finds the text anywhere in the name.
      result('us/mn/li/somewhere', 8),
      result('li/broken', 9, { output: { cache: true, output: false, preview: false, validated: false } }),
    ]),
  );
  server.files.set('/api/data?source=us%2F&layer=addresses', '{"status":400}');
  server.files.set('/europe/liechtenstein-latest.osm.pbf', 'twelve bytes');
});
after(() => server.close());

test('a country is its own extract, from the mirror, not the publisher the index names', async () => {
  // It is small and there, so that nobody needs to agree.
  const [extract] = await sourcesOf('LI', 'osm', { isAgreed: false });
  assert.equal(extract.from, new URL('/europe/liechtenstein-latest.osm.pbf', server.url).href);
  assert.deepEqual([extract.kind, extract.file], ['osm-pbf', 'liechtenstein.osm.pbf']);
});

test('a country has the extract that covers it best', async () => {
  for (const [country, path] of [
    ['SN', 'africa/senegal-and-gambia'],
    ['AT', 'europe/dach'],
    // Not in the index by code: by the extract it lies in, by name.
    ['SG', 'asia/malaysia-singapore-brunei'],
    ['CU', 'central-america/cuba'],
    // Two extracts have one code: the one with the country's name.
    ['VU', 'australia-oceania/vanuatu'],
    ['GB', 'europe/united-kingdom'],
    ['US', 'north-america/us'],
    ['PR', 'north-america/us/puerto-rico'],
  ]) {
    const [extract] = await sourcesOf(country, 'osm');
    assert.equal(new URL(extract.from).pathname, `/${path}-latest.osm.pbf`, country);
  }
});

test('postal codes are in a country’s file, whole ones of three countries in a further file', async () => {
  const extracts = await sourcesOf('LI,GB', 'postal');
  assert.deepEqual(
    extracts.map(({ kind, from, file }) => [kind, new URL(from).pathname, file]),
    [
      ['geonames-postal', '/export/zip/LI.zip', 'geonames-postal-LI.zip'],
      ['geonames-postal', '/export/zip/GB.zip', 'geonames-postal-GB.zip'],
      ['geonames-postal', '/export/zip/GB_full.csv.zip', 'geonames-postal-GB_full.csv.zip'],
    ],
  );
});

test('OpenAddresses: the latest result of each of the country’s sources, its size and its licence', async () => {
  // Its size is that of the list, as a download needs an account.
  const extracts = await sourcesOf('LI', 'openaddresses', { isAgreed: false });
  const api = (path: string) => new URL(path, mirrors.openaddressesMirror).href;
  assert.deepEqual(extracts, [
    {
      name: 'openaddresses-li-countrywide-addresses-c',
      kind: 'openaddresses',
      from: api('job/7/output/source.geojson.gz'),
      file: 'openaddresses/li/countrywide-addresses-country.geojson.gz',
      note: api('job/7'),
    },
  ]);
  await assert.rejects(sourcesOf('US', 'openaddresses'), {
    message: /did not return a list of results .* check openaddressesMirror/,
  });
});

test('a country without an extract, and an invalid mirror, are refused by name', async () => {
  await assert.rejects(
    sourcesOf('AQ', 'osm'),
    (error: Error) => error instanceof UsageError && /no OpenStreetMap extract of AQ/.test(error.message),
  );
  const geofabrikMirror = new URL('/nothing/', server.url).href;
  await assert.rejects(
    sourcesOf('LI', 'osm', { geofabrikMirror }),
    (error: Error) => error instanceof UsageError && /answered 404/.test(error.message),
  );
});

test('a file that is missing or of unknown size needs a yes, and missing postal codes are left out', async () => {
  await assert.rejects(sourcesOf('SN', 'osm', { isAgreed: false }), /would download .*; confirm with --yes/);
  const away = { geonamesMirror: 'http://127.0.0.1:1/' };
  assert.equal((await sourcesOf('LI', 'postal', away)).length, 1);
  await assert.rejects(sourcesOf('LI', 'postal', { ...away, isAgreed: false }), /confirm with --yes/);
  await assert.rejects(sourcesOf('SN', 'postal'), /^UsageError: postal have nothing for SN$/);
});

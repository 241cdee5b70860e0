import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { findExtracts, type Mirrors, remoteSize } from '../../src/download/extracts.ts';
import { UsageError } from '../../src/errors.ts';
import { type FileServer, startFileServer } from './file-server.ts';

let server: FileServer;
let mirrors: Mirrors;

const feature = (id: string, codes: string[], path: string) => ({
  type: 'Feature',
  properties: { id, 'iso3166-1:alpha2': codes, urls: { pbf: `https://download.geofabrik.de/${path}-latest.osm.pbf` } },
  geometry: null,
});

before(async () => {
  server = await startFileServer(Buffer.from('pbf'));
  const base = new URL('/', server.url).href;
  mirrors = { geofabrik: base, geonames: base, openaddresses: base };
  const features = [
    {
      type: 'Feature',
      properties: { id: 'europe', urls: { pbf: 'https://download.geofabrik.de/europe-latest.osm.pbf' } },
    },
    feature('liechtenstein', ['LI'], 'europe/liechtenstein'),
    feature('dach', ['AT', 'CH', 'DE', 'LI'], 'europe/dach'),
    feature('malaysia-singapore-brunei', ['MY', 'SG', 'BN'], 'asia/malaysia-singapore-brunei'),
  ];
  server.files.set('/index-v1.json', JSON.stringify({ type: 'FeatureCollection', features }));
  server.files.set(
    '/state.txt',
    'source\tcache\tprocessed\nus/ca/alameda.json\t\trun/us/ca/alameda.zip\nus/ca/broken.json\t\t\nli/countrywide.json\t\trun/li/countrywide.zip\n',
  );
  server.files.set('/europe/liechtenstein-latest.osm.pbf', 'twelve bytes');
});
after(() => server.close());

test('a country is its own extract, from the mirror, not the publisher the index names', async () => {
  const [extract] = await findExtracts(['LI'], ['osm'], mirrors);
  assert.equal(extract.url, new URL('/europe/liechtenstein-latest.osm.pbf', server.url).href);
  assert.deepEqual([extract.kind, extract.fileName], ['osm-pbf', 'liechtenstein.osm.pbf']);
  assert.equal(await remoteSize(extract.url), 12);
});

test('a country that shares an extract gets the smallest that covers it', async () => {
  const [extract] = await findExtracts(['SG'], ['osm'], mirrors);
  assert.match(extract.url, /malaysia-singapore-brunei-latest\.osm\.pbf$/);
});

test('postal codes and OpenAddresses follow their publishers’ layouts', async () => {
  const extracts = await findExtracts(['LI'], ['postal', 'openaddresses'], mirrors);
  assert.deepEqual(
    extracts.map(({ kind, url }) => [kind, new URL(url).pathname]),
    [
      ['geonames-postal', '/export/zip/LI.zip'],
      ['openaddresses', '/run/li/countrywide.zip'],
    ],
  );
  assert.equal(
    (await findExtracts(['US'], ['openaddresses'], mirrors)).length,
    1,
    'a source without a result is left out',
  );
});

test('a country without an extract, and a mirror that is none, are refused by name', async () => {
  await assert.rejects(
    findExtracts(['AQ'], ['osm'], mirrors),
    (error: Error) => error instanceof UsageError && /no OpenStreetMap extract for AQ/.test(error.message),
  );
  const wrong = { ...mirrors, geofabrik: new URL('/nothing/', server.url).href };
  await assert.rejects(
    findExtracts(['LI'], ['osm'], wrong),
    (error: Error) => error instanceof UsageError && /answered 404/.test(error.message),
  );
});

test('a size that the server does not state is unknown', async () => {
  assert.equal(await remoteSize(new URL('/missing', server.url).href), undefined);
});

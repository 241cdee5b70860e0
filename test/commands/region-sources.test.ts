import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, relative } from 'node:path';
import { type TestContext, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { fetchSource, regionSources } from '../../src/commands/read-source.ts';
import { loadConfig } from '../../src/config.ts';
import { hashOf } from '../download/file-server.ts';
import { temporaryDirectory } from '../support/temporary.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A server on a free port that answers by path and records its requests. */
async function serve(t: TestContext, answers: Record<string, Answer | string | Buffer>) {
  const requests: { path: string; authorization: string | undefined }[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    requests.push({ path: `${request.method} ${path}`, authorization: request.headers.authorization });
    const answer = answers[path];
    if (answer === undefined) response.writeHead(404).end();
    else if (typeof answer === 'function') answer(request, response);
    else {
      response.writeHead(200, { ETag: '"1"', 'Content-Length': Buffer.byteLength(answer) });
      response.end(request.method === 'HEAD' ? undefined : answer);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close().closeAllConnections());
  return { base: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, requests };
}

const moved =
  (to: string): Answer =>
  (_, response) =>
    response.writeHead(302, { Location: to }).end();

/** The publishers' layouts on three servers: Geofabrik, GeoNames, OpenAddresses' API that leads to its store. */
async function publishers(t: TestContext) {
  const pbf = Buffer.from('not read here');
  const geofabrik = await serve(t, {
    '/index-v1.json': JSON.stringify({
      features: ['LI', 'MC'].map((code) => ({
        properties: {
          id: code.toLowerCase(),
          'iso3166-1:alpha2': [code],
          urls: { pbf: `https://download.geofabrik.de/europe/${code.toLowerCase()}-latest.osm.pbf` },
        },
      })),
    }),
    // `latest` leads to the file of the day.
    '/europe/li-latest.osm.pbf': moved('/europe/li-261120.osm.pbf'),
    '/europe/li-latest.osm.pbf.md5': `${hashOf('md5', pbf)}  li-261120.osm.pbf\n`,
    '/europe/li-261120.osm.pbf': pbf,
    '/europe/mc-latest.osm.pbf': pbf,
  });
  const geonames = await serve(t, { '/export/zip/LI.zip': 'zip' });
  const store = await serve(t, { '/batch-prod/job/7/source.geojson.gz': gzipSync('{"type":"Feature"}\n') });
  const openaddresses = await serve(t, {
    '/api/data?source=li%2F&layer=addresses': JSON.stringify([
      { source: 'li/countrywide', layer: 'addresses', name: 'country', job: 7, size: 50, output: { output: true } },
    ]),
    '/api/job/7': JSON.stringify({ id: 7, source_name: 'li/countrywide', license: { text: 'OGD v2' } }),
    '/api/job/7/output/source.geojson.gz': (request, response) =>
      request.headers.authorization === 'Bearer oa.secret'
        ? moved(`${store.base}batch-prod/job/7/source.geojson.gz`)(request, response)
        : response.writeHead(403).end('{"status":403,"message":"Authentication Required"}'),
  });
  const dataDirectory = temporaryDirectory(t);
  const config = (more: object = {}) =>
    loadConfig({
      environment: {},
      overrides: {
        dataDirectory,
        geofabrikMirror: geofabrik.base,
        geonamesMirror: geonames.base,
        openaddressesMirror: `${openaddresses.base}api`,
        ...more,
      },
    });
  return { config, dataDirectory, geofabrik, store };
}

test('extracts of countries are found, reported, fetched and checked', async (t) => {
  const { config, dataDirectory, geofabrik, store } = await publishers(t);
  const settings = config({ openaddressesToken: 'oa.secret' });
  const sources = await regionSources(settings, { region: 'li', from: 'osm,postal,openaddresses', isAgreed: true });
  assert.deepEqual(
    sources.map(({ name, kind }) => [name, kind]),
    [
      ['li', 'osm-pbf'],
      ['geonames-postal-li', 'geonames-postal'],
      ['openaddresses-li-countrywide-addresses-c', 'openaddresses'],
    ],
  );
  const fetched = await Promise.all(sources.map((source) => fetchSource(source, settings)));
  assert.deepEqual(
    fetched.map(({ path }) => relative(join(dataDirectory, 'downloads'), path).replace(/^[0-9a-f]{12}/, '*')),
    ['*/li.osm.pbf', '*/geonames-postal-LI.zip', '*/openaddresses/li/countrywide-addresses-country.geojson.gz'],
  );
  assert.equal(readFileSync(fetched[0].path, 'utf8'), 'not read here');
  assert.equal(fetched[0].etag, '"1"');
  const addresses = fetched[2].path;
  assert.equal(gunzipSync(readFileSync(addresses)).toString(), '{"type":"Feature"}\n');
  // The licence lies next to the file, where the reader of licences looks for it.
  assert.equal(JSON.parse(readFileSync(addresses.replace(/gz$/, 'meta'), 'utf8')).license.text, 'OGD v2');
  assert.ok(geofabrik.requests.some(({ path }) => path === 'GET /europe/li-latest.osm.pbf.md5'));
  assert.deepEqual(
    store.requests.map(({ authorization }) => authorization).filter((header) => header !== undefined),
    [],
    'the token goes to the API alone, not to where it leads',
  );
});

test('a country without postal codes is built without them; one that no publisher has is refused', async (t) => {
  const { config } = await publishers(t);
  const ask = { region: 'LI,MC', from: 'osm,postal', isAgreed: true };
  const sources = await regionSources(config(), ask);
  assert.deepEqual(
    sources.map(({ kind }) => kind),
    ['osm-pbf', 'osm-pbf', 'geonames-postal'],
  );
  await assert.rejects(regionSources(config(), { ...ask, region: 'MC', from: 'postal' }), {
    name: 'UsageError',
    message: 'postal have nothing for MC',
  });
});

test('files that no requested layer uses are not sources', async (t) => {
  const { config } = await publishers(t);
  const ask = {
    region: 'LI',
    from: 'osm,postal',
    isAgreed: true,
    isRead: (kind: string) => kind === 'geonames-postal',
  };
  const sources = await regionSources(config(), ask);
  assert.deepEqual(
    sources.map(({ kind }) => kind),
    ['geonames-postal'],
  );
  await assert.rejects(regionSources(config(), { ...ask, isRead: () => false }), {
    name: 'UsageError',
    message: /osm, postal have no data for the layers to build; add their --layer/,
  });
});

test('a mirror cannot cause a write outside the folder of downloads', async (t) => {
  for (const source of ['li/../../../outside', 'li//outside', 'li/./outside']) {
    const result = { source, layer: 'addresses', name: 'country', job: 7, size: 50 };
    const { base } = await serve(t, {
      '/api/data?source=li%2F&layer=addresses': JSON.stringify([result]),
      '/api/job/7': '{}',
      '/api/job/7/output/source.geojson.gz': gzipSync('{"type":"Feature"}\n'),
    });
    const dataDirectory = temporaryDirectory(t);
    const overrides = { dataDirectory: join(dataDirectory, 'data'), openaddressesMirror: `${base}api` };
    const config = loadConfig({ environment: {}, overrides });
    const [found] = await regionSources(config, { region: 'LI', from: 'openaddresses', isAgreed: true });
    await assert.rejects(fetchSource(found, config), {
      name: 'UsageError',
      message: /li\/.*outside.* is not a valid name for a download.*check the mirror/,
    });
    assert.deepEqual(readdirSync(dataDirectory), []);
  }
});

test('a download that needs a login says so', async (t) => {
  const { config } = await publishers(t);
  const [source] = await regionSources(config(), { region: 'LI', from: 'openaddresses', isAgreed: true });
  await assert.rejects(fetchSource(source, config()), {
    name: 'UsageError',
    message: /answered 403.*asks for a sign-in: see "Downloads"/,
  });
});

test('a redirect is followed; an address without a file name is refused with the remedy', async (t) => {
  const { base } = await serve(t, {
    '/latest/LI.zip': moved('/2026/LI-1.zip'),
    '/2026/LI-1.zip': 'content',
    '/other/LI.zip': 'other content',
    '/L%20I%2F..%2F%C3%A4.zip': 'content',
    '/50%ff.zip': 'content',
  });
  const settings = loadConfig({ environment: {}, overrides: { dataDirectory: temporaryDirectory(t) } });
  const fetched = async (from: string) => (await fetchSource({ name: 'x', from }, settings)).path;
  const path = await fetched(`${base}latest/LI.zip`);
  assert.match(path, /\/downloads\/.*LI\.zip$/);
  const contentOf = (file: string) => readFileSync(file, 'utf8');
  assert.equal(contentOf(path), 'content');
  assert.equal(contentOf(await fetched(`${base}other/LI.zip`)), 'other content');
  assert.equal(contentOf(path), 'content', 'a file of the same name from elsewhere is another file');
  assert.match(await fetched(`${base}L%20I%2F..%2F%C3%A4.zip`), /\/L_I_\.\._ä\.zip$/);
  assert.match(await fetched(`${base}50%ff.zip`), /\/50_ff\.zip$/);
  await assert.rejects(fetched(`${base}latest/?id=1`), {
    name: 'UsageError',
    message: /does not end in a file name; download it yourself and pass the file/,
  });
  await assert.rejects(fetched('https://'), { name: 'UsageError', message: /is not a complete address; expected/ });
  await assert.rejects(fetched(`${base}nothing/here.zip`), {
    name: 'UsageError',
    message: /here\.zip answered 404.*check the address/,
  });
});

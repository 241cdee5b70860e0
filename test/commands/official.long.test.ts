/** `build --official` as people type it, against a mirror of the publishers' layouts with small real files. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { openPromise } from 'yauzl';
import { currentVersion, readManifest } from '../../src/store/manifest.ts';
import { emptyDirectory } from '../support/data-directory.ts';
import { freePort } from '../support/free-port.ts';
import { type Publisher, startPublisher } from '../support/publisher.ts';
import { sharedData } from '../support/shared-data.ts';
import { zipFile } from '../support/zip-writer.ts';

/** The countries of the small world. */
const countries = new Set(['DE', 'FR', 'GB', 'US', 'LI']);

/** Fills the mirror with real rows of these countries; false if there are none here. */
async function publish(t: TestContext, { files }: Publisher): Promise<boolean> {
  const dump = sharedData(t, 'geonames/cities15000-2026-05.zip');
  const postal = sharedData(t, 'geonames-postal/DE.txt');
  const table = (name: string) => readFileSync(sharedData(t, name)!);
  if (!dump || !postal) return false;
  const places: string[] = [];
  const zip = await openPromise(dump);
  for await (const entry of zip.eachEntry()) {
    const lines = createInterface({ input: await zip.openReadStreamPromise(entry) });
    for await (const line of lines) if (countries.has(line.split('\t')[8])) places.push(line);
  }
  const zipped = (name: string, text: string) => ({ content: zipFile({ [name]: text }) });
  files.set('export/dump/allCountries.zip', zipped('allCountries.txt', places.join('\n')));
  const names = table('geonames/samples/test_alternateNamesV2.txt').toString();
  files.set('export/dump/alternateNamesV2.zip', zipped('alternateNamesV2.txt', names));
  files.set('export/dump/admin1CodesASCII.txt', { content: table('geonames/admin1CodesASCII-2026-05.txt') });
  files.set('export/dump/admin2Codes.txt', { content: table('geonames/admin2Codes-2026-05.txt') });
  files.set('export/dump/countryInfo.txt', { content: table('geonames/countryInfo-2026-07.txt') });
  files.set('export/zip/allCountries.zip', zipped('allCountries.txt', readFileSync(postal, 'utf8')));
  const month = new Date().toISOString().slice(0, 7);
  for (const [name, file] of [
    ['city', 'GeoLite2-City-Test'],
    ['asn', 'GeoLite2-ASN-Test'],
  ])
    files.set(`free/dbip-${name}-lite-${month}.mmdb.gz`, { content: gzipSync(table(`mmdb/test-data/${file}.mmdb`)) });
  return true;
}

/** A command in a process of its own, while the mirror answers in this one. */
async function whereabouts(directory: string, mirror: string, ...args: string[]) {
  const program = join(import.meta.dirname, '../../src/main.ts');
  const environment = { WHEREABOUTS_GEONAMES_MIRROR: mirror, WHEREABOUTS_DBIP_MIRROR: mirror };
  const child = spawn(process.execPath, [program, '--data-directory', directory, ...args], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const [status] = await once(child, 'close');
  return { status, output };
}

/** The layers that the small default packages of the tests suffice for. */
const official = ['build', '--official', '--yes', '--keep-sources', '--layer', 'world', 'zones', 'ip'];

test('one command brings the world of the month: a broken download goes on, a wrong checksum is refused', async (t) => {
  const publisher = await startPublisher(t);
  if (!(await publish(t, publisher))) return;
  const directory = await emptyDirectory(t);
  publisher.files.get('export/dump/allCountries.zip')!.breaksAt = 400_000;
  const table = publisher.files.get('export/dump/countryInfo.txt')!;
  const sum = 'export/dump/countryInfo.txt.md5';
  publisher.files.set(sum, { content: Buffer.from('0123456789abcdef0123456789abcdef  countryInfo.txt\n') });
  const refused = await whereabouts(directory, publisher.base, ...official);
  assert.notEqual(refused.status, 0);
  assert.match(refused.output, /countryInfo\.txt.*md5/i);
  const resumed = publisher.requests.filter((request) => /^GET .*allCountries\.zip bytes=[1-9]\d*-$/.test(request));
  assert.equal(resumed.length, 1, 'the download goes on');
  assert.equal(currentVersion(directory), undefined, 'nothing is built');

  publisher.files.set(sum, { content: Buffer.from(hash('md5', table.content)) });
  publisher.requests.length = 0;
  const built = await whereabouts(directory, publisher.base, ...official);
  assert.equal(built.status, 0, built.output);
  assert.ok(publisher.requests.includes('GET export/dump/countryInfo.txt'));
  assert.deepEqual(
    publisher.requests.filter((request) => request.startsWith('GET export/dump/allCountries.zip')),
    [],
    'what has arrived is not fetched again',
  );
  const manifest = readManifest(join(directory, currentVersion(directory)!));
  assert.ok(manifest.layers.world!.records.places > 5000, 'the places of the dump');
  assert.equal(manifest.layers.postal, undefined);
  const tables = manifest.layers.ip!.sources.map((id) =>
    manifest.sources.find((source) => source.id === id)!.title.slice(0, 13),
  );
  assert.deepEqual(tables, ['GeoLite2 City', 'GeoLite2 ASN '], 'the tables of the month');

  const port = await freePort();
  const offline = await whereabouts(directory, `http://127.0.0.1:${port}/`, 'update', '--official', '--yes');
  assert.notEqual(offline.status, 0);
  assert.match(offline.output, /does not answer; .*--source:/);
  for (const path of [...publisher.files.keys()].filter((each) => each !== sum))
    assert.ok(offline.output.includes(path), path);
  assert.equal(currentVersion(directory), manifest.version, 'the dataset stays');
});

/** The official files of the world: what is asked for, from mirrors of the publishers' layouts. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { officialSources } from '../../src/commands/read-source.ts';
import { loadConfig } from '../../src/config.ts';
import { freePort } from '../support/free-port.ts';
import { startPublisher } from '../support/publisher.ts';

const geonames = [
  'export/dump/allCountries.zip',
  'export/dump/alternateNamesV2.zip',
  'export/dump/admin1CodesASCII.txt',
  'export/dump/admin2Codes.txt',
  'export/dump/countryInfo.txt',
  'export/zip/allCountries.zip',
  'export/zip/CA_full.csv.zip',
  'export/zip/GB_full.csv.zip',
  'export/zip/NL_full.csv.zip',
];
const content = Buffer.from('not read here');

/** The sources of a day. */
const sourcesOf = (t: TestContext, base: string, now: string) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.parse(now) });
  const config = loadConfig({ environment: {}, overrides: { geonamesMirror: base, dbipMirror: base } });
  return officialSources(config, { isAgreed: true });
};

test('the world is made of GeoNames and of the newest tables of DB-IP, those of last month where this month has none', async (t) => {
  const publisher = await startPublisher(t);
  for (const path of [...geonames, 'free/dbip-city-lite-2026-11.mmdb.gz', 'free/dbip-asn-lite-2026-10.mmdb.gz'])
    publisher.files.set(path, { content });
  const files = await sourcesOf(t, publisher.base, '2026-11-24T12:00:00Z');
  assert.deepEqual(
    files.map(({ from }) => from.slice(publisher.base.length)),
    [...geonames, 'free/dbip-city-lite-2026-11.mmdb.gz', 'free/dbip-asn-lite-2026-10.mmdb.gz'],
  );
  assert.equal(new Set(files.map(({ file }) => file)).size, files.length, 'each file has a name of its own');
});

test('a publisher without a table of two months is reported with both addresses', async (t) => {
  const publisher = await startPublisher(t);
  await assert.rejects(
    sourcesOf(t, publisher.base, '2026-01-01T00:00:00Z'),
    /neither .*city-lite-2026-01\.mmdb\.gz nor .*city-lite-2025-12\.mmdb\.gz; .*dbipMirror/,
  );
});

test('without a network every file is named, with the way of a file', async (t) => {
  const publisher = await startPublisher(t);
  const port = await freePort();
  const config = loadConfig({
    environment: {},
    overrides: { geonamesMirror: publisher.base, dbipMirror: `http://127.0.0.1:${port}/` },
  });
  await assert.rejects(officialSources(config, { isAgreed: true }), (error: Error) => {
    assert.match(error.message, new RegExp(`127\\.0\\.0\\.1:${port} does not answer; .* pass each with --source:`));
    for (const path of geonames) assert.ok(error.message.includes(path), path);
    assert.match(error.message, /dbip-asn-lite-\d{4}-\d\d\.mmdb\.gz/);
    return true;
  });
});

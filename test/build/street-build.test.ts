/** A build of the street-level layers that fails or is killed leaves the old dataset as it was. */
import assert from 'node:assert/strict';
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openDataset } from '../../src/api/open.ts';
import { currentVersion } from '../../src/store/manifest.ts';
import { builtNames, dataDirectory, firstVersion } from '../support/data-directory.ts';
import { pbfFile } from '../support/osm-writer.ts';
import { temporaryFile } from '../support/temporary.ts';
import { assertUntouched, build, firstOf, town } from '../support/town-build.ts';

test('user files replace the street-level layers; all other layers are kept', async (t) => {
  const directory = await dataDirectory(t);
  const manifest = await build(directory, temporaryFile(t, 'town.osm.pbf', town(120)));
  assert.equal(currentVersion(directory), manifest.version);
  assert.deepEqual(manifest.layers.addresses?.records, { addresses: 120 });
  assert.ok(manifest.layers.postal && manifest.layers.ip);
  assert.ok(manifest.sources.some(({ id, licence }) => id === 'openstreetmap' && licence === 'ODbL-1.0'));
  assert.equal(firstOf(directory, 'Gasse 1 12, Berlin').street, 'Gasse 1');
  assert.equal(firstOf(directory, '10 Downing Street'), undefined);
  assert.deepEqual(
    manifest.layers.streets?.files.map(({ name }) => name),
    ['streets-odbl-town.sqlite'],
  );
});

test('a row full of marks or blanks holds a build no longer than others', { timeout: 60_000 }, async (t) => {
  const directory = await dataDirectory(t);
  const marks = `a${'\u0301\u0323'.repeat(100_000)}`;
  const blanks = `1${' '.repeat(200_000)}1`;
  const rows = [
    ['Chausseestraße', '1'],
    [marks, '2'],
    ['Chausseestraße', marks],
    ['Chausseestraße', blanks],
    [blanks, '3'],
  ].map(([street, number], at) => `13.38,52.5${at},"${number}","${street}",,Berlin,,,10115,,${at}`);
  const file = temporaryFile(
    t,
    'de.csv',
    `LON,LAT,NUMBER,STREET,UNIT,CITY,DISTRICT,REGION,POSTCODE,ID,HASH\n${rows.join('\n')}\n`,
  );
  const { layers } = await build(directory, file, 'openaddresses');
  assert.deepEqual(layers.addresses?.dropped, { 'address with a text of more than 500 characters': 4 });
  assert.equal(firstOf(directory, 'Chausseestraße 1, Berlin').match_type, 'exact');
});

test('what a source writes for a country counts where it is one, in any letters; else the position does', async (t) => {
  const at = (country: string, id: number) => ({
    ...{ id, lat: 52.4 + id / 1000, lng: 13.3 },
    tags: {
      amenity: 'cafe',
      name: `Café ${id}`,
      'addr:housenumber': `${id}`,
      'addr:street': 'Weg',
      'addr:country': country,
    },
  });
  const map = pbfFile({ nodes: ['DE', 'de', 'UK', 'xx', 'Germany'].map((country, id) => at(country, id + 1)) });
  const { layers } = await build(await dataDirectory(t), temporaryFile(t, 'cafes.osm.pbf', map));
  assert.deepEqual([layers.addresses?.countries, layers.pois?.countries], [{ DE: 5 }, { DE: 5 }]);
});

test('a broken input is refused by name and changes nothing', async (t) => {
  const directory = await dataDirectory(t);
  const whole = town(120);
  const broken: [name: string, content: Uint8Array | string][] = [
    ['empty.osm.pbf', ''],
    ['half.osm.pbf', whole.subarray(0, whole.length >> 1)],
    ['text.osm.pbf', 'this is no map'],
    ['flipped.osm.pbf', whole.map((byte, at) => (at === whole.length - 40 ? byte ^ 0xff : byte))],
  ];
  for (const [name, content] of broken) {
    await assert.rejects(
      build(directory, temporaryFile(t, name, content)),
      ({ message }: Error) => message.includes(name),
      name,
    );
    assert.deepEqual(builtNames(directory), [firstVersion], name);
    assertUntouched(directory);
  }
});

test('a damaged file of a dataset is refused when it is opened', async (t: TestContext) => {
  const directory = await dataDirectory(t);
  const path = join(directory, firstVersion, 'streets-open-small.sqlite');
  const whole = readFileSync(path);
  truncateSync(path, 100);
  assert.throws(
    () => openDataset(join(directory, firstVersion)),
    /is damaged: streets-open-small\.sqlite \(100 bytes, expected \d+\); build the dataset again/,
  );
  writeFileSync(path, whole);
  assertUntouched(directory);
});

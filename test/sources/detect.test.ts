import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { detectSource } from '../../src/build/user-files.ts';
import { temporaryDirectory, temporaryFile } from '../support/temporary.ts';
import { zipFile } from '../support/zip-writer.ts';

const postalRow = `${['LI', '9490', 'Vaduz', 'Vaduz', '01', '', '', '', '', '47.14', '9.52', '6'].join('\t')}\n`;
const placeRow = `${['1', 'Vaduz', 'Vaduz', '', '47.14', '9.52', 'P', 'PPLC', 'LI', '', '01', '', '', '', '5197', '', '455', 'Europe/Vaduz', '2024-01-01'].join('\t')}\n`;

test('official names determine the kind', async (t) => {
  const directory = temporaryDirectory(t);
  for (const [name, kind] of [
    ['liechtenstein-latest.osm.pbf', 'osm-pbf'],
    ['allCountries.osm.bz2', 'osm-xml'],
    ['GeoLite2-City.mmdb', 'mmdb'],
    ['part-00000.zstd.parquet', 'overture'],
    ['cities500.zip', 'geonames-places'],
    ['alternateNamesV2.zip', 'geonames-alternate-names'],
    // Tab-separated in spite of their name.
    ['GB_full.csv.zip', 'geonames-postal'],
    ['NL_full.txt', 'geonames-postal'],
    ['adresses-75.csv.gz', 'ban'],
    ['adresses-france.csv.gz', 'ban'],
    ['bagadres-full.csv.zip', 'bag'],
    ['Stadfangaskra.csv', 'stadfang'],
    ['source.geojson.gz', 'openaddresses'],
    ['alameda.csv', 'openaddresses'],
  ] as const) {
    assert.equal(await detectSource(join(directory, name)), kind, name);
  }
});

test('a zip is recognised by what is in it, a text table by its columns', async (t) => {
  const directory = temporaryDirectory(t);
  const written = (name: string, bytes: string | Buffer) => {
    const path = join(directory, name);
    writeFileSync(path, bytes);
    return path;
  };
  const readme = 'Readme for GeoNames\nline\n';
  for (const [name, bytes, kind] of [
    ['LI.zip', zipFile({ 'readme.txt': readme, 'LI.txt': postalRow }), 'geonames-postal'],
    ['MC.zip', zipFile({ 'readme.txt': readme, 'MC.txt': placeRow }), 'geonames-places'],
    ['allCountries.txt', postalRow, 'geonames-postal'],
    ['collection-global.zip', zipFile({ 'LICENSE.txt': 'x', 'us/ca/alameda.csv': 'LON,LAT\n' }), 'openaddresses'],
    ['europe.zip', zipFile({ 'at/x.geojson': '{}', 'at/x.geojson.meta': '{}' }), 'openaddresses'],
  ] as const) {
    assert.equal(await detectSource(written(name, bytes)), kind, name);
  }
});

test("GML of Poland's register is refused, with where its addresses are", async (t) => {
  for (const path of [
    temporaryFile(t, 'lodzkie.gml', '<x/>'),
    temporaryFile(t, 'punkty.zip', zipFile({ 'lodzkie.gml': '<x/>' })),
  ])
    await assert.rejects(detectSource(path), {
      name: 'UsageError',
      message: /is GML.*OpenAddresses has its addresses/,
    });
});

test('an unrecognised file is reported with its contents and how to name its kind', async (t) => {
  const zip = temporaryFile(t, 'x.zip', zipFile({ 'a.dbf': 'x', 'a.shp': 'x', 'a.shx': 'x', 'a.prj': 'x' }));
  await assert.rejects(detectSource(zip), {
    message: /a zip of a\.dbf, a\.shp, a\.shx …; pass it as kind=.*x\.zip, where/,
  });
  // OpenAddresses' other layers have no addresses.
  await assert.rejects(
    detectSource(temporaryFile(t, 'x-parcels-county.geojson', '{}')),
    /the kind of the source .* cannot be detected/,
  );
  const text = temporaryFile(t, 'notes.txt', 'one\ttwo\n');
  await assert.rejects(detectSource(text), {
    name: 'UsageError',
    message: /the kind of the source .*notes\.txt cannot be detected; pass it/,
  });
  await assert.rejects(detectSource(temporaryFile(t, 'empty.zip', '')), { message: /empty/ });
});

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { userStreetSources } from '../../src/build/layers/streets/sources.ts';
import type { SourceKind } from '../../src/sources/source-kinds.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { zipFile } from '../support/zip-writer.ts';

const feature =
  '{"type":"Feature","properties":{"number":"1","street":"A"},"geometry":{"type":"Point","coordinates":[1,2]}}';
const meta = (source: string, license: unknown) =>
  JSON.stringify({ source_name: source, layer: 'addresses', license }, null, 4);

const described = async (userFiles: Partial<Record<SourceKind, string[]>>) =>
  (await userStreetSources((kind) => userFiles[kind] ?? [])).map(({ group, info }) => ({ group, ...info }));

test('an OpenAddresses collection is credited by the notes of its sources', async (t) => {
  const path = join(temporaryDirectory(t), 'europe.zip');
  writeFileSync(
    path,
    zipFile({
      'at/countrywide-addresses-country.geojson': feature,
      'at/countrywide-addresses-country.geojson.meta': meta('at/countrywide', {
        url: 'https://creativecommons.org/licenses/by/4.0/',
        text: 'CC BY 4.0',
        attribution: true,
        'attribution name': '© Österreichisches Adressregister',
        'share-alike': false,
      }),
      'nl/countrywide-addresses-country.geojson': feature,
      'nl/countrywide-addresses-country.geojson.meta': meta('nl/countrywide', { text: 'CC0 1.0', attribution: false }),
      'kz/countrywide-addresses-country.geojson': feature,
      'kz/countrywide-addresses-country.geojson.meta': meta('kz/countrywide', false),
    }),
  );
  const [source] = await described({ openaddresses: [path] });
  assert.equal(source.group, 'open');
  assert.equal(source.licence, 'CC BY 4.0; CC0 1.0');
  assert.equal(source.attribution, 'OpenAddresses; © Österreichisches Adressregister');
  assert.equal(source.version, 'europe.zip');
});

test('share-alike sources go to the files that are under a share-alike licence', async (t) => {
  const directory = temporaryDirectory(t);
  const free = join(directory, 'alameda.geojson');
  writeFileSync(free, feature);
  // The note of a packed file lies next to it, under the name of the unpacked file.
  const bound = join(directory, 'jefferson.geojson.gz');
  writeFileSync(bound, feature);
  const note = { text: 'ODbL 1.0', 'attribution name': 'Jefferson County', 'share-alike': true };
  writeFileSync(join(directory, 'jefferson.geojson.meta'), meta('us/wa/jefferson', note));
  const sources = await described({ openaddresses: [free, bound] });
  assert.deepEqual(
    sources.map(({ id, group, licence, attribution, version }) => [id, group, licence, attribution, version]),
    [
      [
        'openaddresses',
        'open',
        'as the publisher of each source says: https://batch.openaddresses.io/data',
        'OpenAddresses and the publishers of its sources',
        'alameda.geojson',
      ],
      ['openaddresses-share-alike', 'odbl', 'ODbL 1.0', 'OpenAddresses; Jefferson County', 'jefferson.geojson.gz'],
    ],
  );
});

test('files of one publisher under the same terms are one source; Overture has terms for each theme', async (t) => {
  const extract = join(temporaryDirectory(t), 'li.osm.pbf');
  writeFileSync(extract, '');
  const overture = (name: string) => join(import.meta.dirname, '../sources/overture', name);
  const sources = await described({
    'osm-pbf': [extract],
    'osm-xml': ['mc.osm'],
    overture: [overture('places.parquet'), overture('addresses.parquet')],
  });
  assert.deepEqual(
    sources.map(({ id, group, version }) => [id, group, version]),
    [
      ['openstreetmap', 'odbl', 'li.osm.pbf, mc.osm'],
      ['openstreetmap', 'odbl', 'li.osm.pbf, mc.osm'],
      ['overture-places', 'open', 'places.parquet'],
      ['overture-addresses', 'open', 'addresses.parquet'],
    ],
  );
  assert.match(sources[2].licence, /CDLA-Permissive-2\.0/);
  assert.match(sources[2].attribution, /Foursquare/);
  assert.match(sources[3].url, /attribution\/#addresses/);
});

test('the French register of 2015 stands under the licence that its file names', async () => {
  const sources = await described({
    ban: ['adresses-75.csv.gz', 'BAN_odbl_75.csv', 'BAN_licence_gratuite_repartage_75.zip'],
  });
  assert.deepEqual(
    sources.map(({ id, group, licence }) => [id, group, licence]),
    [
      ['ban', 'open', 'Licence Ouverte 2.0 (Etalab)'],
      ['ban-odbl', 'odbl', 'ODbL-1.0'],
      ['ban-repartage', 'odbl', 'Licence gratuite de repartage (IGN, La Poste, 2015)'],
    ],
  );
});

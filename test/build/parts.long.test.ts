/** Parts of a dataset whose sources are gone, damaged or replaced. */
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { build } from '../../src/commands/run-build.ts';
import { update } from '../../src/commands/update.ts';
import { currentVersion } from '../../src/store/manifest.ts';
import { dataDirectory } from '../support/data-directory.ts';
import { writeMmdb } from '../support/mmdb-writer.ts';
import { readSources, writeSources } from '../support/source-list.ts';
import { temporaryFile } from '../support/temporary.ts';
import { add, configOf, manifestOf, village } from '../support/villages.ts';

test('a listed source that cannot be read keeps its data, which is said, and the others are built again', async (t) => {
  const directory = await dataDirectory(t);
  await add(t, directory, 'long.osm.pbf', village('Lange Gasse', 'Potsdam', 52.39));
  await add(t, directory, 'monaco.osm.pbf', village('Rue Grimaldi', 'Munich', 48.1));
  const [gone, still] = ['long', 'monaco'].map(
    (name) => manifestOf(directory).parts!.find((part) => part.name === name)!,
  );
  const list = readSources(directory);
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
  const listed = readSources(directory).find(({ name }) => name === 'long');
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
  const list = readSources(directory);
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
  const hashOf = async (name: string) => readSources(directory).find((source) => source.name === name)!.hash;
  assert.equal(await hashOf('long'), `sha256:${hash('sha256', whole)}`, 'so that an update reads the file again');

  // The small dataset's own source cannot be read either.
  const namesOf = (failures: readonly string[]) =>
    failures
      .map((failure) => failure.split(':')[0])
      .filter((name) => name !== 'small')
      .sort();
  // The others too: there is nothing new, and no dataset of it.
  // Cut elsewhere, as one file in two sources is refused.
  writeFileSync(fileOf('monaco'), whole.subarray(0, whole.length - 50));
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
    readSources(directory).map(({ from }) => from),
    ['/the/tests', next],
  );
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
  writeSources(directory, [...readSources(directory), { name: 'made-city', from: path }]);
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

/** `whereabouts sources` and `whereabouts update`: a dataset follows its list of sources, and these their publishers. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { rollBack } from '../../src/build/versions.ts';
import { update } from '../../src/commands/update.ts';
import { loadConfig } from '../../src/config.ts';
import { currentVersion, readManifest } from '../../src/store/manifest.ts';
import { dataDirectory, runProgram } from '../support/data-directory.ts';
import { pbfFile } from '../support/osm-writer.ts';
import { startPublisher } from '../support/publisher.ts';
import { readSources, writeSources } from '../support/source-list.ts';
import { temporaryDirectory, temporaryFile } from '../support/temporary.ts';

const street = (name: string, houses: number) =>
  pbfFile({
    nodes: Array.from({ length: houses }, (_, at) => ({
      id: at + 1,
      lat: 52.4 + at * 0.001,
      lng: 13.3,
      tags: { 'addr:housenumber': String(at + 1), 'addr:street': name, 'addr:city': 'Berlin', 'addr:country': 'DE' },
    })),
  });

const configOf = (directory: string) => loadConfig({ environment: {}, overrides: { dataDirectory: directory } });
const manifestOf = (directory: string) => readManifest(join(directory, currentVersion(directory)!));
/** Addresses of each part except the default ones. */
const addressesOf = (directory: string) =>
  Object.fromEntries(
    manifestOf(directory)
      .parts!.filter(({ name }) => name !== 'worldwide' && name !== 'small')
      .map(({ name, layers }) => [name, layers.addresses.records.addresses]),
  );
const keep = { keepSources: true };

/** A data directory whose list names only these sources. */
async function withList(t: Parameters<typeof dataDirectory>[0], sources: Parameters<typeof writeSources>[1]) {
  const directory = await dataDirectory(t);
  writeSources(directory, sources);
  return directory;
}

test('a source added to the list by hand is built, and a removed one is dropped; nothing else is built', async (t) => {
  const file = temporaryFile(t, 'one.osm.pbf', street('Gasse', 20));
  const directory = await withList(t, [{ name: 'one', from: file }]);
  const first = await update(configOf(directory), keep);
  assert.deepEqual(first.failures, []);
  assert.deepEqual(addressesOf(directory), { one: 20 });
  const world = manifestOf(directory).layers.world;

  const other = temporaryFile(t, 'two.osm.pbf', street('Weg', 30));
  writeSources(directory, [...readSources(directory), { name: 'two', from: other }]);
  await update(configOf(directory), keep);
  assert.deepEqual(addressesOf(directory), { one: 20, two: 30 });
  assert.equal(readSources(directory)[1].kind, 'osm-pbf');

  writeSources(directory, readSources(directory).slice(1));
  await update(configOf(directory), keep);
  assert.deepEqual(addressesOf(directory), { two: 30 });
  assert.deepEqual(manifestOf(directory).layers.world, world);
  assert.equal((await update(configOf(directory), keep)).manifest, undefined, 'nothing has changed');
});

test('what a pulled dataset was made of elsewhere stays in it until it is removed or given a place by name', async (t) => {
  const places = [
    temporaryFile(t, 'one.osm.pbf', street('Gasse', 20)),
    temporaryFile(t, 'two.osm.pbf', street('Weg', 30)),
  ];
  const builder = await withList(t, [
    { name: 'one', from: places[0] },
    { name: 'two', from: places[1] },
  ]);
  await update(configOf(builder), keep);
  const published = temporaryDirectory(t);
  assert.equal(runProgram(builder, 'publish', published).status, 0);

  const node = await withList(t, [{ name: 'three', from: temporaryFile(t, 'three.osm.pbf', street('Platz', 5)) }]);
  assert.equal(runProgram(node, 'pull', published).status, 0);
  assert.deepEqual((await update(configOf(node), keep)).failures, []);
  assert.deepEqual(addressesOf(node), { one: 20, two: 30, three: 5 });
  const rebuilt = runProgram(node, 'build', '--layer', 'addresses');
  assert.match(rebuilt.stderr, /two: its files are where the dataset was built that was pulled; its data are kept/);
  assert.deepEqual(addressesOf(node), { one: 20, two: 30, three: 5 });

  assert.equal(runProgram(node, 'sources', 'remove', 'one').status, 0);
  await update(configOf(node), keep);
  assert.deepEqual(addressesOf(node), { two: 30, three: 5 });
  runProgram(node, 'sources', 'add', '--name', 'two', temporaryFile(t, 'other.osm.pbf', street('Allee', 31)));
  await update(configOf(node), keep);
  assert.deepEqual(addressesOf(node), { two: 31, three: 5 });

  // As an older program pulled it, whose lists named no such sources.
  const pulled = temporaryDirectory(t);
  assert.equal(runProgram(pulled, 'pull', published).status, 0);
  for (const directory of [pulled, join(pulled, currentVersion(pulled)!)]) rmSync(join(directory, 'sources.json'));
  assert.equal((await update(configOf(pulled), keep)).manifest, undefined, 'nothing has changed');
  assert.deepEqual(readSources(pulled), [
    { name: 'one', from: 'published' },
    { name: 'two', from: 'published' },
  ]);

  // And as a version of an older schema, which is built again from its sources: none of those that are elsewhere is left out.
  for (const directory of [pulled, join(pulled, currentVersion(pulled)!)]) rmSync(join(directory, 'sources.json'));
  const path = join(pulled, currentVersion(pulled)!, 'manifest.json');
  writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), schemaVersion: 6 }));
  const refused = runProgram(pulled, 'build');
  assert.notEqual(refused.status, 0);
  assert.match(
    refused.stderr,
    /its files are where the dataset was built that was pulled .*"whereabouts sources remove/,
  );
});

test('what its publisher changed is fetched and built; what is reported unchanged is not fetched', async (t) => {
  const publisher = await startPublisher(t);
  publisher.files.set('one.osm.pbf', { content: street('Gasse', 20) });
  publisher.files.set('two.osm.pbf', { content: street('Weg', 30) });
  const directory = await withList(t, [
    { name: 'one', from: `${publisher.base}one.osm.pbf` },
    { name: 'two', from: `${publisher.base}two.osm.pbf` },
  ]);
  await update(configOf(directory), keep);
  assert.deepEqual(addressesOf(directory), { one: 20, two: 30 });
  const [{ etag, hash }] = readSources(directory);
  assert.match(etag!, /^"[0-9a-f]{16}"$/);

  publisher.requests.length = 0;
  assert.equal((await update(configOf(directory), keep)).manifest, undefined);
  assert.deepEqual(publisher.requests.sort(), ['HEAD one.osm.pbf', 'HEAD two.osm.pbf']);

  publisher.files.set('one.osm.pbf', { content: street('Gasse', 25) });
  await update(configOf(directory), keep);
  assert.deepEqual(addressesOf(directory), { one: 25, two: 30 });
  assert.ok(publisher.requests.includes('GET one.osm.pbf') && !publisher.requests.includes('GET two.osm.pbf'));
  const [after] = readSources(directory);
  assert.notEqual(after.etag, etag);
  assert.notEqual(after.hash, hash);
});

test('a server without entity tags is checked by date, and one without either by content', async (t) => {
  const publisher = await startPublisher(t);
  const dated = { hasTag: false, modified: new Date('2026-01-01T00:00:00Z') };
  publisher.files.set('one.osm.pbf', { content: street('Gasse', 20), ...dated });
  publisher.files.set('two.osm.pbf', { content: street('Weg', 30), hasTag: false });
  const directory = await withList(t, [
    { name: 'one', from: `${publisher.base}one.osm.pbf` },
    { name: 'two', from: `${publisher.base}two.osm.pbf` },
  ]);
  await update(configOf(directory), keep);
  assert.equal(readSources(directory)[0].date, '2026-01-01T00:00:00.000Z');

  publisher.requests.length = 0;
  assert.equal((await update(configOf(directory))).manifest, undefined);
  assert.ok(!publisher.requests.includes('GET one.osm.pbf'));
  publisher.files.set('one.osm.pbf', { ...dated, content: street('Gasse', 21), modified: new Date('2026-02-01') });
  await update(configOf(directory), keep);
  assert.deepEqual(addressesOf(directory), { one: 21, two: 30 });
  publisher.files.set('two.osm.pbf', { content: street('Weg', 31), hasTag: false });
  await update(configOf(directory), keep);
  assert.deepEqual(addressesOf(directory), { one: 21, two: 31 });
});

test('an unavailable source keeps its data, the others are updated, and the failure is reported', async (t) => {
  const publisher = await startPublisher(t);
  publisher.files.set('one.osm.pbf', { content: street('Gasse', 20) });
  const file = temporaryFile(t, 'two.osm.pbf', street('Weg', 30));
  const directory = await withList(t, [
    { name: 'one', from: `${publisher.base}one.osm.pbf` },
    { name: 'two', from: file },
  ]);
  await update(configOf(directory), keep);
  publisher.files.delete('one.osm.pbf');
  writeFileSync(file, street('Weg', 31));
  const list = readSources(directory);
  writeSources(directory, [...list, { name: 'gone', from: join(directory, 'gone.osm.pbf') }]);
  const { failures } = await update(configOf(directory), keep);
  assert.match(
    failures.join('\n'),
    /^one: .*one\.osm\.pbf no longer exists; its data are kept.*\ngone: there is no file /,
  );
  assert.deepEqual(addressesOf(directory), { one: 20, two: 31 });
  assert.deepEqual(
    readSources(directory).map(({ name }) => name),
    ['one', 'two', 'gone'],
  );
});

test('the command lists, adds and removes sources, and refuses what it does not know', async (t) => {
  const directory = await dataDirectory(t);
  const file = temporaryFile(t, 'one-latest.osm.pbf', street('Gasse', 20));
  const run = (...args: string[]) => runProgram(directory, ...args);
  assert.match(run('sources', 'add', file).stdout, /^added one: .*one-latest\.osm\.pbf\n.*"whereabouts update"/);
  assert.match(run('sources').stdout, /^small .*\none +not built +\/.*one-latest\.osm\.pbf$/m);
  assert.match(run('update', '--keep-sources').stdout, /^\d+T\d+Z is current\n$/);
  assert.match(run('sources').stdout, /^one +osm-pbf +20\d\d-\d\d-\d\d +\/.* \(ODbL-1\.0\)$/m);
  assert.match(run('update', '--keep-sources').stdout, /^nothing has changed\n$/);
  const edition = join(dirname(file), 'one-261101.osm.pbf');
  writeFileSync(edition, street('Gasse', 21));
  assert.match(run('sources', 'add', edition).stdout, /^replaced one: .*one-261101/);
  assert.match(run('sources', 'remove', 'one').stdout, /^removed one\./);
  // By codes of districts, which might be dates: sources that are added together are no editions of each other.
  const folder = temporaryDirectory(t);
  const districts = ['110101', '110102'].map((code) => join(folder, `x-${code}.osm.pbf`));
  for (const district of districts) writeFileSync(district, street('Gasse', 20));
  assert.match(run('sources', 'add', ...districts).stdout, /^added x: .*110101.*\nadded x-2: .*110102/);
  run('sources', 'remove', 'x', 'x-2');
  // A file is not taken for the default data of its name.
  const samples = temporaryFile(t, 'samples.osm.pbf', street('Gasse', 20));
  assert.match(run('sources', 'add', samples).stdout, /^added source: /);
  run('sources', 'remove', 'source');
  assert.match(
    run('sources', 'add', samples, '--name', 'samples').stderr,
    /the name samples is taken by the default data/,
  );
  assert.match(run('sources', 'add', 'samples').stdout, /^added samples: default$/m);
  const unknown = run('sources', 'remove', 'one');
  assert.equal(unknown.status, 2);
  assert.match(unknown.stderr, /there is no source one; the list has small, samples$/m);
  writeFileSync(join(directory, 'sources.json'), '{"sources":[{"name":"A b","from":"x"}]}');
  assert.match(run('sources').stderr, /sources\.json: the name "A b" is not valid/);
  writeFileSync(join(directory, 'sources.json'), '{"sources":[{"name":"a"}]}');
  assert.match(run('update').stderr, /sources\.json: \/sources\/0 must have the property from/);
  assert.match(run('update', '--every', 'day').stderr, /--every is "day", expected a time/);
});

test('--every keeps checking, whatever fails', async (t) => {
  const publisher = await startPublisher(t);
  publisher.files.set('one.osm.pbf', { content: street('Gasse', 20) });
  const directory = await withList(t, [{ name: 'one', from: `${publisher.base}one.osm.pbf` }]);
  const program = join(import.meta.dirname, '../../src/main.ts');
  const args = [program, '--data-directory', directory, 'update', '--keep-sources', '--every', '1s'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  t.after(() => child.kill('SIGKILL'));
  child.stderr!.resume();
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout! })) {
    lines.push(line);
    if (lines.length === 1) publisher.files.set('one.osm.pbf', { content: Buffer.from('broken') });
    const notes = lines.filter((one) => one.endsWith('is current')).length;
    if (notes === 2) break;
    // An unreadable file was reported on standard error; now it is repaired.
    publisher.files.set('one.osm.pbf', { content: street('Gasse', 24) });
  }
  assert.deepEqual(addressesOf(directory), { one: 24 });
  child.kill('SIGTERM');
  if (child.exitCode === null) await once(child, 'exit');
  assert.equal(child.exitCode, 0);
  assert.ok(readFileSync(join(directory, 'sources.json'), 'utf8').includes('"hash"'));
});

test('what was rolled back is not built again by updates, until its source has something newer', async (t) => {
  const file = temporaryFile(t, 'one.osm.pbf', street('Gasse', 20));
  const directory = await withList(t, [{ name: 'one', from: file }]);
  await update(configOf(directory), keep);
  writeFileSync(file, street('Gasse', 22));
  const bad = (await update(configOf(directory), keep)).manifest?.version;
  await rollBack(directory);
  const { manifest, failures } = await update(configOf(directory), keep);
  assert.equal(manifest, undefined);
  assert.match(
    failures.join(),
    new RegExp(`^one: its files are those of ${bad}, .*"whereabouts build --source .* reads`),
  );
  assert.deepEqual(addressesOf(directory), { one: 20 });

  writeFileSync(file, street('Gasse', 24));
  assert.deepEqual((await update(configOf(directory), keep)).failures, []);
  assert.deepEqual(addressesOf(directory), { one: 24 });
});

test('a file that two sources have is refused, by its place or its content', async (t) => {
  const folder = temporaryDirectory(t);
  const file = join(folder, 'one.osm.pbf');
  writeFileSync(file, street('Gasse', 20));
  const copy = temporaryFile(t, 'copy.osm.pbf', street('Gasse', 20));
  const directory = await withList(t, [{ name: 'one', from: file }]);
  await update(configOf(directory), keep);
  for (const source of [copy, folder]) {
    const { status, stderr } = runProgram(directory, 'build', '--keep-sources', '--source', source);
    assert.equal(status, 2, stderr);
    assert.match(stderr, /have the same file .*\.osm\.pbf, whose records would count twice; .*sources remove one"\n$/);
  }
  assert.deepEqual(addressesOf(directory), { one: 20 });
});

test('a build that makes the same data again makes no version', async (t) => {
  const file = temporaryFile(t, 'one.osm.pbf', street('Gasse', 20));
  const directory = await withList(t, []);
  const build = () => runProgram(directory, 'build', '--keep-sources', '--accept-loss', '--source', file);
  assert.equal(build().status, 0);
  const version = currentVersion(directory);
  const again = build();
  assert.equal(again.status, 0, again.stderr);
  assert.match(again.stderr, new RegExp(`\nnothing has changed: ${version} stays current\n$`));
  assert.equal(currentVersion(directory), version);
  const damaged = manifestOf(directory).parts!.find(({ name }) => name === 'one')!.layers.streets.files[0].name;
  writeFileSync(join(directory, version!, damaged), '');
  build();
  assert.notEqual(currentVersion(directory), version, 'a damaged dataset is replaced');
});

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { datasetVersions, makeCurrent, newVersion, prune, refuse, rollBack } from '../../src/build/versions.ts';
import { currentVersion, datasetSchemaVersion } from '../../src/store/manifest.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const v = (day: number) => `202601${String(day).padStart(2, '0')}T000000Z`;

/** Adds a version as a build does, and makes it current. */
async function build(directory: string, version: string, keep = 3): Promise<void> {
  add(directory, version);
  await makeCurrent(directory, version);
  await prune(directory, keep);
}

function add(directory: string, version: string, more = {}): void {
  mkdirSync(join(directory, version));
  const manifest = { schemaVersion: datasetSchemaVersion, version, layers: {}, parts: [], sources: [], ...more };
  writeFileSync(join(directory, version, 'manifest.json'), JSON.stringify(manifest));
}

const kept = async (directory: string) => (await datasetVersions(directory)).map(({ version }) => version);
const directoryOf = (t: TestContext) => temporaryDirectory(t);

test('a dataset that served well outlives the one that was rolled back', async (t) => {
  const directory = directoryOf(t);
  for (const day of [1, 2, 3]) await build(directory, v(day));
  assert.deepEqual(await rollBack(directory), { from: v(3), to: v(2) });
  // The one rolled back from served later than the first.
  await build(directory, v(4));
  assert.deepEqual(await kept(directory), [v(1), v(2), v(4)]);
  assert.equal((await rollBack(directory)).to, v(2));
});

test('the samples of a dataset that was pulled follow what it has, not the list that is here', async (t) => {
  const [samples, own] = [
    { name: 'samples', from: 'default' },
    { name: 'own', from: 'own.osm' },
  ];
  for (const [here, parts, expected] of [
    [undefined, [], []],
    [[samples, own], [], [own]],
    [undefined, ['samples'], [samples]],
    [[own], ['samples'], [samples, own]],
    [[], ['samples'], [samples]],
    [[{ ...samples, licence: 'x' }], ['samples'], [{ ...samples, licence: 'x' }]],
  ] as const) {
    const directory = directoryOf(t);
    if (here) writeFileSync(join(directory, 'sources.json'), JSON.stringify({ sources: here }));
    add(directory, v(1), { parts: parts.map((name) => ({ name })) });
    await makeCurrent(directory, v(1));
    assert.deepEqual(JSON.parse(readFileSync(join(directory, 'sources.json'), 'utf8')).sources, expected);
  }
});

test('a version that becomes current as old ones are about to be deleted is kept', async (t) => {
  const directory = directoryOf(t);
  for (const day of [1, 2, 3]) await build(directory, v(day));
  // As whoever makes a version current holds it.
  const lock = new DatabaseSync(join(directory, '.sources-lock.sqlite'));
  lock.exec('BEGIN EXCLUSIVE');
  const pruning = prune(directory, 1);
  await makeCurrent(directory, v(1));
  lock.close();
  await pruning;
  assert.deepEqual(await kept(directory), [v(1)]);
});

test('the sources of a version, and those added since, are listed before it is current: a kill between the two loses none', async (t) => {
  const directory = directoryOf(t);
  add(directory, v(1));
  const [added, since] = ['added', 'since'].map((name) => ({ name, from: `${name}.osm` }));
  writeFileSync(join(directory, v(1), 'sources.json'), JSON.stringify({ sources: [added] }));
  // In the place of the pointer, so that it cannot be written.
  mkdirSync(join(directory, 'current'));
  await assert.rejects(makeCurrent(directory, v(1), [since]));
  const list = JSON.parse(readFileSync(join(directory, 'sources.json'), 'utf8'));
  assert.deepEqual(list, { sources: [added, since] });
});

test('rolling back lists the sources of that version again, and keeps what was added since and is not built yet', async (t) => {
  const directory = directoryOf(t);
  const [one, two, mine] = ['one', 'two', 'mine'].map((name) => ({ name, from: `${name}.csv` }));
  const write = (path: string, ...sources: object[]) =>
    writeFileSync(join(directory, path, 'sources.json'), JSON.stringify({ sources }));
  for (const [day, list] of [[one], [one, two]].entries()) {
    add(directory, v(day + 1));
    write(v(day + 1), ...list);
    await makeCurrent(directory, v(day + 1));
  }
  write('', one, two, mine);
  await rollBack(directory);
  const { sources } = JSON.parse(readFileSync(join(directory, 'sources.json'), 'utf8'));
  assert.deepEqual(sources, [one, mine]);
});

test('rolling back returns to the last dataset that served well, and then to earlier ones', async (t) => {
  const directory = directoryOf(t);
  for (const day of [1, 2, 3]) await build(directory, v(day), 9);
  assert.equal((await rollBack(directory)).to, v(2));
  await build(directory, v(4), 9);
  assert.equal((await rollBack(directory)).to, v(2), 'not 3, which was rolled back from');
  assert.equal((await rollBack(directory)).to, v(1));
  await assert.rejects(rollBack(directory), /no other dataset .* served before/);
});

test('any kept version can be named; one made current again is trusted again', async (t) => {
  const directory = directoryOf(t);
  for (const day of [1, 2, 3]) await build(directory, v(day));
  await rollBack(directory, v(1));
  await rollBack(directory, v(3));
  assert.equal(currentVersion(directory), v(3));
  assert.deepEqual(
    (await datasetVersions(directory)).map(({ distrusted }) => distrusted),
    [undefined, undefined, undefined],
  );
  await assert.rejects(rollBack(directory, v(3)), /20260103T000000Z is the current dataset already/);
  await assert.rejects(
    rollBack(directory, v(9)),
    /there is no dataset 20260109T000000Z .*the directory has .*20260101T000000Z, 20260102T000000Z/,
  );
});

test('the requested number of versions is kept; what a guard refused goes first', async (t) => {
  const directory = directoryOf(t);
  for (const day of [1, 2, 3]) await build(directory, v(day));
  add(directory, v(4));
  await refuse(directory, v(4));
  await prune(directory, 3);
  assert.deepEqual(await kept(directory), [v(1), v(2), v(3)]);
  await build(directory, v(5), 3);
  assert.deepEqual(await kept(directory), [v(2), v(3), v(5)]);
});

test('of the versions that guards refused only the last one stays', async (t) => {
  const directory = directoryOf(t);
  await build(directory, v(1));
  for (const day of [2, 3, 4]) {
    add(directory, v(day));
    await refuse(directory, v(day));
  }
  assert.deepEqual(await kept(directory), [v(1), v(4)]);
  await rollBack(directory, v(4));
  add(directory, v(5));
  await refuse(directory, v(5));
  assert.deepEqual(await kept(directory), [v(1), v(4), v(5)], 'one that was accepted later is no longer refused');
});

test('an unreadable version is not made current', async (t) => {
  const directory = directoryOf(t);
  for (const day of [1, 2]) await build(directory, v(day));
  writeFileSync(join(directory, v(1), 'manifest.json'), '{');
  await assert.rejects(rollBack(directory), /manifest\.json cannot be read/);
  assert.equal(currentVersion(directory), v(2));
});

test('two builds in one second get two names', async (t) => {
  const directory = directoryOf(t);
  const now = new Date('2026-01-01T00:00:00.500Z');
  assert.equal(await newVersion(directory, now), '20260101T000000Z');
  await build(directory, v(1));
  assert.equal(await newVersion(directory, now), '20260101T000001Z');
});

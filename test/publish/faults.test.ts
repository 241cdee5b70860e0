/** Faults of the place where datasets are published, and of what happens at once: each is reported, and mended by its remedy. */
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { directoryStore } from '../../src/publish/publish.ts';
import { followPublished } from '../../src/publish/pull.ts';
import { currentVersion, readManifest } from '../../src/store/manifest.ts';
import { assertWhole, built, publishIn, pullTo, versions } from '../support/published.ts';
import { until } from '../support/served.ts';
import { staticServer } from '../support/static-server.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const program = join(import.meta.dirname, '../../src/main.ts');

/** Runs a command beside this process, whose servers answer it. */
function run(directory: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  return new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
    const all = [program, '--data-directory', directory, ...args];
    execFile(process.execPath, all, { env: { ...process.env, ...env } }, (error, stdout, stderr) =>
      resolve({ code: error ? error.code : 0, stdout, stderr }),
    );
  });
}

/** Changes one byte in the middle of an object, so that its size stays. Returns its key. */
function spoil(published: string, data: string, version: string = versions[0]): string {
  const key = `files/${readManifest(join(data, version)).layers.world!.files[0].sha256}`;
  const content = readFileSync(join(published, key));
  content[content.length >> 1] ^= 1;
  writeFileSync(join(published, key), content);
  return key;
}

/** A node that follows a place every 10 ms, and what it logs as errors. */
function follow(t: TestContext, dataset: string) {
  const dataDirectory = temporaryDirectory(t);
  const errors: string[] = [];
  const following = followPublished(
    { dataset, dataDirectory, datasetEverySeconds: 0.01, keepVersions: 3 },
    { info() {}, error: (details) => errors.push((details as { err: Error }).err.message) },
  );
  t.after(() => following.close());
  const logged = (pattern: RegExp) => until(`logged ${pattern}`, async () => errors.some((line) => pattern.test(line)));
  return { dataDirectory, errors, logged };
}

test('several that publish the same file into a directory at once leave it whole, and nothing else', async (t) => {
  const directory = temporaryDirectory(t);
  const source = join(directory, 'source');
  writeFileSync(source, Buffer.alloc(1 << 20, 7));
  const place = join(directory, 'place');
  const store = directoryStore(place);
  await Promise.all(Array.from({ length: 4 }, () => store.writeFile('files/one', source)));
  await Promise.all(Array.from({ length: 4 }, () => store.write('current.json', Buffer.from('{}'))));
  assert.deepEqual(readdirSync(place, { recursive: true }).sort(), ['current.json', 'files', 'files/one']);
  assert.equal(await store.sizeOf('files/one'), 1 << 20);
});

test('what publishers that were killed have left is removed a day later, and what one still writes is not', async (t) => {
  const place = temporaryDirectory(t);
  const store = directoryStore(place);
  await store.write('files/one', Buffer.from('1'));
  const [left, written] = ['two', 'three'].map((name) => join(place, 'files', `${name}.${randomUUID()}.part`));
  for (const part of [left, written]) writeFileSync(part, 'half');
  const yesterday = Date.now() / 1000 - 90_000;
  for (const path of [left, join(place, 'files/one')]) utimesSync(path, yesterday, yesterday);
  await store.write('files/four', Buffer.from('4'));
  assert.deepEqual(readdirSync(join(place, 'files')).sort(), ['four', 'one', basename(written)]);
});

test('publishing a version again replaces damaged objects; nodes try again by themselves', async (t) => {
  const data = await built(t);
  const published = temporaryDirectory(t);
  await publishIn(published, data);
  const key = spoil(published, data);
  const node = follow(t, published);
  await node.logged(new RegExp(`${key} \\(countries\\.pack.*expected [0-9a-f]{64}; publish the version again`));
  const { stdout } = await run(data, ['publish', published]);
  assert.match(stdout, /: 1 files sent \(.* MB\), 1 of them in place of damaged ones, \d+ already there\n$/);
  await until('mended', async () => currentVersion(node.dataDirectory) === versions[0]);
  await assertWhole(node.dataDirectory, versions[0]);
});

test('publish --verify reads back what another version left; --use --verify refuses it', async (t) => {
  const data = await built(t);
  const published = temporaryDirectory(t);
  await publishIn(published, data);
  const key = spoil(published, data);
  const refused = await run(data, ['publish', published, '--use', versions[0], '--verify']);
  assert.equal(refused.code, 1);
  assert.match(
    refused.stderr,
    new RegExp(`^whereabouts: .*/${key} \\(countries\\.pack.* is damaged; publish the version again\n$`),
  );
  const next = await built(t, versions[1]);
  await run(next, ['publish', published, '--verify']);
  assert.equal(await pullTo(temporaryDirectory(t), published), versions[1]);
});

test('a node whose published place vanishes logs it', async (t) => {
  const data = await built(t);
  const published = temporaryDirectory(t);
  await publishIn(published, data);
  const node = follow(t, published);
  await until('pulled', async () => currentVersion(node.dataDirectory) === versions[0]);
  assert.deepEqual(node.errors, []);
  renameSync(join(published, 'current.json'), join(published, 'gone.json'));
  await node.logged(/^nothing is published at .*; publish a dataset with/);
  assert.equal(currentVersion(node.dataDirectory), versions[0]);
});

test('pulls into one directory at once wait for each other', async (t) => {
  const data = await built(t);
  const published = temporaryDirectory(t);
  await publishIn(published, data);
  const server = await staticServer(t, published);
  const node = temporaryDirectory(t);
  const pulls = await Promise.all([1, 2, 3].map(() => run(node, ['pull', server.url])));
  for (const { code, stderr } of pulls) assert.equal(code, 0, stderr);
  await assertWhole(node, versions[0]);
  const sent = server.requests.filter((line) => line.includes('/files/'));
  assert.equal(new Set(sent).size, sent.length, 'each file is sent once');
});

test('a pull to a full disk ends at once, in one line that names the file', async (t) => {
  const data = await built(t);
  const published = temporaryDirectory(t);
  await publishIn(published, data);
  const node = temporaryDirectory(t);
  // A file system that is full, for each file alone.
  const limited = ['-c', 'ulimit -f 8 && exec "$0" "$@"', process.execPath, program, '--data-directory', node];
  const { stderr, status } = spawnSync('sh', [...limited, 'pull', published], { encoding: 'utf8' });
  assert.equal(status, 1, stderr);
  assert.match(
    stderr,
    /^whereabouts: .*\.pulled-files\/[0-9a-f]{64}: the file would be larger than the system allows\n$/,
  );
});

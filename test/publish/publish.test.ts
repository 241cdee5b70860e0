/** Published datasets: what is transferred, and that a node never serves a part of one. */
import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { UsageError } from '../../src/errors.ts';
import { directoryStore, makePublishedCurrent, openObjectStore, publish, sha256Of } from '../../src/publish/publish.ts';
import { reload } from '../../src/publish/pull.ts';
import { currentVersion, DatasetError, readManifest } from '../../src/store/manifest.ts';
import { runProgram } from '../support/data-directory.ts';
import { assertWhole, built, publishIn, pullTo, versions } from '../support/published.ts';
import { buildSmallDataset } from '../support/small-store.ts';
import { staticServer } from '../support/static-server.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const refusesWith = (pattern: RegExp) => (error: Error) => {
  assert.ok(error instanceof DatasetError, String(error));
  assert.match(error.message, pattern);
  return true;
};

/** Changes one byte in the middle of a file, so that its size stays. */
function spoil(path: string): void {
  const content = readFileSync(path);
  content[content.length >> 1] ^= 1;
  writeFileSync(path, content);
}

test('whereabouts pull fetches what is published, and says what it needs', async (t) => {
  const data = await built(t);
  const destination = temporaryDirectory(t);
  await publishIn(destination, data);
  const node = temporaryDirectory(t);
  const pulled = runProgram(node, 'pull', destination);
  assert.equal(pulled.stdout, `${versions[0]} is the current dataset of ${node}\n`);
  await assertWhole(node, versions[0]);
  const refused = runProgram(node, 'pull');
  assert.equal(refused.status, 2);
  assert.match(refused.stderr, /pull needs an address such as s3:\/\/bucket\/prefix/);
});

test('a node with a search cluster pulls no street-level files, publishes none of it, and fetches them once it needs them', async (t) => {
  const data = await built(t);
  const published = temporaryDirectory(t);
  await publishIn(published, data);
  const server = await staticServer(t, published);
  const node = temporaryDirectory(t);
  const directory = join(node, versions[0]);
  const streetFiles = () => readdirSync(directory).filter((name) => /^(streets|pois)/.test(name));
  const { streets, addresses } = readManifest(join(data, versions[0])).layers;
  await pullTo(node, server.url, { streets: 'https://search.example.org:9200' });
  await assertWhole(node, versions[0]);
  assert.deepEqual(streetFiles(), []);
  for (const { sha256 } of [...streets!.files, ...addresses!.files])
    assert.ok(!server.requests.some((request) => request.includes(sha256)));
  assert.equal(readManifest(directory).layers.streets, undefined);
  const refused = runProgram(node, 'publish', temporaryDirectory(t));
  assert.equal(refused.status, 2);
  assert.match(refused.stderr, /was pulled without its street-level data.*; publish it where it was built/);

  const asked = server.requests.length;
  await pullTo(node, server.url);
  await assertWhole(node, versions[0]);
  assert.ok(streetFiles().length > 0);
  const fetched = server.requests.slice(asked).filter((request) => request.includes('/files/'));
  assert.equal(fetched.length, streetFiles().length, 'nothing else is fetched again');
});

test('a published dataset arrives whole; of the next one only what changed is sent and fetched', async (t) => {
  const data = await built(t);
  const published = temporaryDirectory(t);
  const first = await publishIn(published, data);
  assert.ok(first.files > 5 && first.present === 0);
  const server = await staticServer(t, published);
  const node = temporaryDirectory(t);
  assert.equal(await pullTo(node, server.url), versions[0]);
  await assertWhole(node, versions[0]);

  const next = join(data, versions[1]);
  mkdirSync(next);
  await buildSmallDataset(next, { version: versions[1] });
  const manifest = readManifest(next);
  const changed = manifest.layers.ip!.files[0];
  // Another file of one layer that is as good: a pack may be followed by anything.
  const content = readFileSync(join(next, changed.name));
  writeFileSync(join(next, changed.name), Buffer.concat([content, Buffer.from('more')]));
  Object.assign(changed, { bytes: content.length + 4, sha256: sha256Of(readFileSync(join(next, changed.name))) });
  writeFileSync(join(next, 'manifest.json'), JSON.stringify(manifest));
  const second = await publishIn(published, data, versions[1]);
  assert.ok(second.present > 0 && second.files < first.files);
  server.requests.length = 0;
  assert.equal(await pullTo(node, server.url), versions[1]);
  await assertWhole(node, versions[1]);
  assert.equal(server.requests.filter((line) => line.includes('/files/')).length, second.files);
  const same = manifest.layers.world!.files[0].name;
  assert.equal(statSync(join(node, versions[0], same)).ino, statSync(join(node, versions[1], same)).ino, 'linked');
});

test('files with other content than their hash, and versions that cannot be opened, are refused; the old one stays', async (t) => {
  const data = await built(t);
  const published = temporaryDirectory(t);
  await publishIn(published, data);
  const node = temporaryDirectory(t);
  await pullTo(node, published);
  const next = await built(t, versions[1]);

  const { layers } = readManifest(join(next, versions[1]));
  const [zones] = layers.zones!.files;
  const damaged = join(next, versions[1], zones.name);
  // A file whose hash is right and that no layer can be opened from.
  const manifest = readManifest(join(next, versions[1]));
  writeFileSync(damaged, 'nonsense');
  Object.assign(manifest.layers.zones!.files[0], { bytes: 8, sha256: sha256Of(Buffer.from('nonsense')) });
  writeFileSync(join(next, versions[1], 'manifest.json'), JSON.stringify(manifest));
  await publishIn(published, next, versions[1]);
  await assert.rejects(pullTo(node, published), refusesWith(/zones/));
  await assertWhole(node, versions[0]);

  const third = await built(t, versions[2]);
  const worldFile = readManifest(join(third, versions[2])).layers.world!.files[0];
  await publishIn(published, third, versions[2]);
  const file = join(published, 'files', worldFile.sha256);
  spoil(file);
  const fresh = temporaryDirectory(t);
  // As a pull of another version has left it.
  const left = join(fresh, '.pulled-files', sha256Of(Buffer.from('of another version')));
  mkdirSync(left, { recursive: true });
  await assert.rejects(pullTo(fresh, published), refusesWith(/does not match its SHA-256: got [0-9a-f]{64}, expected/));
  assert.ok(!existsSync(left));
  assert.equal(currentVersion(fresh), undefined);
  spoil(file);
  assert.equal(await pullTo(fresh, published), versions[2], 'mended, it is taken');
  await assertWhole(fresh, versions[2]);
  await pullTo(node, published);
  const leftovers = readdirSync(node).filter((name) => name.startsWith('.pulling') || name.startsWith('.pulled'));
  assert.deepEqual(leftovers, [], 'nor what was left of the refused one');

  spoil(join(published, 'versions', `${versions[2]}.json`));
  await assert.rejects(pullTo(temporaryDirectory(t), published), refusesWith(/does not match current\.json/));
});

test('an address with a password is refused without telling it', async () => {
  const message = await openObjectStore('https://me:secret@a.example/x').catch((error: Error) => error.message);
  assert.match(String(message), /at a\.example has a user or password/);
  assert.doesNotMatch(String(message), /secret/);
});

test('a version that is damaged here is mended from where it is published', async (t) => {
  const data = await built(t);
  const published = temporaryDirectory(t);
  await publishIn(published, data);
  const node = temporaryDirectory(t);
  await pullTo(node, published);
  const [one, other] = readManifest(join(node, versions[0])).layers.world!.files;
  for (const harm of [spoil, (path: string) => truncateSync(path, 5), rmSync]) {
    harm(join(node, versions[0], one.name));
    // As one leaves it that ended before it had tidied.
    mkdirSync(join(node, '.pulled-files', versions[0], 'rest'), { recursive: true });
    const { ino } = statSync(join(node, versions[0], other.name));
    assert.equal(await pullTo(node, published), versions[0]);
    await assertWhole(node, versions[0]);
    assert.equal(statSync(join(node, versions[0], other.name)).ino, ino, 'what is whole is not fetched again');
  }
});

test('a manifest that names files elsewhere is refused', async (t) => {
  const data = await built(t);
  const published = temporaryDirectory(t);
  await publishIn(published, data);
  const path = join(published, 'versions', `${versions[0]}.json`);
  const manifest = JSON.parse(readFileSync(path, 'utf8'));
  for (const name of ['../../current', '/etc/passwd', '.hidden', 'a/b', '']) {
    manifest.layers.zones.files[0].name = name;
    const content = Buffer.from(JSON.stringify(manifest));
    writeFileSync(path, content);
    const pointer = { version: versions[0], sha256: sha256Of(content) };
    writeFileSync(join(published, 'current.json'), JSON.stringify(pointer));
    await assert.rejects(
      pullTo(temporaryDirectory(t), published),
      refusesWith(/names a file .*, which cannot be part of a dataset/),
    );
  }
  for (const zones of [{}, { files: [null] }, null]) {
    const content = Buffer.from(JSON.stringify({ ...manifest, layers: { zones } }));
    writeFileSync(path, content);
    writeFileSync(join(published, 'current.json'), JSON.stringify({ version: versions[0], sha256: sha256Of(content) }));
    await assert.rejects(pullTo(temporaryDirectory(t), published), refusesWith(/is not a manifest of/));
  }
  writeFileSync(join(published, 'current.json'), JSON.stringify({ version: '../x', sha256: 'a' }));
  await assert.rejects(pullTo(temporaryDirectory(t), published), refusesWith(/names no version and hash/));
});

test('the list of versions is not lost to a moment without the pointer; a damaged pointer is replaced', async (t) => {
  const data = await built(t);
  const published = temporaryDirectory(t);
  await publishIn(published, data);
  const store = directoryStore(published);
  const away = { ...store, read: () => Promise.reject(new UsageError('it did not end within 30 s')) };
  const pointer = join(published, 'current.json');
  const before = readFileSync(pointer, 'utf8');
  await assert.rejects(publish(away, join(data, versions[0])), UsageError);
  assert.equal(readFileSync(pointer, 'utf8'), before);
  writeFileSync(pointer, '{');
  await publishIn(published, data);
  assert.equal(readFileSync(pointer, 'utf8'), before);
});

test('a damaged dataset is not published, nor one that has rotted since its files were compared', async (t) => {
  const data = await built(t);
  const path = join(data, versions[0], readManifest(join(data, versions[0])).layers.world!.files[0].name);
  utimesSync(path, 1_700_000_000, 1_700_000_000);
  await publishIn(temporaryDirectory(t), data);
  spoil(path);
  for (const seconds of [1_700_000_000, 1_700_000_001]) {
    utimesSync(path, seconds, seconds);
    await assert.rejects(publishIn(temporaryDirectory(t), data), DatasetError);
  }
});

test('one command rolls back all nodes; a pinned node keeps its version', async (t) => {
  const data = await built(t);
  const published = temporaryDirectory(t);
  await publishIn(published, data);
  await publishIn(published, await built(t, versions[1]), versions[1]);
  const [node, pinned] = [temporaryDirectory(t), temporaryDirectory(t)];
  assert.equal(await pullTo(node, published), versions[1]);
  assert.equal(await pullTo(pinned, `${published}@${versions[0]}`), versions[0]);

  const { stdout } = runProgram(data, 'publish', published, '--list');
  assert.equal(stdout, `* ${versions[1]}\n  ${versions[0]}\n`);
  assert.match(
    runProgram(data, 'publish', published, '--use', versions[0]).stdout,
    /^nodes now serve 20260101T000000Z/,
  );
  assert.equal(await pullTo(node, published), versions[0]);
  await assertWhole(node, versions[0]);
  const { store } = await openObjectStore(published);
  await assert.rejects(makePublishedCurrent(store, versions[2]), /versions\/20260103T000000Z\.json does not exist/);
  const unknown = runProgram(data, 'publish', `${published}@tomorrow`);
  assert.equal(unknown.status, 2);
  assert.match(unknown.stderr, /names the version "tomorrow", expected one such as/);
});

test('what nodes would refuse is refused by the publisher, before anything is sent', async (t) => {
  const data = await built(t);
  const path = join(data, versions[0], 'manifest.json');
  const manifest = JSON.parse(readFileSync(path, 'utf8'));
  manifest.layers.world.countries = { sea: 1 };
  writeFileSync(path, JSON.stringify(manifest));
  const destination = temporaryDirectory(t);
  await assert.rejects(publishIn(destination, data), refusesWith(/manifest\.json is not a manifest of .*countries/));
  assert.deepEqual(readdirSync(destination), []);
  // At sea.
  manifest.layers.world.countries = { DE: 1, none: 1 };
  writeFileSync(path, JSON.stringify(manifest));
  await publishIn(destination, data);
  assert.equal(await pullTo(temporaryDirectory(t), destination), versions[0]);
});

test('an older version does not take nodes back from a newer one that was published meanwhile', async (t) => {
  const [older, newer] = [await built(t), await built(t, versions[1])];
  const destination = temporaryDirectory(t);
  const { store } = await openObjectStore(destination);
  const slow: typeof store = Object.create(store, {
    writeFile: {
      async value(...given: Parameters<typeof store.writeFile>) {
        await publish(store, join(newer, versions[1]));
        return store.writeFile(...given);
      },
    },
  });
  await assert.rejects(publish(slow, join(older, versions[0])), /20260102T000000Z, which is newer, .*--use 20260101T/);
  assert.equal(await pullTo(temporaryDirectory(t), destination), versions[1]);
  await makePublishedCurrent(store, versions[0]);
  assert.equal(await pullTo(temporaryDirectory(t), destination), versions[0]);
});

test('a version that was pruned since it was pulled is not made current', async (t) => {
  const data = await built(t);
  await assert.rejects(reload(data, versions[1], 1), /20260102T000000Z.*is missing/);
  assert.equal(currentVersion(data), versions[0]);
});

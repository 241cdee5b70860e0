/** What a publisher may do to its followers: each attack costs one line, and no more. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import type { RequestListener, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { directoryStore, httpStore, sha256Of } from '../../src/publish/publish.ts';
import { fetchFile, pullOnce } from '../../src/publish/pull.ts';
import { datasetSchemaVersion } from '../../src/store/manifest.ts';
import { httpServer } from '../support/http-server.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const version = '20260101T000000Z';

/** Pulls from a publisher with these answers, and returns the one line that it ends with. */
async function refusal(t: TestContext, answer: RequestListener): Promise<string> {
  const dataDirectory = temporaryDirectory(t);
  const options = { dataDirectory, datasetEverySeconds: 60, keepVersions: 3 };
  const dataset = await httpServer(t, answer);
  const error = await pullOnce({ ...options, dataset, retries: 1, retryAfterMs: 1 }).then(
    () => assert.fail('it was taken'),
    (thrown: Error) => thrown,
  );
  assert.match(error.name, /^(UsageError|DatasetError)$/, String(error));
  assert.ok(!error.message.includes('\n') && error.message.length < 500, error.message);
  assert.ok(!readdirSync(dataDirectory).includes('current'));
  return error.message;
}

const bomb = gzipSync(Buffer.alloc(32 * 2 ** 20, ' '));
const sendBomb = (response: ServerResponse) => response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(bomb);
const pointerTo = (manifest: string) => JSON.stringify({ version, sha256: sha256Of(Buffer.from(manifest)) });

test('a pointer and a manifest that unpack to more than they can have are not read whole', async (t) => {
  assert.match(
    await refusal(t, (_request, response) => sendBomb(response)),
    /current\.json is too large: got at least \d+ bytes, expected at most 1048576; check/,
  );
  const message = await refusal(t, ({ url }, response) =>
    url === '/current.json' ? response.end(pointerTo('{}')) : sendBomb(response),
  );
  assert.match(message, /20260101T000000Z\.json is too large: got at least \d+ bytes, expected at most 4194304/);
});

test('what is no file in a directory is not waited for', async (t) => {
  const directory = temporaryDirectory(t);
  execFileSync('mkfifo', [join(directory, 'pipe')]);
  const store = directoryStore(directory);
  await assert.rejects(store.read('pipe', 100), /pipe is not a file/);
  await assert.rejects(async () => store.open('pipe', 0, AbortSignal.timeout(10_000)), /pipe is not a file/);
});

test('network faults and dead redirects are one line each', async (t) => {
  for (const [Location, pattern] of [
    ['/current.json', /redirects more than 10 times/],
    ['file:///etc/passwd', /redirects to "file:\/\/\/etc\/passwd", expected http/],
  ] as const)
    assert.match(await refusal(t, (_request, response) => response.writeHead(302, { Location }).end()), pattern);
  assert.match(await refusal(t, ({ socket }) => socket.destroy()), /current\.json could not be read: fetch failed \(/);
  assert.match(await refusal(t, (_request, response) => response.writeHead(503).end()), /answered 503; check/);
});

const world = {
  buildSeconds: 1,
  records: { places: 1 },
  countries: { LI: 1 },
  dropped: {},
  sources: ['a'],
  files: [] as object[],
};
const facts = { id: 'a', title: 'A', version: '1', vintage: null, licence: 'CC0', attribution: 'A', url: '' };
const builtAt = '2026-01-01T00:00:00.000Z';
const manifestWith = (more: object) =>
  JSON.stringify({
    schemaVersion: datasetSchemaVersion,
    version,
    builtAt,
    layers: { world },
    sources: [facts],
    parts: [],
    ...more,
  });

test('a manifest with anything but names, numbers, dates and addresses where they belong is refused', async (t) => {
  const part = (name: string, number: number) => ({ name, number, inputs: {}, layers: {}, sources: [] });
  const markup = '<meta http-equiv=refresh content="0;url=//example.org">';
  for (const [more, where] of [
    [{ layers: { world: { ...world, records: { places: markup } } } }, '/layers/world/records/places must be number'],
    [{ layers: { [markup]: world } }, '/layers must not have the property'],
    [{ layers: { world: { ...world, countries: { [markup]: 1 } } } }, '/layers/world/countries must not have'],
    [{ builtAt: markup }, '/builtAt must match'],
    [{ sources: [{ ...facts, url: 'javascript:alert(1)' }] }, '/sources/0/url must match'],
    [{ layers: [] }, '/layers must be object'],
    [{ parts: [part('x/../../y', 0)] }, '/parts/0/name must match'],
    [{ parts: [part('x', 0), part('y', 0)] }, '/parts must have distinct names and numbers'],
    [{ parts: [part('x', 0), part('y', 1), part('x', 2)] }, '/parts must have distinct names and numbers'],
    [{ coming: 5 }, '/coming must be array'],
    [{ coming: [markup] }, '/coming/0 must be one of'],
  ] as const) {
    const manifest = manifestWith(more);
    const message = await refusal(t, ({ url }, response) =>
      response.end(url === '/current.json' ? pointerTo(manifest) : manifest),
    );
    assert.ok(message.includes(`is not a manifest of ${version} (${where}`), message);
  }
});

test('a file with an invalid name or without an answer is one line', async (t) => {
  const publish = (...names: string[]): RequestListener => {
    const files = names.map((name) => ({ name, sha256: 'a'.repeat(64), bytes: 1000 }));
    const manifest = manifestWith({ layers: { world: { ...world, files } } });
    return ({ url = '', socket }, response) => {
      if (url.startsWith('/files/')) socket.destroy();
      else response.end(url === '/current.json' ? pointerTo(manifest) : manifest);
    };
  };
  assert.match(await refusal(t, publish('a'.repeat(5000))), /names a file "a{200}", which cannot be part of a dataset/);
  // Written through a link, it would replace a file of the version that is served.
  assert.match(await refusal(t, publish('Manifest.json')), /names a file "Manifest.json", which cannot be part/);
  // A node's own next update would take what this lists.
  assert.match(await refusal(t, publish('sources.json')), /names a file "sources.json", which cannot be part/);
  assert.match(await refusal(t, publish('world.bin', 'World.bin')), /names a file "World.bin", which cannot be part/);
  assert.match(
    await refusal(t, publish('world.bin')),
    /world\.bin\) could not be downloaded after 2 tries: fetch failed \(.*The received part is kept/,
  );
});

test('a version that is larger than the disk is refused before its first file', async (t) => {
  const asked: string[] = [];
  const files = [{ name: 'world.bin', sha256: 'a'.repeat(64), bytes: 2 ** 52 }];
  const manifest = manifestWith({ layers: { world: { ...world, files } } });
  const message = await refusal(t, ({ url = '' }, response) => {
    asked.push(url);
    response.end(url === '/current.json' ? pointerTo(manifest) : manifest);
  });
  assert.match(message, /^the disk of .* has less than 4503600128 MB left; make room/);
  assert.ok(!asked.some((url) => url.startsWith('/files/')), `${asked}`);
});

test('a trickling file is given up, however often it resumes', { timeout: 180_000 }, async (t) => {
  const file = { name: 'world.bin', sha256: 'a'.repeat(64), bytes: 1000 };
  const part = `${temporaryDirectory(t)}/part`;
  // Each answer brings one byte, so that every attempt makes progress.
  const url = await httpServer(t, ({ headers }, response) => response.writeHead(headers.range ? 206 : 200).write('x'));
  const options = { retries: 2, retryAfterMs: 1, slowMs: 100 };
  await assert.rejects(fetchFile(httpStore(url), file, part, options), {
    name: 'UsageError',
    message: /after 3 tries: got [01] bytes in 0\.1 s, expected at least 1024 a second\. The received part is kept/,
  });
});

import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { type DownloadOptions, download } from '../../src/download/download.ts';
import { UsageError } from '../../src/errors.ts';
import { httpServer } from '../support/http-server.ts';
import { type FileServer, hashOf, startFileServer } from './file-server.ts';

const content = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 7919) % 251));
let server: FileServer;
let directory: string;
let target: string;

beforeEach(async () => {
  server = await startFileServer(content);
  directory = mkdtempSync(join(tmpdir(), 'whereabouts-download-'));
  target = join(directory, 'deep', 'file.bin');
});
afterEach(async () => {
  await server.close();
  rmSync(directory, { recursive: true });
});

/** Downloads and reports to the server what has arrived, which is when it breaks off. */
const fetchFile = (options: DownloadOptions = {}) =>
  download(server.url, target, { retryAfterMs: 1, progress: (bytes) => server.received(bytes), ...options });

const refusal = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof UsageError, `expected a UsageError, got ${error}`);
  return error.message;
};

test('a file arrives whole, with progress, and leaves no other file behind', async () => {
  const seen: [number, number | undefined][] = [];
  await download(server.url, target, { progress: (bytes, total) => seen.push([bytes, total]) });
  assert.deepEqual(readFileSync(target), content);
  assert.deepEqual(seen.at(-1), [content.length, content.length]);
  assert.deepEqual([existsSync(`${target}.part`), existsSync(`${target}.part.json`)], [false, false]);
});

test('a file that has more bytes than its server announced is refused', async () => {
  assert.match(await refusal(fetchFile({ maxBytes: 200_000 })), /more than the 200000 bytes that its server announced/);
  await fetchFile({ maxBytes: content.length });
});

test('a file that ends before the bytes that its server announced is resumed', async () => {
  Object.assign(server, { hasLength: false, content: content.subarray(0, 100_000) });
  const asked = fetchFile({ maxBytes: content.length, retries: 0 });
  assert.match(await refusal(asked), /100000 of 300000 bytes arrived/);
  Object.assign(server, { content });
  await fetchFile({ maxBytes: content.length });
  assert.deepEqual(readFileSync(target), content);
  assert.equal(server.requests.at(-1), 'GET bytes=100000-');
});

test('a server that answers with another range than was asked for is refused', async () => {
  Object.assign(server, { cutAfter: 100_000, cuts: 1, shift: 7 });
  assert.match(await refusal(fetchFile({ retries: 1 })), /answered with bytes \d+-299999\/\*, expected the bytes from/);
});

test('a broken transfer resumes at the byte where it broke', async () => {
  Object.assign(server, { cutAfter: 100_000, cuts: 2 });
  await fetchFile();
  assert.deepEqual(readFileSync(target), content);
  assert.equal(server.requests[0], 'GET whole');
  assert.ok(
    server.requests.slice(1).every((request) => /^GET bytes=[1-9]\d*-$/.test(request)),
    String(server.requests),
  );
});

test('the next run resumes a stopped download', async () => {
  Object.assign(server, { cutAfter: 120_000, cuts: 1 });
  const message = await refusal(fetchFile({ retries: 0 }));
  assert.match(message, /could not be downloaded after 1 tries.*kept/);
  assert.equal(existsSync(target), false);
  await fetchFile();
  assert.deepEqual(readFileSync(target), content);
  assert.match(server.requests.at(-1)!, /^GET bytes=\d+-$/);
});

test('a file that changed in the meantime is fetched again from the start, never mixed', async () => {
  Object.assign(server, { cutAfter: 120_000, cuts: 1 });
  await refusal(fetchFile({ retries: 0 }));
  Object.assign(server, { content: Buffer.from(content).reverse(), etag: '"v2"' });
  await fetchFile();
  assert.deepEqual(readFileSync(target), server.content);
});

test('a server without ranges, and one without validators, send the whole file again', async () => {
  for (const fault of [{ acceptsRanges: false }, { etag: undefined }, { etag: 'W/"weak"' }]) {
    rmSync(target, { force: true });
    Object.assign(server, { cutAfter: 120_000, cuts: 1 }, fault);
    await fetchFile();
    assert.deepEqual(readFileSync(target), content);
  }
});

test('a part that is already complete is used unchanged', async () => {
  Object.assign(server, { cutAfter: content.length - 1, cuts: 1 });
  await refusal(fetchFile({ retries: 0 }));
  writeFileSync(`${target}.part`, content);
  await fetchFile();
  assert.deepEqual(readFileSync(target), content);
});

test('a hash next to the file, in the address, or passed in must match; a wrong file is discarded', async () => {
  server.files.set('/file.bin.md5', `${hashOf('md5', content)}  file.bin\n`);
  await fetchFile();
  rmSync(target);
  server.files.set('/file.bin.md5', `${'0'.repeat(32)}  file.bin\n`);
  assert.match(await refusal(fetchFile()), /does not have its MD5: got [0-9a-f]{32}, expected 0{32}/);
  assert.deepEqual([existsSync(target), existsSync(`${target}.part`)], [false, false]);
  await download(`${server.url}#sha256=${hashOf('sha256', content)}`, target);
  rmSync(target);
  const checksum = { algorithm: 'sha256', hex: 'f'.repeat(64) } as const;
  assert.match(await refusal(fetchFile({ checksum })), /SHA256/);
});

test('a refused address is not retried; a failing server is, a bounded number of times', async () => {
  server.status = 404;
  assert.match(await refusal(fetchFile()), /answered 404.*check the address/);
  assert.equal(server.requests.length, 1);
  server.status = 503;
  assert.match(await refusal(fetchFile({ retries: 2 })), /answered 503/);
  assert.equal(server.requests.length, 4);
});

test('a file that exists is not requested', async () => {
  await fetchFile();
  server.requests.length = 0;
  await fetchFile();
  assert.deepEqual(server.requests, []);
});

test('a server that trickles bytes counts as broken, like one that sends none', { timeout: 180_000 }, async (t) => {
  const url = await httpServer(t, ({ url: path }, response) => {
    if (path === '/file.bin') response.write('x');
    else response.writeHead(404).end();
  });
  const options = { retries: 1, retryAfterMs: 1, slowMs: 100 };
  const message = await refusal(download(`${url}/file.bin`, target, options));
  assert.match(message, /after 2 tries: got [01] bytes in 0\.1 s, expected at least 1024 a second/);
});

test('endless redirects are not retried', async (t) => {
  let requestCount = 0;
  const url = await httpServer(t, (_request, response) => {
    requestCount++;
    response.writeHead(302, { Location: '/file.bin' }).end();
  });
  const checksum = { algorithm: 'sha256', hex: 'f'.repeat(64) } as const;
  const refused = await refusal(download(`${url}/file.bin`, target, { checksum, retryAfterMs: 1 }));
  assert.match(refused, /redirects more than 10 times; check the address/);
  assert.equal(requestCount, 11);
});

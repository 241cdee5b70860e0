/** Buckets that refuse, fail or are away, and addresses that name none. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { truncateSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { built } from '../../../test/support/published.ts';
import { temporaryDirectory } from '../../../test/support/temporary.ts';
import { openStore, partBytes } from '../src/index.ts';

const program = join(import.meta.dirname, '../../../src/main.ts');

/** Runs a command beside this process, whose servers answer it. */
function run(directory: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  return new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
    const all = [program, '--data-directory', directory, ...args];
    execFile(process.execPath, all, { env: { ...process.env, ...env } }, (error, stdout, stderr) =>
      resolve({ code: error ? error.code : 0, stdout, stderr }),
    );
  });
}

/** The variables that name a server as the store. */
const settings = (server: Server) => ({
  AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'a',
  AWS_SECRET_ACCESS_KEY: 'b',
  AWS_MAX_ATTEMPTS: '1',
});

test('a store that refuses, fails or is away is reported in one line', async (t) => {
  const data = await built(t);
  let status = 403;
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(status, { 'Content-Type': 'application/xml' });
    response.end(request.method === 'HEAD' ? '' : '<Error><Code>Refused</Code><Message>no</Message></Error>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const environment = settings(server);
  const refusal = async (args: string[], code: number, pattern: RegExp) => {
    const got = await run(data, args, environment);
    assert.equal(got.code, code, got.stderr);
    assert.match(got.stderr.replace(/^ {2}\d+\/\d+ .*\n/gm, ''), /^whereabouts: [^\n]+\n$/);
    assert.match(got.stderr, pattern);
  };
  await refusal(
    ['publish', 's3://maps/world'],
    2,
    /s3:\/\/maps\/world cannot be used: .*403.*; check bucket, credentials/,
  );
  status = 503;
  await refusal(['publish', 's3://maps/world'], 1, /s3:\/\/maps\/world could not be reached: .*503.*; check the store/);
  status = 404;
  await refusal(['publish', 's3://maps/world'], 1, /s3:\/\/maps\/world could not be reached: .*404/);
  server.close().closeAllConnections();
  await refusal(['publish', 's3://maps/world'], 1, /could not be reached: .*ECONNREFUSED/);
});

test('a store that falls silent is a break, and a list of parts without end is none', async (t) => {
  let pages = 0;
  const server = createServer(({ method, url = '' }, response) => {
    const uploads = '<ListMultipartUploadsResult/>';
    const page = '<R><IsTruncated>true</IsTruncated><NextPartNumberMarker>1</NextPartNumberMarker></R>';
    if (method === 'POST' && url.endsWith('?uploads=')) response.end('<R><UploadId>u</UploadId></R>');
    else if (method === 'GET' && url.includes('uploads')) response.end(uploads);
    else if (url.includes('uploadId=u') && method === 'GET' && ++pages < 10) response.end(page);
    else if (url.includes('silent')) response.writeHead(200, { 'Content-Length': 9 }).write('begun');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close().closeAllConnections());
  const before = { ...process.env };
  t.after(() => Object.assign(process.env, before));
  Object.assign(process.env, settings(server));
  const store = openStore('s3://maps/world', { idleMs: 100 });
  const isSilent = /could not be re.*timed out after 100 ms of inactivity.*; check the/;
  await assert.rejects(store.read('silent', 99), isSilent);
  await assert.rejects(store.sizeOf('waiting'), isSilent);
  await assert.rejects(store.write('waiting', Buffer.from('content')), isSilent);
  const large = join(temporaryDirectory(t), 'large');
  writeFileSync(large, '');
  truncateSync(large, partBytes + 1);
  await assert.rejects(store.writeFile('waiting', large), isSilent);
  assert.equal(pages, 2);
});

test('an address without a bucket is refused with the form that is expected', () => {
  for (const address of ['s3://', 's3:///world'])
    assert.throws(() => openStore(address), /is not a bucket; write s3:\/\/bucket or s3:\/\/bucket\/prefix/);
});

test('a refusal without an end is not kept whole', async (t) => {
  let sent = 0;
  const server = createServer((_, response) => {
    response.writeHead(403, { 'Content-Type': 'application/xml' }).write('<Error>');
    const more = () => {
      while (response.write(' '.repeat(65_536))) sent += 65_536;
    };
    response.on('drain', more);
    more();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close().closeAllConnections());
  Object.assign(process.env, settings(server));
  const store = openStore('s3://maps/world', { idleMs: 5_000 });
  await assert.rejects(store.read('current.json', 1_000), /maps\/world/);
  assert.ok(sent < 64 * 2 ** 20, `${sent} bytes`);
});

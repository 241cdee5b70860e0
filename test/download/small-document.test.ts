/** What servers may do to clients that read a small document. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { RequestListener, ServerResponse } from 'node:http';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { localPath, regionSources } from '../../src/commands/read-source.ts';
import { loadConfig } from '../../src/config.ts';
import { fetchWithRedirects, publishedChecksum, readDocument, redirected } from '../../src/download/download.ts';
import { UsageError } from '../../src/errors.ts';
import { httpServer } from '../support/http-server.ts';

const refusesWith = (pattern: RegExp) => (error: Error) => {
  assert.ok(error instanceof UsageError, String(error));
  assert.match(error.message, pattern);
  assert.ok(!error.message.includes('\n') && error.message.length < 500, error.message);
  return true;
};

/** Sends blanks for as long as the client reads. */
function sendForever(response: ServerResponse): void {
  response.write(' '.repeat(65_536), (error) => error ?? sendForever(response));
}

test('an endless body is cut at the bound, and its connection closed', async (t) => {
  let closed: Promise<unknown> | undefined;
  const url = await httpServer(t, (_request, response) => {
    closed = once(response, 'close');
    sendForever(response);
  });
  await assert.rejects(
    readDocument(`${url}/current.json`, { maxBytes: 100_000 }),
    refusesWith(/current\.json is too large: got at least \d{6} bytes, expected at most 100000; check the address/),
  );
  await closed;
});

test('the bound is that of the unpacked bytes', async (t) => {
  const bomb = gzipSync(Buffer.alloc(2 ** 24, ' '));
  const url = await httpServer(t, (_request, response) =>
    response.writeHead(200, { 'Content-Encoding': 'gzip', 'Content-Length': bomb.length }).end(bomb),
  );
  assert.ok(bomb.length < 100_000);
  await assert.rejects(readDocument(url, { maxBytes: 100_000 }), refusesWith(/too large: got at least 1\d{5} bytes/));
  assert.equal((await readDocument(url, { maxBytes: 2 ** 24 }))?.length, 2 ** 24, 'within the bound it is read whole');
});

test('a document that does not end in its time is refused with what arrived', async (t) => {
  const url = await httpServer(t, (_request, response) => response.write('four'));
  await assert.rejects(
    readDocument(url, { maxBytes: 100, timeoutMs: 100, remedy: 'mend it' }),
    refusesWith(/could not be read: it did not end within 0\.1 s, after [04] bytes; mend it$/),
  );
});

test('redirects are followed within http(s); loops, files and the way from https to http are refused', async (t) => {
  const targets: Record<string, string> = {
    '/a': '/b',
    '/b': 'document',
    '/loop': '/loop',
    '/file': 'file:///etc/passwd',
    '/none': 'http://',
  };
  const url = await httpServer(t, ({ url: path = '' }, response) => {
    const Location = targets[path];
    if (path === '/document') response.end('content');
    else response.writeHead(Location ? 302 : 404, Location ? { Location } : {}).end();
  });
  const read = (path: string) => readDocument(url + path, { maxBytes: 100 });
  assert.equal(String(await read('/a')), 'content');
  assert.equal(await read('/missing'), undefined);
  await assert.rejects(read('/loop'), refusesWith(/\/loop redirects more than 10 times; check the address/));
  await assert.rejects(read('/file'), refusesWith(/redirects to "file:\/\/\/etc\/passwd", expected http\(s\):/));
  await assert.rejects(read('/none'), refusesWith(/redirects to "http:\/\/", expected/));

  const secure = new URL('https://example.org/a');
  assert.equal(redirected(secure, '//cdn.example.org/b').href, 'https://cdn.example.org/b');
  assert.throws(
    () => redirected(secure, 'http://example.org/b'),
    refusesWith(/redirects to "http:\/\/example.org\/b", expected https:/),
  );
});

test('credentials are forwarded to the same origin only', async (t) => {
  const seen: unknown[] = [];
  const storage = await httpServer(t, ({ headers }, response) => {
    seen.push(headers.authorization);
    response.end();
  });
  const api = await httpServer(t, ({ url, headers }, response) => {
    seen.push(headers.authorization);
    response.writeHead(302, { Location: url === '/' ? '/next' : storage }).end();
  });
  await fetchWithRedirects(api, { headers: { Authorization: 'Bearer secret' } });
  assert.deepEqual(seen, ['Bearer secret', 'Bearer secret', undefined]);
});

const answering = async (t: TestContext, answer: RequestListener) => {
  const base = await httpServer(t, answer);
  const overrides = { geofabrikMirror: base, geonamesMirror: base, openaddressesMirror: base };
  const config = loadConfig({ environment: {}, overrides });
  return { base, sources: (from: string) => regionSources(config, { region: 'LI', from, isAgreed: true }) };
};

test('lists and hashes of publishers that have no end or are no JSON are refused', { timeout: 180_000 }, async (t) => {
  const endless = await answering(t, (_request, response) => sendForever(response));
  await assert.rejects(endless.sources('osm'), refusesWith(/index-v1\.json is too large/));
  await assert.rejects(endless.sources('openaddresses'), refusesWith(/addresses is too large/));
  assert.equal(await publishedChecksum(`${endless.base}/file.pbf`), undefined);
  for (const text of ['<html>', 'null', '{"features":[{"properties":null}]}', '[null]']) {
    const publisher = await answering(t, (_request, response) => response.end(text));
    await assert.rejects(publisher.sources('osm'), refusesWith(/is not an index of extracts; check/));
    await assert.rejects(publisher.sources('openaddresses'), refusesWith(/did not return a list of results/));
  }
});

test('a name that no file system accepts is refused in one line', () => {
  assert.throws(
    () => localPath('/data', `li/${'a'.repeat(5000)}`),
    refusesWith(/has 5000 bytes, expected at most 240/),
  );
});

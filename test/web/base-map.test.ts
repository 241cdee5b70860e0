/** Another base map than our own tiles, by configuration: a MapLibre style, a PMTiles archive, both here and elsewhere. */
import assert from 'node:assert/strict';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { UsageError } from '../../src/errors.ts';
import { archiveOf, none } from '../support/map-archives.ts';
import { testService } from '../support/service.ts';
import { temporaryDirectory, temporaryFile } from '../support/temporary.ts';

suite('a base map by configuration', () => {
  test('a local archive is served in the requested ranges', async (t) => {
    const { bytes, path } = archiveOf(t, ['land']);
    const service = await testService(t, { baseMap: { ...none, archive: path } });
    const part = async (range?: string) => {
      const headers: Record<string, string> = { 'accept-encoding': 'gzip', ...(range && { range }) };
      return service.inject({ url: '/map/archive.pmtiles', headers });
    };
    const first = await part('bytes=0-16383');
    assert.equal(first.statusCode, 206);
    assert.deepEqual(first.rawPayload, bytes);
    assert.equal(first.headers['content-range'], `bytes 0-${bytes.length - 1}/${bytes.length}`);
    const middle = await part('bytes=7-7');
    assert.deepEqual([...middle.rawPayload], [3]);
    assert.equal(middle.headers.etag, first.headers.etag);
    const behind = await part(`bytes=${bytes.length}-${bytes.length + 9}`);
    assert.deepEqual([behind.statusCode, behind.headers['content-range']], [416, `bytes */${bytes.length}`]);
    for (const range of [undefined, 'bytes=5-1', 'bytes=-5', 'bytes=0-99999999']) {
      assert.equal((await part(range)).statusCode, 400, `${range}`);
    }
  });

  test('the parts that one address holds are bounded until it takes them; without the file there are none', async (t) => {
    const { bytes, path } = archiveOf(t, ['land']);
    const limits = { heldAnswerBytesPerCaller: bytes.length - 1 };
    const service = await testService(t, { baseMap: { ...none, archive: path }, limits });
    const statusOf = async (range: string) =>
      (await service.inject({ url: '/map/archive.pmtiles', headers: { range } })).statusCode;
    assert.equal(await statusOf(`bytes=0-${bytes.length - 1}`), 429);
    // What is read holds nothing.
    for (let time = 0; time < 3; time++) assert.equal(await statusOf(`bytes=1-${bytes.length - 2}`), 206);
    assert.equal(await statusOf('bytes=0-1048576'), 400, 'more than one request may have');
    rmSync(path);
    assert.equal(await statusOf('bytes=0-7'), 503);
    mkdirSync(path);
    assert.equal(await statusOf('bytes=0-7'), 503);
  });

  test('only pages with a map may load from the origins that are configured', async (t) => {
    const style = temporaryFile(
      t,
      'style.json',
      JSON.stringify({
        version: 8,
        sources: {},
        glyphs: 'https://fonts.example.org/{fontstack}/{range}.pbf',
        layers: [],
      }),
    );
    const baseMap = { style, archive: 'https://tiles.example.org/a.pmtiles', origins: ['https://more.example.org'] };
    const service = await testService(t, { baseMap });
    const policy = async (url: string) => (await service.ask(url)).headers['content-security-policy'];
    for (const url of ['/', '/explorer']) {
      assert.match(
        await policy(url),
        /connect-src 'self' https:\/\/more\.example\.org https:\/\/fonts\.example\.org https:\/\/tiles\.example\.org;/,
      );
    }
    assert.match(await policy('/account'), /connect-src 'self';/);
    assert.equal((await service.ask('/map/style.json')).status, 200);
  });

  test('what cannot be a map is refused at the start, with the setting and the file', async (t) => {
    const text = temporaryFile(t, 'some.txt', 'some text');
    const missing = join(temporaryDirectory(t), 'missing');
    for (const [baseMap, message] of [
      [{ ...none, style: text }, /mapStyle: .*some\.txt is not a MapLibre style/],
      [{ ...none, archive: text }, /mapArchive: .*some\.txt is not a PMTiles archive/],
      [{ ...none, style: missing }, /mapStyle: .*missing cannot be read: there is no such file/],
      [{ ...none, archive: missing }, /mapArchive: .*missing cannot be read: there is no such file/],
    ] as const) {
      await assert.rejects(testService(t, { baseMap }), (error: Error) => {
        assert.ok(error instanceof UsageError);
        assert.match(error.message, message);
        return true;
      });
    }
  });
});

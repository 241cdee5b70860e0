/** Another base map than our own tiles, by configuration: a MapLibre style, a PMTiles archive, both here and elsewhere. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import { UsageError } from '../../src/errors.ts';
import type { BaseMapOptions } from '../../src/server/faces/portal/base-map.ts';
import { LayerTile } from '../../src/server/tiles/layer-tile.ts';
import { desktop, listening, noBrowser, startPortal } from '../support/browser.ts';
import { pmtilesOf } from '../support/pmtiles-writer.ts';
import { testService } from '../support/service.ts';
import { temporaryDirectory, temporaryFile } from '../support/temporary.ts';

const none: BaseMapOptions = { style: '', archive: '', origins: [] };
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** A tile of the whole world with an area in each of the layers. */
function tileOf(layers: readonly string[]): Buffer {
  return Buffer.concat(
    layers.map((name) => {
      const tile = new LayerTile(name, { z: 0, x: 0, y: 0 });
      tile.addArea([Float64Array.of(-90, -40, 90, -40, 90, 60, -90, 60)], { kind: 'earth' });
      return tile.encoded()!;
    }),
  );
}

function archiveOf(t: TestContext, layers: readonly string[]) {
  const archive = pmtilesOf(tileOf(layers), 'mvt', { vector_layers: layers.map((id) => ({ id, fields: {} })) });
  return { ...archive, path: temporaryFile(t, 'world.pmtiles', archive.bytes) };
}

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
  });

  test('only the explorer may load from the origins that are configured', async (t) => {
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
    assert.match(
      await policy('/explorer'),
      /connect-src 'self' https:\/\/more\.example\.org https:\/\/fonts\.example\.org https:\/\/tiles\.example\.org;/,
    );
    assert.match(await policy('/'), /connect-src 'self';/);
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

  suite('in a browser', { skip: noBrowser }, () => {
    /** Opens the explorer and returns the status of each answer whose address contains `part`. */
    async function open(t: TestContext, baseMap: BaseMapOptions, part: string) {
      const portal = await startPortal(undefined, { baseMap });
      t.after(() => portal.close());
      const { page, complaints } = await portal.visit('/status', { viewport: desktop, key: portal.key });
      const requests: { url: string; status: number; range: string | undefined }[] = [];
      page.on('response', (response) => {
        if (!response.url().includes(part)) return;
        requests.push({ url: response.url(), status: response.status(), range: response.request().headers().range });
      });
      // A page of JSON has no icon, and addresses elsewhere are what is tried here.
      const faults = () => complaints.filter((text) => !/^(http|Failed to load resource)/.test(text));
      await page.goto(`${portal.base}/explorer?endpoint=search&q=Berlin&limit=1`);
      await page.locator('#outcome').filter({ hasText: '200 in' }).waitFor();
      await page.mouse.move(700, 300);
      await page.locator('#map .live.ready').waitFor();
      return { portal, page, requests, faults };
    }

    for (const [what, layers] of [
      ['of Protomaps', ['earth', 'roads', 'places']],
      ['of unknown layers', ['parcels']],
    ] as const) {
      test(`draws a local archive ${what}, in both themes, with the pins above`, async (t) => {
        const { path, tileAt } = archiveOf(t, layers);
        const { page, requests, faults } = await open(t, { ...none, archive: path }, '/map/archive.pmtiles');
        assert.ok(requests.length > 0 && requests.every(({ status }) => status === 206), JSON.stringify(requests));
        assert.ok(
          requests.some(({ range }) => range?.startsWith(`bytes=${tileAt}-`)),
          `the tile at ${tileAt} is among ${JSON.stringify(requests)}`,
        );
        await page.getByRole('button', { name: /^Theme/ }).click();
        await page.getByRole('button', { name: 'Theme: light' }).click();
        await page.locator('.result').first().click();
        await page.locator('.maplibregl-popup').filter({ hasText: 'Berlin' }).waitFor();
        assert.deepEqual(faults(), []);
      });
    }

    test('draws an archive of pictures from another origin', async (t) => {
      const { bytes, tileAt } = pmtilesOf(picture, 'png', {});
      const elsewhere = await testService(t, {
        baseMap: { ...none, archive: temporaryFile(t, 'pictures.pmtiles', bytes) },
      });
      const archive = `${await listening(elsewhere)}/map/archive.pmtiles`;
      const { requests, faults } = await open(t, { ...none, archive }, archive);
      assert.ok(requests.some(({ range, status }) => range?.startsWith(`bytes=${tileAt}-`) && status === 206));
      assert.deepEqual(faults(), []);
    });

    test('draws a style from another origin, its tiles from a third', async (t) => {
      const { path, tileAt } = archiveOf(t, ['land']);
      const third = await listening(await testService(t, { baseMap: { ...none, archive: path } }));
      const style = temporaryFile(
        t,
        'style.json',
        JSON.stringify({
          version: 8,
          sources: { world: { type: 'vector', url: `pmtiles://${third}/map/archive.pmtiles` } },
          layers: [
            { id: 'land', type: 'fill', source: 'world', 'source-layer': 'land', paint: { 'fill-color': '#0a0' } },
          ],
        }),
      );
      const second = await listening(await testService(t, { baseMap: { ...none, style } }));
      const baseMap = { ...none, style: `${second}/map/style.json`, origins: [third] };
      const { requests, faults } = await open(t, baseMap, third);
      assert.ok(requests.some(({ range, status }) => range?.startsWith(`bytes=${tileAt}-`) && status === 206));
      assert.deepEqual(faults(), []);
    });

    test('a style that cannot be had is said, and our own map is shown', async (t) => {
      const file = temporaryFile(t, 'style.json', '{"version": 8, "sources": {}, "layers": []}');
      const elsewhere = await listening(await testService(t, { baseMap: { ...none, style: file } }));
      const { page } = await open(t, { ...none, style: `${elsewhere}/nowhere.json` }, elsewhere);
      assert.match((await page.locator('#map-hint').textContent()) ?? '', /The configured map is not shown \(.*404\)/);
    });
  });
});

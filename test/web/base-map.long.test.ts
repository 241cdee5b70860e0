/** Another base map than our own tiles, in a real browser: a MapLibre style, a PMTiles archive, both here and elsewhere. */
import assert from 'node:assert/strict';
import { suite, type TestContext, test } from 'node:test';
import { desktop, listening, noBrowser, startPortal } from '../support/browser.ts';
import { archiveOf, none, picture } from '../support/map-archives.ts';
import { pmtilesOf } from '../support/pmtiles-writer.ts';
import { testService } from '../support/service.ts';
import { temporaryFile } from '../support/temporary.ts';

suite('a base map by configuration, in a browser', { skip: noBrowser }, () => {
  /** Opens the explorer and returns the status of each answer whose address contains `part`. */
  async function open(t: TestContext, baseMap: typeof none, part: string) {
    const portal = await startPortal(undefined, { baseMap });
    t.after(() => portal.close());
    const { page, complaints } = await portal.visit('/health/live', { viewport: desktop, key: portal.key });
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

/** The explorer's map in a real browser: our own tiles, results tied to pins, popups, the radius, explanations. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Page } from 'playwright-core';
import { besideMap as desktop, noBrowser, type Portal, phone, seriousIssues, startPortal } from '../support/browser.ts';
import { until } from '../support/served.ts';

suite('the map of the explorer in a browser', { skip: noBrowser }, () => {
  let portal: Portal;
  before(async () => {
    portal = await startPortal();
  });
  after(() => portal?.close());

  /** Opens a link of the explorer and waits for answer and map. */
  async function open(link: string, viewport = desktop) {
    const visit = await portal.visit(link, { viewport, key: portal.key });
    const { page } = visit;
    await page.locator('#outcome').filter({ hasText: '200 in' }).waitFor();
    await page.mouse.move(viewport.width / 2, 250);
    await page.locator('#map .live.ready').waitFor();
    return visit;
  }

  const middleOfMap = async (page: Page) => {
    const box = await page.locator('#map .live canvas').boundingBox();
    assert.ok(box);
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  };
  const field = (page: Page, name: string) => page.getByLabel(name, { exact: true }).inputValue();

  test('is drawn from our own tiles, with the key in the header', async () => {
    const requests: { path: string; key: string | undefined; status: number }[] = [];
    const { page, complaints, close } = await portal.visit('/health/live', { viewport: desktop, key: portal.key });
    page.on('response', (response) => {
      const { pathname } = new URL(response.url());
      if (!pathname.endsWith('.mvt')) return;
      requests.push({ path: pathname, key: response.request().headers()['x-api-key'], status: response.status() });
    });
    await page.goto(`${portal.base}/explorer?endpoint=reverse&lat=52.52&lng=13.41`);
    await page.locator('#outcome').filter({ hasText: '200 in' }).waitFor();
    assert.equal(requests.length, 0, 'not before anybody moves');
    const tileOf = (part: string) =>
      page.waitForResponse((response) => response.url().includes(`/tiles/${part}`) && response.url().endsWith('.mvt'));
    const layers = ['boundaries/9', 'streets/14', 'addresses/16', 'pois/16'].map(tileOf);
    // A house is shown among its streets at once, as the first picture has none.
    await page.goto(`${portal.base}/explorer?endpoint=address&q=Hauptstra%C3%9Fe+7&country=DE`);
    await page.locator('#map .live.ready').waitFor();
    await Promise.all(layers);
    assert.ok(!requests.some(({ path }) => path.startsWith('/tiles/places')), 'no tiles of the way there');
    const places = tileOf('places');
    await page.evaluate("location.hash = location.hash.replace(/=[^/]+/, '=9')");
    await places;
    assert.ok(
      requests.every(({ key, status }) => key === portal.key && [200, 204].includes(status)),
      JSON.stringify(requests),
    );
    // A page of JSON has no icon.
    assert.deepEqual(
      complaints.filter((text) => !text.startsWith('Failed to load resource')),
      [],
    );
    await close();
  });

  test('a record of the list and its pin are one: pointing, clicking, arrow keys', async () => {
    const { page, complaints, close } = await open('/explorer?endpoint=nearby&lat=52.5&lng=13.4&radius=500&limit=3');
    const results = page.locator('.result');
    assert.ok((await results.count()) >= 2);
    assert.match((await results.nth(0).textContent()) ?? '', /^1Berlin/);
    await results.nth(1).hover();
    assert.match((await results.nth(1).getAttribute('class')) ?? '', /meant/);
    await results.nth(0).click();
    const popup = page.locator('.maplibregl-popup');
    await popup.filter({ hasText: 'Berlin' }).waitFor();
    assert.match((await popup.textContent()) ?? '', /population[\d,]+/);
    assert.match((await popup.textContent()) ?? '', /position52\.52, 13\.41/);
    await page.keyboard.press('ArrowDown');
    assert.equal(await page.evaluate('document.activeElement.dataset.index'), '1');
    await page.keyboard.press('Enter');
    await popup.filter({ hasText: (await results.nth(1).locator('strong').textContent()) ?? '' }).waitFor();
    assert.equal(await results.nth(1).getAttribute('aria-current'), 'true');
    assert.deepEqual(await seriousIssues(page), []);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('a click on a pin opens its fields and marks it in the list', async () => {
    const { page, complaints, close } = await open('/explorer?endpoint=search&q=Berlin&limit=1#map=9/52.52/13.41');
    const { x, y } = await middleOfMap(page);
    const canvas = page.locator('#map .live canvas');
    await until('the pin is drawn, and the pointer over it says so', async () => {
      for (const beside of [1, 0]) await page.mouse.move(x + beside, y);
      return (await canvas.evaluate(({ style }) => style.cursor)) === 'pointer';
    });
    await page.mouse.click(x, y);
    await page.locator('.maplibregl-popup').filter({ hasText: 'Germany' }).waitFor();
    assert.equal(await page.locator('.result').nth(0).getAttribute('aria-current'), 'true');
    assert.deepEqual(complaints, []);
    await close();
  });

  test('a click elsewhere says what is there, from the country down', async () => {
    const { page, complaints, close } = await open('/explorer?endpoint=search&q=Paris&limit=1#map=9/52.52/13.41');
    const { x, y } = await middleOfMap(page);
    await page.mouse.click(x + 40, y + 40);
    const popup = page.locator('.maplibregl-popup').filter({ hasText: 'What is here' });
    await popup.waitFor();
    await popup.filter({ hasText: 'local time' }).filter({ hasText: 'sun' }).waitFor();
    assert.match((await popup.textContent()) ?? '', /placeBerlin.*countryGermany.*time zoneEurope\/Berlin/);
    assert.equal(new URL(page.url()).searchParams.get('endpoint'), 'reverse', 'the request behind it is shown');
    assert.deepEqual(complaints, []);
    await close();
  });

  test('the radius is dragged by its handle, and moved by the arrow keys', async () => {
    const { page, complaints, close } = await open('/explorer?endpoint=nearby&lat=52.5&lng=13.4&radius=20');
    const grip = page.getByRole('slider', { name: 'Radius in km' });
    // Waits until the map stands still.
    await grip.hover();
    const box = await grip.boundingBox();
    assert.ok(box);
    const from = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(from.x - 12, from.y, { steps: 4 });
    await page.mouse.move(from.x - 24, from.y, { steps: 4 });
    const answered = page.waitForResponse((response) => response.url().includes('/v1/nearby'));
    await page.mouse.up();
    const radius = new URL((await answered).url()).searchParams.get('radius');
    assert.ok(Number(radius) > 2 && Number(radius) < 19, `${radius}`);
    assert.equal(await field(page, 'radius'), radius);
    assert.equal(await grip.getAttribute('aria-valuenow'), radius);
    await grip.focus();
    const again = page.waitForResponse((response) => response.url().includes('/v1/nearby'));
    await page.keyboard.press('ArrowUp');
    assert.ok(Number(new URL((await again).url()).searchParams.get('radius')) > Number(radius));
    assert.deepEqual(complaints, []);
    await close();
  });

  test('names shared by several records are replaced by what they differ in', async () => {
    const { page, close } = await open('/explorer?endpoint=search&q=springfield');
    const names = await page.locator('.result strong').allTextContents();
    assert.ok(names.filter((name) => name === 'Springfield').length >= 2, names.join());
    const details = await page.locator('.result .what .note').allTextContents();
    // Airports have names of their own.
    const told = names.map((name, at) => `${name}: ${details[at]}`);
    assert.equal(new Set(told).size, told.length, told.join(' | '));
    await close();
  });

  test('explain shows what each feature contributed, as bars; axe finds nothing', async () => {
    for (const viewport of [desktop, phone]) {
      const { page, complaints, close } = await open('/explorer?endpoint=search&q=springfield&explain=true', viewport);
      const tables = page.locator('#explain table');
      await tables.first().waitFor();
      assert.equal(await tables.count(), await page.locator('.result').count());
      assert.match((await tables.first().textContent()) ?? '', /^1\. Springfield, [\d.]+ points/);
      assert.match((await tables.first().textContent()) ?? '', /prominence[\d.]+/);
      const widths = await page
        .locator('#explain .bar')
        .evaluateAll((bars) => bars.map((bar) => bar.getBoundingClientRect().width));
      assert.ok(widths.length > 0 && Math.max(...widths) > 20, widths.join());
      assert.deepEqual(await seriousIssues(page), []);
      assert.deepEqual(complaints, []);
      await close();
    }
  });

  test('requests of the session come back at a click; the link is copied', async () => {
    const { page, complaints, close } = await open('/explorer?endpoint=search&q=Berlin');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'API request' }).click();
    await page.getByLabel('q', { exact: true }).fill('Paris');
    await page.keyboard.press('Enter');
    await page.locator('#outcome').filter({ hasText: 'Paris' }).waitFor();
    await page.getByText('Recent requests').click();
    await page.getByRole('button', { name: 'Search places: Berlin' }).click();
    await page.locator('#outcome').filter({ hasText: 'Berlin' }).waitFor();
    assert.equal(await field(page, 'q'), 'Berlin');
    await page.getByRole('button', { name: 'Copy link' }).click();
    const copied = new URL(await page.evaluate<string>('navigator.clipboard.readText()'));
    assert.equal(copied.searchParams.get('q'), 'Berlin');
    assert.match(copied.hash, /^#map=/);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('without a key our tiles come by the allowance of the portal, and with one by the key', async () => {
    const { page, complaints, close } = await portal.visit('/explorer?endpoint=country&code=FR', { viewport: desktop });
    const open = page.waitForResponse((response) => response.url().includes('/portal/tiles/boundaries/'));
    await page.mouse.move(700, 300);
    assert.equal((await open).status(), 200);
    await page.locator('#map .live.ready').waitFor();
    const tile = page.waitForResponse((response) => new URL(response.url()).pathname.startsWith('/tiles/boundaries/'));
    await page.getByRole('button', { name: 'Get a free key' }).click();
    assert.equal((await tile).status(), 200);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('where the data end the map says so, and how to add some; layers are switched', async () => {
    const { page, complaints, close } = await portal.visit('/explorer#map=14/48.8566/2.3522', { viewport: desktop });
    await page.locator('#map-hint').filter({ hasText: 'Add France with whereabouts build --region FR' }).waitFor();
    await page.getByText('Layers', { exact: true }).click();
    await page.getByLabel('Streets').uncheck();
    await page.mouse.wheel(0, 300);
    await page.locator('#map-hint').filter({ hasNotText: 'No streets' }).waitFor({ state: 'attached' });
    assert.deepEqual(complaints, []);
    await close();
  });

  test('a first visit asks nothing, and starts where the data are at a click', async () => {
    const { page, complaints, close } = await portal.visit('/explorer', { viewport: desktop });
    await page.locator('.starts a').first().click();
    await page.locator('#map .live[data-idle]').waitFor();
    assert.match(new URL(page.url()).hash, /^#map=15\//);
    assert.equal(new URL(page.url()).search, '', 'no request is in the address');
    await page.getByText('Search, or click anywhere on the map').waitFor();
    assert.deepEqual(complaints, []);
    await close();
  });
});

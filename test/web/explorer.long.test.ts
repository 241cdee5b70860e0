/**
 * The explorer in a real browser: clicks and input are sent as requests, shown as code, answered and kept in the
 * address.
 */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { besideMap as desktop, noBrowser, type Portal, phone, seriousIssues, startPortal } from '../support/browser.ts';
import { runTabs } from '../support/program.ts';
import { until } from '../support/served.ts';

suite('the explorer in a browser', { skip: noBrowser }, () => {
  let portal: Portal;
  before(async () => {
    portal = await startPortal();
  });
  after(() => portal?.close());

  test('a click on the map asks and answers; the address holds the state', async () => {
    const { page, complaints, close } = await portal.visit(
      '/explorer?endpoint=reverse&lat=52.5&lng=13.4#map=5/52.5/13.4',
      {
        viewport: desktop,
        key: portal.key,
      },
    );
    await page.getByText(/from the point/).waitFor();
    await page.mouse.move(700, 300);
    await page.locator('#map .live.ready').waitFor();
    const before = await page.getByLabel('lat', { exact: true }).inputValue();
    const box = await page.locator('#map .live canvas').boundingBox();
    assert.ok(box);
    await page.mouse.click(box.x + box.width / 2 + 40, box.y + box.height / 2 + 30);
    await page.waitForFunction(`document.querySelector('#field-lat').value !== '${before}'`);
    await page.getByText(/200 in/).waitFor();
    const shown = new URL(page.url()).searchParams;
    assert.equal(shown.get('endpoint'), 'reverse');
    assert.equal(shown.get('lat'), await page.getByLabel('lat', { exact: true }).inputValue());
    const lat = await page.getByLabel('lat', { exact: true }).inputValue();
    await page.reload();
    await page.getByText(/200 in/).waitFor();
    assert.equal(await page.getByLabel('lat', { exact: true }).inputValue(), lat, 'the state outlives a reload');
    assert.deepEqual(complaints, []);
    await close();
  });

  test('a link to an endpoint that does not exist says so, and sends nothing', async () => {
    const { page, complaints, close } = await portal.visit('/explorer?endpoint=nosuch&lat=1&lng=2', {
      viewport: desktop,
      key: portal.key,
    });
    let asked = 0;
    page.on('request', (request) => (asked += request.url().includes('/v1/') ? 1 : 0));
    await page.getByText('There is no endpoint “nosuch”. Choose one of the list.').waitFor();
    assert.notEqual(await page.getByLabel('lat', { exact: true }).inputValue(), '1');
    assert.equal(asked, 0);
    await page.getByLabel('Endpoint').selectOption('usage');
    await page.getByText(/^\d+ of 1,000,000,000 calls used today\./).waitFor();
    assert.deepEqual(complaints, []);
    await close();
  });

  test('every endpoint can be sent, and answers in a sentence', async () => {
    const { page, complaints, close } = await portal.visit('/explorer?endpoint=nearby', {
      viewport: desktop,
      key: portal.key,
    });
    const chooser = page.getByLabel('Endpoint');
    await page.getByText(/200 in/).waitFor();
    const options = await chooser.locator('option').all();
    const ids = await Promise.all(options.map(async (option) => (await option.getAttribute('value')) ?? ''));
    assert.ok(ids.length >= 15, ids.join());
    for (const id of ids) {
      const answered = page.waitForResponse((response) => response.url().includes('/v1/'));
      await chooser.selectOption(id);
      await answered;
      await page
        .locator('#outcome')
        .filter({ hasText: /\d{3} in / })
        .waitFor();
      const outcome = (await page.locator('#outcome').textContent()) ?? '';
      assert.doesNotMatch(outcome, /undefined|NaN|\[object/, id);
      const listed = (await page.locator('#results').textContent()) ?? '';
      assert.doesNotMatch(listed, /Unnamed|undefined/, `${id}: a record of the list is not called anything`);
      const url = new URL(page.url());
      assert.equal(url.searchParams.get('endpoint'), id);
    }
    const wrong = complaints.filter((text) => !text.startsWith('Failed to load resource'));
    assert.deepEqual(wrong, []);
    await close();
  });

  test('the request as curl, JavaScript and Python runs exactly as shown', async () => {
    const { page, close } = await portal.visit('/explorer?endpoint=country&code=DE', {
      viewport: desktop,
      key: portal.key,
    });
    await page.getByText(/200 in/).waitFor();
    await page.getByLabel('Show my key').check();
    for (const written of await runTabs(page, 'code')) assert.match(written, /Germany/);
    await close();
  });

  test('errors say what to change, and mark the field', async () => {
    const { page, close } = await portal.visit('/explorer?endpoint=nearby&lat=95&lng=0', {
      viewport: desktop,
      key: portal.key,
    });
    await page
      .getByText(/lat is "95", expected/)
      .first()
      .waitFor();
    assert.equal(await page.getByLabel('lat', { exact: true }).getAttribute('aria-invalid'), 'true');
    await page.getByRole('link', { name: 'About this error' }).click();
    await page.waitForURL(/\/docs\/errors\/invalid_parameter/);
    await close();
  });

  test('a revoked key is reported, and can be replaced there', async () => {
    const key = portal.makeKey();
    await portal.keys.revoke((await portal.keys.find(key)).id, 'test');
    const { page, close } = await portal.visit('/explorer?endpoint=country&code=DE', { viewport: phone, key });
    await page.getByText('the key was revoked; use another one').first().waitFor();
    await page.getByLabel('Your key').fill(portal.key);
    await page.getByRole('button', { name: 'Use', exact: true }).click();
    await page.getByText(/200 in/).waitFor();
    assert.equal(await page.getByLabel('Your key').isHidden(), true);
    await close();
  });

  test('a batch is edited as JSON, sent, and shown; a fault in the JSON is reported next to it', async () => {
    const { page, complaints, close } = await portal.visit('/explorer?endpoint=batch', {
      viewport: desktop,
      key: portal.key,
    });
    const outcome = page.locator('#outcome');
    await outcome
      .filter({ hasText: 'All 4 answered.' })
      .or(outcome.filter({ hasText: 'of 4 answered' }))
      .waitFor();
    const field = page.getByLabel('Requests, as JSON');
    await field.fill('{"requests": [{"endpoint": "country/DE", "params": {}}, {"endpoint": "search", "params": {}}]}');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('1 of 2 answered; the others have an error.').waitFor();
    assert.match((await page.locator('#json').textContent()) ?? '', /"missing_parameter"/);
    assert.match(new URL(page.url()).searchParams.get('body') ?? '', /country\/DE/, 'the state is in the address');

    await page.getByLabel('Show my key').check();
    const [curl, javascript, python = curl] = await runTabs(page, 'code');
    assert.match(curl, /Germany/);
    assert.match(javascript, /successful: 1/);
    assert.match(python, /Germany/);

    await field.fill('{"requests": [');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText(/The body is not JSON/).waitFor();
    assert.equal(await field.getAttribute('aria-invalid'), 'true');
    assert.deepEqual(await seriousIssues(page), []);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('a link with a batch is shown, and sent only on request', async () => {
    const requests = Array.from({ length: 60 }, () => ({ endpoint: 'country/DE', params: {} }));
    const link = `/explorer?${new URLSearchParams({ endpoint: 'batch', body: JSON.stringify({ requests }) })}`;
    const key = portal.makeKey();
    const { page, complaints, close } = await portal.visit(link, { viewport: desktop, key });
    await page.getByText('Not sent yet: each request in the body costs one call.').waitFor();
    assert.equal((await portal.ask('/v1/usage', { key })).body.used, 0);
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('All 60 answered.').waitFor();
    assert.deepEqual(complaints, []);
    await close();
  });

  test('a link with names that lists of fields have themselves starts like any other', async () => {
    for (const name of ['length', 'item', 'namedItem', 'constructor', '__proto__']) {
      const { page, complaints, close } = await portal.visit(`/explorer?endpoint=country&code=DE&${name}=5`, {
        viewport: desktop,
        key: portal.key,
      });
      await page.locator('#outcome').filter({ hasText: 'Germany' }).waitFor();
      assert.deepEqual(complaints, [], name);
      await close();
    }
  });

  test('back and forward step through earlier requests', async () => {
    const { page, complaints, close } = await portal.visit('/explorer?endpoint=country&code=DE', {
      viewport: desktop,
      key: portal.key,
    });
    const outcome = page.locator('#outcome');
    await outcome.filter({ hasText: 'Germany' }).waitFor();
    await page.getByLabel('code', { exact: true }).fill('FR');
    await page.keyboard.press('Enter');
    await outcome.filter({ hasText: 'France' }).waitFor();
    await page.getByLabel('Endpoint').selectOption('timezone');
    await outcome.filter({ hasText: /UTC[+-]/ }).waitFor();
    await page.goBack();
    await outcome.filter({ hasText: 'France' }).waitFor();
    assert.equal(await page.getByLabel('Endpoint').inputValue(), 'country');
    await page.goBack();
    await outcome.filter({ hasText: 'Germany' }).waitFor();
    await page.goForward();
    await outcome.filter({ hasText: 'France' }).waitFor();
    await page.goForward();
    await outcome.filter({ hasText: /UTC[+-]/ }).waitFor();
    assert.deepEqual(complaints, []);
    await close();
  });

  test('visitors without a key are answered; what is counted by key offers one there', async () => {
    const { page, complaints, close } = await portal.visit('/explorer?endpoint=country&code=FR', { viewport: phone });
    await page.locator('#outcome').filter({ hasText: 'France' }).waitFor();
    await page.getByRole('button', { name: 'API request' }).click();
    await page.getByLabel('Endpoint').selectOption('usage');
    await page.getByRole('button', { name: 'Get a free key' }).click();
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await page
      .locator('#outcome')
      .filter({ hasText: /calls used today/ })
      .waitFor();
    assert.deepEqual(await seriousIssues(page), []);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('the box on the map: suggestions, Enter goes there, a choice opens its record; by hand on a phone too', async () => {
    for (const viewport of [desktop, phone]) {
      const { page, complaints, close } = await portal.visit('/explorer', { viewport });
      await page.getByText('Search, or click anywhere on the map').waitFor();
      const box = page.getByRole('combobox', { name: 'Search places and addresses' });
      await box.fill('be');
      await page
        .getByRole('option', { name: /^Berlin/ })
        .first()
        .waitFor();
      await page.locator('.result').first().waitFor();
      await page
        .getByRole('option', { name: /^Berlin/ })
        .first()
        .click();
      await page.waitForURL(/endpoint=place&id=/);
      await page.locator('.maplibregl-popup').filter({ hasText: 'Berlin' }).waitFor();
      await box.fill('paris');
      await box.press('Enter');
      await page.waitForURL(/endpoint=search&q=paris/);
      await page.locator('#outcome').filter({ hasText: 'Paris' }).waitFor();
      assert.ok((await page.locator('.result').count()) >= 1);
      await box.fill('spring');
      await page.getByRole('option').nth(1).click();
      // The popup opens while the map is on its way there.
      await page.waitForURL(/endpoint=place&id=.*#map=11\//);
      assert.deepEqual(await seriousIssues(page), []);
      assert.deepEqual(complaints, []);
      await close();
    }
  });

  test('rate limit and quota are reported with when to try again', async () => {
    const slow = portal.makeKey({ plan: 'slow' });
    for (let call = 0; call < 3; call++) await portal.ask('/v1/country/DE', { key: slow });
    const first = await portal.visit('/explorer?endpoint=country&code=DE', { viewport: desktop, key: slow });
    await first.page.getByText(/faster than the plan allows. Try again in \d+ s/).waitFor();
    // The button counts down, and is there again.
    await first.page.getByRole('button', { name: 'Send', exact: true }).waitFor();
    assert.equal(await first.page.getByRole('button', { name: 'Send', exact: true }).isEnabled(), true);
    await first.close();

    const tiny = portal.makeKey({ plan: 'tiny' });
    for (let call = 0; call < 5; call++) await portal.ask('/v1/country/DE', { key: tiny });
    const second = await portal.visit('/explorer?endpoint=country&code=DE', { viewport: desktop, key: tiny });
    await second.page.getByText('The quota resets at 00:00 UTC, in 12 h 0 min').waitFor();
    await second.page.goto(`${portal.base}/`);
    await second.page.getByRole('combobox').pressSequentially('ber');
    await second.page.getByText("Today's calls are used up.").waitFor();
    await second.close();
  });

  test('lists are offered as GeoJSON and CSV too', async () => {
    const { page, complaints, close } = await portal.visit('/explorer?endpoint=cities&country=DE&format=csv', {
      viewport: desktop,
      key: portal.key,
    });
    await page.getByText(/\d+ lines of CSV/).waitFor();
    await page.getByLabel('format').selectOption('geojson');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText(/\d+ features/).waitFor();
    assert.deepEqual(complaints, []);
    await close();
  });

  test('without WebGL the map is a picture that can be clicked', async () => {
    const { page, complaints, close } = await portal.visit('/health/live', { viewport: desktop, key: portal.key });
    await page.addInitScript(`
      const real = HTMLCanvasElement.prototype.getContext;
      HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
        return kind.startsWith('webgl') ? null : real.call(this, kind, ...rest);
      };
    `);
    await page.goto(`${portal.base}/explorer?endpoint=reverse&lat=52.5&lng=13.4#map=3/40/0`);
    await page.locator('#outcome').filter({ hasText: '200 in' }).waitFor();
    await page.mouse.move(800, 300);
    await page.getByText('this browser has no WebGL 2').waitFor();
    const box = await page.locator('#map canvas').boundingBox();
    assert.ok(box);
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    const lat = page.getByLabel('lat', { exact: true });
    await until('the click is asked for', async () => Math.abs(Number(await lat.inputValue()) - 40) < 0.5);
    assert.ok(Math.abs(Number(await page.getByLabel('lng', { exact: true }).inputValue())) < 0.5);
    assert.deepEqual(
      complaints.filter((text) => !text.startsWith('Failed to load resource')),
      [],
    );
    await close();
  });

  test("names come in the visitor's language, from the search box to the explorer", async () => {
    const { page, complaints, close } = await portal.visit('/', {
      viewport: desktop,
      key: portal.key,
      locale: 'ja-JP',
    });
    await page.getByRole('combobox').pressSequentially('toky');
    await page.getByRole('option', { name: '東京, 東京都, 日本', exact: true }).click();
    await page.getByRole('link', { name: 'Open in the explorer' }).click();
    await page.waitForURL(/lang=ja/);
    await page.locator('#outcome').filter({ hasText: '東京' }).waitFor();
    await page.getByRole('button', { name: 'API request' }).click();
    await page.getByLabel('Endpoint').selectOption('reverse');
    assert.equal(await page.getByLabel('lang', { exact: true }).inputValue(), 'ja-JP');
    assert.deepEqual(complaints, []);
    await close();
  });
});

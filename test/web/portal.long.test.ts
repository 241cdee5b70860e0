/** The portal in a real browser: the ways people take, without complaints of the console, outside requests or axe. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { isWellFormedKey } from '../../src/keys/key-record.ts';
import { desktop, noBrowser, type Portal, phone, seriousIssues, startPortal } from '../support/browser.ts';
import { startMailServer } from '../support/mail-server.ts';
import { runTabs } from '../support/program.ts';

suite('the portal in a browser', { skip: noBrowser }, () => {
  let portal: Portal;
  before(async () => {
    portal = await startPortal();
  });
  after(() => portal?.close());

  test('no page has a serious accessibility issue, overflows, or complains, on phone and desktop, light and dark', async () => {
    const paths = [
      '/',
      '/explorer',
      '/widget',
      '/status',
      '/sign-up',
      '/account',
      '/docs',
      '/docs/quick-start',
      '/docs/endpoints/search',
      '/docs/data',
    ];
    for (const path of paths) {
      for (const [viewport, ...schemes] of [
        [phone, 'light', 'dark'],
        [desktop, 'dark', 'light'],
      ] as const) {
        const options = { viewport, colorScheme: schemes[0], key: portal.key };
        const { page, complaints, close } = await portal.visit(path, options);
        await page.waitForLoadState('networkidle');
        for (const colorScheme of schemes) {
          const what = `${path} ${viewport.width} ${colorScheme}`;
          await page.emulateMedia({ colorScheme });
          await page.evaluate('Promise.allSettled(document.getAnimations().map(({ finished }) => finished))');
          assert.deepEqual(await seriousIssues(page), [], what);
          const width = await page.evaluate<number>('document.documentElement.scrollWidth');
          assert.ok(width <= viewport.width, `${what} is ${width} wide`);
          assert.deepEqual(complaints, [], what);
        }
        await close();
      }
    }
  });

  test('from the first page to a place on its map without a key, by keyboard alone; a key is one click away', async () => {
    const { page, complaints, close } = await portal.visit('/', { viewport: desktop });
    const box = page.getByRole('combobox', { name: 'Search places and addresses' });
    // Two letters; at once: keys that come slowly on a busy machine have a list each, which replaces the one before.
    await box.fill('be');
    await page
      .getByRole('option', { name: /^Berlin/ })
      .first()
      .waitFor();
    await page.keyboard.press('ArrowDown');
    const active = await box.getAttribute('aria-activedescendant');
    assert.equal(await page.locator(`#${active}`).getAttribute('aria-selected'), 'true');
    await page.keyboard.press('Escape');
    assert.equal(await page.getByRole('listbox').isHidden(), true);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.locator('.maplibregl-popup').waitFor();
    assert.match(
      (await page.getByRole('link', { name: 'Open in the explorer' }).getAttribute('href')) ?? '',
      /place&id=/,
    );
    await page.goto(`${portal.base}/widget`);
    await page.getByRole('combobox').fill('be');
    await page
      .getByRole('option', { name: /^Berlin/ })
      .first()
      .click();
    await page.locator('#record').filter({ hasText: 'Berlin' }).waitFor();
    await page.goto(portal.base);
    await page.getByRole('button', { name: 'Get a free key' }).click();
    await page.getByText('You have a key now').waitFor();
    const key = await page.evaluate<string | null>("localStorage.getItem('whereabouts.key')");
    assert.ok(isWellFormedKey(key ?? ''));
    assert.deepEqual(await seriousIssues(page), []);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('signing up shows a key once, and its first request works exactly as copied', async () => {
    const { page, complaints, close } = await portal.visit('/sign-up', { viewport: phone });
    await page.getByLabel(/E-mail address/).fill('someone@example.org');
    await page.getByRole('button', { name: 'Get my key' }).click();
    await page.getByRole('heading', { name: 'Your key' }).waitFor();
    await page.getByLabel('Show my key').check();
    for (const written of await runTabs(page, 'first')) assert.match(written, /count/);
    assert.deepEqual(await seriousIssues(page), []);
    await page.reload();
    assert.equal(await page.locator('#new-key').isHidden(), true, 'not shown again');
    assert.deepEqual(complaints, []);
    await close();
  });

  test('signing up by mail: the link leads to a button, and that to the key', async (t) => {
    const server = await startMailServer(t);
    // The link names the portal's public address; the browser takes its path to the one of the test.
    const publicUrl = 'https://places.example.org';
    const byMail = await startPortal({
      mode: 'verified',
      smtpUrl: server.url,
      mailFrom: 'keys@example.org',
      publicUrl,
    });
    try {
      const first = await byMail.visit('/', { viewport: phone });
      await first.page.getByRole('main').getByRole('link', { name: 'Sign up' }).click();
      await first.page.getByLabel('E-mail address').fill('someone@example.org');
      await first.page.getByRole('button', { name: 'Get my key' }).click();
      await first.page.getByText('We have sent you an e-mail').waitFor();
      const text = server.received[0].text.replaceAll('=\r\n', '').replaceAll('=3D', '=');
      const path = /https:\/\/places\.example\.org(\/sign-up#token=[\w-]+)/.exec(text)?.[1];
      assert.ok(path, text);
      await first.close();
      for (const isFirst of [true, false]) {
        const { page, close } = await byMail.visit(path, { viewport: desktop });
        await page.getByRole('button', { name: 'Show my key' }).click();
        if (isFirst) await page.getByRole('heading', { name: 'Your key' }).waitFor();
        else await page.getByText('the link is unknown, was used before').waitFor();
        await close();
      }
    } finally {
      await byMail.close();
    }
  });

  test('where signing up is closed, the pages say who hands out keys', async () => {
    const closed = await startPortal({ mode: 'closed' });
    const home = await closed.visit('/', { viewport: desktop });
    await home.page.getByText("Ask this server's operator for one.").waitFor();
    assert.equal(await home.page.getByRole('button', { name: 'Get a free key' }).isHidden(), true);
    await home.page.goto(`${closed.base}/sign-up`);
    await home.page.getByText('This server does not accept sign-ups').waitFor();
    await home.close();
    await closed.close();
  });

  test('a wrong e-mail address is reported in words', async () => {
    const { page, close } = await portal.visit('/sign-up');
    await page.getByLabel(/E-mail address/).fill('someone');
    await page.getByRole('button', { name: 'Get my key' }).click();
    await page.getByText(/email is "someone", expected one e-mail address/).waitFor();
    await close();
  });

  test('account: use, rotation with both keys alive, restriction with a code, revocation', async () => {
    const key = portal.makeKey({ plan: 'free' });
    await portal.ask('/v1/country/DE', { key });
    const { page, complaints, close } = await portal.visit('/account', { viewport: desktop });
    await page.getByLabel('Your key').fill(key);
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByText('1 of 1,000 calls used today').waitFor();
    assert.equal(await page.locator('.chart rect').count(), 30);

    await page.getByRole('button', { name: 'Create a new key' }).click();
    await page.getByText('Your new key, shown only this once').waitFor();
    const rotated = (await page.locator('#new-key-text').textContent()) ?? '';
    assert.notEqual(rotated, key);
    for (const text of [key, rotated]) assert.equal((await portal.ask('/v1/country/DE', { key: text })).status, 200);

    await page.getByLabel('Origins of web pages').fill('https://example.org');
    await page.getByRole('button', { name: 'Save restrictions' }).click();
    await page.getByText('Your owner code, shown only this once').waitFor();
    assert.deepEqual(await seriousIssues(page), []);
    assert.equal((await portal.ask('/v1/country/DE', { key: rotated })).status, 403);

    await page.getByRole('button', { name: 'Revoke this key…' }).click();
    await page.getByRole('button', { name: 'Revoke it' }).click();
    await page.getByText('The key is revoked.').waitFor();
    assert.equal((await portal.ask('/v1/country/DE', { key: rotated })).status, 401);
    const wrong = complaints.filter((text) => !text.includes('403'));
    assert.deepEqual(wrong, []);
    await close();
  });

  test('the theme can be chosen, and is kept', async () => {
    const { page, close } = await portal.visit('/', { colorScheme: 'light' });
    const background = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    const light = await background();
    const button = page.getByRole('button', { name: /^Theme/ });
    await button.click();
    await button.click();
    assert.equal(await button.textContent(), 'Theme: dark');
    const dark = await background();
    assert.notEqual(dark, light);
    await page.goto(`${portal.base}/docs/quick-start`);
    assert.equal(await background(), dark);
    await close();
  });

  test('an address without a page answers a browser with one, and a program with a problem', async () => {
    const { page, close } = await portal.visit('/nowhere', { viewport: phone });
    await page.getByRole('heading', { name: 'No such page' }).waitFor();
    assert.deepEqual(await seriousIssues(page), []);
    await page.getByRole('main').getByRole('link', { name: 'Explorer' }).click();
    await page.waitForURL(/\/explorer/);
    await close();
    const answer = await portal.ask('/nowhere', { key: null, headers: { accept: 'text/html,*/*' } });
    assert.deepEqual([answer.status, answer.headers['content-type']], [404, 'text/html; charset=utf-8']);
    assert.equal((await portal.ask('/nowhere', { key: null })).body.code, 'not_found');
    assert.equal((await portal.ask('/v1/nowhere', { headers: { accept: 'text/html' } })).body.code, 'not_found');
  });

  test("the reference answers at the first press; an endpoint's page copies with the visitor's key", async () => {
    const { page, complaints, close } = await portal.visit('/docs#country', {
      viewport: desktop,
      key: portal.key,
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const operation = page.locator('#country');
    await operation.getByRole('button', { name: 'Send' }).click();
    await operation.getByText('200 OK').waitFor();
    await operation.getByText('Fields and errors').click();
    await operation.getByRole('cell', { name: 'currency_symbol' }).first().waitFor();
    assert.deepEqual(await seriousIssues(page), []);
    await page.goto(`${portal.base}/docs/endpoints/country`);
    await page.locator('#request').getByRole('button', { name: 'Copy' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    assert.match(copied, new RegExp(portal.key));
    await page.getByRole('link', { name: 'Try it in the explorer' }).click();
    await page.locator('#outcome').filter({ hasText: '200 in' }).waitFor();
    assert.deepEqual(complaints, []);
    await close();
  });

  test('without scripts the pages say so, and the documentation is there', async () => {
    const { page, close } = await portal.visit('/explorer', { viewport: phone, javaScriptEnabled: false });
    await page.locator('.no-script').waitFor();
    await page.locator('.no-script a').click();
    await page.getByRole('heading', { name: 'Quick start' }).waitFor();
    await close();
  });
});

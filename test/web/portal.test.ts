/** The portal in a real browser: the ways people take, without complaints of the console, outside requests or axe. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, suite, test } from 'node:test';
import { promisify } from 'node:util';
import { createMailer } from '../../src/http/mail.ts';
import { isWellFormedKey } from '../../src/keys/key-format.ts';
import { openSignUps } from '../../src/keys/sign-ups.ts';
import { noBrowser, type Portal, seriousIssues, startPortal } from '../support/browser.ts';
import { startMailServer } from '../support/mail-server.ts';

/** Runs a program; not while waiting for it, as the service is in this process. */
const run = async (command: string, args: string[]) =>
  (await promisify(execFile)(command, args, { timeout: 20_000 })).stdout;

suite('the portal in a browser', { skip: noBrowser }, () => {
  let portal: Portal;
  before(async () => {
    portal = await startPortal();
  });
  after(() => portal?.close());

  const phone = { width: 390, height: 844 };
  const desktop = { width: 1440, height: 900 };

  test('no page has a serious accessibility issue, overflows, or complains, on phone and desktop, light and dark', async () => {
    const paths = [
      '/',
      '/explorer',
      '/sign-up',
      '/account',
      '/docs',
      '/docs/quick-start',
      '/docs/endpoints/search',
      '/docs/data',
    ];
    for (const path of paths) {
      for (const viewport of [phone, desktop]) {
        for (const colorScheme of ['light', 'dark'] as const) {
          const what = `${path} ${viewport.width} ${colorScheme}`;
          const { page, complaints, close } = await portal.visit(path, { viewport, colorScheme, key: portal.key });
          await page.waitForLoadState('networkidle');
          assert.deepEqual(await seriousIssues(page), [], what);
          const width = await page.evaluate<number>('document.documentElement.scrollWidth');
          assert.ok(width <= viewport.width, `${what} is ${width} wide`);
          assert.deepEqual(complaints, [], what);
          await close();
        }
      }
    }
  });

  test('from the first page to a key, and suggestions while typing, by keyboard alone', async () => {
    const { page, complaints, close } = await portal.visit('/', { viewport: desktop });
    await page.getByRole('button', { name: 'Get a free key' }).click();
    await page.getByText('You have a key now').waitFor();
    const key = await page.evaluate<string | null>("localStorage.getItem('whereabouts.key')");
    assert.ok(isWellFormedKey(key ?? ''));
    await page.getByRole('combobox', { name: 'Search places' }).pressSequentially('ber');
    await page
      .getByRole('option', { name: /^Berlin/ })
      .first()
      .waitFor();
    await page.keyboard.press('ArrowDown');
    const box = page.getByRole('combobox');
    const active = await box.getAttribute('aria-activedescendant');
    assert.equal(await page.locator(`#${active}`).getAttribute('aria-selected'), 'true');
    await page.keyboard.press('Escape');
    assert.equal(await page.getByRole('listbox').isHidden(), true);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/explorer\?endpoint=search&q=Berlin/);
    await page.getByText(/First of \d+: Berlin/).waitFor();
    assert.deepEqual(complaints, []);
    await close();
  });

  test('signing up shows a key once, and its first request works as it is copied', async () => {
    const { page, complaints, close } = await portal.visit('/sign-up', { viewport: phone });
    await page.getByLabel(/E-mail address/).fill('someone@example.org');
    await page.getByRole('button', { name: 'Get my key' }).click();
    await page.getByRole('heading', { name: 'Your key' }).waitFor();
    await page.getByLabel('Show my key').check();
    const command = (await page.locator('#first-text').textContent()) ?? '';
    const answer = JSON.parse(await run('sh', ['-c', command.replace('curl', 'curl -s')]));
    assert.equal(typeof answer.count, 'number');
    assert.deepEqual(await seriousIssues(page), []);
    await page.reload();
    assert.equal(await page.locator('#new-key').isHidden(), true, 'not shown again');
    assert.deepEqual(complaints, []);
    await close();
  });

  test('signing up by mail: the link leads to a button, and that to the key', async (t) => {
    const server = await startMailServer(t);
    const signUps = openSignUps(':memory:');
    // The link names the portal's public address; the browser takes its path to the one of the test.
    const publicUrl = 'https://places.example.org';
    const sendMail = await createMailer(server.url, 'keys@example.org');
    const byMail = await startPortal({ mode: 'verified', signUps, sendMail, publicUrl });
    try {
      const first = await byMail.visit('/', { viewport: phone });
      await first.page.getByRole('main').getByRole('link', { name: 'Sign up' }).click();
      await first.page.getByLabel('E-mail address').fill('someone@example.org');
      await first.page.getByRole('button', { name: 'Get my key' }).click();
      await first.page.getByText('A mail is on its way').waitFor();
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
      signUps.close();
    }
  });

  test('where signing up is closed, the pages say who hands out keys', async () => {
    const closed = await startPortal({ mode: 'closed' });
    const home = await closed.visit('/', { viewport: desktop });
    await home.page.getByText("This server's operator hands them out.").waitFor();
    assert.equal(await home.page.getByRole('button', { name: 'Get a free key' }).isHidden(), true);
    await home.page.goto(`${closed.base}/sign-up`);
    await home.page.getByText('This server takes no sign-ups').waitFor();
    await home.close();
    await closed.close();
  });

  test('a wrong e-mail address is told in words', async () => {
    const { page, close } = await portal.visit('/sign-up');
    await page.getByLabel(/E-mail address/).fill('someone');
    await page.getByRole('button', { name: 'Get my key' }).click();
    await page.getByText(/email is "someone", expected one e-mail address/).waitFor();
    await close();
  });

  test('explorer: a click on the map asks and answers; the address holds the state', async () => {
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

  test('explorer: every endpoint can be sent, and answers in a sentence', async () => {
    const { page, complaints, close } = await portal.visit('/explorer', { viewport: desktop, key: portal.key });
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
      const url = new URL(page.url());
      assert.equal(url.searchParams.get('endpoint'), id);
    }
    const wrong = complaints.filter((text) => !text.startsWith('Failed to load resource'));
    assert.deepEqual(wrong, []);
    await close();
  });

  test('explorer: the request as curl, JavaScript and Python runs as it is shown', async (t) => {
    const { page, close } = await portal.visit('/explorer?endpoint=country&code=DE', {
      viewport: desktop,
      key: portal.key,
    });
    await page.getByText(/200 in/).waitFor();
    await page.getByLabel('Show my key').check();
    const codeOf = async (language: string) => {
      await page.getByRole('tab', { name: language }).click();
      return (await page.locator('#code-text').textContent()) ?? '';
    };
    assert.match(await run('sh', ['-c', (await codeOf('curl')).replace('curl', 'curl -s')]), /Germany/);
    assert.match(await run(process.execPath, ['--input-type=module', '-e', await codeOf('JavaScript')]), /Germany/);
    const python = await codeOf('Python');
    const hasPython = await run('python3', ['--version']).catch(() => '');
    if (hasPython) assert.match(await run('python3', ['-c', python]), /Germany/);
    else t.diagnostic('no python3 here: its code was not run');
    await close();
  });

  test('explorer: errors are told with what to change, and mark the field', async () => {
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
    await page.waitForURL(/\/docs\/errors#invalid_parameter/);
    await close();
  });

  test('explorer: a key that was revoked is told, and can be replaced there', async () => {
    const key = portal.makeKey();
    portal.keys.revoke(portal.keys.find(key).id);
    const { page, close } = await portal.visit('/explorer?endpoint=country&code=DE', { viewport: phone, key });
    await page.getByText('the key was revoked; use another one').first().waitFor();
    await page.getByLabel('Your key').fill(portal.key);
    await page.getByRole('button', { name: 'Use', exact: true }).click();
    await page.getByText(/200 in/).waitFor();
    assert.equal(await page.getByLabel('Your key').isHidden(), true);
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

    await page.getByRole('button', { name: 'Make a new key' }).click();
    await page.getByText('Your new key, shown only this once').waitFor();
    const rotated = (await page.locator('#new-key-text').textContent()) ?? '';
    assert.notEqual(rotated, key);
    for (const text of [key, rotated]) assert.equal((await portal.ask('/v1/country/DE', { key: text })).status, 200);

    await page.getByLabel('Origins of web pages').fill('https://example.org');
    await page.getByRole('button', { name: 'Save restrictions' }).click();
    await page.getByText("Your owner's code, shown only this once").waitFor();
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

  test('nothing moves while a page loads', async () => {
    for (const path of ['/', '/explorer', '/sign-up', '/account', '/docs/endpoints/search']) {
      for (const [viewport, key] of [phone, desktop].flatMap((size) => [
        [size, portal.key] as const,
        [size] as const,
      ])) {
        const { page, close } = await portal.visit('/status', { viewport, ...(key ? { key } : {}) });
        await page.addInitScript(`
          globalThis.shifts = [];
          new PerformanceObserver((list) => {
            for (const { value, sources } of list.getEntries()) {
              shifts.push({ value, moved: sources.map(({ node }) => node?.id || node?.className || node?.nodeName) });
            }
          }).observe({ type: 'layout-shift', buffered: true });
        `);
        await page.goto(portal.base + path);
        await page.waitForLoadState('networkidle');
        const shifts = await page.evaluate<{ value: number; moved: string[] }[]>('shifts');
        const sum = shifts.reduce((total, { value }) => total + value, 0);
        const what = `${path} at ${viewport.width} ${key ? 'with' : 'without'} a key`;
        assert.ok(sum < 0.02, `${what} shifts by ${sum}: ${JSON.stringify(shifts)}`);
        await close();
      }
    }
  });
});

/** The operator's page in a real browser: keys, their use, the audit log. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, suite, test } from 'node:test';
import { desktop, noBrowser, type Portal, phone, seriousIssues, startPortal } from '../support/browser.ts';

suite('the admin page in a browser', { skip: noBrowser }, () => {
  let portal: Portal;
  let admin: string;
  before(async () => {
    portal = await startPortal();
    admin = portal.makeKey({ isAdmin: true, name: 'anna' });
  });
  after(() => portal?.close());

  async function signIn(key: string, viewport = desktop) {
    const visit = await portal.visit('/operator', { viewport });
    await visit.page.getByLabel('Admin key').fill(key);
    await visit.page.getByRole('button', { name: 'Open' }).click();
    return visit;
  }

  test('opens with an admin key only, which stays in the tab', async () => {
    const { page, close } = await signIn(portal.makeKey());
    await page.getByText('the key is not an admin key').waitFor();
    assert.equal(await page.locator('#admin').isVisible(), false);
    await page.getByLabel('Admin key').fill(admin);
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByRole('heading', { name: 'Audit log' }).waitFor();
    assert.equal(await page.evaluate('localStorage.getItem("whereabouts.key")'), null);
    await page.reload();
    await page.getByRole('heading', { name: 'Audit log' }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Admin key').waitFor();
    await close();
  });

  test('creates a key, changes it, revokes it; the log has each step', async () => {
    const { page, complaints, close } = await signIn(admin);
    await page.getByRole('button', { name: 'Create a key…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('shop');
    await dialog.getByLabel('Plan').selectOption('pro');
    await dialog.getByLabel('Endpoints').fill('country');
    await dialog.getByLabel('Networks').fill('nowhere');
    assert.deepEqual(await seriousIssues(page), []);
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByText(/nowhere/).waitFor();
    await dialog.getByLabel('Networks').fill('');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByText('The new key, shown only this once').waitFor();
    const key = (await page.locator('#new-key-text').textContent()) ?? '';
    assert.equal((await portal.ask('/v1/country/DE', { key })).status, 200);
    assert.equal((await portal.ask('/v1/countries', { key })).status, 403);

    const row = page.getByRole('row').filter({ hasText: key.slice(0, 12) });
    await row.filter({ hasText: 'endpoints: country' }).waitFor();
    await row.getByRole('button', { name: /^Change key/ }).click();
    await dialog.getByLabel('Endpoints').fill('');
    await dialog.getByLabel('Expires').fill('2099-01-01T00:00');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await row.filter({ hasText: 'active, until 2099-01-01 00:00' }).waitFor();
    assert.equal((await portal.ask('/v1/countries', { key })).status, 200);

    await row.getByRole('button', { name: /^Revoke key/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke it' }).click();
    await row.filter({ hasText: 'revoked' }).waitFor();
    assert.equal((await portal.ask('/v1/country/DE', { key })).status, 401);
    await page.locator('#log').getByText('revoke', { exact: true }).waitFor();
    const log = await page.locator('#log').textContent();
    assert.match(log ?? '', /revoke.*change.*create/s);
    assert.match(log ?? '', /name: shop; plan: pro/);
    assert.match(log ?? '', /expires: 2099-01-01 00:00/);
    assert.doesNotMatch(log ?? '', /[{"]/, 'no JSON');
    assert.match(log ?? '', /endpoints: none/);
    assert.doesNotMatch(log ?? '', /change[^}]*"plan"/, 'only what was changed is sent');
    const wrong = complaints.filter((text) => !/400|401|403/.test(text));
    assert.deepEqual(wrong, []);
    await close();
  });

  test('shows calls by key and endpoint of a period, and downloads them', async () => {
    const key = portal.makeKey({ name: 'busy' });
    for (const code of ['DE', 'FR']) await portal.ask(`/v1/country/${code}`, { key });
    await portal.keys.flush();
    const { page, close } = await signIn(admin);
    await page.getByLabel('First UTC day').fill('2026-06-01');
    await page.getByLabel('Last UTC day').fill('2026-06-30');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    const row = page.locator('#usage tr').filter({ hasText: 'busy' });
    await row.waitFor();
    assert.match((await row.textContent()) ?? '', /open.*country2$/);
    const bars = page.locator('#usage-chart rect');
    assert.equal(await bars.count(), 30, 'a bar for each day');
    const title = await page.locator('#usage-chart rect.some title').textContent();
    assert.match(title ?? '', /^2026-06-15: [2-9] calls$/);
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download as CSV' }).click();
    const download = await downloading;
    assert.equal(download.suggestedFilename(), 'usage-2026-06-01-2026-06-30.csv');
    assert.match(readFileSync(await download.path(), 'utf8'), /busy.*2026-06-15,country,2/);
    await close();
  });

  test('more than a page of keys is loaded piece by piece, and found by name', async () => {
    for (let at = 0; at < 101; at++) portal.makeKey({ name: `key ${at}` });
    const { page, close } = await signIn(admin);
    await page.getByRole('button', { name: 'Load more keys' }).click();
    await page.getByLabel(/^Find by name/).fill('key 100');
    await page.getByText(/^1 of \d+ keys$/).waitFor();
    assert.equal(await page.locator('#keys tr').count(), 1);
    await close();
  });

  test('is without a fault for axe, on a phone and in the dark too', async () => {
    for (const [viewport, colorScheme] of [
      [desktop, 'light'],
      [phone, 'dark'],
    ] as const) {
      const { page, close } = await portal.visit('/operator', { viewport, colorScheme });
      assert.deepEqual(await seriousIssues(page), []);
      await page.getByLabel('Admin key').fill(admin);
      await page.getByRole('button', { name: 'Open' }).click();
      await page.getByRole('heading', { name: 'Audit log' }).waitFor();
      assert.deepEqual(await seriousIssues(page), []);
      const width = await page.evaluate<number>('document.documentElement.scrollWidth');
      assert.ok(width <= viewport.width, `${width}`);
      await close();
    }
  });
});

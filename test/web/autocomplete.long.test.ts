/** The autocomplete element in a real browser, on a page of another origin, written as docs/autocomplete.md says. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Page, Route } from 'playwright-core';
import { noBrowser, type Portal, phone, seriousIssues, startPortal } from '../support/browser.ts';

const sources = join(import.meta.dirname, '../../packages/autocomplete/src');

test('all modules together stay under 10 KB with gzip', () => {
  const text = readdirSync(sources)
    .map((name) => readFileSync(join(sources, name), 'utf8'))
    .join('\n');
  assert.ok(text.length > 5_000);
  assert.ok(gzipSync(text, { level: 9 }).length < 10_000);
});

suite('the autocomplete element', { skip: noBrowser }, () => {
  let portal: Portal;
  let site: Server;
  let origin: string;
  let html = '';
  before(async () => {
    portal = await startPortal();
    site = createServer((_, response) => response.setHeader('Content-Type', 'text/html; charset=utf-8').end(html));
    site.listen(0, '127.0.0.1');
    await once(site, 'listening');
    origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  });
  after(async () => {
    site?.close();
    await portal?.close();
  });

  /** Opens a page with the element in a form, and the `/autocomplete` requests it sends. */
  async function open({ key = portal.key, attributes = '', direction = 'ltr', viewport = phone } = {}) {
    html = `<!doctype html><html lang="en" dir="${direction}"><title>A form</title>
      <script type="module" src="${portal.base}/assets/autocomplete/index.js"></script>
      <main><h1>A form</h1><form>
        <label for="city">City</label>
        <whereabouts-autocomplete base-url="${portal.base}/v1" api-key="${key}" ${attributes}>
          <input id="city" name="city">
        </whereabouts-autocomplete>
        <input name="country" data-whereabouts="country" aria-label="Country">
        <input name="region" data-whereabouts="admin1" aria-label="Region">
        <input type="hidden" name="lat" data-whereabouts="lat">
        <button>Send</button>
      </form></main>
      <script>
        window.heard = [];
        for (const name of ['select', 'clear', 'error']) {
          document.addEventListener('whereabouts-' + name, ({ detail }) => heard.push([name, detail?.name, detail?.code]));
        }
      </script>`;
    const { page, close } = await portal.visit('/health/live', { viewport });
    const requests: string[] = [];
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (request.method() === 'GET' && url.pathname === '/v1/autocomplete')
        requests.push(url.searchParams.get('q') ?? '');
    });
    await page.goto(origin);
    await page.getByRole('combobox', { name: 'City' }).waitFor();
    const heard = () => page.evaluate<[string, string?, string?][]>('heard');
    return { page, requests, heard, close };
  }

  const field = (page: Page) => page.getByRole('combobox', { name: 'City' });
  const countryOf = (page: Page) => page.getByLabel('Country').inputValue();

  test('a suggestion chosen by keyboard fills the field and its form', async () => {
    const { page, heard, close } = await open();
    await field(page).fill('ber');
    await page.getByRole('option', { name: 'Berlin' }).first().waitFor();
    assert.equal(await field(page).getAttribute('aria-expanded'), 'true');
    await field(page).press('ArrowDown');
    assert.equal(await page.locator('mark').first().textContent(), 'Ber');
    const active = page.locator(`#${await field(page).getAttribute('aria-activedescendant')}`);
    assert.equal(await active.getAttribute('aria-selected'), 'true');
    assert.deepEqual(await seriousIssues(page), []);
    await field(page).press('Enter');
    await page.waitForFunction("heard.some(([name]) => name === 'select')");
    assert.deepEqual(await heard(), [['select', 'Berlin', undefined]]);
    assert.match(await field(page).inputValue(), /^Berlin/);
    assert.equal(await countryOf(page), 'DE');
    assert.equal(await page.getByRole('listbox').isHidden(), true);
    await close();
  });

  test('the page in the documentation works as it stands there, in at most 20 lines', async () => {
    const text = readFileSync(join(import.meta.dirname, '../../docs/autocomplete.md'), 'utf8');
    const example = /```html\n(.*?)```/s.exec(text)![1];
    assert.ok(example.trim().split('\n').length <= 20);
    const { page, close } = await portal.visit('/health/live', { viewport: phone });
    const key = portal.makeKey({ origins: [origin], endpoints: ['autocomplete', 'place'] });
    html = example.replaceAll('https://maps.example.org', portal.base).replace('wab_…', key);
    await page.goto(origin);
    await field(page).fill('muni');
    await page.getByRole('option', { name: 'Munich, Bavaria, DE', exact: true }).click();
    const zone = page.getByLabel('Time zone');
    await page.waitForFunction((input) => (input as { value?: string } | null)?.value, await zone.elementHandle());
    const values = await page.evaluate<Record<string, string>>(
      "Object.fromEntries(new FormData(document.querySelector('form')))",
    );
    assert.deepEqual(values, {
      city: 'Munich, Bavaria, DE',
      region: 'Bavaria',
      country: 'Germany',
      zone: 'Europe/Berlin',
      lat: '48.14',
      lng: '11.58',
    });
    await close();
  });

  test('a screen reader announces the field, its list and the number of suggestions', async () => {
    const { page, close } = await open();
    await field(page).fill('ber');
    await page.getByRole('option').first().waitFor();
    const tree = await page.getByRole('main').ariaSnapshot();
    assert.match(tree, /combobox "City" \[expanded\]|combobox "City": ber/);
    assert.match(tree, /listbox "City"/);
    assert.match(tree, /option "Berlin/);
    assert.match(tree, /status: \d+ suggestions?/);
    await close();
  });

  test('a click chooses, and editing afterwards empties the fields it filled', async () => {
    const { page, heard, close } = await open();
    await field(page).fill('ber');
    await page.getByRole('option', { name: 'Berlin' }).first().click();
    await page.waitForFunction("heard.some(([name]) => name === 'select')");
    assert.equal(await countryOf(page), 'DE');
    assert.equal(await page.evaluate('document.activeElement.id'), 'city', 'the field keeps the focus');
    await field(page).press('Backspace');
    assert.equal(await countryOf(page), '');
    assert.deepEqual((await heard()).at(-1), ['clear', undefined, undefined]);
    await close();
  });

  test('details that arrive after the text was edited fill nothing', async () => {
    const { page, heard, close } = await open({ attributes: 'details' });
    const held = Promise.withResolvers<Route>();
    await page.route('**/v1/place/*', held.resolve);
    await field(page).fill('ber');
    await page.getByRole('option', { name: 'Berlin' }).first().click();
    const route = await held.promise;
    await field(page).press('Backspace');
    const answered = page.waitForResponse(/\/v1\/place\//);
    await route.continue();
    await (await answered).finished();
    // Behind what the page does with the answer.
    await page.evaluate("fetch('/').then((answer) => answer.text())");
    assert.deepEqual(await heard(), [['clear', undefined, undefined]]);
    assert.equal(await countryOf(page), '');
    await close();
  });

  test('a text that is set while suggestions are on the way ends their request: they do not open the list', async () => {
    const { page, close } = await open();
    const held = Promise.withResolvers<Route>();
    await page.route('**/v1/autocomplete*', held.resolve);
    await field(page).fill('ber');
    await held.promise;
    const ended = page.waitForEvent('requestfailed');
    await page.evaluate("document.querySelector('whereabouts-autocomplete').value = 'ber'");
    assert.match((await ended).url(), /autocomplete/);
    assert.equal(await page.getByRole('listbox').isHidden(), true);
    await close();
  });

  test('an answer that breaks off is an event, and is announced', async () => {
    const { page, heard, close } = await open();
    await page.route('**/v1/autocomplete*', (route) => route.fulfill({ body: '{"results":[{' }));
    await field(page).fill('ber');
    await page.getByText('Suggestions are not available').waitFor({ state: 'attached' });
    assert.deepEqual(await heard(), [['error', 'SuggestionError', 'network']]);
    await close();
  });

  test('fast typing sends one request, and a shorter text that was requested before none', async () => {
    const { page, requests, close } = await open({ attributes: 'debounce="300"' });
    // All letters in one turn: on a busy machine keys come too slowly to be fast typing.
    await page.evaluate(`{
      const input = document.querySelector('#city');
      input.focus();
      for (const text of ['b', 'be', 'ber', 'berl']) {
        input.value = text;
        input.dispatchEvent(new InputEvent('input', { bubbles: true }));
      }
    }`);
    await page.getByRole('option').first().waitFor();
    assert.deepEqual(requests, ['berl']);
    await field(page).pressSequentially('in');
    await page.waitForResponse(/q=berlin/);
    await field(page).press('Backspace');
    await field(page).press('Backspace');
    await page.getByRole('option').first().waitFor();
    await page.waitForFunction("document.querySelector('#city').value === 'berl'");
    assert.equal(requests.filter((text) => text === 'berl').length, 1);
    await close();
  });

  test('one letter sends no request, nor does half a character of an input method', async () => {
    const { page, requests, close } = await open({ attributes: 'debounce="0"' });
    await field(page).pressSequentially('b');
    await page.evaluate(`{
      const input = document.querySelector('#city');
      input.value = 'とう';
      input.dispatchEvent(new InputEvent('input', { bubbles: true, isComposing: true }));
    }`);
    assert.deepEqual(requests, []);
    const answered = page.waitForResponse(/autocomplete/);
    await page.evaluate(`{
      const input = document.querySelector('#city');
      input.value = '東京';
      input.dispatchEvent(new CompositionEvent('compositionend', { bubbles: true }));
    }`);
    await answered;
    assert.deepEqual(requests, ['東京']);
    await close();
  });

  test('Escape closes the list and nothing else; leaving the field does too', async () => {
    const { page, heard, close } = await open();
    await field(page).fill('ber');
    await page.getByRole('option').first().waitFor();
    await field(page).press('Escape');
    assert.equal(await page.getByRole('listbox').isHidden(), true);
    assert.equal(await field(page).inputValue(), 'ber');
    await field(page).press('ArrowUp');
    await page.getByRole('listbox').waitFor();
    await page.getByLabel('Country').focus();
    assert.equal(await page.getByRole('listbox').isHidden(), true);
    assert.deepEqual(await heard(), []);
    await close();
  });

  test('a refused key is an event with its code, and is announced', async () => {
    const { page, heard, close } = await open({ key: 'wab_wrong' });
    await field(page).fill('ber');
    await page.getByText('Suggestions are not available').waitFor({ state: 'attached' });
    assert.deepEqual(await heard(), [['error', 'SuggestionError', 'invalid_api_key']]);
    await close();
  });

  test('right to left, the list lies under the field and inside the window', async () => {
    const { page, close } = await open({ direction: 'rtl' });
    await field(page).fill('ber');
    await page.getByRole('option').first().waitFor();
    const list = await page.getByRole('listbox').boundingBox();
    const box = await field(page).boundingBox();
    assert.ok(list && box);
    assert.ok(list.x >= 0 && list.x + list.width <= phone.width, JSON.stringify(list));
    assert.ok(list.y >= box.y + box.height);
    await close();
  });

  test('a reset of the form empties hidden fields too', async () => {
    const { page, heard, close } = await open();
    await field(page).fill('ber');
    await page.getByRole('option', { name: 'Berlin' }).first().click();
    await page.waitForFunction("document.querySelector('[name=lat]').value !== ''");
    await page.evaluate("document.querySelector('form').reset()");
    assert.deepEqual(await page.evaluate("Object.fromEntries(new FormData(document.querySelector('form')))"), {
      city: '',
      country: '',
      region: '',
      lat: '',
    });
    assert.deepEqual((await heard()).at(-1), ['clear', undefined, undefined]);
    await close();
  });

  test('with require-choice a form is not sent with a text that was not chosen', async () => {
    const { page, close } = await open({ attributes: 'require-choice' });
    const why = () => page.evaluate<string>("document.querySelector('#city').validationMessage");
    await field(page).fill('ber');
    assert.equal(await why(), 'Choose one of the suggestions');
    assert.equal(await page.evaluate("document.querySelector('form').checkValidity()"), false);
    await page.getByRole('option', { name: 'Berlin' }).first().click();
    await page.waitForFunction("document.querySelector('[name=lat]').value !== ''");
    assert.equal(await why(), '');
    await field(page).press('Backspace');
    assert.equal(await why(), 'Choose one of the suggestions');
    await field(page).fill('');
    assert.equal(await why(), '', 'an empty field is left to `required`');
    await close();
  });

  test('what was typed is bold in the texts of a format of the page, too', async () => {
    const { page, close } = await open();
    await page.evaluate(
      "document.querySelector('whereabouts-autocomplete').format = ({ name, country }) => country + ': ' + name",
    );
    await field(page).fill('ber');
    await page.getByRole('option', { name: 'DE: Berlin' }).first().waitFor();
    const options = await page.getByRole('option').all();
    for (const option of options) assert.match(await option.innerHTML(), /: <mark>B/);
    await close();
  });

  test('without an input of the page the element makes its own, and takes it along when it moves', async () => {
    const { page, close } = await open();
    await page.evaluate(`{
      const made = document.createElement('whereabouts-autocomplete');
      made.setAttribute('label', 'Destination');
      made.setAttribute('base-url', ${JSON.stringify(`${portal.base}/v1`)});
      made.setAttribute('api-key', ${JSON.stringify(portal.key)});
      document.querySelector('form').append(made);
      document.querySelector('main').append(made);
    }`);
    const made = page.getByRole('combobox', { name: 'Destination' });
    assert.equal(await made.count(), 1);
    await made.fill('ber');
    await page.getByRole('listbox', { name: 'Destination' }).getByRole('option').first().waitFor();
    await close();
  });
});

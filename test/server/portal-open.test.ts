/** What the portal shows without a key: its own requests, as much as an address is allowed, and /status as a page. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { testService } from '../support/service.ts';

suite('the allowance of the portal', () => {
  test('searches, suggests and draws without a key, and answers as /v1 does', async (t) => {
    const { ask } = await testService(t);
    const open = await ask('/portal/v1/search?q=berlin&limit=1', { key: null });
    const keyed = await ask('/v1/search?q=berlin&limit=1');
    assert.equal(open.status, 200);
    assert.deepEqual(open.body.results, keyed.body.results);
    assert.equal(open.headers.etag, keyed.headers.etag);
    assert.equal((await ask('/portal/v1/country/DE', { key: null })).body.name, 'Germany');
    assert.equal((await ask('/portal/v1/search', { key: null })).body.code, 'missing_parameter');
    const described = await ask('/portal/tiles/places.json', { key: null });
    assert.match(described.body.tiles[0], /\/portal\/tiles\/places\/\{z\}/);
    assert.equal((await ask('/portal/tiles/places/0/0/0.mvt', { key: null })).status, 200);
  });

  test('refuses what is over it, by address, and allows more with the time; tiles count apart', async (t) => {
    const { ask, clock } = await testService(t, { portalRequestsPerMinute: 2 });
    const one = { key: null, remoteAddress: '192.0.2.1' };
    const status = async (options: object = one) =>
      (await ask('/portal/v1/country/DE', { key: null, ...options })).status;
    assert.deepEqual([await status(), await status()], [200, 200]);
    const refused = await ask('/portal/v1/country/DE', { ...one, headers: { origin: 'http://elsewhere.example' } });
    assert.deepEqual([refused.status, refused.body.code, refused.headers['retry-after']], [429, 'rate_limited', '30']);
    assert.equal(await status({ remoteAddress: '192.0.2.2' }), 200);
    // Addresses of one household are one.
    for (const end of [1, 2]) assert.equal(await status({ remoteAddress: `2001:db8::${end}` }), 200);
    assert.equal(await status({ remoteAddress: '2001:db8::3' }), 429);
    assert.equal((await ask('/portal/tiles/places/0/0/0.mvt', one)).status, 200);
    let admitted = 0;
    for (let index = 16; index < 40; index++) {
      if ((await status({ remoteAddress: `2001:db8:7:${index}::1` })) === 200) admitted++;
    }
    assert.equal(admitted, 4, 'of one /56');
    clock.now += 30_000;
    assert.equal(await status(), 200);
    assert.equal(await status(), 429);
  });

  test('answers in the language of the browser, and counts an explanation as two', async (t) => {
    const { ask } = await testService(t, { portalRequestsPerMinute: 3 });
    const german = { key: null, headers: { 'accept-language': 'de' } };
    const { body, headers } = await ask('/portal/v1/search?q=munich', german);
    assert.equal(body.results[0].name, 'München');
    assert.match(String(headers.vary), /Accept-Language/);
    assert.equal((await ask('/portal/v1/search?q=berlin&explain=true', german)).status, 200);
    assert.equal((await ask('/portal/v1/country/DE', german)).status, 429);
  });

  test('is none where the operator allows none', async (t) => {
    const { ask } = await testService(t, { portalRequestsPerMinute: 0 });
    assert.equal((await ask('/portal/v1/country/DE', { key: null })).body.code, 'missing_api_key');
  });
});

test('/status is a page where a browser asks for one, and JSON for everything else', async (t) => {
  const { ask } = await testService(t);
  const accepted: [accept: string, isPage: boolean][] = [
    ['text/html,application/xhtml+xml,*/*;q=0.8', true],
    ['text/html,application/signed-exchange;v=b3;q=0.7,*/*;q=0.8', true],
    ['Text/HTML; charset=utf-8', true],
    ['application/json;q=0.2, text/html;q=0.3', true],
    ['application/json', false],
    ['*/*', false],
    ['text/html;q=0', false],
    ['*/*, text/html;q=0', false],
    ['application/json, text/html;q=0.1', false],
    ['text/html;q=0.5, application/json', false],
  ];
  for (const [accept, isPage] of accepted) {
    const { headers, text, body } = await ask('/status', { key: null, headers: { accept } });
    assert.match(String(headers['content-type']), isPage ? /^text\/html/ : /^application\/json/, accept);
    assert.match(String(headers.vary), /\bAccept\b(?!-)/, accept);
    assert.match(String(headers.vary), /\bAccept-Encoding\b/, accept);
    assert.equal(isPage ? text.includes('<h1>Status</h1>') : body.status === 'ok', true, accept);
  }
});

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { isWellFormedKey } from '../../src/keys/key-record.ts';
import { testService } from '../support/service.ts';

async function start(t: TestContext) {
  const service = await testService(t);
  const admin = service.makeKey({ isAdmin: true, name: 'anna' });
  const headers = { 'content-type': 'application/json' };
  const get = (path: string, key: string | null = admin) => service.ask(path, { key });
  const send = (method: 'POST' | 'PATCH', path: string, body: object, key = admin) =>
    service.ask(path, { method, headers, body: JSON.stringify(body), key });
  return { ...service, admin, get, send };
}

test('without an admin key nothing below /admin answers, and an admin key answers nothing else', async (t) => {
  const { get, send, admin, key, ask } = await start(t);
  for (const path of ['/admin/keys', '/admin/usage', '/admin/log']) {
    assert.equal((await get(path, null)).status, 401, path);
    const { status, body } = await get(path, key);
    assert.deepEqual([status, body.code], [403, 'key_not_allowed'], path);
    assert.equal((await get(path)).status, 200, path);
  }
  assert.equal((await send('POST', '/admin/keys', {}, key)).status, 403);
  assert.equal((await send('PATCH', '/admin/keys/1', { plan: 'scale' }, key)).status, 403);
  assert.equal((await send('POST', '/admin/keys/1/revoke', {}, key)).status, 403);
  const used = await ask('/v1/country/DE', { key: admin });
  assert.deepEqual([used.status, used.body.code], [403, 'key_not_allowed']);
});

test('a rotated admin key no longer works', async (t) => {
  const { get, send, admin } = await start(t);
  const { body } = await send('POST', '/account/key/rotate', {});
  assert.equal((await get('/admin/keys', admin)).status, 403);
  assert.equal((await get('/admin/keys', body.key)).status, 200);
});

test('a key is created, changed, used within what it may, and revoked; the log says by whom', async (t) => {
  const { get, send, ask, admin, clock } = await start(t);
  const created = await send('POST', '/admin/keys', { name: 'shop', plan: 'pro', endpoints: ['country'] });
  assert.equal(created.status, 201);
  const { id, text } = created.body;
  assert.ok(isWellFormedKey(text));
  assert.deepEqual([created.body.plan, created.body.is_admin, created.body.expires], ['pro', false, null]);
  assert.equal((await ask('/v1/country/DE', { key: text })).status, 200);
  assert.equal((await ask('/v1/countries', { key: text })).status, 403);
  const changed = await send('PATCH', `/admin/keys/${id}`, { endpoints: null, expires: '2026-06-16T00:00:00Z' });
  assert.deepEqual([changed.body.endpoints, changed.body.expires], [null, '2026-06-16T00:00:00.000Z']);
  assert.equal((await ask('/v1/countries', { key: text })).status, 200);
  const { keys, plans } = (await get('/admin/keys')).body;
  const { query_ms: _, ...asChanged } = changed.body;
  assert.deepEqual(keys.at(-1), asChanged);
  assert.ok(plans.includes('free') && plans.includes('pro'));
  assert.notEqual((await send('POST', `/admin/keys/${id}/revoke`, {})).body.revoked, null);
  assert.equal((await ask('/v1/countries', { key: text })).status, 401);
  const { lines } = (await get('/admin/log')).body;
  const who = `admin ${admin.slice(0, 12)}`;
  assert.deepEqual(
    lines.slice(0, 3).map(({ by, action, key_id }: Record<string, unknown>) => [by, action, key_id]),
    ['revoke', 'change', 'create'].map((action) => [who, action, id]),
  );
  assert.equal(lines[0].at, new Date(clock.now).toISOString());
  assert.ok(!JSON.stringify(lines).includes(text));
});

test('invalid settings of a key are refused by name', async (t) => {
  const { get, send } = await start(t);
  const wrong = [
    { plan: 'gold' },
    { networks: ['10.0.0.0/99'] },
    { expires: 'soon' },
    { expires: '+275760-09-13T00:00:00Z' },
    { endpoints: ['country', '__proto__'] },
    { origins: ['javascript:1'] },
    { origins: ['https://*.example.org'] },
    { name: 'x'.repeat(81) },
    { profile: 'c' },
    { origins: [] },
    { isAdmin: true },
    { is_admin: true },
  ];
  for (const body of wrong) {
    for (const answer of [await send('POST', '/admin/keys', body), await send('PATCH', '/admin/keys/1', body)]) {
      assert.deepEqual([answer.status, answer.body.code], [400, 'invalid_body'], JSON.stringify(body));
    }
  }
  assert.equal((await send('PATCH', '/admin/keys/999', { plan: 'pro' })).status, 404);
  assert.equal((await send('PATCH', '/admin/keys/nobody', { plan: 'pro' })).status, 404);
  assert.equal((await get('/admin/keys?after=x')).status, 400);
  assert.equal((await get('/admin/usage?from=2026-02-30')).status, 400);
  assert.equal((await get('/admin/usage?from=2026-02-02&to=2026-02-01')).status, 400);
  // A server of keys is asked about each day.
  assert.match((await get('/admin/usage?from=1970-01-01')).body.detail, /^from is more than 400 days ago/);
  assert.equal((await get('/admin/usage?format=xml')).status, 400);
});

test('use by key, day and endpoint, as JSON and as CSV', async (t) => {
  const { get, send, ask, keys, batch } = await start(t);
  const { text, id } = (await send('POST', '/admin/keys', { name: '=cmd()', plan: 'free' })).body;
  for (const path of ['/v1/country/DE', '/v1/country/FR', '/v1/countries', '/v1/country/zz'])
    await ask(path, { key: text });
  await batch(
    [
      { endpoint: '/country/DE', params: {} },
      { endpoint: '/countries', params: {} },
      { endpoint: '/nowhere', params: {} },
    ],
    { key: text },
  );
  await keys.flush();
  const { rows, next } = (await get('/admin/usage?from=2026-06-15&to=2026-06-15')).body;
  const own = rows.filter(({ key_id }: { key_id: number }) => key_id === id);
  assert.deepEqual(
    own.map(({ date, endpoint, calls }: Record<string, unknown>) => `${date} ${endpoint} ${calls}`),
    ['2026-06-15 countries 2', '2026-06-15 country 4'],
  );
  assert.equal(next, null);
  const csv = await get('/admin/usage?format=csv');
  assert.match(csv.headers['content-type'], /^text\/csv/);
  assert.match(csv.text, new RegExp(`\\r\\n${id},${text.slice(0, 12)},'=cmd\\(\\),free,2026-06-15,country,4\\r\\n`));
  assert.deepEqual((await get('/admin/usage?to=2026-06-14')).body.rows, []);
});

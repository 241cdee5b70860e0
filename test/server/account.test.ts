import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type AskOptions, testService } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const json = { 'content-type': 'application/json' };

async function start(t: TestContext, options: { keysPath?: string } = {}) {
  const service = await testService(t, options);
  const send = (method: 'POST' | 'PATCH', path: string, body: object, more: AskOptions = {}) =>
    service.ask(path, { method, body: JSON.stringify(body), ...more, headers: { ...json, ...more.headers } });
  return { ...service, send };
}

test('the account of a key: plan, limits, restrictions; without the key nothing', async (t) => {
  const { ask, makeKey } = await start(t);
  const key = makeKey({ plan: 'free', name: 'shop' });
  const { status, body, headers } = await ask('/account/key', { key });
  assert.equal(status, 200);
  assert.equal(body.key, key.slice(0, 12));
  assert.equal(body.name, 'shop');
  assert.equal(body.plan, 'free');
  assert.equal(body.calls_per_day, 1000);
  assert.equal(body.created, '2026-06-15T12:00:00.000Z');
  assert.deepEqual([body.origins, body.networks, body.former_keys, body.needs_owner_code], [null, null, [], false]);
  assert.equal(headers['cache-control'], 'no-store');
  assert.ok(!JSON.stringify(body).includes(key));
  assert.equal((await ask('/account/key', { key: null })).body.code, 'missing_api_key');
  assert.equal((await ask('/account/key', { key: 'wab_x' })).body.code, 'invalid_api_key');
});

test('reading the account costs no call, but counts against the rate limit', async (t) => {
  const { ask, makeKey } = await start(t);
  const key = makeKey({ plan: 'slow' });
  const statuses = [];
  for (let i = 0; i < 4; i++) statuses.push((await ask('/account/key', { key })).status);
  assert.deepEqual(statuses, [200, 200, 200, 429]);
});

test('the profile of a key holds where neither header nor parameter names one', async (t) => {
  const { ask, makeKey } = await start(t);
  const key = makeKey({ profile: 'b' });
  const fieldsOf = async (more: AskOptions) => Object.keys((await ask('/v1/country/DE', { key, ...more })).body).sort();
  const named = (variant: string) => fieldsOf({ key: makeKey(), headers: { 'x-api-variant': variant } });
  assert.deepEqual(await fieldsOf({}), await named('b'));
  assert.deepEqual(await fieldsOf({ headers: { 'x-api-variant': 'a' } }), await named('a'));
  assert.notDeepEqual(await named('a'), await named('b'));
});

test('a rotated key cannot see the others', async (t) => {
  const { send, ask, makeKey } = await start(t);
  const key = makeKey();
  const { key: second } = (await send('POST', '/account/key/rotate', {}, { key })).body;
  const { key: third } = (await send('POST', '/account/key/rotate', {}, { key: second })).body;
  const { text, body } = await ask('/account/key', { key });
  assert.equal(body.key, key.slice(0, 12));
  assert.deepEqual(body.former_keys, []);
  for (const other of [second, third]) assert.ok(!text.includes(other.slice(0, 12)));
});

test('origins with a wildcard are refused with the remedy', async (t) => {
  const { send, makeKey } = await start(t);
  const key = makeKey();
  for (const origin of ['https://*', 'https://*.example.org', '*']) {
    const { status, body } = await send('PATCH', '/account/key', { origins: [origin] }, { key });
    assert.equal(status, 400, origin);
    assert.match(body.detail, /wildcard.*list each origin|is not an origin/);
  }
});

test('rotating returns a new key; the former one works until its grace period ends', async (t) => {
  const { ask, send, makeKey, clock } = await start(t);
  const key = makeKey({ plan: 'free', name: 'shop' });
  await ask('/v1/country/DE', { key });
  const rotated = await send('POST', '/account/key/rotate', { grace_hours: 2 }, { key });
  assert.equal(rotated.status, 201);
  assert.equal(rotated.body.former_valid_until, '2026-06-15T14:00:00.000Z');
  const after = rotated.body.key;
  for (const text of [key, after]) assert.equal((await ask('/v1/country/DE', { key: text })).status, 200);
  const { body } = await ask('/account/key', { key: after });
  assert.equal(body.name, 'shop');
  assert.deepEqual(body.former_keys, [{ key: key.slice(0, 12), until: '2026-06-15T14:00:00.000Z' }]);
  assert.equal((await ask('/v1/usage', { key: after })).body.used, 3, 'use goes on where it was');
  clock.now += 2 * 3_600_000;
  assert.equal((await ask('/v1/country/DE', { key })).body.code, 'invalid_api_key');
  assert.equal((await ask('/v1/country/DE', { key: after })).status, 200);
  for (const hours of [-1, 169, 1.5, '2']) {
    assert.equal((await send('POST', '/account/key/rotate', { grace_hours: hours }, { key: after })).status, 400);
  }
});

test('a process with a stale view cannot undo a change: a former or revoked key changes nothing', async (t) => {
  const keysPath = join(temporaryDirectory(t), 'keys.db');
  const [here, there] = [await start(t, { keysPath }), await start(t, { keysPath })];
  const leaked = here.makeKey();
  const revoked = here.makeKey();
  // Both are in the memory of both.
  for (const { ask } of [here, there]) {
    for (const key of [leaked, revoked]) assert.equal((await ask('/account/key', { key })).status, 200);
  }
  const { key } = (await here.send('POST', '/account/key/rotate', { grace_hours: 24 }, { key: leaked })).body;
  await here.send('POST', '/account/key/revoke', {}, { key: revoked });
  const changes = [
    ['POST', '/account/key/rotate', { grace_hours: 0 }],
    ['PATCH', '/account/key', { name: 'taken' }],
    ['PATCH', '/account/key', { origins: ['https://thief.example'] }],
    ['POST', '/account/key/revoke', {}],
  ] as const;
  for (const [method, path, body] of changes) {
    assert.equal((await there.send(method, path, body, { key: leaked })).body.code, 'key_not_allowed', path);
    assert.equal((await there.send(method, path, body, { key: revoked })).body.code, 'invalid_api_key', path);
  }
  const { status, body } = await there.ask('/account/key', { key });
  assert.deepEqual([status, body.name, body.origins], [200, null, null]);
});

test('a rotated key can read until its grace period ends, and never changes the account', async (t) => {
  const { ask, send, makeKey } = await start(t);
  const leaked = makeKey();
  const { body } = await send('POST', '/account/key/rotate', { grace_hours: 24 }, { key: leaked });
  for (const path of ['/v1/country/DE', '/v1/usage', '/account/key']) {
    assert.equal((await ask(path, { key: leaked })).status, 200, path);
  }
  const attempts: [path: string, method: 'POST' | 'PATCH', body: object][] = [
    ['/account/key/rotate', 'POST', { grace_hours: 0 }],
    ['/account/key/revoke', 'POST', {}],
    ['/account/key', 'PATCH', { origins: ['https://attacker.example'] }],
    ['/account/key', 'PATCH', { name: 'mine' }],
  ];
  for (const [path, method, changes] of attempts) {
    const { status, body: problem } = await send(method, path, changes, { key: leaked });
    assert.deepEqual([status, problem.code], [403, 'key_not_allowed'], path);
  }
  const owned = await ask('/account/key', { key: body.key });
  assert.deepEqual([owned.status, owned.body.name, owned.body.origins], [200, null, null]);
  assert.equal((await send('POST', '/account/key/revoke', {}, { key: body.key })).status, 200);
});

test('rotating is limited, with the time to wait, and the answer about the key stays small', async (t) => {
  const { ask, send, makeKey } = await start(t);
  let key = makeKey();
  for (let i = 0; i < 10; i++) {
    const rotated = await send('POST', '/account/key/rotate', { grace_hours: 168 }, { key });
    assert.equal(rotated.status, 201);
    key = rotated.body.key;
  }
  const refused = await send('POST', '/account/key/rotate', {}, { key });
  assert.deepEqual([refused.status, refused.body.code], [429, 'rate_limited']);
  assert.ok(Number(refused.headers['retry-after']) > 86_000);
  const owned = await ask('/account/key', { key });
  assert.equal(owned.body.former_keys.length, 4);
  assert.ok(owned.text.length < 1000);
});

test('changes are limited, with the time to wait, and one that changes nothing writes nothing', async (t) => {
  const service = await testService(t);
  const change = (name: string) => {
    service.clock.now += 100;
    return service.ask('/account/key', {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name }),
    });
  };
  for (let count = 0; count < 50; count++) assert.equal((await change(`name ${count}`)).status, 200);
  for (let count = 0; count < 10; count++) assert.equal((await change('name 49')).status, 200);
  assert.equal((await service.keys.audit(0, 100)).length, 51);
  const refused = await change('another');
  assert.equal(refused.status, 429);
  assert.match(refused.body.detail, /was changed 50 times within 24 hours; try again in 1440 minutes/);
  service.clock.now += 24 * 3_600_000;
  assert.equal((await change('another')).status, 200);
});

test('revoking ends the key', async (t) => {
  const { ask, send, makeKey } = await start(t);
  const key = makeKey();
  assert.deepEqual((await send('POST', '/account/key/revoke', {}, { key })).body.revoked, true);
  assert.equal((await ask('/v1/country/DE', { key })).status, 401);
  assert.equal((await ask('/account/key', { key })).status, 401);
});

test("a restriction to networks holds at once, for the account too, and must hold the owner's own address", async (t) => {
  const { ask, send, makeKey } = await start(t);
  const key = makeKey();
  const from = { key, remoteAddress: '203.0.113.7' };
  const locked = await send('PATCH', '/account/key', { networks: ['198.51.100.0/24'] }, from);
  assert.equal(locked.status, 400);
  assert.match(locked.body.detail, /203\.0\.113\.7.*lock you out/);
  assert.equal((await send('PATCH', '/account/key', { networks: ['10.0.0.0/99'] }, from)).status, 400);
  const changed = await send('PATCH', '/account/key', { networks: ['203.0.113.0/24'] }, from);
  assert.deepEqual(changed.body.networks, ['203.0.113.0/24']);
  assert.equal((await ask('/v1/country/DE', from)).status, 200);
  const elsewhere = { key, remoteAddress: '192.0.2.1' };
  assert.equal((await ask('/v1/country/DE', elsewhere)).status, 403);
  assert.equal((await ask('/account/key', elsewhere)).status, 403);
  assert.equal((await send('PATCH', '/account/key', { networks: null }, elsewhere)).status, 403);
  assert.equal((await send('PATCH', '/account/key', { networks: null }, from)).body.networks, null);
  assert.equal((await ask('/v1/country/DE', elsewhere)).status, 200);
});

test("a key restricted to origins is public: every change needs its owner's code from then on", async (t) => {
  const { ask, send, makeKey } = await start(t);
  const key = makeKey();
  const changed = await send('PATCH', '/account/key', { origins: ['https://example.org/'] }, { key });
  assert.deepEqual(changed.body.origins, ['https://example.org']);
  const code = changed.body.owner_code;
  assert.match(code, /^own_\w{36}$/);
  const origin = (name: string) => ({ key, headers: { origin: name } });
  assert.equal((await ask('/v1/country/DE', origin('https://example.org'))).status, 200);
  assert.equal((await ask('/v1/country/DE', origin('https://elsewhere.example'))).status, 403);
  assert.equal((await ask('/v1/country/DE', { key })).status, 403);

  assert.equal((await ask('/account/key', { key })).body.needs_owner_code, true, 'reading is possible from the portal');
  const attempts: [path: string, method: 'POST' | 'PATCH', body: object][] = [
    ['/account/key', 'PATCH', { origins: null }],
    ['/account/key/rotate', 'POST', {}],
    ['/account/key/revoke', 'POST', {}],
  ];
  const byOperator = makeKey({ origins: ['https://example.org'] });
  assert.equal((await ask('/account/key', { key: byOperator })).body.needs_owner_code, true);
  await send('PATCH', '/account/key', { name: 'anna@example.org' }, { key, headers: { 'x-owner-code': code } });
  const nameFor = async (headers: Record<string, string>) => (await ask('/account/key', { key, headers })).body.name;
  assert.deepEqual([await nameFor({}), await nameFor({ 'x-owner-code': code })], [null, 'anna@example.org']);
  for (const [path, method, body] of attempts) {
    for (const headers of [{}, { 'x-owner-code': 'own_guess' }] as Record<string, string>[]) {
      for (const each of [key, byOperator]) {
        const { status, body: problem } = await send(method, path, body, { key: each, headers });
        assert.equal(status, 403, path);
        assert.equal(problem.code, 'key_not_allowed');
      }
    }
  }
  const headers = { 'x-owner-code': code };
  const again = await send(
    'PATCH',
    '/account/key',
    { origins: ['https://a.example', 'http://localhost:3000'] },
    { key, headers },
  );
  assert.equal(again.status, 200);
  assert.equal(again.body.owner_code, undefined, 'the code is shown once');
  const lifted = await send('PATCH', '/account/key', { origins: null }, { key, headers });
  assert.equal(lifted.body.needs_owner_code, false);
  assert.equal((await send('POST', '/account/key/revoke', {}, { key })).status, 200);
});

test('origins and names that cannot be are refused, and nothing changes', async (t) => {
  const { ask, send, makeKey } = await start(t);
  const key = makeKey({ name: 'shop' });
  const wrong: object[] = [
    { origins: ['example.org'] },
    { origins: ['https://example.org/path'] },
    { origins: ['ftp://example.org'] },
    { origins: ['*'] },
    { origins: [] },
    { origins: 'https://example.org' },
    { networks: ['everywhere'] },
    { name: 'x'.repeat(81) },
    { plan: 'scale' },
    { name: 'other', origins: ['nonsense'] },
  ];
  for (const body of wrong)
    assert.equal((await send('PATCH', '/account/key', body, { key })).status, 400, JSON.stringify(body));
  const { body } = await ask('/account/key', { key });
  assert.deepEqual([body.name, body.plan, body.origins, body.networks], ['shop', 'open', null, null]);
  assert.equal((await send('PATCH', '/account/key', { name: 'other' }, { key })).body.name, 'other');
  assert.equal((await send('PATCH', '/account/key', { name: null }, { key })).body.name, null);
});

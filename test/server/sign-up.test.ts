import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { isWellFormedKey } from '../../src/keys/key-record.ts';
import type { AppOptions } from '../../src/server/index.ts';
import { startMailServer } from '../support/mail-server.ts';
import { type AskOptions, testService } from '../support/service.ts';

const json = { 'content-type': 'application/json' };

/** A service with sign-up enabled, and a function that signs up. */
async function serviceWith(t: TestContext, signUp: AppOptions['signUp'], logger?: AppOptions['logger']) {
  const service = await testService(t, { signUp, logger });
  const post = (path: string, body: object, more: AskOptions = {}) =>
    service.ask(path, {
      method: 'POST',
      key: null,
      body: JSON.stringify(body),
      ...more,
      headers: { ...json, ...more.headers },
    });
  return { ...service, post, signUp: (body: object, more?: AskOptions) => post('/account/sign-up', body, more) };
}

test('open: a key at once, of the free plan, that answers requests', async (t) => {
  const { ask, signUp, keys } = await serviceWith(t, { mode: 'open' });
  assert.equal((await ask('/account/sign-up', { key: null })).body.mode, 'open');
  const { status, body, headers } = await signUp({ email: 'someone@example.org' });
  assert.equal(status, 201);
  assert.ok(isWellFormedKey(body.key));
  assert.equal(headers['cache-control'], 'no-store');
  const usage = await ask('/v1/usage', { key: body.key });
  assert.equal(usage.body.plan, 'free');
  assert.equal((await ask('/v1/country/DE', { key: body.key })).status, 200);
  assert.ok(!JSON.stringify(await keys.list()).includes('example.org'), 'the address is not kept with the key');
  assert.equal((await signUp({})).status, 201, 'an address is not needed');
});

test('open: limited per network address, with the time to wait', async (t) => {
  const { signUp } = await serviceWith(t, { mode: 'open' });
  const from = (remoteAddress: string) => signUp({}, { remoteAddress });
  for (let i = 0; i < 10; i++) assert.equal((await from('203.0.113.7')).status, 201);
  const refused = await from('203.0.113.7');
  assert.equal(refused.status, 429);
  assert.equal(refused.body.code, 'rate_limited');
  assert.ok(Number(refused.headers['retry-after']) > 86_000);
  assert.equal((await from('203.0.113.8')).status, 201);
});

test('the time that the database takes for sign-ups is counted as that of who signs up', async (t) => {
  const { app, signUp } = await serviceWith(t, { mode: 'open' });
  await signUp({}, { remoteAddress: '203.0.113.8' });
  const { lanes } = app.whereabouts;
  const count = t.mock.method(lanes, 'count');
  for (let i = 0; i < 3; i++) assert.equal((await signUp({}, { remoteAddress: '203.0.113.7' })).status, 201);
  const counted = count.mock.calls.filter(({ arguments: [caller] }) => caller.includes('203.0.113.7'));
  // The try and the key, of each.
  assert.ok(counted.length >= 6, `${counted.length} times`);
  assert.ok(counted.every(({ arguments: [, ms] }) => ms > 0));
});

test('closed: nobody signs up, and that is the default', async (t) => {
  const { ask, signUp, keys } = await serviceWith(t, { mode: 'closed' });
  const before = (await keys.list()).length;
  assert.equal((await ask('/account/sign-up', { key: null })).body.mode, 'closed');
  const { status, body } = await signUp({ email: 'someone@example.org' });
  assert.equal(status, 403);
  assert.equal(body.code, 'sign_up_closed');
  assert.equal((await keys.list()).length, before);
  const plain = await testService(t);
  assert.equal((await plain.ask('/account/sign-up')).body.mode, 'closed');
});

test('open for this machine alone: closed to forwarded requests', async (t) => {
  const { ask, signUp } = await serviceWith(t, {
    mode: 'open',
    localHosts: ['places.example.org'],
  });
  assert.equal((await signUp({})).status, 201);
  for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via']) {
    const headers = { [name]: 'for=203.0.113.7' };
    assert.equal((await signUp({}, { headers })).status, 403, name);
    assert.equal((await ask('/account/sign-up', { headers })).body.mode, 'closed', name);
  }
});

test('open for this machine alone: closed to names that may lead here from elsewhere', async (t) => {
  const { signUp } = await serviceWith(t, { mode: 'open', localHosts: ['places.example.org'] });
  const status = async (host: string) => (await signUp({}, { headers: { host } })).status;
  for (const host of ['rebound.example', 'rebound.example:8080', 'localhost.example'])
    assert.equal(await status(host), 403, host);
  for (const host of ['localhost:8080', '127.0.0.1:8080', '[::1]:8080', 'places.example.org']) {
    assert.equal(await status(host), 201, host);
  }
});

test('pages of other sites cannot sign a visitor up', async (t) => {
  const { signUp } = await serviceWith(t, { mode: 'open' });
  for (const site of ['cross-site', 'same-site']) {
    assert.equal((await signUp({}, { headers: { 'sec-fetch-site': site } })).status, 403, site);
  }
  assert.equal((await signUp({}, { headers: { 'sec-fetch-site': 'same-origin' } })).status, 201);
  // Browsers from before 2023 send the origin only; programs send neither.
  const fromOrigin = async (origin: string) =>
    (await signUp({}, { headers: { host: 'places.example.org:8080', origin } })).status;
  for (const origin of ['https://evil.example', 'null', 'http://places.example.org', 'http://[']) {
    assert.equal(await fromOrigin(origin), 403, origin);
  }
  assert.equal(await fromOrigin('http://places.example.org:8080'), 201);
  // A form of another site cannot send JSON without asking first.
  assert.equal((await signUp({}, { headers: { 'content-type': 'text/plain' } })).status, 415);
});

test('verified: a link by mail, good for one key', async (t) => {
  const server = await startMailServer(t);
  const { signUp, post, ask, keys } = await serviceWith(t, {
    mode: 'verified',
    smtpUrl: server.url,
    mailFrom: 'keys@example.org',
    publicUrl: 'https://places.example.org/',
  });
  const before = (await keys.list()).length;
  const answer = await signUp({ email: ' someone@example.org ' });
  assert.equal(answer.status, 202);
  assert.deepEqual(Object.keys(answer.body), ['sent', 'query_ms']);
  assert.equal((await keys.list()).length, before, 'no key before the link is used');
  assert.equal(server.received.length, 1);
  const [{ from, to, text }] = server.received;
  assert.equal(from, 'keys@example.org');
  assert.deepEqual(to, ['someone@example.org']);
  const link = /https:\/\/places\.example\.org\/sign-up#token=([\w-]+)/.exec(
    text.replaceAll('=\r\n', '').replaceAll('=3D', '='),
  );
  assert.ok(link, text);

  assert.equal((await post('/account/sign-up/confirm', { token: 'made-up' })).body.code, 'link_not_valid');
  const confirmed = await post('/account/sign-up/confirm', { token: link[1] });
  assert.equal(confirmed.status, 201);
  assert.equal((await ask('/v1/country/DE', { key: confirmed.body.key })).status, 200);
  assert.equal((await post('/account/sign-up/confirm', { token: link[1] })).body.code, 'link_not_valid');
});

test('verified: an address is needed, and three mails a day are sent to it at most', async (t) => {
  const server = await startMailServer(t);
  const { signUp } = await serviceWith(t, {
    mode: 'verified',
    smtpUrl: server.url,
    mailFrom: 'keys@example.org',
    publicUrl: 'https://places.example.org',
  });
  const missing = await signUp({});
  assert.equal(missing.status, 400);
  assert.deepEqual(
    missing.body.errors.map(({ parameter }: { parameter: string }) => parameter),
    ['email'],
  );
  for (let i = 0; i < 3; i++) assert.equal((await signUp({ email: 'someone@example.org' })).status, 202);
  // The same domain to a mailer: signs that it drops, a full stop of another script.
  const same = [
    'someone+else@example.org',
    'someone@ex\ufe00ample.org',
    'someone@example\u3002org',
    'someone@e\u034fxample.org',
  ];
  for (const email of same) assert.ok([400, 429].includes((await signUp({ email })).status), email);
  assert.equal((await signUp({ email: 'a@0x7f.0x1' })).status, 400);
  assert.equal(server.received.length, 3);
});

test('verified: a refused mail is reported, and makes no key; the address is not logged', async (t) => {
  const server = await startMailServer(t, { refuse: true });
  const lines: string[] = [];
  const options = { mode: 'verified', mailFrom: 'keys@example.org', publicUrl: 'https://places.example.org' } as const;
  const logger = { level: 'error', stream: { write: (line: string) => lines.push(line) } };
  const { signUp, keys } = await serviceWith(t, { ...options, smtpUrl: server.url }, logger);
  const before = (await keys.list()).length;
  const { status, body } = await signUp({ email: 'someone@example.org' });
  assert.equal(status, 503);
  assert.equal(body.code, 'unavailable');
  assert.equal((await keys.list()).length, before);
  assert.match(lines.join(), /"code":"EENVELOPE","command":"RCPT TO","response_code":550/);
  assert.doesNotMatch(lines.join(), /someone/);
  const away = await serviceWith(t, { ...options, smtpUrl: 'smtp://127.0.0.1:1' }, logger);
  assert.equal((await away.signUp({ email: 'someone@example.org' })).status, 503);
  assert.match(lines.at(-1)!, /"reason":".*ECONNREFUSED/);
});

test('what is not a single e-mail address is refused', async (t) => {
  const { signUp } = await serviceWith(t, { mode: 'open' });
  const wrong = ['someone', 'a@b', '@example.org', 'a@b@example.org', 'a b@example.org', 'a@example..org'];
  wrong.push(
    'a@example.org\r\nBcc: b@example.org',
    'a@example.org,b@example.org',
    'A <a@example.org>',
    'a@example.org.',
    // The mailer decodes these.
    '=?utf-8?q?victim?=@example.org',
    'someone@127.0.0.1',
    'someone%inside@example.org',
    'inside!someone@example.org',
  );
  // Mail servers drop these, so that each would be another address of one mailbox.
  for (const code of [0, 1, 8, 0x1b, 0x7f, 0x80, 0xad, 0x200b, 0x202e, 0x2060]) {
    wrong.push(`some${String.fromCharCode(code)}one@example.org`, `someone@exam${String.fromCharCode(code)}ple.org`);
  }
  for (const email of wrong) assert.equal((await signUp({ email })).status, 400, email);
  for (const email of ['a@b.co', 'first.last+tag@sub.example.org', 'jürgen@müller.example', "o'neil@example.org"])
    assert.equal((await signUp({ email })).status, 201, email);
});

test('bodies that are not as described answer 400, 413 and 415, and methods that are not there 405', async (t) => {
  const { ask, signUp } = await serviceWith(t, { mode: 'open' });
  const send = (body: string, headers: Record<string, string> = json) =>
    ask('/account/sign-up', { method: 'POST', key: null, body, headers });
  assert.equal((await send('{')).body.code, 'invalid_body');
  assert.equal((await send('[]')).body.code, 'invalid_body');
  assert.equal((await send('{"email": 5}')).body.errors[0].parameter, 'email');
  assert.equal((await signUp({ admin: true })).body.code, 'invalid_body');
  assert.equal((await send(`{"email": "${'a'.repeat(20_000)}"}`)).status, 413);
  assert.equal((await send('{}', {})).status, 415);
  const wrong = await ask('/account/sign-up', { method: 'DELETE' });
  assert.equal(wrong.status, 405);
  assert.equal(wrong.headers.allow, 'GET, HEAD, POST, OPTIONS');
});

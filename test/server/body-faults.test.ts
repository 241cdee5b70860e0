/** What is wrong with the body of a request: every fault by its place, up to twenty. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { loadConfig } from '../../src/config.ts';
import { type TestService, testService } from '../support/service.ts';

let service: TestService;
before(async () => (service = await testService(undefined, { signUp: { mode: 'open' } })));
after(async () => {
  await service.close();
});

/** Status and faults of a body, as an object or as it is written. */
async function sent(path: string, body: unknown, method: 'PATCH' | 'POST' = 'POST') {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const headers = { 'content-type': 'application/json' };
  const answer = await service.ask(path, { method, headers, body: text, key: service.makeKey() });
  const faults = (answer.body.errors ?? []) as { parameter: string; detail: string }[];
  return { status: answer.status, faults: faults.map(({ parameter, detail }) => `${parameter}: ${detail}`) };
}
const changed = (body: unknown) => sent('/account/key', body, 'PATCH');

test('a body that fits is taken', async () => {
  for (const body of [
    {},
    { name: null, networks: null },
    { name: 'x'.repeat(80), origins: ['https://example.org'] },
    { networks: Array(20).fill('127.0.0.0/8') },
  ])
    assert.deepEqual(await changed(body), { status: 200, faults: [] }, JSON.stringify(body));
  for (const grace_hours of [0, 168]) assert.equal((await sent('/account/key/rotate', { grace_hours })).status, 201);
});

test('every fault is reported with its place', async () => {
  for (const [path, body, fault] of [
    ['/account/key', [], 'body: the body must be object'],
    ['/account/key', { name: 7 }, 'name: name must be string or null'],
    ['/account/key', { name: '😀'.repeat(81) }, 'name: name must not have more than 80 characters'],
    ['/account/key', { origins: [] }, 'origins: origins must not have fewer than 1 items'],
    ['/account/key', { origins: Array(21).fill('https://a.org') }, 'origins: origins must not have more than 20 items'],
    [
      '/account/key',
      { origins: ['a', 'b'.repeat(201)] },
      'origins.1: origins/1 must not have more than 200 characters',
    ],
    ['/account/key', { toString: 2 }, 'body: the body must not have the property "toString"'],
    ['/account/key/rotate', { grace_hours: '1' }, 'grace_hours: grace_hours must be integer'],
    ['/account/key/rotate', { grace_hours: 1.5 }, 'grace_hours: grace_hours must be integer'],
    ['/account/key/rotate', { grace_hours: -1 }, 'grace_hours: grace_hours must be >= 0'],
    ['/account/key/rotate', { grace_hours: 169 }, 'grace_hours: grace_hours must be <= 168'],
    ['/account/sign-up/confirm', {}, 'body: the body must have the property token'],
  ] as const) {
    const answer = await sent(path, body, path === '/account/key' ? 'PATCH' : 'POST');
    assert.deepEqual(answer, { status: 400, faults: [fault] }, JSON.stringify(body));
  }
});

test('all faults are reported, not only the first, of forty twenty', async () => {
  assert.equal((await changed({ name: 7, origins: [], other: 1 })).faults.length, 3);
  const many = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`x${at}`, 1]));
  assert.equal((await changed(many)).faults.length, 20);
  assert.equal((await changed({ origins: Array(100).fill(7) })).faults.length, 20);
});

test('a setting is checked the same way, also where its name has a slash', () => {
  const refusal = (overrides: object) => {
    let message = '';
    assert.throws(
      () => loadConfig({ environment: {}, overrides: { ...overrides } }),
      (error: Error) => {
        message = error.message;
        return true;
      },
    );
    return message;
  };
  const plan = { callsPerDay: 'x', callsPerSecond: 1, burst: 1, batchSize: 10 };
  assert.match(refusal({ plans: { 'a/b~c': plan } }), /plans\.a~1b~0c\.callsPerDay .* must be integer, got "x"$/);
  assert.match(refusal({ plans: { own: {} } }), /plans\.own .* must have the property callsPerDay.*, got \{\}$/);
  assert.match(refusal({ port: 65_536 }), /port .* must be <= 65535/);
  assert.match(refusal({ logLevel: 'loud' }), /logLevel .* must be one of debug, info/);
});

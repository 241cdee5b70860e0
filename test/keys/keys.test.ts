import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { UsageError } from '../../src/errors.ts';
import { generateKey } from '../../src/keys/key-format.ts';
import { type LocalKeys, openKeys } from '../../src/keys/keys.ts';
import { type Account, dayMs, dayOf } from '../../src/keys/meter.ts';
import { defaultPlans, type Plans } from '../../src/keys/plans.ts';

const noon = Date.UTC(2026, 5, 15, 12);
const clock = { now: noon };
const now = () => clock.now;

function temporaryPath(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'whereabouts-keys-'));
  t.after(() => rmSync(directory, { recursive: true }));
  clock.now = noon;
  return join(directory, 'keys.sqlite');
}

function open(t: TestContext, path: string, plans: Plans = defaultPlans): LocalKeys {
  const keys = openKeys(path, { plans, now, flushMs: 0 });
  let isOpen = true;
  t.after(() => isOpen && keys.close());
  return {
    ...keys,
    close() {
      isOpen = false;
      keys.close();
    },
  };
}

function accountOf(keys: LocalKeys, key: string): Account {
  const account = keys.authenticate(key, clock.now);
  if (typeof account === 'string') assert.fail(`the key is ${account}`);
  return account;
}

test('a created key is valid, has the plan free by default, and is listed by its first 12 characters', (t) => {
  const keys = open(t, temporaryPath(t));
  const { key, record } = keys.create({ name: 'mine' });
  assert.equal(accountOf(keys, key).key.plan, 'free');
  assert.equal(record.display, key.slice(0, 12));
  assert.deepEqual(
    keys.list().map(({ name, display }) => [name, display]),
    [['mine', key.slice(0, 12)]],
  );
});

test('the database holds the hash of a key and never the key, and only its owner may read it', (t) => {
  const path = temporaryPath(t);
  const keys = open(t, path);
  const { key } = keys.create();
  keys.close();
  const bytes = readFileSync(path);
  assert.equal(bytes.includes(key), false);
  assert.equal(bytes.includes(key.slice(0, 13)), false);
  assert.equal(statSync(path).mode & 0o077, 0);
});

test('malformed, unknown, revoked and expired keys are told apart', (t) => {
  const keys = open(t, temporaryPath(t));
  const revoked = keys.create();
  const expiring = keys.create({ expiresAt: noon + 1000 });
  assert.equal(keys.authenticate('wab_nonsense', clock.now), 'malformed');
  assert.equal(keys.authenticate(generateKey(), clock.now), 'unknown');
  accountOf(keys, revoked.key);
  keys.revoke(revoked.record.id);
  assert.equal(keys.authenticate(revoked.key, clock.now), 'revoked');
  accountOf(keys, expiring.key);
  clock.now += 1000;
  assert.equal(keys.authenticate(expiring.key, clock.now), 'expired');
});

test('a revocation by another process is noticed within a second', (t) => {
  const path = temporaryPath(t);
  const server = open(t, path);
  const commandLine = open(t, path);
  const { key } = commandLine.create();
  accountOf(server, key);
  commandLine.revoke(commandLine.find(key).id);
  clock.now += 1000;
  assert.equal(server.authenticate(key, clock.now), 'revoked');
});

test('a plan changed in the same process takes effect at once, by another one within a second', (t) => {
  const path = temporaryPath(t);
  const server = open(t, path);
  const commandLine = open(t, path);
  const { key, record } = server.create();
  assert.equal(accountOf(server, key).plan.callsPerDay, 1000);
  server.change(record.id, { plan: 'pro' });
  assert.equal(accountOf(server, key).plan.callsPerDay, 100_000);
  commandLine.change(record.id, { plan: 'scale' });
  clock.now += 1000;
  assert.equal(accountOf(server, key).plan.callsPerDay, 10_000_000);
});

test('what a key is restricted to is kept', (t) => {
  const path = temporaryPath(t);
  const given = {
    profile: 'a' as const,
    origins: ['https://example.org'],
    networks: ['10.0.0.0/8'],
    endpoints: ['search', 'ip'],
  };
  const { key } = open(t, path).create(given);
  const { profile, origins, networks, endpoints } = accountOf(open(t, path), key).key;
  assert.deepEqual({ profile, origins, networks, endpoints }, given);
});

test('an unknown plan or a broken network is refused when a key is made', (t) => {
  const keys = open(t, temporaryPath(t));
  assert.throws(
    () => keys.create({ plan: 'gold' }),
    new UsageError('there is no plan "gold"; the plans are free, pro, scale'),
  );
  assert.throws(() => keys.create({ networks: ['10.0.0.0/99'] }), UsageError);
});

test('a key is found by id, by its start and in full; no key and several are errors', (t) => {
  const keys = open(t, temporaryPath(t));
  const { key, record } = keys.create();
  for (const reference of [String(record.id), key.slice(0, 8), key.slice(0, 12), key]) {
    assert.equal(keys.find(reference).id, record.id);
  }
  for (const reference of ['999', 'wab_', 'wab_0000', '%', generateKey()])
    assert.throws(() => keys.find(reference), UsageError);
});

test('a key whose plan is no longer configured has the limits of the free plan', (t) => {
  const path = temporaryPath(t);
  const { key } = open(t, path, { ...defaultPlans, gold: { ...defaultPlans.pro } }).create({ plan: 'gold' });
  assert.equal(accountOf(open(t, path), key).plan, defaultPlans.free);
});

test('use survives a restart', (t) => {
  const path = temporaryPath(t);
  const first = open(t, path);
  const { key } = first.create();
  assert.equal(first.meter.take(accountOf(first, key), 7, clock.now), 7);
  first.close();
  const second = open(t, path);
  assert.equal(second.meter.used(accountOf(second, key), clock.now), 7);
});

test('counting a call writes nothing to the database until the next flush', (t) => {
  const path = temporaryPath(t);
  const keys = open(t, path);
  const { key } = keys.create();
  const account = accountOf(keys, key);
  const reader = new DatabaseSync(path, { readOnly: true });
  t.after(() => reader.close());
  const version = () => reader.prepare('PRAGMA data_version').get()?.data_version;
  const before = version();
  for (let i = 0; i < 100; i++) keys.meter.take(account, 1, clock.now);
  assert.equal(version(), before);
  keys.flush();
  assert.notEqual(version(), before);
  assert.equal(reader.prepare('SELECT calls FROM usage').get()?.calls, 100);
});

test('use that cannot be written is kept and written later', (t) => {
  const path = temporaryPath(t);
  const errors: unknown[] = [];
  const keys = openKeys(path, { plans: defaultPlans, now, flushMs: 0, onError: (error) => errors.push(error) });
  t.after(() => keys.close());
  const { key } = keys.create();
  const account = accountOf(keys, key);
  keys.meter.take(account, 3, clock.now);
  const other = new DatabaseSync(path);
  t.after(() => other.close());
  other.exec('ALTER TABLE usage RENAME TO usage_elsewhere');
  keys.flush();
  assert.equal(errors.length, 1);
  assert.equal(keys.meter.used(account, clock.now), 3);
  other.exec('ALTER TABLE usage_elsewhere RENAME TO usage');
  keys.flush();
  assert.equal(other.prepare('SELECT calls FROM usage').get()?.calls, 3);
});

test('two processes add to one count, and each sees what the other wrote', (t) => {
  const path = temporaryPath(t);
  const [one, two] = [open(t, path), open(t, path)];
  const { key } = one.create();
  one.meter.take(accountOf(one, key), 600, clock.now);
  two.meter.take(accountOf(two, key), 300, clock.now);
  one.flush();
  two.flush();
  clock.now += 1000;
  for (const keys of [one, two]) assert.equal(keys.meter.used(accountOf(keys, key), clock.now), 900);
  assert.equal(one.meter.take(accountOf(one, key), 200, clock.now), 100);
});

test('the quota begins anew at midnight UTC, and the last calls of the day before are not lost', (t) => {
  const keys = open(t, temporaryPath(t));
  const { key } = keys.create();
  const account = accountOf(keys, key);
  clock.now = noon + dayMs / 2 - 1;
  assert.equal(keys.meter.take(account, 2000, clock.now), 1000);
  assert.equal(keys.meter.take(account, 1, clock.now), 0);
  clock.now += 1;
  assert.equal(keys.meter.take(account, 1, clock.now), 1);
  const yesterday = dayOf(noon);
  const expected = [
    [yesterday, 1000],
    [yesterday + 1, 1],
  ];
  assert.deepEqual([...keys.usageSince(account, yesterday, clock.now)], expected);
  keys.flush();
  assert.deepEqual([...keys.usageSince(account, yesterday, clock.now)], expected);
});

test('a database of a newer program is refused, and left as it is', (t) => {
  const path = temporaryPath(t);
  open(t, path).close();
  const database = new DatabaseSync(path);
  database.exec('PRAGMA user_version = 99');
  database.close();
  assert.throws(() => openKeys(path, { plans: defaultPlans }), /key schema 99, this program knows 3/);
});

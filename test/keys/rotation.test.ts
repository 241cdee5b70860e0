import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { generateKey, hashKey, isWellFormedKey } from '../../src/keys/key-format.ts';
import { openKeys } from '../../src/keys/keys.ts';
import { defaultPlans } from '../../src/keys/plans.ts';

const hourMs = 3_600_000;
const start = Date.UTC(2026, 5, 15, 12);

function ring(path = ':memory:') {
  const clock = { now: start };
  const keys = openKeys(path, { plans: defaultPlans, now: () => clock.now, flushMs: 0, refreshMs: 0 });
  return { keys, clock, ask: (text: string) => keys.authenticate(text, clock.now) };
}

test('a rotated key has a new text, and the former one lives as long as its grace', async (t) => {
  const { keys, clock, ask } = ring();
  t.after(() => keys.close());
  const { key: before, record } = await keys.create();
  assert.equal(typeof ask(before), 'object');
  const after = await keys.rotation.rotate(record.id, hourMs);
  assert.ok(isWellFormedKey(after));
  assert.notEqual(after, before);
  for (const text of [before, after]) assert.equal((ask(text) as { key: { id: number } }).key.id, record.id);
  const [former, ...others] = await keys.rotation.formerTexts(record.id);
  assert.deepEqual({ ...former }, { display: before.slice(0, 12), expiresAt: start + hourMs });
  assert.deepEqual(others, []);
  clock.now += hourMs;
  assert.equal(ask(before), 'expired');
  assert.equal(typeof ask(after), 'object');
  assert.deepEqual(await keys.rotation.formerTexts(record.id), []);
});

test('without grace the former text ends at once, though it was in use', async (t) => {
  const { keys, ask } = ring();
  t.after(() => keys.close());
  const { key: before, record } = await keys.create();
  ask(before);
  await keys.rotation.rotate(record.id, 0);
  assert.equal(ask(before), 'expired');
});

test('both texts of a rotated key draw on one quota', async (t) => {
  const { keys, clock, ask } = ring();
  t.after(() => keys.close());
  const { key: before, record } = await keys.create();
  const after = await keys.rotation.rotate(record.id, hourMs);
  const accounts = [before, after].map((text) => {
    const account = ask(text);
    assert.ok(typeof account === 'object');
    return account;
  });
  assert.equal(keys.meter.take(accounts[0], 600, clock.now), 600);
  assert.equal(keys.meter.take(accounts[1], 600, clock.now), 400);
});

test('revoking ends the former texts too', async (t) => {
  const { keys, ask } = ring();
  t.after(() => keys.close());
  const { key: before, record } = await keys.create();
  const after = await keys.rotation.rotate(record.id, hourMs);
  keys.revoke(record.id);
  assert.equal(ask(before), 'revoked');
  assert.equal(ask(after), 'revoked');
});

test('a rotation by one process is seen by another', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'whereabouts-keys-'));
  const [one, other] = [ring(join(directory, 'keys.db')), ring(join(directory, 'keys.db'))];
  t.after(() => {
    one.keys.close();
    other.keys.close();
    rmSync(directory, { recursive: true });
  });
  const { key, record } = await one.keys.create();
  assert.equal(typeof other.ask(key), 'object');
  const after = await one.keys.rotation.rotate(record.id, 0);
  other.clock.now += 1;
  assert.equal(other.ask(key), 'expired');
  assert.equal(typeof other.ask(after), 'object');
});

test("an owner's code is the key's own, and ends with its protection", async (t) => {
  const { keys } = ring();
  t.after(() => keys.close());
  const [{ record: mine }, { record: other }] = [await keys.create(), await keys.create()];
  assert.equal(await keys.rotation.isProtected(mine.id), false);
  const code = await keys.rotation.protect(mine.id);
  assert.match(code, /^own_\w{36}$/);
  assert.ok(await keys.rotation.isProtected(mine.id));
  assert.ok(await keys.rotation.isOwner(mine.id, code));
  assert.ok(!(await keys.rotation.isOwner(mine.id, `${code.slice(0, -1)}_`)));
  assert.ok(!(await keys.rotation.isOwner(other.id, code)));
  await keys.rotation.unprotect(mine.id);
  assert.ok(!(await keys.rotation.isOwner(mine.id, code)));
});

test('a database of the first schema is taken over with its keys', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'whereabouts-keys-'));
  const path = join(directory, 'keys.db');
  const key = generateKey();
  const old = new DatabaseSync(path);
  old.exec(`
    CREATE TABLE keys (id INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE, display TEXT NOT NULL, name TEXT,
      plan TEXT NOT NULL, profile TEXT, created_at INTEGER NOT NULL, expires_at INTEGER, revoked_at INTEGER,
      origins TEXT, networks TEXT, endpoints TEXT) STRICT;
    CREATE TABLE usage (key_id INTEGER NOT NULL REFERENCES keys (id), day INTEGER NOT NULL, calls INTEGER NOT NULL,
      PRIMARY KEY (key_id, day)) STRICT, WITHOUT ROWID;
    PRAGMA user_version = 1`);
  old
    .prepare("INSERT INTO keys (hash, display, plan, created_at) VALUES (?, ?, 'pro', 1)")
    .run(hashKey(key), key.slice(0, 12));
  old.close();
  const { keys, ask } = ring(path);
  t.after(() => {
    keys.close();
    rmSync(directory, { recursive: true });
  });
  const account = ask(key);
  assert.ok(typeof account === 'object' && account.key.plan === 'pro');
  assert.ok(isWellFormedKey(await keys.rotation.rotate(account.key.id, 0)));
});

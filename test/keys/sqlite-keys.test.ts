/** Specifics of keys in a local database: its file, its age, and other programs that lock it. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { hashText, isWellFormedKey } from '../../src/keys/key-record.ts';
import type { KeyEngineChange, KeyStore } from '../../src/keys/key-store.ts';
import { openKeys } from '../../src/keys/sqlite/sqlite-keys.ts';
import { dayOf, keyPlans as plans, reserve } from '../support/key-engines.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const now = Date.UTC(2026, 5, 15, 12);
const hourMs = 3_600_000;
type Account = Awaited<ReturnType<typeof reserve>>['account'];

function open(t: TestContext, isAlone = true, onChange: (change: KeyEngineChange) => void = () => {}) {
  const path = join(temporaryDirectory(t), 'keys.db');
  const clock = { now };
  const again = (): KeyStore => {
    const keys = openKeys(path, { plans, isAlone, now: () => clock.now, flushMs: 0, onChange });
    t.after(() => keys.close());
    return keys;
  };
  return { path, clock, again, keys: again() };
}

/** Another program with the database, such as a backup tool. */
function other(t: TestContext, path: string): DatabaseSync {
  const database = new DatabaseSync(path);
  t.after(() => database.close());
  return database;
}

test('the database holds the hash of a key and never the key, and only its owner may read it', async (t) => {
  const { keys, path } = open(t);
  const { key } = await keys.create({}, 'test');
  await keys.close();
  const bytes = readFileSync(path);
  // What is shown of it, and the hash, are there: it is the file that would hold the key, in whatever writing.
  for (const stored of [key.slice(0, 12), hashText(key)]) assert.ok(bytes.includes(stored), stored);
  for (const writing of ['hex', 'base64'] as const)
    assert.ok(!bytes.includes(Buffer.from(key).toString(writing)), writing);
  assert.equal(bytes.includes(key), false);
  assert.equal(bytes.includes(key.slice(0, 13)), false);
  assert.equal(statSync(path).mode & 0o077, 0);
});

test('a command whose clock is ahead forgets nothing, and no call is counted twice after it', async (t) => {
  const { keys, clock, again } = open(t, false);
  const { key, record } = await keys.create({ plan: 'large' }, 'test');
  const { account } = await reserve(keys, key, 7, now);
  for (let call = 0; call < 7; call++) keys.meter.count(account, 'search');
  await keys.flush();
  clock.now = now + 401 * 24 * hourMs;
  const ahead = again();
  await ahead.create({}, 'test');
  await ahead.close();
  clock.now = now;
  assert.equal((await keys.audit(0, 10)).length, 2);
  const day = dayOf(now);
  const [use] = await keys.endpointUse(record.id, day, day);
  assert.deepEqual({ ...use }, { day, endpoint: 'search', calls: 7 });
  await reserve(keys, key, 1, now);
  await keys.flush();
  const callsOf = async (store: KeyStore) => ((await store.accountOf(record.id, now)) as Account).history.get(day);
  assert.equal(await callsOf(again()), 8);

  // Nor where calls were counted on days that have not come.
  for (const days of [402, 403]) {
    clock.now = now + days * 24 * hourMs;
    const later = again();
    await reserve(later, key, 1, clock.now);
    await later.close();
  }
  clock.now = now;
  for (const calls of [9, 10]) {
    await again().close();
    await reserve(keys, key, 1, now);
    await keys.flush();
    assert.equal(await callsOf(again()), calls);
  }
  assert.equal((await keys.endpointUse(record.id, day, day)).length, 1);
});

test('far from the end of a quota a call writes nothing; one lease covers a thousand calls', async (t) => {
  const { keys, path } = open(t);
  const { key } = await keys.create({ plan: 'large' }, 'test');
  await reserve(keys, key, 1, now);
  const reader = other(t, path);
  const version = () => reader.prepare('PRAGMA data_version').get()?.data_version;
  const before = version();
  for (let i = 0; i < 999; i++) assert.ok(!(keys.reserve(key, 1, now) instanceof Promise));
  assert.equal(version(), before);
  await reserve(keys, key, 1, now);
  assert.notEqual(version(), before);
  assert.equal(reader.prepare('SELECT calls FROM calls').get()?.calls, 1000);
});

test('what the only process had reserved when it was killed is free again for the next one', async (t) => {
  const { keys, again } = open(t);
  const { key } = await keys.create({ plan: 'thousand' }, 'test');
  await reserve(keys, key, 30, now);
  await keys.flush();
  await reserve(keys, key, 0, now);
  // From here on the first process does nothing: it was killed while it had a lease.
  assert.equal((await reserve(again(), key, 1000, now)).granted, 970);
});

test('what another process holds, today or yesterday, stays held when the next one opens the database', async (t) => {
  for (const later of [0, 24 * hourMs]) {
    const { keys, path } = open(t, false);
    const { key } = await keys.create({ plan: 'thousand' }, 'test');
    await reserve(keys, key, 1, now);
    const next = openKeys(path, { plans, now: () => now + later, flushMs: 0 });
    t.after(() => next.close());
    // The first process leased an eighth of what was left above 200: 100 calls.
    assert.equal((await reserve(next, key, 1000, now)).granted, 900);
  }
});

test('what a process held that has ended is free again, and what others hold is not', async (t) => {
  for (const ended of [process.pid, process.pid + 1]) {
    const { keys, path } = open(t, false);
    const { key } = await keys.create({ plan: 'thousand' }, 'test');
    await reserve(keys, key, 1, now);
    await keys.flush();
    await reserve(keys, key, 0, now);
    const next = openKeys(path, { plans, ended, now: () => now, flushMs: 0 });
    t.after(() => next.close());
    const { granted } = await reserve(next, key, 1000, now);
    assert.equal(granted === 999, ended === process.pid, `${granted}`);
  }
});

test('during a lock of another process requests are answered; what was counted is written later', async (t) => {
  const errors: unknown[] = [];
  const { keys, path } = open(t, false, (error) => errors.push(error));
  const [{ key }, { key: fresh }] = [await keys.create({ plan: 'hundred' }, 'test'), await keys.create({}, 'test')];
  assert.equal((await reserve(keys, key, 10, now)).granted, 10);
  const locking = other(t, path);
  locking.exec('BEGIN EXCLUSIVE');
  for (const text of [key, fresh]) assert.equal((await reserve(keys, text, 5, now)).granted, 5);
  assert.equal((await reserve(keys, key, 200, now)).granted, 85, 'no more than the quota');
  await keys.flush();
  assert.equal(errors.length, 1, 'told once');
  locking.exec('ROLLBACK');
  await keys.flush();
  assert.equal(locking.prepare('SELECT calls FROM calls WHERE key_id = 1').get()?.calls, 100);
});

test('a lock of another process of up to a second is waited for, so that no call is granted twice', async (t) => {
  const errors: unknown[] = [];
  const { keys, path } = open(t, false, (error) => errors.push(error));
  const { key } = await keys.create({ plan: 'hundred' }, 'test');
  assert.equal((await reserve(keys, key, 10, now)).granted, 10);
  const locking = other(t, path);
  const startedAt = performance.now();
  let waitedMs = 0;
  let asked = 0;
  t.mock.method(performance, 'now', () => {
    asked++;
    return startedAt + waitedMs;
  });
  /** The result of a call that finds a lock, which is over when the clock says that so much time has passed. */
  const lockedFor = async (ms: number) => {
    waitedMs = 0;
    locking.exec('BEGIN EXCLUSIVE');
    const pending = reserve(keys, key, 5, now);
    for (const passed of [0, ms]) {
      waitedMs = passed;
      const before = asked;
      while (asked === before) await nextTurn();
    }
    locking.exec('ROLLBACK');
    return (await pending).granted;
  };
  assert.equal(await lockedFor(999), 5);
  assert.deepEqual(errors, []);
  assert.equal(await lockedFor(1001), 5);
  assert.equal(errors.length, 1, 'counted here');
});

test('a lock of another process makes only account calls and sign-ups wait', async (t) => {
  const { keys, path } = open(t);
  const { key, record } = await keys.create({}, 'test');
  await reserve(keys, key, 1, now);
  const { signUps } = keys;
  assert.equal(await signUps.admit('203.0.113.7', undefined), 0);
  const link = await signUps.makeLink();
  const lock = other(t, path);
  lock.exec('BEGIN EXCLUSIVE');
  let done = 0;
  const waiting = [
    keys.create({}, 'test'),
    keys.rotate(record.id, hourMs, 'owner'),
    signUps.admit('203.0.113.7', undefined),
    signUps.useLink(link),
  ].map((step: Promise<unknown>) => step.then(() => done++));
  for (let turn = 0; turn < 50; turn++) {
    await nextTurn();
    assert.ok(!(keys.reserve(key, 1, now) instanceof Promise), 'a request is answered at once');
  }
  assert.equal(done, 0);
  lock.exec('ROLLBACK');
  await Promise.all(waiting);
  assert.equal((await keys.list()).length, 2);
});

test('usage that cannot be written is kept and written later', async (t) => {
  const changes: KeyEngineChange[] = [];
  const { keys, path, clock } = open(t, true, (change) => changes.push(change));
  const { key } = await keys.create({ plan: 'hundred' }, 'test');
  await reserve(keys, key, 3, now);
  const broken = other(t, path);
  broken.exec('ALTER TABLE calls RENAME TO calls_elsewhere');
  await keys.flush();
  assert.equal(changes.length, 1);
  assert.equal(keys.isHealthy(), false);
  const { account } = await reserve(keys, key, 4, now);
  assert.equal(keys.meter.used(account, now), 7);
  broken.exec('ALTER TABLE calls_elsewhere RENAME TO calls');
  await keys.flush();
  assert.equal(broken.prepare('SELECT calls FROM calls').get()?.calls, 7);
  // For as long as some keys of a cluster may fail.
  assert.equal(keys.isHealthy(), false);
  clock.now += 10_000;
  assert.equal(keys.isHealthy(), true);
  await keys.flush();
  await keys.flush();
  assert.deepEqual(changes.slice(1), [{ state: 'back', failures: 2 }]);
});

/** Runs the command line where no file may grow beyond that many KiB: to SQLite that is a full disk. */
function keysCommand(directory: string, kib: number, ...args: string[]) {
  const main = join(import.meta.dirname, '../../src/main.ts');
  const limited = `trap '' XFSZ; ulimit -f ${kib}; exec "$@"`;
  const command = [process.execPath, main, 'keys', ...args, '--data-directory', directory];
  return spawnSync('bash', ['-c', limited, 'bash', ...command], { encoding: 'utf8' });
}

test('where the disk is full, the command line says so in one line with the remedy', {
  skip: process.platform === 'win32' && 'needs bash',
}, (t) => {
  const directory = temporaryDirectory(t);
  mkdirSync(join(directory, 'one'));
  writeFileSync(join(directory, 'current'), 'one');
  for (const kib of [8, 32]) {
    const { status, stderr, stdout } = keysCommand(directory, kib, 'create');
    assert.notEqual(status, 0);
    assert.equal(stdout, '');
    assert.match(stderr, /^whereabouts: [^\n]*the disk reports an error; [^\n]*\n$/);
  }
  assert.equal(keysCommand(directory, 10_000, 'create').status, 0);
});

test('a database of another program is refused with the remedy, and left unchanged', async (t) => {
  const { keys, path } = open(t);
  await keys.close();
  const database = new DatabaseSync(path);
  t.after(() => database.close());
  for (const [version, remedy] of [
    [99, 'use a newer version'],
    [3, 'start the version of 23 November 2026'],
  ] as const) {
    database.exec(`PRAGMA user_version = ${version}`);
    const expected = new RegExp(`key schema ${version}, but this program supports 4; ${remedy}`);
    assert.throws(() => openKeys(path, { plans }), expected);
    assert.equal(database.prepare('PRAGMA user_version').get()?.user_version, version);
  }
});

test('a key is found by its first eight characters, not by fewer', async (t) => {
  const { keys } = open(t);
  const { record } = await keys.create({}, 'test');
  assert.equal((await keys.find(record.display.slice(0, 8))).id, record.id);
  await assert.rejects(
    keys.find(record.display.slice(0, 7)),
    /no key for "wab_.{3}"; use the id or the first 12 characters from `keys list`$/,
  );
});

test('a whole text is compared as a whole, though another begins as it does', async (t) => {
  const { keys } = open(t);
  const { key, record } = await keys.create({}, 'test');
  assert.equal((await keys.find(key)).id, record.id);
  const body = key.slice(0, 33) + (key[33] === 'a' ? 'b' : 'a');
  // The checksum of a key: its CRC32 in base 62.
  const digits = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'];
  const checksum = [5, 4, 3, 2, 1, 0].map((power) => digits[Math.floor(crc32(body) / 62 ** power) % 62]).join('');
  assert.ok(isWellFormedKey(body + checksum));
  await assert.rejects(keys.find(body + checksum), /no key for/);
});

test('days of use are in order, even where the clock was set back between them', async (t) => {
  const { keys, clock } = open(t);
  const { key } = await keys.create({ plan: 'hundred' }, 'test');
  const [today, dayMs] = [dayOf(now), 24 * hourMs];
  for (const [days, calls] of [
    [0, 10],
    [2, 12],
    [1, 11],
    [3, 13],
  ] as const) {
    clock.now = now + days * dayMs;
    assert.equal((await reserve(keys, key, calls, clock.now)).granted, calls);
  }
  const { account } = await reserve(keys, key, 0, clock.now);
  const expected = [10, 11, 12, 13].map((calls, days) => [today + days, calls]);
  assert.deepEqual([...keys.usageSince(account, today, clock.now)], expected);
  assert.deepEqual([...keys.usageSince(account, today + 2, clock.now)], expected.slice(2));
  // Days that only this process knows of so far.
  for (const days of [5, 4]) keys.meter.used(account, now + days * dayMs);
  const found = [...keys.usageSince(account, today + 3, now + 6 * dayMs).keys()];
  assert.deepEqual(
    found,
    [3, 4, 5, 6].map((days) => today + days),
  );
});

test('the log says of a new key which of its properties were set', async (t) => {
  const { keys } = open(t);
  await keys.create({}, 'test');
  await keys.create({ name: 'shop', plan: 'pro', expiresAt: now + hourMs, endpoints: ['ip'], isAdmin: true }, 'test');
  const details = (await keys.audit(0, 2)).map(({ detail }) => detail);
  assert.deepEqual(details, [
    { name: 'shop', plan: 'pro', endpoints: ['ip'], isAdmin: true, expires: '2026-06-15T13:00:00.000Z' },
    { plan: 'free' },
  ]);
});

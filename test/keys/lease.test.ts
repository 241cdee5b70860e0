/** One key database in several processes: here as several openings of one file. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { type LocalKeys, openKeys } from '../../src/keys/keys.ts';
import { exactBelow, largestLease, largestPart, leaseOf } from '../../src/keys/lease.ts';
import { type Account, dayMs, dayOf } from '../../src/keys/meter.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const noon = Date.UTC(2026, 5, 15, 12);
const plan = (callsPerDay: number, callsPerSecond = 1e6, burst = 1e6) => ({
  callsPerDay,
  callsPerSecond,
  burst,
  batchSize: 100,
});
const plans = { free: plan(1000), large: plan(1_000_000), slow: plan(1000, 1, 10) };

type Worker = { keys: LocalKeys; take(key: string, calls?: number): number; account(key: string): Account };

/** So many processes on one database, with one clock. */
function workers(t: TestContext, count: number): { all: Worker[]; clock: { now: number }; path: string } {
  const path = join(temporaryDirectory(t), 'keys.db');
  const clock = { now: noon };
  const all = Array.from({ length: count }, () => {
    const keys = openKeys(path, { plans, isShared: true, flushMs: 0, now: () => clock.now });
    const account = (key: string) => {
      const found = keys.authenticate(key, clock.now);
      if (typeof found === 'string') assert.fail(found);
      return found;
    };
    const take = (key: string, calls = 1) => keys.meter.take(account(key), calls, clock.now);
    return { keys, account, take };
  });
  t.after(() => {
    for (const { keys } of all) keys.close();
  });
  return { all, clock, path };
}

test('a lease is what is asked for near the end of a quota, and never more than a part of what is left', () => {
  fc.assert(
    fc.property(fc.integer({ min: -100, max: 10_000_000 }), fc.integer({ min: 0, max: 200 }), (free, wanted) => {
      const limit = 10_000_000;
      const lease = leaseOf(free, wanted, limit);
      assert.ok(Number.isInteger(lease) && lease >= 0 && lease <= Math.max(0, free));
      if (wanted === 0) assert.equal(lease, 0);
      if (wanted > 0 && free > 0) assert.ok(lease >= Math.min(wanted, free));
      if (free <= exactBelow) assert.equal(lease, Math.max(0, Math.min(wanted, free)));
      assert.ok(lease <= Math.max(wanted, limit / largestPart));
      assert.ok(leaseOf(free, wanted, 100_000) <= Math.max(wanted, largestLease));
    }),
  );
});

test('however calls are spread over processes, exactly the quota is given out', (t) => {
  const turns = fc.array(fc.tuple(fc.nat(2), fc.integer({ min: 1, max: 60 }), fc.boolean()), { maxLength: 40 });
  fc.assert(
    fc.property(turns, (steps) => {
      const { all, clock } = workers(t, 3);
      const { key } = all[0].keys.create({ plan: 'free' });
      let got = 0;
      for (const [which, calls, isFlushed] of steps) {
        got += all[which].take(key, calls);
        if (isFlushed) all[which].keys.flush();
      }
      assert.ok(got <= 1000);
      // What the others hold lies idle, and is given back with their next reports.
      for (let round = 0; round < 2; round++) for (const { keys } of all) keys.flush();
      clock.now += 1000;
      while (all[2].take(key) === 1) got++;
      assert.equal(got, 1000);
      for (let round = 0; round < 2; round++) for (const { keys } of all) keys.flush();
      clock.now += 1000;
      for (const { keys, account } of all) assert.equal(keys.meter.used(account(key), clock.now), 1000);
    }),
    { numRuns: 25 },
  );
});

test('far from the end of a quota a call writes nothing; a thousand calls are one lease', (t) => {
  const { all, path } = workers(t, 1);
  const { key } = all[0].keys.create({ plan: 'large' });
  all[0].take(key);
  const reader = new DatabaseSync(path, { readOnly: true });
  t.after(() => reader.close());
  const version = () => reader.prepare('PRAGMA data_version').get()?.data_version;
  const before = version();
  for (let i = 0; i < largestLease - 1; i++) assert.equal(all[0].take(key), 1);
  assert.equal(version(), before);
  all[0].take(key);
  assert.notEqual(version(), before);
});

test('what a process held when it was killed is lost to the key, and never given out twice', (t) => {
  const { all, clock } = workers(t, 2);
  const [killed, other] = all;
  const { key } = killed.keys.create({ plan: 'free' });
  assert.equal(killed.take(key), 1);
  // From here on the first process does nothing more: it was killed.
  let got = 0;
  while (other.take(key) === 1) got++;
  clock.now += 60_000;
  while (other.take(key) === 1) got++;
  assert.equal(got, 1000 - leaseOf(1000, 1, 1000));
});

test('a call that is given back can be spent by another process', (t) => {
  const { all, clock } = workers(t, 2);
  const { key } = all[0].keys.create({ plan: 'free' });
  while (all[0].take(key, 100) > 0);
  all[0].keys.meter.refund(all[0].account(key), 2, clock.now);
  for (let round = 0; round < 2; round++) all[0].keys.flush();
  clock.now += 1000;
  assert.equal(all[1].take(key, 10), 2);
});

test('each process learns what the others admitted, and owes it', (t) => {
  const { all, clock } = workers(t, 2);
  const { key } = all[0].keys.create({ plan: 'slow' });
  const admit = ({ keys, account }: Worker) => keys.meter.admit(account(key), clock.now) === 0;
  assert.ok(admit(all[0]) && admit(all[1]));
  for (const { keys } of all) keys.flush();
  for (let i = 0; i < 8; i++) assert.ok(admit(all[0]));
  all[0].keys.flush();
  assert.ok(admit(all[1]));
  all[1].keys.flush();
  assert.equal(admit(all[1]), false);
});

test('a new day begins with a full quota in every process, and yesterday is counted whole', (t) => {
  const { all, clock } = workers(t, 2);
  const { key } = all[0].keys.create({ plan: 'free' });
  assert.equal(all[0].take(key, 30) + all[1].take(key, 20), 50);
  const yesterday = dayOf(clock.now);
  clock.now += dayMs;
  assert.equal(all[0].take(key, 3) + all[1].take(key, 4), 7);
  for (let round = 0; round < 2; round++) for (const { keys } of all) keys.flush();
  for (const { keys, account } of all) {
    assert.deepEqual(
      [...keys.usageSince(account(key), yesterday, clock.now)],
      [
        [yesterday, 50],
        [yesterday + 1, 7],
      ],
    );
  }
});

test('a database that cannot be written stops nobody, and nothing is forgotten', (t) => {
  const { all, path, clock } = workers(t, 1);
  const { key } = all[0].keys.create({ plan: 'free' });
  all[0].take(key, 10);
  const other = new DatabaseSync(path);
  t.after(() => other.close());
  other.exec('ALTER TABLE leases RENAME TO leases_elsewhere');
  assert.equal(all[0].take(key, 900), 900);
  all[0].keys.flush();
  other.exec('ALTER TABLE leases_elsewhere RENAME TO leases');
  clock.now += 1000;
  all[0].keys.flush();
  assert.equal(other.prepare('SELECT calls FROM usage').get()?.calls, 910);
  assert.equal(all[0].take(key, 200), 90);
});

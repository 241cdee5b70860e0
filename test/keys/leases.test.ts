/** What one process holds, spends and reports of its keys' quotas, over a real database. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { newKey } from '../../src/keys/key-record.ts';
import { createKeyStore, type KeyStore, type Reservation } from '../../src/keys/key-store.ts';
import { openSqliteEngine } from '../../src/keys/sqlite/sqlite-keys.ts';
import { dayMs, dayOf, keyPlans as plans } from '../support/key-engines.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const noon = Date.UTC(2026, 5, 15, 12);
const day = dayOf(noon);

type Leases = KeyStore['meter'];
type Account = Reservation['account'];
type Engine = Parameters<typeof createKeyStore>[0];
type Report = Parameters<Engine['exchange']>[0][number];

/**
 * Leases of a process, and accounts of new keys in it. While `isUp` is false the database is not reached; while `fails` is
 * true it refuses every call.
 */
function oneProcess(t: TestContext, whenUnavailable: 'deny' | 'allow' = 'deny') {
  const state = { isUp: true, fails: false, now: noon };
  const database = openSqliteEngine(join(temporaryDirectory(t), 'keys.db'));
  let last: Report | undefined;
  const engine: Engine = {
    ...database,
    isUp: () => state.isUp,
    exchange(reports) {
      last = reports.at(-1);
      return state.fails ? Promise.reject(new Error('no answer')) : database.exchange(reports);
    },
  };
  t.after(() => engine.close());
  const now = () => state.now;
  const onChange = (change: object) => assert.ok(state.fails, JSON.stringify(change));
  const keys = createKeyStore(engine, { plans, whenUnavailable, now, flushMs: 0, onChange });
  const { meter: leases } = keys;
  const account = async (plan: keyof typeof plans = 'hundred'): Promise<Account> => {
    const { key, record } = newKey({ plan }, plans, noon);
    await engine.add(record, { at: noon, by: 'test', action: 'create', detail: null });
    const reserved = await keys.reserve(key, 0, noon);
    assert.ok(typeof reserved === 'object');
    return reserved.account;
  };
  /** Sums by endpoint of the last report that `leases` make now. */
  const reported = async () => {
    await leases.report();
    return last?.endpoints;
  };
  return { state, engine, leases, account, reported };
}

test('an account is settled once what it spent is reported, and what it held is returned', async (t) => {
  const { leases, account } = oneProcess(t);
  const [used, idle] = [await account('thousand'), await account('thousand')];
  assert.deepEqual([leases.isSettled(used), leases.isSettled(idle)], [true, true]);
  assert.equal(await leases.take(used, 1, noon), 1);
  assert.deepEqual([leases.isSettled(used), leases.isSettled(idle)], [false, true], 'spent');
  await leases.report();
  assert.deepEqual([leases.isSettled(used), leases.isSettled(idle)], [false, true], 'keeps calls for the next second');
  await leases.report();
  assert.deepEqual([leases.isSettled(used), leases.isSettled(idle)], [true, true]);
});

test('a process keeps four times what it spent since its last report, or 20 calls, and returns the rest', async (t) => {
  const { leases, account } = oneProcess(t);
  for (const [calls, kept] of [
    [50, 200],
    [5, 20],
    [6, 24],
  ] as const) {
    const mine = await account('large');
    await leases.take(mine, calls, noon);
    assert.equal(mine.share.held, 1000 - calls);
    await leases.report();
    assert.equal(mine.share.held, kept);
  }
});

test('an account is not settled while it waits for calls', async (t) => {
  const { leases, account } = oneProcess(t);
  const waiting = await account();
  const granted = leases.take(waiting, 1, noon);
  assert.equal(leases.isSettled(waiting), false);
  await granted;
});

test('what was used on a day that is over is reported, however little', async (t) => {
  type Use = (leases: Leases, account: Account) => unknown;
  const oneSpent: Use = (leases, account) => leases.take(account, 1, noon);
  const oneReturned: Use = async (leases, account) => {
    await leases.take(account, 1, noon);
    leases.refund(account, 1, noon);
  };
  const oneAdmitted: Use = (leases, account) => leases.admit(account, noon);
  // Of the quota of 100 another process gets what was not spent: nothing is held for a day that is over.
  for (const [use, spent, requests] of [
    [() => {}, 0, 0],
    [oneSpent, 1, 0],
    [oneReturned, 0, 0],
    [oneAdmitted, 0, 1],
  ] as const) {
    const { engine, leases, account } = oneProcess(t);
    const mine = await account();
    await use(leases, mine);
    assert.equal(leases.used(mine, noon + dayMs), 0);
    await leases.report();
    const another = { keyId: mine.key.id, day, holder: 'another process', spent: 0, held: 0, requests: 0 };
    const [found] = await engine.exchange([{ ...another, endpoints: undefined, wanted: 100, limit: 100 }]);
    assert.deepEqual(found, { granted: 100 - spent, calls: spent, others: requests, reached: undefined });
  }
});

test('a call that is returned after it was reported is not counted', async (t) => {
  const { engine, leases, account } = oneProcess(t);
  const mine = await account();
  await leases.take(mine, 2, noon);
  const stored = async () => (await engine.history(mine.key.id, day)).get(day);
  for (const expected of [2, 1, 0]) {
    await leases.report();
    assert.equal(await stored(), expected);
    assert.equal(leases.used(mine, noon), expected);
    leases.refund(mine, 1, noon);
  }
});

test('a day that ends without use leaves nothing to report, and one with use does until it is reported', async (t) => {
  const { leases, account } = oneProcess(t);
  const [mine, other] = [await account(), await account()];
  leases.used(mine, noon + dayMs);
  assert.equal(leases.isSettled(mine), true);
  await leases.take(other, 1, noon);
  await leases.report();
  await leases.report();
  assert.equal(leases.isSettled(other), true);
  leases.used(other, noon + dayMs);
  assert.deepEqual([leases.isSettled(mine), leases.isSettled(other)], [true, false]);
  await leases.report();
  assert.equal(leases.isSettled(other), true);
});

test('a request that came before midnight is counted on the day that has started since', async (t) => {
  const { state, leases, account } = oneProcess(t, 'allow');
  const used = await account('hundred');
  assert.equal(await leases.take(used, 10, noon), 10);
  state.isUp = false;
  state.now += dayMs;
  assert.equal(await leases.take(used, 100, state.now), 100);
  leases.refund(used, 1, noon);
  assert.deepEqual([leases.used(used, noon), used.day], [99, day + 1]);
  assert.equal(await leases.take(used, 100, state.now), 1);
});

test('requests that waited for their turn leave the rate as it is', async (t) => {
  const { leases, account } = oneProcess(t);
  const used = await account('hundred');
  const passed = Array.from({ length: 3 * plans.hundred.burst }, (_, at) =>
    leases.admit(used, noon - (at % 2) * 60_000),
  );
  assert.equal(passed.filter((wait) => wait === 0).length, plans.hundred.burst);
});

test('between lots of 200 reports requests are answered', async (t) => {
  for (const [count, isAnswered] of [
    [200, false],
    [201, true],
  ] as const) {
    const { leases, account } = oneProcess(t);
    for (let i = 0; i < count; i++) leases.admit(await account(), noon);
    let hasTurned = false;
    setImmediate(() => (hasTurned = true));
    await leases.report();
    assert.equal(hasTurned, isAnswered, `${count}`);
  }
});

test('without its database a process that must be exact refuses calls, and says what it knows', async (t) => {
  const { state, leases, account } = oneProcess(t);
  const known = await account();
  assert.equal(await leases.take(known, 5, noon), 5);
  state.isUp = false;
  assert.throws(() => leases.take(known, 1, noon + 1000), { code: 'unavailable' });
  assert.equal(leases.take(known, 0, noon + 1000), 0);
  assert.equal(leases.used(known, noon + 1000), 5);
});

test('without its database a process that serves on grants what is left of the quota, as far as it knows', async (t) => {
  const { state, leases, account } = oneProcess(t, 'allow');
  const known = await account();
  assert.equal(await leases.take(known, 5, noon), 5);
  state.isUp = false;
  assert.equal(leases.take(known, 90, noon + 1000), 90);
  assert.equal(leases.take(known, 10, noon + 1000), 5);
  assert.equal(leases.take(known, 1, noon + 1000), 0);
});

test('without its database a process spends what it holds first', async (t) => {
  const { state, leases, account } = oneProcess(t, 'allow');
  const known = await account('thousand');
  await leases.take(known, 1, noon);
  assert.equal(known.share.held, 99);
  state.isUp = false;
  assert.equal(leases.take(known, 150, noon + 1000), 150);
  assert.deepEqual([known.share.held, leases.used(known, noon + 1000)], [0, 151]);
});

test('after a report that failed calls are granted without another try, until a report succeeds', async (t) => {
  const { state, leases, account } = oneProcess(t, 'allow');
  const known = await account();
  state.fails = true;
  assert.equal(await leases.take(known, 1, noon + 1000), 1);
  assert.equal(leases.take(known, 1, noon + 1000), 1, 'at once');
  state.fails = false;
  await leases.report();
  assert.ok(leases.take(known, 1, noon + 1000) instanceof Promise, 'asks again');
});

test('a report has sums by endpoint only where one was counted since the report before', async (t) => {
  const { leases, account, reported } = oneProcess(t);
  const mine = await account();
  leases.admit(mine, noon);
  assert.equal(await reported(), undefined);
  leases.count(mine, 'ip');
  leases.count(mine, 'ip');
  assert.deepEqual(await reported(), { ip: 2 });
  leases.admit(mine, noon);
  assert.equal(await reported(), undefined);
  leases.count(mine, 'search');
  assert.deepEqual(await reported(), { ip: 2, search: 1 });
});

test('what may have been lost is reported again, and only that', async (t) => {
  const { leases, account, reported } = oneProcess(t);
  const [unused, used] = [await account(), await account()];
  leases.reportAgain(unused);
  assert.equal(leases.isSettled(unused), true);
  await leases.take(used, 1, noon);
  leases.count(used, 'ip');
  assert.deepEqual(await reported(), { ip: 1 });
  assert.equal(await reported(), undefined);
  assert.equal(leases.isSettled(used), true);
  leases.reportAgain(used);
  assert.equal(leases.isSettled(used), false);
  assert.deepEqual(await reported(), { ip: 1 });
});

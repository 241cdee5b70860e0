/** What a process remembers of keys is bounded, whoever asks it with however many. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { generateKey, newKey } from '../../src/keys/key-record.ts';
import { createKeyStore, createKnownKeys } from '../../src/keys/key-store.ts';
import { openSqliteEngine } from '../../src/keys/sqlite/sqlite-keys.ts';
import { keyPlans as plans } from '../support/key-engines.ts';

const noon = Date.UTC(2026, 5, 15, 12);
const maxKnown = 50_000;

/** Keys of a process over a database in memory, which is away while `isUp` is false; `add` stores a key and returns its text. */
function oneProcess(t: TestContext, whenUnavailable: 'deny' | 'allow' = 'deny') {
  const state = { isUp: true };
  const engine = { ...openSqliteEngine(':memory:'), isUp: () => state.isUp };
  t.after(() => engine.close());
  const clock = { now: noon };
  const now = () => clock.now;
  const onFailure = (error: unknown) => assert.fail(error as Error);
  const onChange = (change: object) => assert.fail(JSON.stringify(change));
  const { meter: leases } = createKeyStore(engine, { plans, whenUnavailable, now, flushMs: 0, onChange });
  const known = createKnownKeys(engine, leases, { plans, whenUnavailable, now, onFailure });
  const add = async ({ key, record } = newKey({}, plans, noon)) => {
    await engine.add(record, { at: noon, by: 'test', action: 'create', detail: null });
    return key;
  };
  return { state, clock, leases, known, add };
}

test('fifty thousand unknown texts are remembered as such; one more, and all are asked for again', async (t) => {
  const { known, add } = oneProcess(t);
  const late = newKey({}, plans, noon);
  assert.equal(await known.reserve(late.key, 0, noon), 'unknown');
  await add(late);
  for (let count = 1; count < maxKnown; count++) await known.reserve(generateKey(), 0, noon);
  assert.equal(known.reserve(late.key, 0, noon), 'unknown', 'remembered');
  await known.reserve(generateKey(), 0, noon);
  assert.equal(typeof (await known.reserve(late.key, 0, noon)), 'object', 'asked for again');
});

test('an unknown text is asked for again after a second', async (t) => {
  const { known, add } = oneProcess(t);
  const late = newKey({}, plans, noon);
  assert.equal(await known.reserve(late.key, 0, noon), 'unknown');
  await add(late);
  assert.equal(known.reserve(late.key, 0, noon + 999), 'unknown');
  assert.equal(typeof (await known.reserve(late.key, 0, noon + 1000)), 'object');
});

test('of fifty thousand accounts those whose bucket is full and whose calls are reported make room', async (t) => {
  const { clock, leases, known, add } = oneProcess(t);
  const reserve = async (text: string) => {
    const reserved = await known.reserve(text, 0, noon);
    assert.ok(typeof reserved === 'object');
    return reserved.account;
  };
  const busy = await reserve(await add());
  leases.admit(busy, noon);
  for (let count = 1; count < maxKnown; count++) await reserve(await add());
  const accounts = () => [...known.accounts()];
  assert.equal(accounts().length, maxKnown);
  // A bucket of the free plan, 100 requests at 20 a second, is full after 5 s.
  clock.now = noon + 5000;
  await reserve(await add());
  assert.equal(accounts().length, maxKnown + 1);
  clock.now = noon + 5001;
  const last = await reserve(await add());
  assert.deepEqual(accounts(), [busy, last]);
});

test('while the database is away a key that may have changed is refused, or served as it was known', async (t) => {
  for (const whenUnavailable of ['deny', 'allow'] as const) {
    const { state, known, add } = oneProcess(t, whenUnavailable);
    const [used, unused] = [await add(), await add()];
    await known.reserve(used, 1, noon);
    known.outdate();
    state.isUp = false;
    assert.throws(() => known.reserve(unused, 1, noon), { code: 'unavailable' });
    if (whenUnavailable === 'deny') assert.throws(() => known.reserve(used, 1, noon), { code: 'unavailable' });
    else assert.equal((known.reserve(used, 1, noon) as { granted: number }).granted, 1);
  }
});

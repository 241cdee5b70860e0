/** Use by day and endpoint, as operators export it. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { dayMs, dayOf } from '../../src/keys/meter.ts';
import { openKeys } from '../../src/keys/sqlite/sqlite-keys.ts';
import { dayNumber, exportedPeriod, exportUsage, usageCsvHead, usageCsvLine } from '../../src/keys/usage-export.ts';
import { keyPlans as plans, reserve } from '../support/key-engines.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const noon = Date.UTC(2026, 5, 15, 12);

test('a period that is exported ends today, as no later day has calls, and begins when calls are kept', () => {
  const today = dayOf(noon);
  const period = (from: number, to: number) =>
    exportedPeriod({ from: today + from, to: today + to }, today, (fault) => new Error(fault));
  assert.deepEqual(period(-400, 0), { from: today - 400, to: today });
  assert.deepEqual(period(0, 3_000_000), { from: today, to: today });
  assert.throws(() => period(-401, 0), /^Error: is more than 400 days ago, .* use a later day$/);
  assert.throws(() => period(-1, -2), /^Error: is after the last day; swap them$/);
});

test('each day’s calls of each key to each endpoint are a row, in order', async (t) => {
  const clock = { now: noon };
  const path = join(temporaryDirectory(t), 'keys.db');
  const keys = openKeys(path, { plans, now: () => clock.now, flushMs: 0 });
  t.after(() => keys.close());
  const made = [await keys.create({ name: 'shop', plan: 'hundred' }, 'test'), await keys.create({}, 'test')];
  const call = async (which: 0 | 1, endpoint: string) =>
    keys.meter.count((await reserve(keys, made[which].key, 1, clock.now)).account, endpoint);
  for (const endpoint of ['search', 'ip', 'ip']) await call(0, endpoint);
  await call(1, 'ip');
  await keys.flush();
  clock.now += dayMs;
  await call(0, 'ip');
  await keys.flush();

  const rowsOf = async (from: number, to: number, only?: (typeof made)[0]['record']) => {
    const rows = await Array.fromAsync(exportUsage(keys, { from, to }, only));
    return rows.map(({ key_id, name, plan, date, endpoint, calls }) => [key_id, name, plan, date, endpoint, calls]);
  };
  const today = dayOf(noon);
  const shop = [
    [1, 'shop', 'hundred', '2026-06-15', 'ip', 2],
    [1, 'shop', 'hundred', '2026-06-15', 'search', 1],
    [1, 'shop', 'hundred', '2026-06-16', 'ip', 1],
  ];
  const other = [2, null, 'free', '2026-06-15', 'ip', 1];
  assert.deepEqual(await rowsOf(today, today + 1), [...shop, other]);
  assert.deepEqual(await rowsOf(today + 1, today + 1), shop.slice(2));
  assert.deepEqual(await rowsOf(today, today + 1, made[0].record), shop);
});

test('more keys than a page are all exported, each once', async (t) => {
  const keys = openKeys(join(temporaryDirectory(t), 'keys.db'), { plans, now: () => noon, flushMs: 0 });
  t.after(() => keys.close());
  for (let i = 0; i < 201; i++) {
    const { key } = await keys.create({ plan: 'hundred' }, 'test');
    keys.meter.count((await reserve(keys, key, 1, noon)).account, 'ip');
  }
  await keys.flush();
  const rows = await Array.fromAsync(exportUsage(keys, { from: dayOf(noon), to: dayOf(noon) }));
  assert.deepEqual(
    rows.map(({ key_id }) => key_id),
    Array.from({ length: 201 }, (_, index) => index + 1),
  );
});

test('a date is the number of its day, and a text that is none has none', () => {
  assert.equal(dayNumber('1970-01-02'), 1);
  assert.equal(dayNumber('2026-06-15'), dayOf(noon));
  for (const text of ['2026-02-30', '2026-13-01', '2026-6-15', '2026-06-15T00:00', 'today', '']) {
    assert.equal(dayNumber(text), undefined, text);
  }
});

test('a row is a line of CSV without formulas', () => {
  assert.equal(usageCsvHead, 'key_id,key,name,plan,date,endpoint,calls\r\n');
  const row = {
    key_id: 7,
    key: 'wab_12345678',
    name: '=1+1',
    plan: 'free',
    date: '2026-06-15',
    endpoint: 'ip',
    calls: 3,
  };
  assert.equal(usageCsvLine(row), "7,wab_12345678,'=1+1,free,2026-06-15,ip,3\r\n");
});

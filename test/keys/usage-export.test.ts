/** Use by day and endpoint, as operators export it. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openKeys } from '../../src/keys/sqlite/sqlite-keys.ts';
import { runProgram } from '../support/data-directory.ts';
import { keyPlans as plans, reserve } from '../support/key-engines.ts';
import { noon, testService } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const dayMs = 86_400_000;
const date = (time: number) => new Date(time).toISOString().slice(0, 10);

test('a period that is exported ends today, as no later day has calls, and begins when calls are kept', async (t) => {
  const service = await testService(t);
  const admin = service.makeKey({ isAdmin: true });
  const asked = t.mock.method(service.keys, 'endpointUse');
  const period = async (from: string, to: string) => {
    asked.mock.resetCalls();
    const { body } = await service.ask(`/admin/usage?from=${from}&to=${to}`, { key: admin });
    return body.detail ?? asked.mock.calls[0].arguments.slice(1).map((day) => date(Number(day) * dayMs));
  };
  const ago = (days: number) => date(noon - days * dayMs);
  assert.deepEqual(await period(ago(400), ago(0)), [ago(400), ago(0)]);
  assert.deepEqual(await period(ago(0), '9999-12-31'), [ago(0), ago(0)]);
  assert.match(await period(ago(401), ago(0)), /is more than 400 days ago, .* use a later day$/);
  assert.match(await period('1970-01-02', ago(0)), /is more than 400 days ago/);
  assert.match(await period(ago(1), ago(2)), /is after the last day; swap them$/);
  for (const text of ['2026-02-30', '2026-13-01', '2026-6-15', '2026-06-15T00:00', 'today'])
    assert.match(await period(text, ago(0)), /from/, text);
});

test('each day’s calls of each key to each endpoint are a row, in order', async (t) => {
  const { keys, clock, ask, makeKey } = await testService(t);
  const made = [await keys.create({ name: 'shop', plan: 'open' }, 'test'), await keys.create({}, 'test')];
  const [shopId, otherId] = made.map(({ record }) => record.id);
  const call = async (which: 0 | 1, endpoint: string) =>
    keys.meter.count((await reserve(keys, made[which].key, 1, clock.now)).account, endpoint);
  for (const endpoint of ['search', 'ip', 'ip']) await call(0, endpoint);
  await call(1, 'ip');
  await keys.flush();
  clock.now += dayMs;
  await call(0, 'ip');
  await keys.flush();

  const admin = makeKey({ isAdmin: true });
  const rowsOf = async (from: number, to: number) => {
    const { body } = await ask(`/admin/usage?from=${date(from)}&to=${date(to)}`, { key: admin });
    return (body.rows as Record<string, unknown>[]).map(({ key: _, ...row }) => Object.values(row));
  };
  const shop = [
    [shopId, 'shop', 'open', '2026-06-15', 'ip', 2],
    [shopId, 'shop', 'open', '2026-06-15', 'search', 1],
    [shopId, 'shop', 'open', '2026-06-16', 'ip', 1],
  ];
  const other = [otherId, null, 'free', '2026-06-15', 'ip', 1];
  assert.deepEqual(await rowsOf(noon, noon + dayMs), [...shop, other]);
  assert.deepEqual(await rowsOf(noon + dayMs, noon + dayMs), shop.slice(2));
});

test('more keys than a page are all exported, each once, or one of them; a line of CSV has no formulas', async (t) => {
  const directory = temporaryDirectory(t);
  const keys = openKeys(join(directory, 'keys.db'), { plans, now: Date.now, flushMs: 0 });
  for (let i = 0; i < 201; i++) {
    const { key } = await keys.create({ plan: 'pro', ...(i === 0 && { name: '=1+1' }) }, 'test');
    keys.meter.count((await reserve(keys, key, 1, Date.now())).account, 'ip');
  }
  await keys.close();
  const [head, first, ...others] = runProgram(directory, 'keys', 'usage').stdout.split('\r\n');
  assert.equal(head, 'key_id,key,name,plan,date,endpoint,calls');
  assert.match(first, /^1,wab_\w{8},'=1\+1,pro,\d{4}-\d\d-\d\d,ip,1$/);
  assert.deepEqual(
    others.map((line) => line.split(',')[0]),
    [...Array.from({ length: 200 }, (_, index) => String(index + 2)), ''],
  );
  const one = JSON.parse(runProgram(directory, 'keys', 'usage', '1', '--format', 'json').stdout);
  assert.deepEqual(
    one.map(({ key_id, calls }: Record<string, number>) => [key_id, calls]),
    [[1, 1]],
  );
});

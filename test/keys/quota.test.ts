/** Quotas and usage in several processes, wherever keys are kept: in total exactly the quota is granted and counted. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { openSqliteEngine } from '../../src/keys/sqlite/sqlite-keys.ts';
import { localEngine } from '../support/key-engines.ts';
import { quotaCases } from './quota-cases.ts';

const engine = openSqliteEngine(':memory:');
let keyId = 0;

/** What the first process of a key is granted that wants calls when another one has spent all but `free` of the day's `limit`. */
async function granted(free: number, wanted: number, limit: number): Promise<number> {
  const report = { keyId: ++keyId, day: 1, held: 0, requests: 0, endpoints: undefined, limit };
  const [, answer] = await engine.exchange([
    { ...report, holder: 'one', spent: limit - free, wanted: 0 },
    { ...report, holder: 'two', spent: 0, wanted },
  ]);
  return 'granted' in answer ? answer.granted : assert.fail(answer);
}

test('near the end of a quota a lease is what was requested, and never more than a part of what is left', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: -100, max: 1e7 }), fc.integer({ min: 0, max: 200 }), async (free, wanted) => {
      const limit = 10_000_000;
      const lease = await granted(free, wanted, limit);
      assert.ok(Number.isInteger(lease) && lease >= 0 && lease <= Math.max(0, free));
      if (wanted === 0) assert.equal(lease, 0);
      if (wanted > 0 && free > 0) assert.ok(lease >= Math.min(wanted, free));
      if (free <= 200) assert.equal(lease, Math.max(0, Math.min(wanted, free)));
      assert.ok(lease <= Math.max(wanted, limit / 1000));
      assert.ok((await granted(Math.min(free, 100_000), wanted, 100_000)) <= Math.max(wanted, 1000));
    }),
  );
});

test('the level of a quota is reported from 80 and from 100% on', async () => {
  for (const [spent, level] of [[0], [3], [4, 80], [5, 100], [6, 100]]) {
    const report = { keyId: ++keyId, day: 1, holder: 'one', held: 0, requests: 0, endpoints: undefined, limit: 5 };
    const [answer] = await engine.exchange([{ ...report, spent, wanted: 0 }]);
    assert.equal('reached' in answer && answer.reached, level, `${spent} of 5`);
  }
});

quotaCases([localEngine]);

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Account, createMeter, dayOf, type Meter, secondsToNextDay } from '../../src/keys/meter.ts';
import type { Plan } from '../../src/keys/plans.ts';

const noon = Date.UTC(2026, 5, 15, 12);

function accountWith(plan: Plan): { account: Account; meter: Meter } {
  const meter = createMeter(
    () => {},
    (account, now) => Object.assign(account, { day: dayOf(now), stored: 0, pending: 0 }),
  );
  const account = { plan, day: dayOf(noon), stored: 0, pending: 0, tokens: plan.burst, tokensAt: noon } as Account;
  return { account, meter };
}

const plan: Plan = { callsPerDay: 10, callsPerSecond: 2, burst: 3, batchSize: 100 };

test('a burst is admitted at once, then as many a second as the plan says', () => {
  const { account, meter } = accountWith(plan);
  const admitted = (at: number) => meter.admit(account, at) === 0;
  assert.deepEqual(
    [0, 0, 0, 0].map((at) => admitted(noon + at)),
    [true, true, true, false],
  );
  assert.deepEqual(
    [499, 500, 501, 1000].map((at) => admitted(noon + at)),
    [false, true, false, true],
  );
});

test('a refused request is told when to come back, and is then admitted', () => {
  const { account, meter } = accountWith({ ...plan, callsPerSecond: 1, burst: 1 });
  assert.equal(meter.admit(account, noon), 0);
  const wait = meter.admit(account, noon);
  assert.equal(wait, 1);
  assert.equal(meter.admit(account, noon + wait * 1000), 0);
});

test('a clock set back neither fills the bucket nor empties it', () => {
  const { account, meter } = accountWith(plan);
  meter.admit(account, noon);
  assert.equal(meter.admit(account, noon - 60_000), 0);
  assert.equal(account.tokens, 1);
});

test('never more calls are granted than the plan has, whatever is taken and given back', () => {
  const step = fc.oneof(
    fc.record({ take: fc.integer({ min: 0, max: 12 }) }),
    fc.record({ refund: fc.integer({ min: 0, max: 3 }) }),
  );
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const { account, meter } = accountWith(plan);
      let held = 0;
      for (const { take, refund } of steps as { take?: number; refund?: number }[]) {
        if (take !== undefined) held += meter.take(account, take, noon);
        const back = Math.min(refund ?? 0, held);
        meter.refund(account, back, noon);
        held -= back;
        assert.ok(held <= plan.callsPerDay);
        assert.equal(meter.used(account, noon), held);
      }
    }),
  );
});

test('the seconds to the next day are whole and never 0', () => {
  const midnight = Date.UTC(2026, 5, 16);
  assert.equal(secondsToNextDay(noon), 43_200);
  assert.equal(secondsToNextDay(midnight - 1), 1);
  assert.equal(secondsToNextDay(midnight), 86_400);
});

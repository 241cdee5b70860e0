/** Quotas and usage in several processes, wherever keys are kept: in total exactly the quota is granted and counted. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { exactBelow, largestLease, largestPart, leaseOf, levelOf } from '../../src/keys/engine.ts';
import { localEngine } from '../support/key-engines.ts';
import { quotaCases } from './quota-cases.ts';

test('near the end of a quota a lease is what was requested, and never more than a part of what is left', () => {
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

test('the level of a quota is reported from 80 and from 100% on', () => {
  assert.deepEqual(
    [0, 3, 4, 5, 6].map((calls) => levelOf(calls, 5)),
    [0, 0, 80, 100, 100],
  );
});

quotaCases([localEngine]);

/** The most recent requests, for a bounded number of keys. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RecentCache } from '../../src/core/recent-cache.ts';

test('no more than twice its half is kept, and what is requested stays', () => {
  const cache = new RecentCache<number, number>(10);
  for (let key = 0; key < 1000; key++) {
    cache.set(key, key * 2);
    assert.equal(cache.get(0), 0, `after ${key}`);
  }
  const kept = Array.from({ length: 1000 }, (_, key) => cache.get(key)).filter((value) => value !== undefined);
  assert.ok(kept.length <= 20, `${kept.length} are kept`);
  assert.equal(cache.get(999), 1998);
  assert.equal(cache.get(500), undefined);
});

test('with halves of one entry the last two are kept', () => {
  const cache = new RecentCache<string, number>(1);
  for (const [value, key] of ['first', 'second', 'third'].entries()) cache.set(key, value);
  assert.deepEqual(
    ['first', 'second', 'third'].map((key) => cache.get(key)),
    [undefined, 1, 2],
  );
});

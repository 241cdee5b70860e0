/** Rules of keys that need no database: plans, names, and the texts a key had before. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  defaultPlans,
  formerTexts,
  type KeyRecord,
  maxFormer,
  maxRotations,
  newKey,
  readOptions,
  rotated,
} from '../../src/keys/key-record.ts';
import { dayMs } from '../support/key-engines.ts';

const noon = Date.UTC(2026, 5, 15, 12);
const hourMs = 3_600_000;
const plainKey = (): KeyRecord => ({ id: 1, ...newKey({}, defaultPlans, noon).record });

test('the plans are those of the contract', () => {
  assert.deepEqual(defaultPlans, {
    free: { callsPerDay: 1_000, callsPerSecond: 20, burst: 100, batchSize: 100 },
    pro: { callsPerDay: 100_000, callsPerSecond: 100, burst: 500, batchSize: 100 },
    scale: { callsPerDay: 10_000_000, callsPerSecond: 2_000, burst: 10_000, batchSize: 100 },
  });
});

test('a new key is of the free plan, unrestricted, and at its first revision', () => {
  const { display, hash, ...others } = plainKey();
  assert.match(display, /^wab_.{8}$/);
  assert.match(hash, /^[0-9a-f]{64}$/);
  assert.deepEqual(others, {
    id: 1,
    name: null,
    plan: 'free',
    profile: null,
    createdAt: noon,
    expiresAt: null,
    revokedAt: null,
    origins: null,
    networks: null,
    endpoints: null,
    isAdmin: false,
    ownerHash: null,
    former: [],
    rotatedAt: [],
    revision: 0,
  });
});

test('a name has 80 characters at most, and none that cannot be printed', () => {
  for (const name of ['', 'shop', 'x'.repeat(80)]) readOptions({ name }, defaultPlans);
  for (const name of ['x'.repeat(81), 'a\nb', '\ud800']) {
    assert.throws(() => readOptions({ name }, defaultPlans), /more than 80 characters/, JSON.stringify(name));
  }
});

test('former texts are in order of their ends, and of more than four those that end last are kept', () => {
  let key = plainKey();
  const hours = () => formerTexts(key, noon).map(({ expiresAt }) => (expiresAt - noon) / hourMs);
  for (const grace of [3, 1, 2]) key = rotated(key, grace * hourMs, noon).key;
  assert.deepEqual(hours(), [1, 2, 3]);
  for (const grace of [6, 5]) key = rotated(key, grace * hourMs, noon).key;
  assert.equal(maxFormer, 4);
  assert.deepEqual(hours(), [2, 3, 5, 6]);
});

test('a former text ends at its moment', () => {
  const { key } = rotated(plainKey(), hourMs, noon);
  assert.equal(formerTexts(key, noon + hourMs - 1).length, 1);
  assert.equal(formerTexts(key, noon + hourMs).length, 0);
});

test('an eleventh rotation waits until the first of the ten is a day ago', () => {
  let key = plainKey();
  for (let i = 0; i < maxRotations; i++) key = rotated(key, 0, noon + i).key;
  const later = (ms: number) => () => rotated(key, 0, noon + ms);
  assert.throws(later(hourMs), { code: 'rate_limited', retryAfterSeconds: 23 * 3600, message: /in 1380 minutes/ });
  assert.throws(later(dayMs - 1), {
    retryAfterSeconds: 1,
    message: /10 times within 24 hours; try again in 1 minutes/,
  });
  assert.equal(later(dayMs)().key.rotatedAt.length, maxRotations);
});

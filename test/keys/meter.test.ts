import assert from 'node:assert/strict';
import { test } from 'node:test';
import { secondsToNextDay, takeToken } from '../../src/keys/meter.ts';

const noon = Date.UTC(2026, 5, 15, 12);

function bucket(callsPerSecond = 2, burst = 3) {
  const plan = { callsPerDay: 10, callsPerSecond, burst, batchSize: 100 };
  return { plan, tokens: burst, tokensAt: noon };
}

test('a burst is admitted at once, then as many requests a second as the plan allows', () => {
  const account = bucket();
  const admitted = (at: number) => takeToken(account, at) === 0;
  assert.deepEqual(
    [0, 0, 0, 0].map((at) => admitted(noon + at)),
    [true, true, true, false],
  );
  assert.deepEqual(
    [499, 500, 501, 1000].map((at) => admitted(noon + at)),
    [false, true, false, true],
  );
});

test('a refused request gets a time to retry, and is then admitted', () => {
  const account = bucket(1, 1);
  assert.equal(takeToken(account, noon), 0);
  const wait = takeToken(account, noon);
  assert.equal(wait, 1);
  assert.equal(takeToken(account, noon + wait * 1000), 0);
});

test('a clock set back neither fills the bucket nor empties it', () => {
  const account = bucket();
  takeToken(account, noon);
  assert.equal(takeToken(account, noon - 60_000), 0);
  assert.equal(account.tokens, 1);
});

test('the seconds to the next day are whole and never 0', () => {
  const midnight = Date.UTC(2026, 5, 16);
  assert.equal(secondsToNextDay(noon), 43_200);
  assert.equal(secondsToNextDay(midnight - 1), 1);
  assert.equal(secondsToNextDay(midnight), 86_400);
});

/** The rate of a key, and when its day ends: by a service whose clock is set. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { noon, testService } from '../support/service.ts';

/** Asks at times after noon with a key of the plan `slow`: two requests a second, three at once. */
async function slowKey(t: TestContext) {
  const service = await testService(t);
  const key = service.makeKey({ plan: 'slow' });
  return (ms: number) => {
    service.clock.now = noon + ms;
    return service.ask('/v1/countries', { key });
  };
}

test('a burst is admitted at once, then as many requests a second as the plan allows', async (t) => {
  const ask = await slowKey(t);
  const admitted: boolean[] = [];
  for (const ms of [0, 0, 0, 0, 499, 500, 501, 1000]) admitted.push((await ask(ms)).status === 200);
  assert.deepEqual(admitted, [true, true, true, false, false, true, false, true]);
});

test('a refused request gets a time to retry, and is then admitted', async (t) => {
  const ask = await slowKey(t);
  for (let count = 0; count < 3; count++) assert.equal((await ask(0)).status, 200);
  const { status, headers } = await ask(0);
  assert.deepEqual([status, headers['retry-after']], [429, '1']);
  assert.equal((await ask(1000)).status, 200);
});

test('a clock set back neither fills the bucket nor empties it', async (t) => {
  const ask = await slowKey(t);
  const left: string[] = [];
  for (const ms of [0, -60_000]) left.push((await ask(ms)).headers.ratelimit.split(', ')[1]);
  assert.deepEqual(left, ['"burst";r=2;t=1', '"burst";r=1;t=1']);
});

test('the seconds to the next day are whole and never 0', async (t) => {
  const ask = await slowKey(t);
  const halfDay = 43_200_000;
  const seconds: string[] = [];
  for (const ms of [0, halfDay - 1, halfDay]) seconds.push((await ask(ms)).headers['x-ratelimit-reset']);
  assert.deepEqual(seconds, ['43200', '1', '86400']);
});

/** What a load leaves in memory is given back to the system when it is over. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { makeKey, serve, smallData, until } from '../../support/served.ts';

const body = JSON.stringify({
  requests: Array.from({ length: 100 }, (_, at) => ({
    endpoint: 'search',
    params: { q: 'berlin paris texas'.slice(0, 3 + (at % 12)) },
  })),
});

test('memory of a load is given back after it, within a minute on a machine with no other work', {
  skip: process.platform !== 'linux',
}, async (t) => {
  const data = await smallData(t);
  const key = await makeKey(data, 'open');
  const { url, child } = await serve(t, data);
  const anonymousKb = () => Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))![1]);
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  let isOver = false;
  let most = 0;
  const client = async () => {
    while (!isOver) {
      const answer = await fetch(`${url}/v1/batch`, { method: 'POST', headers, body });
      assert.equal(answer.status, 200, await answer.text());
      most = Math.max(most, anonymousKb());
    }
  };
  const clients = Array.from({ length: 8 }, client);
  const begin = performance.now();
  await until('a load that is noticed', () => performance.now() - begin > 15_000);
  isOver = true;
  await Promise.all(clients);
  await until(`less than three quarters of ${most} kB`, () => anonymousKb() < 0.75 * most, 90_000);
});

/** Limits of sign-ups and links sent by mail, wherever they are counted, with two processes or machines at work. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { openKeys } from '../../src/keys/sqlite/sqlite-keys.ts';
import { keyPlans, localEngine } from '../support/key-engines.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { signUpCases } from './sign-ups-cases.ts';

const limits = { perNetwork: 3, perEmail: 2, linkMs: 3_600_000 };

test('by default a network signs up ten times a day and an address three times, and a link works for an hour', async (t) => {
  const clock = { now: Date.UTC(2026, 5, 15, 12) };
  const keys = openKeys(':memory:', { plans: keyPlans, now: () => clock.now });
  t.after(() => keys.close());
  const { signUps } = keys;
  const admitted = async (times: number, network: (time: number) => string, email?: string) => {
    const waits = await Array.fromAsync({ length: times }, (_, time) => signUps.admit(network(time), email));
    return waits.filter((seconds) => seconds === 0).length;
  };
  assert.equal(await admitted(12, () => '203.0.113.7'), 10);
  assert.equal(await admitted(5, (time) => `198.51.100.${time}`, 'someone@example.org'), 3);
  const [link, late] = [await signUps.makeLink(), await signUps.makeLink()];
  clock.now += 3_599_999;
  assert.equal(await signUps.useLink(link), true);
  clock.now += 1;
  assert.equal(await signUps.useLink(late), false);
});

test('limits survive a restart, a link expires, and neither addresses nor links are in the file', async (t) => {
  const path = join(temporaryDirectory(t), 'keys.db');
  const clock = { now: Date.UTC(2026, 5, 15, 12) };
  const open = () => openKeys(path, { plans: keyPlans, now: () => clock.now, signUpLimits: limits });
  const first = open();
  for (let i = 0; i < 3; i++) await first.signUps.admit('203.0.113.7', i === 0 ? 'someone@example.org' : undefined);
  const [token, late] = [await first.signUps.makeLink(), await first.signUps.makeLink()];
  await first.close();
  const bytes = readFileSync(path).toString('latin1');
  for (const text of ['someone', 'example.org', '203.0.113.7', token]) assert.ok(!bytes.includes(text), text);
  const file = new DatabaseSync(path);
  // Tries of days are not read one by one.
  const plan = file.prepare('EXPLAIN QUERY PLAN DELETE FROM sign_up_tries WHERE at <= 1').all();
  file.close();
  assert.match(JSON.stringify(plan), /SEARCH .* INDEX/);
  const second = open();
  t.after(() => second.close());
  assert.ok((await second.signUps.admit('203.0.113.7', undefined)) > 0);
  assert.ok(await second.signUps.useLink(token));
  assert.equal(await second.signUps.useLink(token), false, 'used');
  clock.now += limits.linkMs;
  assert.equal(await second.signUps.useLink(late), false);
});

signUpCases([localEngine]);

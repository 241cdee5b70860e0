/**
 * The answers of the service are those that were recorded from it before: whole, with status, headers, body and cost.
 * After a wanted change: `RECORD=1 node --test test/server/recorded.test.ts`, and read the difference.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { listening } from '../support/listening.ts';
import { type Recorded, record } from '../support/record.ts';
import { recordedKeys } from '../support/recorded-requests.ts';

const file = join(import.meta.dirname, 'recorded.ndjson');

test('every recorded request is answered as it was', async (t) => {
  const service = await listening(t, { signUp: { mode: 'open' }, trustedProxies: ['127.0.0.1'] });
  const keys = Object.fromEntries(
    Object.entries(recordedKeys).map(([name, options]) => [name, service.makeKey({ ...options } as never)]),
  );
  const answers = await record(service.port, keys, 700);
  if (process.env.RECORD) writeFileSync(file, answers.map((answer) => `${JSON.stringify(answer)}\n`).join(''));
  const before = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line): Recorded => JSON.parse(line));
  const different = answers.flatMap((answer, at) =>
    JSON.stringify(answer) === JSON.stringify(before[at]) ? [] : [{ before: before[at], now: answer }],
  );
  assert.deepEqual(different.slice(0, 5), []);
  assert.equal(answers.length, before.length);
});

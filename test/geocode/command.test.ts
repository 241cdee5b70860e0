/** The command as its users run it: a process of its own. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { smallData } from '../support/served.ts';

const main = join(import.meta.dirname, '../../src/main.ts');

test('exit codes show whether all rows are done, some have errors, or the usage was wrong', async (t) => {
  const program = [main, '--data-directory', await smallData(t), 'geocode', '-', '--endpoint', 'search'];
  const feed = (input: string, ...args: string[]) =>
    spawnSync(process.execPath, [...program, ...args], { input, encoding: 'utf8' });
  const good = feed('q\nberlin\n');
  assert.equal(good.status, 0, good.stderr);
  assert.match(good.stdout, /^q,result_id,.*\r\nberlin,2950159,/);
  assert.match(good.stderr, /^1 rows sent to \/search: 1 found, 0 without a result, 0 with an error/);
  assert.equal(feed('q,country\nberlin,XX\n').status, 3);
  const threads = feed('q\nberlin\n', '--workers');
  assert.equal(threads.status, 0, threads.stderr);
  const wrong = feed('name\nberlin\n');
  assert.equal(wrong.status, 2);
  assert.match(wrong.stderr, /^whereabouts: no column matches q/);
});

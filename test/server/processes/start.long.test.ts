/** Workers that end while a service starts. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { smallData } from '../../support/served.ts';

const main = join(import.meta.dirname, '../../../src/main.ts');

test('workers that end before they serve are reported with how they ended', async (t) => {
  const dataDirectory = await smallData(t);
  const ender = join(dataDirectory, 'ender.cjs');
  writeFileSync(ender, "if (require('node:cluster').isWorker) process.exit(7);");
  const args = [main, 'serve', '--data-directory', dataDirectory, '--port', '0', '--workers', '2'];
  const { stderr, status } = spawnSync(process.execPath, ['--require', ender, ...args], {
    encoding: 'utf8',
    timeout: 180_000,
  });
  assert.equal(status, 1);
  assert.match(stderr, /a worker could not start: it exited with code 7/);
});

test('a worker that ends while others start is replaced', async (t) => {
  const dataDirectory = await smallData(t);
  // The first worker ends as soon as it serves, and the second starts after that.
  const ender = join(dataDirectory, 'ender.cjs');
  writeFileSync(
    ender,
    `const { worker } = require('node:cluster');
    const { existsSync, writeFileSync } = require('node:fs');
    const ended = __dirname + '/ended';
    const { send } = process;
    if (worker?.id === 1) process.send = (message, ...more) => {
      // Its address, the answer to its start.
      if (typeof message.result !== 'string') return send.call(process, message, ...more);
      return send.call(process, message, undefined, undefined, () => process.exit(writeFileSync(ended, '') ?? 7));
    };
    while (worker?.id === 2 && !existsSync(ended)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);`,
  );
  const args = ['--require', ender, main, 'serve', '--data-directory', dataDirectory, '--port', '0', '--workers', '2'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  const messages: string[] = [];
  for await (const line of createInterface(child.stdout!)) {
    messages.push(JSON.parse(line).msg);
    if (messages.at(-1) === 'serving') break;
  }
  assert.deepEqual(messages, ['a worker ended; starting another', 'serving']);
  child.kill('SIGTERM');
  assert.equal((await once(child, 'exit'))[0], 0);
});

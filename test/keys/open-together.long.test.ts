import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryDirectory } from '../support/temporary.ts';

test('processes that open new databases of keys at the same moment all get them', async (t) => {
  const directory = temporaryDirectory(t);
  const opener = join(import.meta.dirname, '../support/database-opener.ts');
  const processes = Array.from({ length: 4 }, () => fork(opener, [directory]));
  t.after(() => processes.map((child) => child.kill()));
  const nextMessage = async (child: ChildProcess) => (await once(child, 'message'))[0] as string;
  await Promise.all(processes.map(nextMessage));
  for (let round = 0; round < 60; round++) {
    const answers = processes.map(nextMessage);
    for (const child of processes) child.send(round);
    assert.deepEqual(await Promise.all(answers), ['opened', 'opened', 'opened', 'opened'], `round ${round}`);
  }
});

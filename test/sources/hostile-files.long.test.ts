/** Hostile inputs: whatever is given to a reader ends in one line that names the file, in bounded memory. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { hostileFiles } from '../support/hostile-files.ts';
import { temporaryDirectory } from '../support/temporary.ts';

type Ended = { path: string; name: string; message: string; maxRssMb: number };

const maxMemoryMb = 1000;

test('every hostile file is refused in one line with its name, in bounded memory', async (t) => {
  const directory = temporaryDirectory(t);
  const paths = Object.entries(hostileFiles).map(([name, content]) => {
    const path = join(directory, name);
    writeFileSync(path, content());
    return path;
  });
  const script = join(import.meta.dirname, '../support/read-hostile.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...paths], { maxBuffer: 1 << 24 });
  const ended = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Ended);
  assert.equal(ended.length, paths.length);
  for (const { path, name, message, maxRssMb } of ended) {
    const file = basename(path);
    assert.match(name, /^(SourceError|UsageError|MmdbError)$/, `${file}: ${name}: ${message}`);
    assert.ok(message.includes(file), `${file}: ${message}`);
    assert.ok(!message.includes('\n') && message.length < 500, `${file}: ${message}`);
    assert.ok(maxRssMb < maxMemoryMb, `${file}: ${maxRssMb} MB`);
  }
});

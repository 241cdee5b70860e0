/** A build of the street-level layers that is killed, or finds the disk full, leaves the old dataset as it was. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { currentVersion } from '../../src/store/manifest.ts';
import { buildInProcess, builtNames, dataDirectory, firstVersion } from '../support/data-directory.ts';
import { temporaryFile } from '../support/temporary.ts';
import { assertUntouched, build, town } from '../support/town-build.ts';

/** Kills a build at a step, without a chance to clean up; returns what it had printed. */
async function killAt(directory: string, file: string, step: RegExp, memoryMb?: number): Promise<string[]> {
  const child = buildInProcess(directory, file, { memoryMb });
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout! })) {
    lines.push(line);
    if (step.test(line)) child.kill('SIGKILL');
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  assert.equal(child.signalCode, 'SIGKILL', lines.join('\n'));
  return lines;
}

test('a build killed at any step leaves the old dataset, and the next build cleans up', async (t) => {
  const directory = await dataDirectory(t);
  const file = temporaryFile(t, 'town.osm.pbf', town(12_000));
  for (const memoryMb of [512, 1]) {
    for (const step of [/reading OpenStreetMap/, /writing streets/]) {
      await killAt(directory, file, step, memoryMb);
      assertUntouched(directory);
    }
  }
  // All temporary files are in the version being built, which the next build removes.
  assert.ok(readdirSync(directory, { recursive: true }).some((name) => /\.building.*streets-/.test(String(name))));
  const manifest = await build(directory, file);
  assert.equal(currentVersion(directory), manifest.version);
  assert.deepEqual(builtNames(directory).sort(), [firstVersion, manifest.version]);
});

test('a full disk ends the build with an error and changes nothing', {
  skip: process.platform === 'win32',
}, async (t) => {
  const directory = await dataDirectory(t);
  const file = temporaryFile(t, 'town.osm.pbf', town(4000));
  const refusals: [memoryMb: number, refusal: RegExp][] = [
    [512, /the disk is full .*free space for .*or set dataDirectory/],
    [
      1,
      /the temporary file .* cannot be written: (EFBIG|disk I\/O error).*use a disk with more space, or set more memory/,
    ],
  ];
  for (const [memoryMb, refusal] of refusals) {
    const child = buildInProcess(directory, file, { fileBlocks: 100, memoryMb });
    let errors = '';
    child.stderr!.on('data', (chunk) => (errors += chunk));
    child.stdout!.resume();
    const [code] = await once(child, 'close');
    assert.notEqual(code, 0);
    assert.match(errors, refusal);
    assertUntouched(directory);
    assert.deepEqual(builtNames(directory), [firstVersion]);
  }
});

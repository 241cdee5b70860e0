/**
 * A first start that is killed again and again goes on where it stopped. KILLS sets how often; the run of
 * docs/internal/reliability.md has ten.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { openDataset } from '../../src/api/open.ts';
import { currentVersion, readManifest, verifyFiles } from '../../src/store/manifest.ts';
import { emptyDirectory } from '../support/data-directory.ts';

const kills = Number(process.env.KILLS ?? 5);

function start(directory: string): ChildProcess {
  const program = join(import.meta.dirname, '../support/first-start.ts');
  return spawn(process.execPath, [program, directory], { stdio: ['ignore', 'pipe', 'inherit'] });
}

async function outputOf(child: ChildProcess): Promise<string> {
  let output = '';
  child.stdout!.on('data', (chunk) => (output += chunk));
  await once(child, 'close');
  return output;
}

/** What must be the same however often a build was interrupted: all but its times. */
function contentOf(directory: string): object {
  const { version: _, builtAt: __, layers, ...manifest } = readManifest(join(directory, currentVersion(directory)!));
  return {
    ...manifest,
    layers: Object.fromEntries(Object.entries(layers).map(([name, layer]) => [name, { ...layer, buildSeconds: 0 }])),
  };
}

/** Whether a data directory has the same dataset as another, whole, and nothing besides. */
async function isLike(directory: string, other: string): Promise<void> {
  assert.deepEqual(contentOf(directory), contentOf(other));
  const version = join(directory, currentVersion(directory)!);
  await verifyFiles(version, readManifest(version));
  openDataset(version).close();
  const leftovers = readdirSync(directory).filter((name) => name.startsWith('.building'));
  assert.deepEqual(leftovers, []);
}

test('a start killed at random moments and started again ends with the same dataset', async (t) => {
  const undisturbed = await emptyDirectory(t);
  const startedAt = performance.now();
  assert.equal(await outputOf(start(undisturbed)), 'serves\nwhole\n');
  const tookMs = performance.now() - startedAt;

  let directory = await emptyDirectory(t);
  let resumed = 0;
  for (let kill = 0; kill < kills; kill++) {
    const hadLayers = readdirSync(directory).some((name) => existsSync(join(directory, name, 'manifest.json')));
    if (hadLayers) resumed++;
    const child = start(directory);
    const output = outputOf(child);
    await Promise.race([output, wait(Math.random() * tookMs)]);
    child.kill('SIGKILL');
    // Ends when the build has noticed, too.
    await output;
    if (currentVersion(directory) === undefined) continue;
    await isLike(directory, undisturbed);
    directory = await emptyDirectory(t);
  }
  assert.match(await outputOf(start(directory)), /whole\n$/);
  await isLike(directory, undisturbed);
  t.diagnostic(`${resumed} of ${kills} killed starts went on with layers that an earlier one had built`);
});

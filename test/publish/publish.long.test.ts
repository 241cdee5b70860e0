/** Transfers of published datasets that break off, and nodes and publishers that are killed. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { currentVersion, readManifest, verifyFiles } from '../../src/store/manifest.ts';
import { assertWhole, built, publishIn, pullTo, versions } from '../support/published.ts';
import { staticServer } from '../support/static-server.ts';
import { temporaryDirectory } from '../support/temporary.ts';

test('a link that breaks repeatedly is resumed where it broke, also with a server without ranges', async (t) => {
  const data = await built(t);
  const published = temporaryDirectory(t);
  await publishIn(published, data);
  for (const acceptsRanges of [true, false]) {
    const server = await staticServer(t, published);
    server.acceptsRanges = acceptsRanges;
    let pieces = 0;
    // Without ranges what arrived arrives again, so that a link that always breaks this early makes no progress.
    let breaks = 0;
    server.mayGoOn = (sent) =>
      acceptsRanges ? ++pieces % 5 !== 0 : breaks === 5 || sent < 150_000 * 2 ** breaks || ++breaks === 0;
    const node = temporaryDirectory(t);
    assert.equal(await pullTo(node, server.url, { retries: 3 }), versions[0]);
    await assertWhole(node, versions[0]);
    assert.ok(server.requests.some((line) => /bytes=[1-9]/.test(line)));
  }
});

test('killed at any moment, a node has the complete old or new version, and continues from there', async (t) => {
  const data = await built(t);
  const published = temporaryDirectory(t);
  await publishIn(published, data);
  const server = await staticServer(t, published);
  const node = temporaryDirectory(t);
  const program = join(import.meta.dirname, '../support/pull.ts');
  const total = readManifest(join(data, versions[0]));
  const bytes = Object.values(total.layers)
    .flatMap(({ files }) => files)
    .reduce((sum, file) => sum + file.bytes, 0);
  let sentBefore = 0;
  let sentInAll = 0;
  let rounds = 0;
  for (let round = 1; currentVersion(node) === undefined; round++) {
    const child = spawn(process.execPath, [program, server.url, node], { stdio: 'ignore' });
    // Each round gets further than the one before; most of what arrived is not sent again.
    server.mayGoOn = (sent) => {
      sentInAll = sent;
      if (sent - sentBefore > (round * bytes) / 20) child.kill('SIGKILL');
      return true;
    };
    await once(child, 'exit');
    sentBefore = sentInAll;
    for (const name of readdirSync(node).filter((one) => /^\d/.test(one))) await assertFilesWhole(join(node, name));
    rounds = round;
    assert.ok(round < 30, 'it gets on');
  }
  await assertWhole(node, versions[0]);
  assert.ok(rounds > 3, 'it was killed at several moments');
});

async function assertFilesWhole(directory: string): Promise<void> {
  await verifyFiles(directory, readManifest(directory));
}

test('a killed publisher leaves the published version unchanged, and the next attempt sends the rest', async (t) => {
  const data = await built(t);
  const published = temporaryDirectory(t);
  const program = join(import.meta.dirname, '../../src/main.ts');
  for (const step of [1, 3, 5]) {
    const child = spawn(process.execPath, [program, '--data-directory', data, 'publish', published], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let output = '';
    for await (const chunk of child.stderr!) {
      output += chunk;
      if (output.includes(`  ${step}/`)) child.kill('SIGKILL');
    }
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    if (child.signalCode === 'SIGKILL') assert.ok(!existsSync(join(published, 'current.json')));
  }
  await publishIn(published, data);
  const node = temporaryDirectory(t);
  assert.equal(await pullTo(node, published), versions[0]);
  await assertWhole(node, versions[0]);
});

/** The output of a build: its progress on a terminal, and what the dataset has. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { describeDataset, summarise } from '../../src/commands/build-summary.ts';
import { readManifest } from '../../src/store/manifest.ts';
import type { Manifest } from '../../src/store/manifest-format.ts';
import { buildSmallDataset } from '../support/small-store.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const terminal = join(import.meta.dirname, '../support/terminal.py');
const noPython = spawnSync('python3', ['--version']).status !== 0 && 'needs python3';

/** A build with a fake clock: `world` takes 7 s, `postal` 65 s more. */
const building = `
  let now = 0;
  performance.now = () => now;
  const { showBuildProgress } = await import(${JSON.stringify(import.meta.resolve('../../src/commands/build-progress.ts'))});
  const progress = showBuildProgress(['world', 'postal', 'ip']);
  progress.update('world', 0.5, 'places');
  now = 7000;
  progress.update('world', 1, 'done');
  progress.update('postal', 0.1, 'Japan');
  now = 72_000;
  progress.update('postal', 1, 'done');
  progress.stop();
  console.error('SUMMARY');
  progress.stop();`;

test('on a terminal each step has its own time, and nothing overwrites later output', {
  skip: noPython,
}, async () => {
  const args = [terminal, 'output', process.execPath, '--input-type=module', '-e', building];
  const child = spawn('python3', args, { stdio: ['pipe', 'pipe', 'inherit'] });
  let text = '';
  child.stdout!.setEncoding('utf8').on('data', (chunk) => (text += chunk));
  await once(child, 'close');
  const [drawn, after] = text.split('SUMMARY');
  assert.doesNotMatch(after, /[█░]/);
  const last = (step: string) =>
    drawn
      .split('\n')
      .filter((line) => line.includes(step))
      .at(-1)!;
  assert.match(last('world'), /100% +7s +done/);
  assert.match(last('postal'), /100% +1m05s +done/);
  assert.match(last('ip'), /0% +waiting/);
});

test('the summary says what the dataset has, what it lacks, and how to add it, in words', async (t) => {
  const directory = temporaryDirectory(t);
  await buildSmallDataset(directory);
  const manifest = readManifest(directory);
  const text = describeDataset(manifest);
  assert.match(text, /^ {2}places +\d+ cities/m);
  assert.match(text, /and lacks\n {2}addresses and streets of other countries/);
  assert.match(text, /whereabouts build --region LI$/);
  const { addresses: _, ip: __, ...layers } = manifest.layers;
  assert.match(describeDataset({ ...manifest, layers }), /and lacks\n {2}IP addresses, addresses\n.*of every country/);
});

test('addresses are counted by country, sizes are never zero, and no field name is shown', async (t) => {
  const directory = temporaryDirectory(t);
  await buildSmallDataset(directory);
  const manifest: Manifest = readManifest(directory);
  manifest.layers.addresses!.records = { addresses: 30 };
  manifest.layers.addresses!.countries = { LI: 10, AT: 20 };
  manifest.layers.world!.records.unassignedCountries = 1;
  assert.match(describeDataset(manifest), /addresses +30: Austria 20, Liechtenstein 10$/m);
  const details = summarise(manifest);
  assert.match(details, /addresses +with streets/);
  assert.match(details, /1 unassigned countries/);
  assert.doesNotMatch(details, /[a-z][A-Z]|_| 0\.0 MB/);
});

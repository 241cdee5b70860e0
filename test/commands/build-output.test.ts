/** The output of a build: its progress on a terminal, and what the dataset has. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeDataset, summarise } from '../../src/commands/status.ts';
import { type Manifest, readManifest } from '../../src/store/manifest.ts';
import { buildSmallDataset } from '../support/small-store.ts';
import { temporaryDirectory } from '../support/temporary.ts';

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

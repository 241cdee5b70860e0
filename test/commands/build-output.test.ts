/** The output of a build: its progress on a terminal, and what the dataset has. */
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { currentVersion, type Manifest, readManifest } from '../../src/store/manifest.ts';
import { runProgram } from '../support/data-directory.ts';
import { smallData } from '../support/served.ts';

/** What `status` says of a dataset with another manifest, which a function makes of its own. */
async function statusOf(t: TestContext, changed: (manifest: Manifest) => void, ...options: string[]): Promise<string> {
  const data = await smallData(t);
  const version = join(data, currentVersion(data)!);
  const manifest = readManifest(version);
  changed(manifest);
  rmSync(join(version, 'manifest.json'));
  writeFileSync(join(version, 'manifest.json'), JSON.stringify(manifest));
  const { stdout, stderr, status } = runProgram(data, 'status', ...options);
  assert.equal(status, 0, stderr);
  return stdout;
}

test('the summary says what the dataset has, what it lacks, and how to add it, in words', async (t) => {
  const text = await statusOf(t, () => {});
  assert.match(text, /^ {2}places +\d+ cities/m);
  assert.match(text, /and lacks\n {2}addresses and streets of other countries/);
  assert.match(text, /whereabouts build --region LI$/m);
  const fewer = await statusOf(t, ({ layers }) => {
    delete layers.addresses;
    delete layers.ip;
  });
  assert.match(fewer, /and lacks\n {2}IP addresses, addresses\n.*of every country/);
});

test('addresses are counted by country, sizes are never zero, and no field name is shown', async (t) => {
  const changed = ({ layers }: Manifest) => {
    layers.addresses!.records = { addresses: 30 };
    layers.addresses!.countries = { LI: 10, AT: 20 };
    layers.world!.records.unassignedCountries = 1;
  };
  const text = await statusOf(t, changed, '--details');
  const [described, details] = text.split('\n\nSources')[0].split(/\n\n(?=.*$)/s);
  assert.match(described, /addresses +30: Austria 20, Liechtenstein 10$/m);
  assert.match(details, /addresses +with streets/);
  assert.match(details, /1 unassigned countries/);
  assert.doesNotMatch(details, /[a-z][A-Z]|_| 0\.0 MB/);
});

/** docs/sources.md says how old the default data are. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { agesTable } from '../scripts/data-ages.ts';
import { readManifest } from '../src/store/manifest.ts';
import { datasetMissing, defaultDataset } from '../test/support/dataset.ts';

const dataset = defaultDataset();

test('the table of ages is that of the default dataset', { skip: !dataset && datasetMissing }, () => {
  const page = readFileSync(join(import.meta.dirname, '../docs/sources.md'), 'utf8');
  const table = agesTable(readManifest(dataset!));
  assert.ok(page.includes(table), `run scripts/record-data-ages.ts; expected\n${table}`);
});

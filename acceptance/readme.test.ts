import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { askable } from '../src/endpoints/ask.ts';
import type { Endpoint } from '../src/endpoints/endpoint.ts';
import { endpoints } from '../src/endpoints/index.ts';
import { openDataset } from '../src/store/open.ts';
import { datasetMissing, defaultDataset } from '../test/support/dataset.ts';

const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8');

test('the answers that the README shows are the answers of the service', (t) => {
  const directory = defaultDataset();
  if (!directory) return t.skip(datasetMissing);
  const store = openDataset(directory);
  t.after(() => store.close());
  const examples = [...readme.matchAll(/```http\nGET (\S+)\?(.*)\n```\n```json\n([\s\S]*?)\n```/g)];
  assert.ok(examples.length >= 5, 'the examples are found');
  for (const [, path, query, shown] of examples) {
    const endpoint: Endpoint | undefined = Object.values(endpoints).find(
      (candidate) => `/v1${candidate.path}` === path,
    );
    assert.ok(endpoint, path);
    const raw = Object.fromEntries(query.split('&').map((pair) => pair.split('=')));
    const context = { store, profile: 'default', now: Date.now(), clientAddress: undefined } as const;
    const { query_ms, ...expected } = JSON.parse(shown);
    assert.equal(typeof query_ms, 'number');
    assert.deepEqual(
      JSON.parse(JSON.stringify(askable(endpoint, 'default')(raw, context))),
      expected,
      `${path}?${query}`,
    );
  }
});

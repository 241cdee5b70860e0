/** Questions that people ask a model, with the tool and arguments that answer each, over the default dataset. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDataset } from '../src/api/open.ts';
import { tools } from '../test/mcp/clients.ts';
import { datasetMissing, defaultDataset } from '../test/support/dataset.ts';
import { testService } from '../test/support/service.ts';

const directory = defaultDataset();

test('every question of the table is answered by its tool', { skip: directory ? false : datasetMissing }, async (t) => {
  const store = openDataset(directory!);
  const rows = readFileSync(join(import.meta.dirname, 'mcp-questions.csv'), 'utf8')
    .trim()
    .split('\n')
    .slice(1);
  t.after(() => store.close());
  const service = await testService(t, { store: { current: store }, now: Date.now });
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const wrong: string[] = [];
  for (const row of rows) {
    const [question, tool, args, expected] = row.split(';');
    const params = { name: tool, arguments: JSON.parse(args) };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    const { text } = await service.ask('/mcp', { method: 'POST', headers, body });
    const answer = JSON.stringify(JSON.parse(text.replace(/^event: message\ndata: /, '')).result?.structuredContent);
    if (!new RegExp(expected).test(answer)) wrong.push(`${question} ${expected}: ${answer.slice(0, 300)}`);
  }
  assert.ok(rows.length >= 40);
  assert.deepEqual(wrong, []);
  const covered = new Set(rows.map((row) => row.split(';')[1]));
  assert.deepEqual(
    tools.filter((tool) => !covered.has(tool)),
    [],
  );
});

/** Questions that people ask a model, with the tool and arguments that answer each, over the default dataset. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ask, createOperations } from '../src/api/execute.ts';
import { openDataset } from '../src/api/open.ts';
import { endpoints } from '../src/endpoints/index.ts';
import { answerOf, toolList } from '../src/server/mcp/tools.ts';
import { datasetMissing, defaultDataset } from '../test/support/dataset.ts';

const directory = defaultDataset();

test('every question of the table is answered by its tool', { skip: directory ? false : datasetMissing }, () => {
  const store = openDataset(directory!);
  const rows = readFileSync(join(import.meta.dirname, 'mcp-questions.csv'), 'utf8')
    .trim()
    .split('\n')
    .slice(1);
  const context = { store, profile: 'default', now: Date.now(), clientAddress: undefined } as const;
  const operations = createOperations(endpoints);
  const wrong: string[] = [];
  for (const row of rows) {
    const [question, tool, args, expected] = row.split(';');
    const answer = JSON.stringify(
      answerOf(tool, JSON.parse(args), (name, parameters) => ask(operations[name], parameters, context)),
    );
    if (!new RegExp(expected).test(answer)) wrong.push(`${question} ${expected}: ${answer.slice(0, 300)}`);
  }
  store.close();
  assert.ok(rows.length >= 40);
  assert.deepEqual(wrong, []);
  const covered = new Set(rows.map((row) => row.split(';')[1]));
  assert.deepEqual(
    Object.keys(toolList).filter((tool) => !covered.has(tool)),
    [],
  );
});

/** The table of how old the default data are; acceptance/data-ages.test.ts holds it against the dataset. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { agesTable } from '../../scripts/data-ages.ts';
import { layerNames, type Manifest } from '../../src/store/manifest.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/sources.md'), 'utf8');

test('docs/sources.md says of every layer how old its data are, in the columns that are generated', () => {
  const [head, line] = agesTable({ layers: {} as Manifest['layers'], sources: [] }).split('\n');
  const rows = page
    .slice(page.indexOf(`${head}\n${line}\n`))
    .split('\n')
    .slice(2);
  const table = rows.slice(0, rows.indexOf('')).map((row) => row.split('|').map((cell) => cell.trim()));
  assert.deepEqual(
    table.map(([, layer]) => layer),
    layerNames,
  );
  for (const [, layer, dated, undated] of table) {
    assert.match(dated, /^(?:\d{4}(?:-\d\d){0,2}: `[^;]+`(?:; |$))*$/, layer);
    assert.match(undated, /^(?:`[^`]+`(?:, |$))*$/, layer);
    assert.ok(dated.length + undated.length > 0, layer);
  }
});

test('the sources of a layer are ordered by date, the oldest first, those without one listed separately', () => {
  const source = (id: string, vintage: string | null) => ({ id, vintage }) as Manifest['sources'][number];
  const sources = [source('new', '2026-03'), source('old', '2023'), source('none', null), source('same', '2026-03')];
  const layers = { ip: { sources: ['none', 'new', 'old', 'same'] } } as unknown as Manifest['layers'];
  assert.equal(agesTable({ layers, sources }).split('\n')[2], '| ip | 2023: `old`; 2026-03: `new`, `same` | `none` |');
});

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import table from '../../src/sources/osm/poi-tags.json' with { type: 'json' };
import { poiCategories } from '../support/poi-categories.ts';

type Row = { key: string } & Partial<Record<(typeof poiCategories)[number], string>>;
type Condition = { tag: string; key: string; only?: string; not?: string };

const page = readFileSync(join(import.meta.dirname, '../../docs/poi-categories.md'), 'utf8');

test('docs/poi-categories.md has the current table of tags', () => {
  const lines = poiCategories.map((category) => {
    const tags = (table.tags as Row[]).flatMap(({ key, ...row }) =>
      row[category] ? [`\`${key}\`: ${row[category].replaceAll(' ', ', ')}`] : [],
    );
    return `| ${category} | ${tags.join('; ')} |`;
  });
  for (const line of lines) assert.ok(page.includes(line), `docs/poi-categories.md lacks the row\n${line}`);
});

test('docs/poi-categories.md has the current conditions and the tags that need a name', () => {
  for (const condition of table.conditions as Condition[]) {
    const { tag, key, only, not = '' } = condition;
    const [sign, values] = only === undefined ? ['not with', not] : ['only with', only];
    const line = `| \`${tag}\` | ${sign} \`${key}\` ${values.replaceAll(' ', ', ')} |`;
    assert.ok(page.includes(line), `docs/poi-categories.md lacks the row\n${line}`);
  }
  for (const tag of table.onlyNamed) assert.ok(page.includes(`| \`${tag}\` | only with a name |`), tag);
});

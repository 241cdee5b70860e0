import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/internal/contract-tests.md'), 'utf8');
const rows = [...page.matchAll(/^\| *([SCX][\w., ]+?) *\| (.+) \| (.+) \|$/gm)].map(([, number, line, tests]) => ({
  number,
  line,
  tests: tests.split(/; (?=`)/).map((text) => /^`([^`]+)` › (.+?) *$/.exec(text)),
}));
const pathOf = (file: string) => (file.includes('/') ? file : `acceptance/contract/${file}.test.ts`);

/** The names of a file's tests; `*` stands for what a name is made with. */
function namesIn(file: string): Set<string> {
  const text = readFileSync(join(root, file), 'utf8');
  const names = [...text.matchAll(/\b(?:test|it)\(\s*('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`[^`]*`)/g)];
  return new Set(
    names.map(([, name]) =>
      name
        .slice(1, -1)
        .replace(/\$\{[^}]*\}/g, '*')
        .replace(/\\(.)/g, '$1'),
    ),
  );
}

test('every line of the contract has a test, and every test that is named is in its file', () => {
  assert.ok(rows.length > 80, `${rows.length} rows`);
  const names = new Map<string, Set<string>>();
  for (const { number, tests } of rows) {
    for (const found of tests) {
      assert.ok(found, `${number} names a test as \`file\` › name`);
      const path = pathOf(found[1]);
      assert.ok(existsSync(join(root, path)), `${number}: there is no ${path}`);
      if (!names.has(path)) names.set(path, namesIn(path));
      assert.ok(names.get(path)!.has(found[2]), `${number}: ${path} has no test "${found[2]}"`);
    }
  }
});

test('no number is given twice, and every test of acceptance/contract belongs to a line', () => {
  const numbers = rows.map(({ number }) => number);
  assert.equal(new Set(numbers).size, numbers.length);
  const named = new Set(rows.flatMap(({ tests }) => tests.map((found) => `${pathOf(found![1])} › ${found![2]}`)));
  for (const file of readdirSync(join(root, 'acceptance/contract')).filter((name) => name.endsWith('.test.ts'))) {
    for (const name of namesIn(`acceptance/contract/${file}`)) {
      assert.ok(
        named.has(`acceptance/contract/${file} › ${name}`),
        `docs/internal/contract-tests.md lacks ${file} › ${name}`,
      );
    }
  }
});

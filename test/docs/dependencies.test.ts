import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '../..');

test('docs/internal/dependencies.md has a row for every dependency of package.json, and for no other', () => {
  const { dependencies, optionalDependencies, devDependencies } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  );
  const rows = readFileSync(join(root, 'docs/internal/dependencies.md'), 'utf8').match(/^\| `.*$/gm) ?? [];
  const explained = rows.flatMap((row) => [...row.split('|')[1].matchAll(/`([^`]+)`/g)].map(([, name]) => name));
  assert.deepEqual(
    explained.sort(),
    Object.keys({ ...dependencies, ...optionalDependencies, ...devDependencies }).sort(),
  );
});

test('every version in package.json is exact', () => {
  const { dependencies, optionalDependencies, devDependencies } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  );
  const loose = Object.entries({ ...dependencies, ...optionalDependencies, ...devDependencies }).filter(
    ([, version]) => !/^\d+\.\d+\.\d+$/.test(version as string),
  );
  assert.deepEqual(loose, []);
});

test('no lock file names a registry host', () => {
  for (const file of ['package-lock.json', 'sources/default/lock.json']) {
    assert.doesNotMatch(readFileSync(join(root, file), 'utf8'), /"resolved": "https?:/);
  }
});

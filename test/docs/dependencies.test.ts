import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '../..');

/** Every dependency of the product and of what lies in `packages`, with its version. */
const dependencies = ['package.json', ...globSync('packages/*/package.json', { cwd: root })].flatMap((file) => {
  const { dependencies, optionalDependencies, devDependencies } = JSON.parse(readFileSync(join(root, file), 'utf8'));
  const all = Object.entries<string>({ ...dependencies, ...optionalDependencies, ...devDependencies });
  return all.filter(([, version]) => !version.startsWith('file:packages/'));
});

test('docs/internal/dependencies.md has a row for every dependency, and for no other', () => {
  const rows = readFileSync(join(root, 'docs/internal/dependencies.md'), 'utf8').match(/^\| `.*$/gm) ?? [];
  const explained = rows.flatMap((row) => [...row.split('|')[1].matchAll(/`([^`]+)`/g)].map(([, name]) => name));
  assert.deepEqual(explained.sort(), [...new Set(dependencies.map(([name]) => name))].sort());
});

test('every version in a package.json is exact', () => {
  assert.deepEqual(
    dependencies.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version)),
    [],
  );
});

test('no lock file names a registry host', () => {
  for (const file of ['package-lock.json', 'sources/default/lock.json']) {
    assert.doesNotMatch(readFileSync(join(root, file), 'utf8'), /"resolved": "https?:/);
  }
});

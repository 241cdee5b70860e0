import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { chooseBuilders } from '../../src/commands/run-build.ts';
import { defaultPackages, defaultParts, packagesOf } from '../../src/sources/default-data.ts';

const read = (file: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../../sources/default', file), 'utf8'));

test('the default data packages are those of sources/default, at exact versions, each with a hash in the lock', () => {
  const { dependencies } = read('package.json');
  const lock: Record<string, { version: string; integrity: string }> = read('lock.json');
  assert.deepEqual(Object.keys(dependencies).sort(), Object.keys(defaultPackages).sort());
  assert.deepEqual(Object.keys(lock).sort(), Object.keys(defaultPackages).sort());
  for (const [name, version] of Object.entries(dependencies)) {
    assert.match(version as string, /^\d+\.\d+\.\d+$/, `${name} has an exact version`);
    assert.equal(lock[name].version, version);
    assert.match(lock[name].integrity, /^sha512-[A-Za-z0-9+/]{86}==$/);
  }
});

test('every default package has files that are read, none of them outside it', () => {
  for (const [name, files] of Object.entries(defaultPackages)) {
    assert.ok(files.length > 0, `${name} is read`);
    assert.deepEqual(
      files.filter((file) => file.startsWith('/') || file.split('/').includes('..')),
      [],
      name,
    );
  }
});

test('every default package is read by the builder of a layer or of a part, and files of a user need none', () => {
  const tasks = chooseBuilders(undefined).map(({ name }) => ({
    name,
    parts: name === 'streets' ? Object.values(defaultParts) : [''],
  }));
  const read = tasks.flatMap(({ name, parts }) => parts.flatMap((part) => packagesOf(name, part)));
  assert.deepEqual([...new Set(read)].sort(), Object.keys(defaultPackages).sort());
  for (const { name, parts } of tasks) for (const part of parts) assert.ok(packagesOf(name, part).length > 0, name);
  for (const name of ['liechtenstein', 'world']) assert.deepEqual(packagesOf('streets', name), []);
});

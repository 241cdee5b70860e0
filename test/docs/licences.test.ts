import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

/** Licences that require no more than their notice: what we distribute with the program may have them. */
const free = ['MIT', 'MIT-0', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'BlueOak-1.0.0'];
/** Weak copyleft: free to distribute beside the program as they are, in a package of their own that anyone can replace. */
const asPackages = ['LGPL-3.0-or-later'];
/** Others, of packages that only tests use. */
const forTests = ['MPL-2.0'];

test('every installed package has a licence that allows redistribution', () => {
  const { packages } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package-lock.json'), 'utf8')) as {
    packages: Record<string, { license?: string; dev?: boolean; link?: boolean }>;
  };
  const wrong = Object.entries(packages).filter(([path, { license = '', dev, link }]) => {
    if (!path.includes('node_modules') || link) return false;
    const names = license.replace(/[()]/g, '').split(' OR ');
    return !names.some((name) => free.includes(name) || asPackages.includes(name) || (dev && forTests.includes(name)));
  });
  assert.deepEqual(wrong, []);
});

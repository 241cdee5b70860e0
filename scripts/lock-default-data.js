// Writes sources/default/lock.json: the SHA-512 that the registry has for every package of
// sources/default/package.json. Run it by hand after changing a version there, and look at the difference before
// committing it.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const directory = new URL('../sources/default/', import.meta.url);
const { dependencies } = JSON.parse(readFileSync(new URL('package.json', directory), 'utf8'));
const lock = {};
for (const [name, version] of Object.entries(dependencies)) {
  const integrity = execFileSync('npm', ['view', `${name}@${version}`, 'dist.integrity', '--loglevel=error'], {
    encoding: 'utf8',
  }).trim();
  if (!integrity.startsWith('sha512-')) throw new Error(`the registry has no SHA-512 for ${name}@${version}`);
  lock[name] = { version, integrity };
}
writeFileSync(new URL('lock.json', directory), `${JSON.stringify(lock, null, 2)}\n`);

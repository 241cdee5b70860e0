/** The Compose files: what every container is kept to. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

/** The services of a file that do not take all of another, with their lines. */
function servicesOf(name: string): [name: string, lines: string][] {
  const text = readFileSync(join(import.meta.dirname, '../..', name), 'utf8');
  const [, services] = /^services:\n([\s\S]*?)(?=^\S|$(?![\s\S]))/m.exec(text)!;
  return services
    .split(/^(?= {2}[\w-]+:)/m)
    .flatMap((lines): [string, string][] => [[/^ {2}([\w-]+):/.exec(lines)?.[1] ?? '', lines]])
    .filter(([service, lines]) => service !== '' && !lines.includes('<<: *search'));
}

test('every container has limits of memory and processes, and no capabilities', () => {
  const own = [...servicesOf('compose.yaml'), ...servicesOf('compose.search.yaml').slice(1)];
  assert.deepEqual(
    own.map(([name]) => name),
    ['whereabouts', 'keys', 'search-1'],
  );
  for (const [name, lines] of own)
    for (const setting of ['mem_limit: ', 'pids_limit: ', 'cap_drop: [ALL]', 'no-new-privileges:true'])
      assert.ok(lines.includes(setting), `${name} has no ${setting}`);
});

test('the key server asks for a password, which no argument shows', () => {
  const [, [, keys]] = servicesOf('compose.yaml');
  assert.match(keys, /<<END\n +requirepass \$\$REDISCLI_AUTH\n +END\n/);
  assert.doesNotMatch(keys, /--requirepass|protected-mode no/);
  assert.match(servicesOf('compose.yaml')[0][1], /redis:\/\/:\$\{VALKEY_PASSWORD:\?[^}]+\}@keys:6379/);
});

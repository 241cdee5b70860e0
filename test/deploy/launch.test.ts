/** However the service is started, Node runs it with the same settings. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryDirectory } from '../support/temporary.ts';

const root = join(import.meta.dirname, '../..');
const read = (name: string) => readFileSync(join(root, name), 'utf8');
const program = (name: string) =>
  read(name)
    .match(/^ExecStart=\S+\/node (.*)$/m)![1]
    .replaceAll('/opt/whereabouts/', '');
const manifest = JSON.parse(read('package.json'));

/** How each starts, as arguments of Node. */
const starts: Record<string, string[]> = {
  'the installed command': [manifest.bin.whereabouts],
  'npm start': manifest.scripts.start.split(' ').slice(1),
  'npm run whereabouts': manifest.scripts.whereabouts.split(' ').slice(1),
  'the container': JSON.parse(read('Dockerfile').match(/^ENTRYPOINT (.*)$/m)![1]).slice(1),
  'the unit of systemd': program('deploy/whereabouts.service').split(' '),
  'the update by systemd': program('deploy/whereabouts-update.service').split(' '),
};

type Settings = { flags: string[]; tunables: string; cache: string };

test('the installed command, npm start, the container and systemd start Node alike', (t) => {
  const probe = join(temporaryDirectory(t), 'probe.mjs');
  // Of the processes that become one another only the last one exits.
  writeFileSync(
    probe,
    `process.on('exit', () => {
      const { execArgv: flags, env } = process;
      console.log(JSON.stringify({ flags, tunables: env.GLIBC_TUNABLES, cache: env.NODE_COMPILE_CACHE }));
    });`,
  );
  const settingsOf = (args: readonly string[], variables: NodeJS.ProcessEnv = {}): Settings => {
    const { GLIBC_TUNABLES: _, NODE_COMPILE_CACHE: __, NODE_TEST_CONTEXT: ___, ...inherited } = process.env;
    const env = { ...inherited, NODE_OPTIONS: `--import=${probe}`, ...variables };
    const { stdout, stderr } = spawnSync(process.execPath, [...args, '--help'], { cwd: root, env, encoding: 'utf8' });
    assert.match(stdout, /^Usage: whereabouts/, stderr);
    return JSON.parse(stdout.trim().split('\n').at(-1)!);
  };
  const [first, ...others] = Object.entries(starts).map(([name, args]) => ({ name, settings: settingsOf(args) }));
  assert.match(first.settings.flags.join(' '), /--max-semi-space-size=\d+ --heap-growing-percent=\d+/);
  assert.match(first.settings.tunables, /glibc\.malloc\.hugetlb=1/);
  assert.ok(first.settings.cache.startsWith(root));
  for (const { name, settings } of others) assert.deepEqual(settings, first.settings, name);

  // What an operator sets stays.
  const own = { GLIBC_TUNABLES: 'glibc.malloc.hugetlb=0', NODE_COMPILE_CACHE: temporaryDirectory(t) };
  const kept = settingsOf(['--max-semi-space-size=16', manifest.bin.whereabouts], own);
  assert.deepEqual(kept.flags.toSorted(), [
    '--heap-growing-percent=40',
    '--initial-heap-size=64',
    '--max-semi-space-size=16',
  ]);
  assert.deepEqual([kept.tunables, kept.cache], Object.values(own));
});

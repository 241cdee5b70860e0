/** The command line as people use it: a process of its own, its output and its exit code. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { after, before, suite, test } from 'node:test';
import { makeCurrent } from '../../src/build/versions.ts';
import { defaultPlans, isWellFormedKey } from '../../src/keys/key-record.ts';
import { openKeys } from '../../src/keys/sqlite/sqlite-keys.ts';
import { dataDirectory } from '../support/data-directory.ts';
import { buildSmallDataset } from '../support/small-store.ts';

const program = join(import.meta.dirname, '../../src/main.ts');

suite('the command line', () => {
  let data: string;
  before(async () => {
    data = mkdtempSync(join(tmpdir(), 'whereabouts-commands-'));
    for (const version of ['20260101T000000Z', '20260102T000000Z']) {
      mkdirSync(join(data, version));
      await buildSmallDataset(join(data, version), { version });
    }
    await makeCurrent(data, '20260102T000000Z');
  });
  after(() => rmSync(data, { recursive: true }));

  const run = (...args: string[]) => {
    const { stdout, stderr, status } = spawnSync(process.execPath, [program, '--data-directory', data, ...args], {
      encoding: 'utf8',
      env: { ...process.env, npm_config_offline: 'true', npm_config_cache: join(data, 'no-packages') },
    });
    return { stdout, stderr, status };
  };

  test('--help lists the commands and the first steps', () => {
    const { stdout, status } = run('--help');
    assert.equal(status, 0);
    for (const command of ['start', 'serve', 'build', 'rollback', 'keys', 'status', 'query', 'geocode', 'mcp']) {
      assert.match(stdout, new RegExp(`^  ${command}\\b`, 'm'), command);
    }
    assert.match(stdout, /whereabouts start/);
  });

  test('a reader that closes the output early, as head does, ends a command without a word', async () => {
    for (const args of [
      ['build', '--help'],
      ['keys', 'usage'],
    ]) {
      const child = spawn(process.execPath, [program, '--data-directory', data, ...args]);
      child.stdout.destroy();
      const [stderr, [status]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
      assert.deepEqual([status, stderr], [0, ''], args.join(' '));
    }
  });

  test('query answers from the dataset; a bare word is the first parameter, a country code too', () => {
    const { stdout, status } = run('query', 'search', 'berlin');
    assert.equal(status, 0);
    assert.equal(JSON.parse(stdout).results[0].name, 'Berlin');
    assert.equal(JSON.parse(run('query', 'country', 'DE').stdout).iso3, 'DEU');
    assert.equal(JSON.parse(run('query', 'nearby', 'lat=52.5', 'lng=13.4', 'limit=1').stdout).count, 1);
  });

  test('a table of very many keys is printed', async (t) => {
    const directory = await dataDirectory(t);
    const keysOf = (...args: string[]) =>
      spawnSync(process.execPath, [program, '--data-directory', directory, 'keys', ...args], {
        encoding: 'utf8',
        maxBuffer: 2 ** 28,
      }).stdout;
    keysOf('create', '--name', 'shop');
    const count = 130_000;
    const database = new DatabaseSync(join(directory, 'keys.db'));
    database.exec(`INSERT INTO records (id, record) WITH RECURSIVE more(n) AS
      (SELECT 2 UNION ALL SELECT n + 1 FROM more WHERE n < ${count}) SELECT n, json_set(record, '$.id', n) FROM records, more`);
    database.close();
    const lines = keysOf('list').trimEnd().split('\n');
    assert.equal(lines.length, 1 + count);
    assert.match(lines[1], /^1 {7}wab_\w+ .* shop/);
    assert.match(lines[count], /^130000 {2}wab_\w+ .* shop/);
  });

  test('status --verify reports damaged and missing files in one line', () => {
    const directory = join(data, '20260102T000000Z');
    const path = join(directory, 'manifest.json');
    const manifest = readFileSync(path, 'utf8');
    const { layers, ...rest } = JSON.parse(manifest);
    const verify = (...names: string[]) => {
      const files = names.map((name) => ({ name, bytes: 4, sha256: hash('sha256', 'good') }));
      writeFileSync(path, JSON.stringify({ ...rest, layers: { ...layers, world: { ...layers.world, files } } }));
      return run('status', '--verify');
    };
    writeFileSync(join(directory, 'whole'), 'good');
    writeFileSync(join(directory, 'other'), 'evil');
    assert.equal(verify('whole').status, 0);
    const { status, stderr } = verify('whole', 'other', 'gone');
    assert.equal(status, 1);
    assert.match(stderr, /^whereabouts: .* is damaged: other, gone \(missing\); build .*\n$/);
    writeFileSync(path, manifest);
  });

  test('a dataset written by another version of the program is refused with the remedy', () => {
    const path = join(data, '20260102T000000Z', 'manifest.json');
    const manifest = readFileSync(path, 'utf8');
    writeFileSync(path, JSON.stringify({ ...JSON.parse(manifest), schemaVersion: 1 }));
    for (const args of [
      ['query', 'search', 'berlin'],
      ['serve', '--port', '0'],
    ]) {
      const { status, stderr } = run(...args);
      assert.notEqual(status, 0);
      assert.match(
        stderr,
        /has dataset schema 1, but this program reads \d+; build the dataset again with "whereabouts build"/,
      );
      assert.doesNotMatch(stderr, /\n\s+at /, 'no stack');
    }
    writeFileSync(path, manifest);
  });

  test('start builds a dataset of an older version again, and without its packages leaves it and the keys', () => {
    const directory = join(data, '20260102T000000Z');
    const manifest = readFileSync(join(directory, 'manifest.json'), 'utf8');
    writeFileSync(join(directory, 'manifest.json'), JSON.stringify({ ...JSON.parse(manifest), schemaVersion: 4 }));
    const keys = run('keys', 'list').stdout;
    const { status, stderr } = run('start', '--port', '0');
    assert.equal(status, 1);
    assert.match(stderr, /^The dataset 20260102T000000Z is of an older version: it is built again .*Keys stay\.$/m);
    assert.match(stderr, /^whereabouts: .*npm/m);
    assert.equal(readFileSync(join(data, 'current'), 'utf8').trim(), '20260102T000000Z');
    assert.equal(run('keys', 'list').stdout, keys);
    writeFileSync(join(directory, 'manifest.json'), manifest);
  });

  test('wrong usage, a refused parameter included, exits with 2 and says what is expected', () => {
    const unknown = run('query', 'nothing');
    assert.deepEqual([unknown.status, unknown.stdout], [2, '']);
    assert.match(unknown.stderr, /no endpoint "nothing"; expected one of .*search/);
    assert.equal(run('frobnicate').status, 2);
    for (const command of ['keys create', 'keys log', 'sources add', 'config show']) {
      const { status, stderr } = run(...command.split(' '), '--frobnicate');
      assert.equal(status, 2, command);
      assert.match(stderr, /^error: unknown option '--frobnicate'\n\(whereabouts --help/, command);
    }
    assert.match(run('query', 'search', 'paris', '--limit', '3').stderr, /the form name=value: limit=3/);
    const refused = run('query', 'nearby', 'lat=999', 'lng=1');
    assert.equal(refused.status, 2);
    assert.match(refused.stderr, /lat is "999", expected a decimal number from -90 to 90/);
    assert.doesNotMatch(refused.stderr, /\n\s+at /, 'no stack for a mistake of the user');
  });

  test('a key is created, listed and revoked; its text is shown once and never stored', async () => {
    const made = JSON.parse(run('keys', 'create', '--plan', 'pro', '--name', 'shop', '--json').stdout);
    assert.ok(isWellFormedKey(made.key));
    const [listed] = JSON.parse(run('keys', 'list', '--json').stdout);
    assert.deepEqual([listed.name, listed.plan, listed.revoked], ['shop', 'pro', null]);
    assert.ok(made.key.startsWith(listed.start));
    assert.ok(!readFileSync(join(data, 'keys.db')).includes(made.key));
    assert.equal(run('keys', 'revoke', String(made.id)).status, 0);
    assert.notEqual(JSON.parse(run('keys', 'list', '--json').stdout)[0].revoked, null);
    const changes = [
      '--plan',
      'free',
      '--days',
      '30',
      '--endpoint',
      'search',
      'ip',
      '--network',
      '10.0.0.0/8',
      '--json',
    ];
    const changed = JSON.parse(run('keys', 'change', made.start, ...changes).stdout);
    assert.deepEqual(
      [changed.plan, changed.name, changed.endpoints, changed.networks, changed.expires?.length],
      ['free', 'shop', ['search', 'ip'], ['10.0.0.0/8'], 24],
    );
    assert.match(run('keys', 'list').stdout, /^id +start +name .*only for\n.*free.*10\.0\.0\.0\/8; search ip/);
    const lifted = JSON.parse(
      run('keys', 'change', String(made.id), '--endpoint', 'any', '--days', 'never', '--json').stdout,
    );
    assert.deepEqual([lifted.endpoints, lifted.networks, lifted.expires], [null, ['10.0.0.0/8'], null]);
    assert.match(run('keys', 'change', String(made.id)).stderr, /nothing to change/);
    const misspelled = /--endpoint: there is no endpoint "serch"; did you mean search\?/;
    assert.match(run('keys', 'change', String(made.id), '--endpoint', 'ip', 'serch').stderr, misspelled);
    assert.match(run('keys', 'create', '--endpoint', 'serch').stderr, misspelled);
    for (const days of ['soon', '0']) {
      assert.match(run('keys', 'change', String(made.id), '--days', days).stderr, new RegExp(`--days is "${days}"`));
    }
    assert.equal(run('keys', 'usage').stdout, 'key_id,key,name,plan,date,endpoint,calls\r\n');
    assert.deepEqual(JSON.parse(run('keys', 'usage', String(made.id), '--format', 'json').stdout), []);
    assert.match(run('keys', 'usage', '--from', '2026-02-30').stderr, /--from is "2026-02-30", expected a date/);
    const log: { action: string; by: string }[] = JSON.parse(run('keys', 'log', '--json').stdout);
    assert.deepEqual(
      log.map(({ action }) => action),
      ['change', 'change', 'revoke', 'create'],
    );
    assert.match(run('keys', 'revoke', String(made.id)).stdout, /was revoked, on \d{4}-\d{2}-\d{2} already/);
    assert.ok(log.every(({ by }) => by === `operator ${userInfo().username}`));
    const expiring = openKeys(join(data, 'keys.db'), { plans: defaultPlans });
    await expiring.create({ name: 'old', expiresAt: Date.UTC(2026, 0, 2) }, 'test');
    await expiring.close();
    assert.match(run('keys', 'list').stdout, / old .* 2026-01-02 \(expired\) /);
    const restricted = run('keys', 'create', '--origin', 'https://a.example', '--days', '2').stdout;
    assert.match(restricted, /Plan free, until \d{4}-\d\d-\d\d, only for https:\/\/a\.example\. Keep the key/);
    assert.match(run('keys', 'create', '--admin').stdout, /For the admin API and nothing else\. Keep the key/);
    assert.match(run('keys', 'log').stdout, /create key \d+ .*"origins":\["https:\/\/a\.example"\],"expires":"\d{4}-/);
    assert.match(run('keys', 'create', '--plan', 'gold').stderr, /no plan "gold"; expected one of free, pro, scale/);
  });

  test('status shows layers and sources, and the credits as Markdown', () => {
    assert.match(run('status').stdout, /^The dataset 20260102T000000Z(?![\s\S]*\n {2}world )[\s\S]*\nSources\n/);
    assert.match(run('status', '--details').stdout, /Dataset 20260102T000000Z[\s\S]*world[\s\S]*Sources/);
    assert.equal(JSON.parse(run('status', '--json').stdout).version, '20260102T000000Z');
    assert.match(run('status', '--attribution').stdout, /^## CC0-1\.0$/m);
  });

  test('rollback makes the previous dataset current, and says so when there is none', () => {
    assert.equal(run('rollback').status, 0);
    assert.equal(readFileSync(join(data, 'current'), 'utf8').trim(), '20260101T000000Z');
    const none = run('rollback');
    assert.equal(none.status, 2);
    assert.match(
      none.stderr,
      /no other dataset in .* has been served before; the directory has 20260101T000000Z \(current\), 20260102T000000Z/,
    );
  });

  test('rollback leaves a version whose files are cut', () => {
    const directory = join(data, '20260102T000000Z');
    const [{ files }] = Object.values<{ files: { name: string }[] }>(
      JSON.parse(readFileSync(join(directory, 'manifest.json'), 'utf8')).layers,
    );
    const path = join(directory, files[0].name);
    const whole = readFileSync(path);
    writeFileSync(path, whole.subarray(1));
    const { status, stderr } = run('rollback', '20260102T000000Z');
    assert.equal(status, 1);
    assert.match(stderr, /20260102T000000Z is damaged: /);
    assert.equal(readFileSync(join(data, 'current'), 'utf8').trim(), '20260101T000000Z');
    writeFileSync(path, whole);
  });

  test('versions lists what is kept; rollback takes any of them by its name', () => {
    const { stdout } = run('versions');
    assert.match(stdout, /^ {2}20260102T000000Z .* rolled back from\n\* 20260101T000000Z .* current since 2\d{3}-/);
    assert.equal(run('rollback', '20260102T000000Z').status, 0);
    assert.equal(readFileSync(join(data, 'current'), 'utf8').trim(), '20260102T000000Z');
    const same = run('rollback', '20260102T000000Z');
    assert.equal(same.status, 2);
    assert.match(same.stderr, /^whereabouts: .*20260102T000000Z.*current[^\n]*\n$/);
    const unknown = run('rollback', '20250101T000000Z');
    assert.equal(unknown.status, 2);
    assert.match(unknown.stderr, /no dataset 20250101T000000Z to return to .*20260101T000000Z/);
  });

  test('a source whose kind is not recognised, or that does not exist, is refused before anything is built', () => {
    const strange = join(data, 'strange.xyz');
    writeFileSync(strange, 'what is this');
    assert.match(run('build', '--source', strange).stderr, /the kind of the source .* cannot be detected/);
    assert.match(run('build', '--source', join(data, 'missing.zip')).stderr, /no file .*missing\.zip/);
    assert.match(run('build', '--source', `nonsense=${strange}`).stderr, /"nonsense" is not a kind of source/);
    assert.match(run('build', '--layer', 'clouds').stderr, /no layer "clouds"; expected one of world/);
  });

  test('without a dataset the remedy is named', () => {
    const empty = join(data, 'empty');
    mkdirSync(empty);
    const { status, stderr } = run('--data-directory', empty, 'serve');
    assert.equal(status, 2);
    assert.match(stderr, /there is no dataset in .*whereabouts build/);
  });
});

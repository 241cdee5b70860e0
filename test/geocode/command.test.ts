/** The command as its users run it: a process of its own. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { smallData } from '../support/served.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const main = join(import.meta.dirname, '../../src/main.ts');

test('exit codes show whether all rows are done, some have errors, or the usage was wrong', async (t) => {
  const program = [main, '--data-directory', await smallData(t), 'geocode', '-', '--endpoint', 'search'];
  const feed = (input: string, ...args: string[]) =>
    spawnSync(process.execPath, [...program, ...args], { input, encoding: 'utf8' });
  const good = feed('q\nberlin\n');
  assert.equal(good.status, 0, good.stderr);
  assert.match(good.stdout, /^q,result_id,.*\r\nberlin,2950159,/);
  assert.match(good.stderr, /^1 rows sent to \/search: 1 found, 0 without a result, 0 with an error/);
  assert.match(good.stderr, /\n {2}quality: 1 exact, 0 partial, 0 none\n {2}kinds: 1 place\n$/);
  const { rows, exact, none, kinds } = JSON.parse(feed('q\nberlin\nxqzzy\n', '--json').stderr);
  assert.deepEqual([rows, exact, none, kinds], [2, 1, 1, { place: 1 }]);
  assert.equal(feed('q,country\nberlin,XX\n').status, 3);
  const threads = feed('q\nberlin\n', '--workers');
  assert.equal(threads.status, 0, threads.stderr);
  const wrong = feed('name\nberlin\n');
  assert.equal(wrong.status, 2);
  assert.match(wrong.stderr, /^whereabouts: no column matches q/);
});

test('an option with columns may be repeated', async (t) => {
  const data = await smallData(t);
  const asked = (input: string, ...columns: string[]) => {
    const options = columns.flatMap((each) => ['--columns', each]);
    const program = [main, '--data-directory', data, 'geocode', '-', ...options];
    return spawnSync(process.execPath, program, { input, encoding: 'utf8' });
  };
  for (const [input, found, ...columns] of [
    ['town,cc\nberlin,DE\n', /Berlin,DE/, 'q=town', 'country=cc'],
    ['town,state,cc\nparis,texas,US\n', /Paris,US/, 'q = town + state,country=cc'],
  ] as [string, RegExp, ...string[]][]) {
    const { stdout, stderr, status } = asked(input, ...columns);
    assert.equal(status, 0, stderr);
    assert.match(stdout, found);
  }
  for (const [columns, message] of [
    ['=town', /--columns has "=town", expected parameter=column or/],
    ['q=town+', /--columns has "q=town\+", expected/],
    ['q=town,q=town', /--columns has q twice/],
  ] as const) {
    const { stderr, status } = asked('town\nberlin\n', columns);
    assert.equal(status, 2);
    assert.match(stderr, message);
  }
});

test('a page has a map of the results, complete in itself', async (t) => {
  const page = join(temporaryDirectory(t), 'out.html');
  const program = [main, '--data-directory', await smallData(t), 'geocode', '-', '--map', page, '--columns', 'q=town'];
  const input = 'town,note\nberlin,</script><b>\nzzzzzz,x\n';
  const run = () => spawnSync(process.execPath, program, { input, encoding: 'utf8' });
  assert.equal(run().status, 0);
  const html = readFileSync(page, 'utf8');
  assert.doesNotMatch(html, /(src|href)=|https?:/, 'it loads nothing');
  const { pins, places, summary } = JSON.parse(/<script type="application\/json"[^>]*>(.*)<\/script>/.exec(html)![1]);
  assert.deepEqual([pins.length, pins[0].quality, pins[0].cells[1]], [1, 'exact', '</script><b>']);
  assert.ok(pins[0].at[0] > 13.3 && pins[0].at[1] > 52.4);
  assert.ok(places.some(([name]: string[]) => name === 'Berlin'));
  assert.equal(summary.withoutResult, 1);
  const again = run();
  assert.deepEqual([again.status, again.stderr], [2, `whereabouts: ${page} exists; choose another name for --map\n`]);
});

test('a full disk is one line that names the file; only a CSV keeps what is done', {
  skip: !existsSync('/dev/full') && 'needs /dev/full',
}, async (t) => {
  const folder = temporaryDirectory(t);
  const input = join(folder, 'in.csv');
  writeFileSync(input, `q\n${'berlin\n'.repeat(2000)}`);
  const program = [main, '--data-directory', await smallData(t), 'geocode', input, '--endpoint', 'search'];
  for (const name of ['out.csv', 'out.csv.gz', 'out.geojson', 'out.xlsx', 'out.parquet']) {
    const output = join(folder, name);
    // A file system that is full, for the file alone.
    const run = ['-c', 'ulimit -f 8 && exec "$0" "$@"', process.execPath, ...program, '--output', output];
    const { stderr, status } = spawnSync('sh', run, { encoding: 'utf8' });
    assert.equal(status, 1, stderr);
    assert.match(stderr, /^whereabouts: .*\/out\.[a-z.]+: the file would be larger than the system allows\n$/, name);
    assert.equal(existsSync(output), name === 'out.csv', name);
    assert.deepEqual(
      readdirSync(folder).filter((each) => each.endsWith('.part')),
      [],
    );
  }
  const full = spawnSync('sh', ['-c', '"$0" "$@" > /dev/full', process.execPath, ...program], { encoding: 'utf8' });
  assert.equal(full.status, 1, full.stderr);
  assert.match(full.stderr, /^whereabouts: (standard output: )?the disk is full\n$/);
});

test('a run that is interrupted leaves no cut file under the name of one that is whole', async (t) => {
  const folder = temporaryDirectory(t);
  const data = await smallData(t);
  for (const name of ['out.csv.gz', 'out.geojson', 'out.xlsx', 'out.parquet']) {
    const args = [
      main,
      '--data-directory',
      data,
      'geocode',
      '-',
      '--endpoint',
      'search',
      '--output',
      join(folder, name),
    ];
    const { status, stderr } = spawnSync(process.execPath, args, { input: 'q\nberlin\n"paris\n', encoding: 'utf8' });
    assert.equal(status, 1, stderr);
    assert.match(stderr, /^whereabouts: the input is not CSV: .*\n$/);
    assert.deepEqual(readdirSync(folder), []);
  }
});
